"""Limits on the content of requests, checked before it is interpreted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import parse_qsl

from console.service.refusal import Refusal, invalid

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
                for name, each in fields.items():
                    _check_text(path, name, LONGEST_TEXT)
                    waiting.append((f"{path}.{name}" if path else name, each, depth + 1))
            else:
                entries = cast("Sequence[Any]", value)
                _check_count(path, len(entries), limits.get(path, MOST_ENTRIES), "entries", "maxItems")
                for number, each in enumerate(entries):
                    waiting.append((f"{path}.{number}" if path else str(number), each, depth + 1))


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
