"""Build requests from HTTP requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic_core import ValidationError

from console.api.annotations import InputPlace, Variant
from console.api.bodies import load
from console.api.request import Request
from console.records.structured import STRICT

R = TypeVar("R", bound=Request[Any])


def incoming(
    request: type[R], path: Mapping[str, str], query: Sequence[tuple[str, str]], body: bytes, variant: Variant
) -> R:
    """Build the request from an HTTP request. Inputs that the variant lacks are ignored.

    Raise pydantic's ValidationError, or ValueError if the body is not JSON.
    """
    content: Any = load(body) if body.strip() else None
    values: dict[str, Any] = {}
    for each in request.inputs():
        if each.variant not in {None, variant}:
            continue
        if each.wire in path:
            values[each.wire] = path[each.wire]
        elif each.place is InputPlace.QUERY:
            found = [value for name, value in query if name in {each.travels, each.travels + "[]"}]
            if found:
                values[each.wire] = found if each.is_many(len(found)) else found[-1]
        elif each.place is InputPlace.WHOLE_BODY:
            if content is not None:
                values[each.wire] = content
        elif isinstance(content, Mapping):
            if each.travels in content:
                values[each.wire] = cast("Mapping[str, Any]", content)[each.travels]
        elif content is not None:
            raise ValueError("the body must be an object")
    made = request.model_validate(values, context=STRICT)
    lacking = [each for each in request.inputs() if each.needed_in is variant and values.get(each.wire) is None]
    if lacking:
        # The same message as pydantic's for an input that both variants require.
        details: list[Any] = [{"type": "missing", "loc": (each.wire,), "input": None} for each in lacking]
        raise ValidationError.from_exception_data(request.__name__, details)
    return made
