"""Build requests from the path, query and body of HTTP requests, within limits.

Every text and list has a limit: its own, declared with `field(max_length=...)`, or the default. pydantic checks limits
below the defaults, `check_content` all others, before the content is interpreted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

from pydantic_core import ValidationError

from console.api.annotations import InputPlace, Variant
from console.api.request import Request
from console.records.model import checked
from console.records.structured import STRICT
from console.service.http.error_bodies import from_validation
from console.service.refusal import Refusal, invalid

R = TypeVar("R", bound=Request[Any])

FORM = "application/x-www-form-urlencoded"
"""The media type of form-encoded bodies."""
LARGEST_BODY = 1024 * 1024
BODY_SECONDS = 30.0
"""Timeout for the body of a request."""
DEEPEST = 32
LARGEST_NUMBER = 2**53
"""Above this value, JSON parsers differ on numbers."""
LONGEST_TEXT = 4096
"""Most characters of a text without a limit of its own."""
MOST_ENTRIES = 1000
"""Most entries of a list, or fields of an object, without a limit of its own."""


def read_request(
    request: type[R], path: Mapping[str, str], query: Sequence[tuple[str, str]], body: bytes, variant: Variant
) -> R:
    """Build the typed request; every error is a 400 with validation entries.

    Inputs that the variant lacks are ignored.
    """
    try:
        larger = larger_limits(request)
        content = None
        if body.strip():
            content = _parsed(body)
            check_content(content, larger)
        check_content(path, larger)
        check_content(_by_name(query), larger)
        asked = _validated(request, path, query, content, variant)
    except ValidationError as error:
        raise from_validation(error, {input_.wire: input_.travels for input_ in request.inputs()}) from None
    except RecursionError:
        raise invalid("", "the body is nested too deeply", "json") from None
    except ValueError:
        raise invalid("", "the body cannot be read as JSON", "json") from None
    for input_ in request.inputs():
        if input_.place is not InputPlace.WHOLE_BODY and isinstance(getattr(asked, input_.field), int):
            check_content({input_.travels: getattr(asked, input_.field)})
    return asked


def _parsed(body: bytes) -> Any:
    """Parse a body. Raise ValueError if it is not JSON."""
    try:
        return json.loads(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise invalid("", "the body is not UTF-8", "encoding") from error


def _by_name(query: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return query values by name: a text for a single value, a list for repeated ones."""
    found: dict[str, list[str]] = {}
    for name, value in query:
        found.setdefault(name.removesuffix("[]"), []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _validated(
    request: type[R], path: Mapping[str, str], query: Sequence[tuple[str, str]], content: Any, variant: Variant
) -> R:
    """Build the request. Raise ValidationError, and refuse a body that is not an object."""
    values: dict[str, Any] = {}
    for input_ in request.inputs():
        if input_.variant not in {None, variant}:
            continue
        if input_.wire in path:
            values[input_.wire] = path[input_.wire]
        elif input_.place is InputPlace.QUERY:
            found = [value for name, value in query if name in {input_.travels, input_.travels + "[]"}]
            if found:
                values[input_.wire] = found if input_.is_many(len(found)) else found[-1]
        elif input_.place is InputPlace.WHOLE_BODY:
            if content is not None:
                values[input_.wire] = content
        elif isinstance(content, Mapping):
            if input_.travels in content:
                values[input_.wire] = cast("Mapping[str, Any]", content)[input_.travels]
        elif content is not None:
            raise invalid("", "the body must be an object", "type")
    validated = checked(request, values, STRICT)
    lacking = [input_ for input_ in request.inputs() if input_.needed_in is variant and values.get(input_.wire) is None]
    if lacking:
        # The same message as pydantic's for an input that both variants require.
        details: list[Any] = [{"type": "missing", "loc": (input_.wire,), "input": None} for input_ in lacking]
        raise ValidationError.from_exception_data(request.__name__, details)
    return validated


@cache
def larger_limits(request: type[Request[Any]]) -> Mapping[str, int]:
    """Return the limits of an operation's inputs that may exceed the defaults, by the path of the input."""
    limits: dict[str, int] = {}
    for input_ in request.inputs():
        if input_.most > min(MOST_ENTRIES, LONGEST_TEXT):
            limits["" if input_.place is InputPlace.WHOLE_BODY else input_.wire] = input_.most
    return limits


def check_content(content: Any, larger: Mapping[str, int] | None = None) -> None:
    """Refuse invalid Unicode, long texts and lists, numbers out of range, and deep nesting.

    `larger` contains the limits above the default, by the path of the value; the path of the whole content is empty.
    """
    limits = larger or {}
    waiting: list[tuple[str, Any, int]] = [("", content, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, str):
            _check_text(path, value, limits.get(path, LONGEST_TEXT))
        elif isinstance(value, int | float):
            if not abs(value) <= LARGEST_NUMBER:  # neither is one that is not a number
                raise invalid(path, "is a number out of range", "range")
        elif isinstance(value, dict | list | tuple):
            if depth >= DEEPEST:
                raise invalid(path, "is nested too deeply", "depth")
            if isinstance(value, dict):
                fields = cast("dict[str, Any]", value)
                _check_count(path, len(fields), MOST_ENTRIES, "fields", "maxProperties")
                for name, field in fields.items():
                    _check_text(path, name, LONGEST_TEXT)
                    waiting.append((f"{path}.{name}" if path else name, field, depth + 1))
            else:
                entries = cast("Sequence[Any]", value)
                _check_count(path, len(entries), limits.get(path, MOST_ENTRIES), "entries", "maxItems")
                for number, entry in enumerate(entries):
                    waiting.append((f"{path}.{number}" if path else str(number), entry, depth + 1))


def is_form(headers: Mapping[str, str]) -> bool:
    """Return whether the body of a request is form-encoded, by its headers."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == FORM


def from_form(body: bytes) -> bytes:
    """Convert a form-encoded body to JSON. A field without a value counts as missing (RFC 6749 3.2).

    Refuse with 400 a repeated field, and text that is not UTF-8.
    """
    try:
        pairs = parse_qsl(body.decode("ascii"), encoding="utf-8", errors="strict", max_num_fields=MOST_ENTRIES)
    except ValueError:
        raise invalid("", "the body cannot be read as a form", "form") from None
    given: dict[str, str] = {}
    for name, value in pairs:
        if name in given:
            raise invalid(name[:LONGEST_TEXT], "is given more than once", "form")
        given[name] = value
    return json.dumps(given).encode()


def _check_text(path: str, text: str, longest: int) -> None:
    _check_count(path, len(text), longest, "characters", "maxLength")
    if "\0" in text or (not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)):
        raise invalid(_printable(path), "contains invalid characters", "text")


def _check_count(path: str, count: int, most: int, what: str, keyword: str) -> None:
    if count > most:
        raise invalid(_printable(path), f"may have at most {most} {what}", keyword)


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode().replace("\0", "?")


def too_large() -> Refusal:
    """Return the refusal of a body above the limit: 413."""
    return Refusal(413, f"the body must not exceed {LARGEST_BODY} bytes")


def too_slow() -> Refusal:
    """Return the refusal of a body that did not arrive in time: 408."""
    return Refusal(408, f"the body must arrive within {BODY_SECONDS:.0f} seconds")
