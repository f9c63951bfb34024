"""The standard streams of a command, whatever the caller made of them.

A stream may be closed, not blocking, without space, or of an encoding that lacks a sign. None of this ends a command,
except that data which could not be written to stdout is an error.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

_JSON_ESCAPES = "json_escapes"


def prepare_streams(arguments: Sequence[str]) -> None:
    """Make stdin, stdout and stderr usable. The arguments tell whether stdout gets JSON."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        _open_closed(number, name)
    for number in (1, 2):
        with suppress(OSError):
            os.set_blocking(number, True)
    codecs.register_error(_JSON_ESCAPES, _json_escapes)
    is_json = [*arguments[:1]] == ["call"] or not {"--json", "--jsonl", "json", "--format=json"}.isdisjoint(arguments)
    out, messages = cast("Any", sys.stdout), cast("Any", sys.stderr)
    if isinstance(out, io.TextIOWrapper):
        # Excel reads a byte order mark in UTF-8, whatever the locale is; lines already have their ends.
        encoding = "utf-8" if "--csv=excel" in arguments else None
        out.reconfigure(errors=_JSON_ESCAPES if is_json else "replace", encoding=encoding)
    if isinstance(messages, io.TextIOWrapper):
        encoding = messages.encoding
        raw = io.BufferedWriter(_Messages(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, encoding, "backslashreplace", line_buffering=True)


def _open_closed(number: int, name: str) -> None:
    """Open a closed stream on the null device, so that no other file gets its number."""
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != number:
            os.dup2(null, number)
            os.close(null)
    if getattr(sys, name) is None:
        stream = open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


class _Messages(io.FileIO):
    """Stderr. A message that cannot be written changes nothing about the result of a command."""

    def write(self, data: Buffer, /) -> int | None:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _json_escapes(error: UnicodeError) -> tuple[str, int]:
    """Escape what an encoding lacks as JSON does, so that the data is the same."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
