"""Convert the answers to an action's prompts to requests. Errors are sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from console.api.request import Request
from console.base.text import as_label
from console.commands.action import Answers

Q = TypeVar("Q", bound=Request[Any])


def text(answers: Answers, name: str, what: str) -> str:
    """Return a line of text, stripped. Raise ValueError if it is missing."""
    value = optional(answers, name)
    if not value:
        raise ValueError(f"{what} is missing.")
    return value


def optional(answers: Answers, name: str) -> str:
    """Return an optional line of text, stripped."""
    answer = answers.get(name)
    return answer.strip() if isinstance(answer, str) else ""


def many(answers: Answers, name: str, what: str) -> tuple[str, ...]:
    """Return the picked values in order, without duplicates. Raise ValueError if there are none."""
    answer = answers.get(name)
    values = (answer,) if isinstance(answer, str) else tuple(str(item) for item in cast("Sequence[Any]", answer or ()))
    picked = tuple(dict.fromkeys(value for value in values if value))
    if not picked:
        raise ValueError(f"{what} is missing.")
    return picked


def form(answers: Answers, name: str) -> dict[str, Any]:
    """Return the changed fields of a form. Raise ValueError if there are none."""
    answer = answers.get(name)
    if not isinstance(answer, Mapping) or not answer:
        raise ValueError("Nothing was changed.")
    return dict(cast("Mapping[str, Any]", answer))


def build(request: type[Q], values: Mapping[str, Any]) -> Q:
    """Build a request from values by python name. Raise ValueError with a sentence about the first invalid one."""
    try:
        return request.from_person(values)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False, include_context=False)[0]
        field = str(problem["loc"][0]) if problem["loc"] else ""
        named_input = next((input_ for input_ in request.inputs() if field in {input_.wire, input_.field}), None)
        label = (named_input.title if named_input else "") or _label(named_input.field if named_input else field)
        raise ValueError(f"{label}: {_sentence(problem['type'], problem['msg'])}") from None


def _label(name: str) -> str:
    return as_label(name) or "The request"


def _sentence(kind: str, message: str) -> str:
    if kind in {"missing", "string_too_short"}:
        return "needs a value."
    return message[:1].lower() + message[1:] + "."
