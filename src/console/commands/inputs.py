"""Reads what was answered to an action's asks, and makes requests of it. A bad answer becomes a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from console.api.request import Request
from console.commands.action import Answers

Q = TypeVar("Q", bound=Request[Any])


def text(answers: Answers, name: str, what: str) -> str:
    """Return a line that was typed or picked, without the space around it. Raises ValueError when it is missing."""
    found = optional(answers, name)
    if not found:
        raise ValueError(f"{what} is missing.")
    return found


def optional(answers: Answers, name: str) -> str:
    """Return a line that may be left empty."""
    found = answers.get(name)
    return found.strip() if isinstance(found, str) else ""


def many(answers: Answers, name: str, what: str) -> tuple[str, ...]:
    """Return what was picked among several, in order and each once. Raises ValueError when nothing was."""
    found = answers.get(name)
    values = (found,) if isinstance(found, str) else tuple(str(each) for each in cast("Sequence[Any]", found or ()))
    picked = tuple(dict.fromkeys(value for value in values if value))
    if not picked:
        raise ValueError(f"{what} is missing.")
    return picked


def form(answers: Answers, name: str) -> dict[str, Any]:
    """Return the fields of a form that were filled in or changed. Raises ValueError when none was."""
    found = answers.get(name)
    if not isinstance(found, Mapping) or not found:
        raise ValueError("Nothing was changed.")
    return dict(cast("Mapping[str, Any]", found))


def build(request: type[Q], values: Mapping[str, Any]) -> Q:
    """Make a request of values by python name. Raises ValueError with a sentence about the first faulty one."""
    try:
        return request(**values)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False, include_context=False)[0]
        field = str(problem["loc"][0]) if problem["loc"] else ""
        name = next((each.field for each in request.inputs() if field in {each.wire, each.field}), field)
        label = (name.strip("_").replace("_", " ") or "the request").capitalize()
        raise ValueError(f"{label}: {_sentence(problem['type'], problem['msg'])}") from None


def _sentence(kind: str, message: str) -> str:
    if kind in {"missing", "string_too_short"}:
        return "needs a value."
    return message[:1].lower() + message[1:] + "."
