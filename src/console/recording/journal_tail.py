"""Follow the journal of own changes, as written by all consoles of this person."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from console.live.journal import entry_of, put_aside
from console.records.moments import LATEST_MS

_LARGEST = 4 * 1024 * 1024
"""Most bytes that are read at once."""
_AT = re.compile(rb'"at":(\d{1,16})[,}]')
_RESULT = b'"what":"result"'
"""A line without a moment."""


class JournalTail:
    """The changes at one service, as the journal tells them; they contain no secrets. Raises nothing.

    Each entry is a moment in ms since the epoch, and a line. A result has the moment of the entry before it.
    """

    def __init__(self, path: Path, service: str) -> None:
        """Begin at the current end."""
        self._path, self._service = path, service
        self._file, self._place = self._now()
        self._commands: dict[str, int] = {}
        """When each change was last told of."""

    def _now(self) -> tuple[int, int]:
        try:
            status = os.stat(self._path)
        except OSError:
            return 0, 0
        return status.st_ino, status.st_size

    def missed(self, since_ms: int, recorded: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Yield the entries between a moment and the beginning of the tail that are not among the recorded lines."""
        known: set[str] = set()
        for line in recorded:
            entry = entry_of(line.encode())
            if entry is not None:
                known.add(entry["hash"])
                self._moment(entry)
        for line in self._lines_since(since_ms):
            # Most lines of a long journal are older; they are not parsed.
            at = _AT.search(line)
            if _RESULT not in line and (at is None or int(at[1]) <= since_ms):
                continue
            entry = entry_of(line)
            if entry is not None and entry["hash"] not in known:
                yield from self._ours(entry, line)

    def _lines_since(self, since_ms: int) -> Iterator[bytes]:
        """Yield the lines before the tail, of files that were written after a moment."""
        for file in (*put_aside(self._path), self._path):
            left = self._place if file == self._path else None
            try:
                if os.stat(file).st_mtime * 1000 < since_ms:
                    continue
                with file.open("rb") as lines:
                    for line in lines:
                        if left is not None and left <= 0:
                            break
                        left = None if left is None else left - len(line)
                        yield line
            except OSError:
                continue

    def read(self) -> Iterator[tuple[int, str]]:
        """Yield the new entries."""
        file, size = self._now()
        if file != self._file:
            # The journal was put aside, and a new one begun.
            self._file = file
            self._place = 0
        if size <= self._place:
            return
        try:
            with self._path.open("rb") as lines:
                lines.seek(self._place)
                text = lines.read(_LARGEST)
        except OSError:
            return
        whole = text[: text.rfind(b"\n") + 1]
        self._place += len(whole)
        for line in whole.splitlines():
            entry = entry_of(line)
            if entry is not None:
                yield from self._ours(entry, line)

    def _ours(self, entry: dict[str, Any], line: bytes) -> Iterator[tuple[int, str]]:
        at_ms = self._moment(entry)
        if at_ms is not None:
            yield at_ms, line.decode(errors="replace").rstrip("\n")

    def _moment(self, entry: dict[str, Any]) -> int | None:
        """Return the moment of an entry, None if it is about another service."""
        command, at = str(entry.get("command")), entry.get("at")
        if command not in self._commands and (entry.get("what") != "intent" or entry.get("where") != self._service):
            return None
        if not isinstance(at, int) or not 0 <= at < LATEST_MS:
            at = self._commands.get(command, 0)
        self._commands[command] = at
        return at
