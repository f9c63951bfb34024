"""Limits on the inputs of operations, as declared in the catalogue: for checks, and for OpenAPI.

Every text and list has a limit: its own, declared with `field(max_length=...)`, or the default of `content.py`.
pydantic checks limits below the defaults, `check_content` all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from console.api.annotations import InputPlace
from console.api.request import Request
from console.service.content import LONGEST_TEXT, MOST_ENTRIES


@cache
def larger_limits(request: type[Request[Any]]) -> Mapping[str, int]:
    """Return the limits of an operation's inputs that may exceed the defaults, by the path of the input."""
    found: dict[str, int] = {}
    for each in request.inputs():
        if each.most > min(MOST_ENTRIES, LONGEST_TEXT):
            found["" if each.place is InputPlace.WHOLE_BODY else each.wire] = each.most
    return found


_USUAL = {
    "string": ("maxLength", LONGEST_TEXT),
    "array": ("maxItems", MOST_ENTRIES),
    "object": ("maxProperties", MOST_ENTRIES),
}


def with_limits(schema: Any) -> Any:
    """Return the JSON schema of an operation's inputs, with the default limits where it has no others."""
    if isinstance(schema, list):
        return [with_limits(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    given = cast("dict[str, Any]", schema)
    limited = {name: with_limits(value) for name, value in given.items()}
    kind = given.get("type")
    if isinstance(kind, str) and kind in _USUAL and not given.keys() & {"enum", "const"}:
        keyword, most = _USUAL[kind]
        limited.setdefault(keyword, most)
    return limited
