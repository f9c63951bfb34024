"""What a request's content must keep to before anything looks at its meaning, so that no input can break the store."""

from __future__ import annotations

import math
from typing import Any, cast

from console.service.refusal import Refusal, faulty

LARGEST_BODY = 1024 * 1024
BODY_SECONDS = 30.0
"""How long the body of a request may take."""
DEEPEST = 32
LARGEST_NUMBER = 2**53
"""Beyond this, JSON readers differ on what a number is."""


def check_content(content: Any) -> None:
    """Refuse text that is no Unicode, numbers out of range, and nesting that is too deep."""
    waiting: list[tuple[str, Any, int]] = [("", content, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, str):
            _check_text(path, value)
        elif isinstance(value, int | float):
            if not math.isfinite(value) or abs(value) > LARGEST_NUMBER:
                raise faulty(path, "is a number out of range", "range")
        elif isinstance(value, dict | list | tuple):
            if depth >= DEEPEST:
                raise faulty(path, "is nested too deeply", "depth")
            if isinstance(value, dict):
                for name, each in cast("dict[str, Any]", value).items():
                    _check_text(path, name)
                    waiting.append((f"{path}.{name}" if path else name, each, depth + 1))
            else:
                for number, each in enumerate(cast("list[Any]", value)):
                    waiting.append((f"{path}.{number}" if path else str(number), each, depth + 1))


def _check_text(path: str, text: str) -> None:
    if "\0" in text or (not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)):
        raise faulty(_printable(path), "holds characters that are no text", "text")


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode().replace("\0", "?")


def too_large() -> Refusal:
    """Refuse a body above the limit: 413."""
    return Refusal(413, f"the body may have at most {LARGEST_BODY} bytes")


def too_slow() -> Refusal:
    """Refuse a body that did not come in time: 408."""
    return Refusal(408, f"the body must come within {BODY_SECONDS:.0f} seconds")
