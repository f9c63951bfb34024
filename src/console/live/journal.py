"""The record of every change made from here: intent before it is sent, outcome after. Without a record, no change.

JSON lines, each with the hash of the line before it, so that a changed, removed or swapped line shows. Written through
to the disk; readable by its owner alone. Two consoles may share one file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

FIRST = "0" * 64
"""What the first line names as the hash of the line before it."""
_TAIL = 1 << 20


class JournalFault(Exception):
    """The journal cannot be written, so nothing may be changed. Its text says why."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first line that does not follow from the one before it."""

    line: int
    reason: str


class Journal:
    """An append-only file. May be used from any thread; each append waits for the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add one line and wait until the disk has it. Raises JournalFault."""
        with self._lock:
            try:
                self._append(entry)
            except (OSError, ValueError, TypeError) as error:
                raise JournalFault(f"the journal {self.path} cannot be written: {error}") from error

    def _append(self, entry: Mapping[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(self.path, flags, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            self._check(handle)
            number, previous, torn = _end(handle)
            line = _line({"number": number + 1, **entry, "previous": previous})
            # After a torn line a new one begins, so that what follows can still be read.
            _write_all(handle, (b"\n" if torn else b"") + line)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _check(self, handle: int) -> None:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("it is not a regular file")
        if found.st_uid != os.geteuid():
            raise OSError("it belongs to somebody else")
        if found.st_mode & 0o077:
            os.fchmod(handle, 0o600)


def _line(entry: Mapping[str, Any]) -> bytes:
    body = json.dumps(entry, separators=(",", ":"), ensure_ascii=True, default=str)
    return (body[:-1] + f',"hash":"{_hash(body)}"' + "}\n").encode()


def _hash(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _end(handle: int) -> tuple[int, str, bool]:
    """Return number and hash of the last whole line, and whether a torn one follows it."""
    size = os.fstat(handle).st_size
    start = max(0, size - _TAIL)
    tail = os.pread(handle, size - start, start)
    torn = bool(tail) and not tail.endswith(b"\n")
    for raw in reversed(tail.split(b"\n")):
        entry = _entry(raw)
        if entry is not None:
            return int(entry["number"]), str(entry["hash"]), torn
    if size:
        raise ValueError("its end cannot be read")
    return 0, FIRST, torn


def _entry(raw: bytes) -> dict[str, Any] | None:
    try:
        entry: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    fields = cast("dict[str, Any]", entry)
    return fields if isinstance(fields.get("number"), int) and isinstance(fields.get("hash"), str) else None


def verify(path: Path) -> Flaw | None:
    """Check every line of a journal; None when all follow from each other. A cut at the end cannot be seen from within:
    compare the last hash with one kept elsewhere."""
    previous, number = FIRST, 0
    with path.open("rb") as lines:
        for at, raw in enumerate(lines, start=1):
            entry = _entry(raw)
            if entry is None:
                return Flaw(at, "it cannot be read")
            text = raw.decode("ascii", errors="replace").rstrip("\n")
            body, _, _ = text.rpartition(',"hash":"')
            if _hash(body + "}") != entry["hash"]:
                return Flaw(at, "it was changed")
            if entry.get("previous") != previous or entry["number"] != number + 1:
                return Flaw(at, "lines before it are missing or in another order")
            previous, number = entry["hash"], entry["number"]
    return None


def unresolved(path: Path) -> tuple[Mapping[str, Any], ...]:
    """Return the intents whose outcome was never written: the console ended in between, and nobody knows."""
    waiting: dict[str, Mapping[str, Any]] = {}
    try:
        with path.open("rb") as lines:
            for raw in lines:
                entry = _entry(raw)
                if entry is None:
                    continue
                if entry.get("what") == "intent":
                    waiting[str(entry.get("command"))] = entry
                elif entry.get("what") == "result":
                    waiting.pop(str(entry.get("command")), None)
    except FileNotFoundError:
        return ()
    return tuple(waiting.values())
