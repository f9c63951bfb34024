"""Answers in other character sets than UTF-8, which JSON requires (RFC 8259, 8.1) and old services do not send."""

from __future__ import annotations

import codecs
import re

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_OF_TEXT = re.compile(r"iso8859-|latin|cp\d|utf-16|utf-32|gb|big5|shift_jis|euc|koi8|mac")
"""Names of codecs for characters. Python has others, such as for escapes, and slow ones."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def in_utf8(body: bytes, media: str) -> bytes:
    """Return a body in UTF-8 without a byte order mark; the same object if it is already. `media` is its content type.

    A body that is not in the character set that it claims is returned unchanged.
    """
    if body[:1] in {b"\xef", b"\xff", b"\xfe"}:
        mark = next((each for each in _MARKS if body.startswith(each[0])), None)
        if mark is not None:
            return body[3:] if mark[1] == "utf-8" else _converted(body, mark[1])
    named = _CHARSET.search(media)
    if named is None or named[1].lower() in {"utf-8", "utf8"}:
        return body
    try:
        codec = codecs.lookup(named[1]).name
    except LookupError:
        return body
    if not _OF_TEXT.match(codec) or (body.isascii() and not codec.startswith("utf")):
        return body
    return _converted(body, codec)


def _converted(body: bytes, codec: str) -> bytes:
    try:
        return body.decode(codec).encode()
    except (UnicodeError, LookupError):
        return body
