"""The journal of changes: intent before sending, outcome afterwards. Without it, no change is sent.

JSON lines, each with the hash of the previous line, so that changed, removed or swapped lines are detected. A separate
file marks the last line, so that truncation is detected too. Synced to disk; readable by its owner only. Several
consoles may share a journal. `live.journal_reading` verifies and reads it.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import stat
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from console.config.paths import make_private, open_regular

FIRST = "0" * 64
"""The previous hash in the first line."""
LARGEST = 16 * 1024 * 1024
"""Bytes from which a file is renamed to `<journal>-<number of its last line>`; a new file continues the chain."""
PATIENCE_SECONDS = 5.0
"""Longest wait for the lock of another console."""
_CHUNK = 1 << 16


class JournalFault(Exception):
    """The journal cannot be written, so no change is possible. The message contains the reason."""


class Journal:
    """An append-only file. May be used from any thread; each append waits for the disk."""

    def __init__(self, path: Path, largest: int = LARGEST) -> None:
        self.path = path
        self._largest = largest
        self._lock = threading.Lock()
        self._failed = ""

    @property
    def fault(self) -> str:
        """Why the last line could not be written, or the next one cannot, as far as it shows; empty if it can."""
        return self._failed or _why_not_writable(self.path)

    def append(self, entry: Mapping[str, Any]) -> None:
        """Append one line and wait for the disk. Raise JournalFault."""
        with self._lock:
            try:
                self._append(entry)
                self._failed = ""
            except (OSError, ValueError, TypeError) as error:
                why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                self._failed = why
                raise JournalFault(f"the journal cannot be written: {why} ({self.path})") from error

    def _append(self, entry: Mapping[str, Any]) -> None:
        make_private(self.path.parent)
        handle = _locked(self.path)
        try:
            _make_private(handle)
            number, previous, torn = _end(handle)
            if number == 0:
                number, previous = _last_put_aside(self.path)
            known = mark_of(self.path)
            if known is None:
                _begin_mark(end_of(self.path), number, previous)
            elif number <= known[0]:
                # After missing lines, the chain continues from the last known one, and the gap stays visible.
                number, previous = known
            line = line_of({"number": number + 1, **entry, "previous": previous})
            # A new line starts after an incomplete one, so that the rest stays readable.
            _write_all(handle, (b"\n" if torn else b"") + line)
            os.fsync(handle)
            _mark_end(end_of(self.path), number + 1, hash_of(line))
            if os.fstat(handle).st_size >= self._largest:
                os.rename(self.path, self.path.with_name(f"{self.path.name}-{number + 1}"))
        finally:
            os.close(handle)


def _why_not_writable(path: Path) -> str:
    """Return why a file cannot be written, without writing; empty if it can, or if it is not known."""
    with suppress(OSError):
        if os.statvfs(path.parent).f_bavail == 0:
            return os.strerror(errno.ENOSPC)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            return os.strerror(errno.EACCES)
    return ""


def end_of(path: Path) -> Path:
    """Return the file that marks a journal's last line."""
    return path.with_name(f"{path.name}.end")


def mark_of(path: Path) -> tuple[int, str] | None:
    """Return number and hash of the marked last line, or None without a mark."""
    try:
        with open_regular(end_of(path)) as mark:
            loads: Any = json.load(mark)
        return int(loads["number"]), str(loads["hash"])
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def put_aside(path: Path) -> list[Path]:
    """Return the renamed files of a journal, the oldest first."""
    paths = (file for file in path.parent.glob(f"{path.name}-*") if file.name.rpartition("-")[2].isdigit())
    return sorted(paths, key=lambda file: int(file.name.rpartition("-")[2]))


def line_of(entry: Mapping[str, Any]) -> bytes:
    """Encode an entry as a line, with its own hash at the end."""
    body = json.dumps(entry, separators=(",", ":"), ensure_ascii=True, default=str)
    return with_hash(body.encode())


def with_hash(body: bytes) -> bytes:
    """Return the line with this JSON object and its hash."""
    return b'%s,"hash":"%s"}\n' % (body[:-1], hashlib.sha256(body).hexdigest().encode())


def hash_of(line: bytes) -> str:
    """Return the hash at the end of a line."""
    return line[-67:-3].decode("ascii", errors="replace")


def entry_of(raw: bytes) -> dict[str, Any] | None:
    """Parse a line; return None if it is invalid."""
    try:
        entry: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    fields = cast("dict[str, Any]", entry)
    return fields if isinstance(fields.get("number"), int) and isinstance(fields.get("hash"), str) else None


def _locked(path: Path) -> int:
    """Open the current journal file with an exclusive lock, until it is closed."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    while True:
        handle = os.open(path, flags, 0o600)
        try:
            _lock(handle)
            with suppress(FileNotFoundError):
                # Another console may have renamed it during the wait.
                if os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False)):
                    return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _lock(handle: int) -> None:
    """Wait for the lock, in the order of requests, up to a timeout."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in {errno.EWOULDBLOCK, errno.EINTR}:
            raise
    else:
        return
    ours = threading.Event()

    def wait() -> None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
            ours.set()

    # After the timeout, the thread releases the lock when it gets it: its handle is closed by then.
    threading.Thread(target=wait, name="journal lock", daemon=True).start()
    if not ours.wait(PATIENCE_SECONDS):
        raise OSError("another console uses it")


def _make_private(handle: int) -> None:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is not a regular file")
    if status.st_uid != os.geteuid():
        raise OSError("it belongs to another user")
    if stat.S_IMODE(status.st_mode) & 0o077:
        os.fchmod(handle, 0o600)


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _end(handle: int) -> tuple[int, str, bool]:
    """Return number and hash of the last complete line, and whether an incomplete one follows."""
    start = os.fstat(handle).st_size
    tail = b""
    torn = False
    while start > 0:
        size = min(_CHUNK, start)
        start -= size
        tail = os.pread(handle, size, start) + tail
        torn = not tail.endswith(b"\n")
        split = tail.split(b"\n") if start == 0 else tail.split(b"\n")[1:]
        for raw in reversed(split):
            entry = entry_of(raw)
            if entry is not None:
                return int(entry["number"]), str(entry["hash"]), torn
    if tail:
        raise ValueError("its end cannot be read")
    return 0, FIRST, torn


def _last_put_aside(path: Path) -> tuple[int, str]:
    """Return number and hash of the line that precedes a new file."""
    older = put_aside(path)
    if not older:
        return 0, FIRST
    handle = os.open(older[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        number, last, _ = _end(handle)
    finally:
        os.close(handle)
    return number, last


def _begin_mark(path: Path, number: int, last: str) -> None:
    """Create the mark atomically, before its line is written, so that a mark exists whenever the process is killed."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    _mark_end(fresh, number, last)
    os.replace(fresh, path)


def _mark_end(path: Path, number: int, last: str) -> None:
    """Mark the last line, without a sync: after a power cut, the mark may be older."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    try:
        _make_private(handle)
        text = json.dumps({"number": number, "hash": last}).encode() + b"\n"
        os.pwrite(handle, text, 0)
        os.ftruncate(handle, len(text))
    finally:
        os.close(handle)
