"""Values for the inputs of any operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from console.api.request import Request
from console.records.fields import resolved_fields


def sample_inputs(request: type[Request[Any]], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return sample values by field for all required inputs, and the given ones."""
    tried: dict[str, list[Any]] = {}
    values = dict(given)
    for _ in range(60):
        try:
            request(**values)
        except ValidationError as error:
            name = _field(request, error.errors()[0]["loc"])
            left = tried.setdefault(name, _candidates(request, name))
            values[name] = left.pop(0)
        else:
            return values
    raise AssertionError(f"nothing fits {request.operation.name}: {values}")


def _field(request: type[Request[Any]], loc: tuple[int | str, ...]) -> str:
    return next(each.field for each in request.inputs() if str(loc[0]) in {each.wire, each.field})


def _candidates(request: type[Request[Any]], name: str) -> list[Any]:
    annotation = resolved_fields(request)[name].annotation
    literals = [args[0] for args in (get_args(annotation),) if args and get_origin(annotation) is not None]
    entry = {"id": "x", "groupId": "x", "name": "x", "address": "x", "username": "x", "domain": "x", "value": "x"}
    credential = {"username": "x", "password": "x"}
    return [*literals, "x", "x" * 40, True, 1, {}, ("x",), (entry,), entry, {"key": "x"}, credential]
