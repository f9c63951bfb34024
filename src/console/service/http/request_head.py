"""Limits on the address and headers of a request, checked before authentication."""

from __future__ import annotations

from starlette.types import Scope

from console.service.refusal import Refusal

LARGEST_HEAD = 32 * 1024
"""Most bytes of address and headers together."""
LONGEST_TARGET = 16 * 1024
"""Most bytes of the address: path and query."""
MOST_HEADERS = 100


def head_fault(scope: Scope) -> Refusal | None:
    """Return the refusal of a long address (414), or of many or large headers (431), or None."""
    target = len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"])
    if target > LONGEST_TARGET:
        return Refusal(414, f"the address may have at most {LONGEST_TARGET} bytes")
    headers = scope["headers"]
    if len(headers) > MOST_HEADERS:
        return Refusal(431, f"a request may have at most {MOST_HEADERS} headers")
    if target + sum(len(name) + len(value) for name, value in headers) > LARGEST_HEAD:
        return head_too_large()
    return None


def head_too_large() -> Refusal:
    """Return the refusal of a request whose address and headers are too large together: 431."""
    return Refusal(431, f"address and headers may have at most {LARGEST_HEAD} bytes together")
