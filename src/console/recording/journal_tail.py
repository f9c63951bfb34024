"""What is added to the journal of own changes, by any console of this person."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from console.live.journal import entry_of

_LARGEST = 4 * 1024 * 1024
"""Most bytes that are read at once."""


class JournalTail:
    """The changes at one service, as the journal tells them; they contain no secrets. Raises nothing."""

    def __init__(self, path: Path, service: str) -> None:
        """Begin at the current end."""
        self._path, self._service = path, service
        self._file, self._place = self._now()
        self._commands: set[str] = set()

    def _now(self) -> tuple[int, int]:
        try:
            status = os.stat(self._path)
        except OSError:
            return 0, 0
        return status.st_ino, status.st_size

    def read(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Yield the new entries about this service, parsed and as bytes."""
        file, size = self._now()
        if file != self._file:
            # The journal was put aside, and a new one begun.
            self._file, self._place = file, 0
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
            if entry is not None and self._is_ours(entry):
                yield entry, line

    def _is_ours(self, entry: dict[str, Any]) -> bool:
        command = str(entry.get("command"))
        if entry.get("what") == "intent" and entry.get("where") == self._service:
            self._commands.add(command)
        return command in self._commands
