"""Cursors of paginated lists: opaque, signed, and valid only for their list, caller and filters."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import Any, cast

from console.base.frozen import Frozen
from console.service.refusal import Refusal, invalid

_SIGNATURE = 16


class PageStart(Frozen):
    """Start of a page: after (or, backwards, before) the row with this sort value and key."""

    value: Any
    key: str
    back: bool


class Cursors:
    """Encodes and decodes cursors with a secret key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def write(self, place: PageStart, binding: str) -> str:
        """Return the cursor of a place. `binding` identifies list, caller, filters and sort."""
        text = json.dumps([place.value, place.key, place.back], separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._sign(text, binding) + text).decode().rstrip("=")

    def read(self, cursor: str, binding: str) -> PageStart:
        """Return the place of a cursor; refuse every invalid cursor with the same 400."""
        try:
            raw = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (ValueError, binascii.Error):
            raise _useless() from None
        signature, text = raw[:_SIGNATURE], raw[_SIGNATURE:]
        canonical = base64.urlsafe_b64encode(raw).decode().rstrip("=") == cursor
        if not (hmac.compare_digest(signature, self._sign(text, binding)) and canonical):
            raise _useless()
        value, key, back = cast("list[Any]", json.loads(text))
        return PageStart(value, key, back)

    def _sign(self, text: bytes, binding: str) -> bytes:
        message = hashlib.sha256(binding.encode()).digest() + text
        return hmac.new(self._key, message, hashlib.sha256).digest()[:_SIGNATURE]


def _useless() -> Refusal:
    return invalid("page[after]", "is not a cursor of this list", "cursor")
