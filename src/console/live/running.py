"""Which consoles of this person are running, and what those that were killed left behind at the service.

Each console holds a lock on a small file of its own for as long as it lives, however it ends. In the file stands which
session it has: the session's id, which opens nothing, never its token.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.api.errors import ApiError, NotFound
from console.frozen import Frozen
from console.paths import make_private

if TYPE_CHECKING:
    from console.client.login import Sessions

FORGOTTEN_SECONDS = 30 * 24 * 3600.0
"""After so long a session that could not be ended has ended by itself."""
_COMING_UP_SECONDS = 60.0
_OPEN = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC


class LeftSession(Frozen):
    """A session whose console was killed."""

    file: Path
    core: str
    session_id: str


class RunningConsole:
    """This console, among those of the same person. Its methods raise nothing: it is a convenience, no safeguard."""

    def __init__(self, folder: Path) -> None:
        self.name = str(uuid.uuid4())
        self._folder = folder
        self._handle: int | None = None

    def begin(self) -> None:
        """Say that this console is running, until `end`, or until the process has gone."""
        try:
            make_private(self._folder)
            self._handle = os.open(self._file(self.name), _OPEN | os.O_CREAT | os.O_EXCL, 0o600)
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return

    def has_session(self, core: str, session_id: str) -> None:
        """Write down which session is this console's to end."""
        if self._handle is None:
            return
        text = json.dumps({"core": core, "session_id": session_id}).encode()
        try:
            os.pwrite(self._handle, text, 0)
            os.ftruncate(self._handle, len(text))
        except OSError:
            return

    def end(self, *, tidy: bool) -> None:
        """Say that this console has ended. When its session may still be alive it is not `tidy`, and the file stays."""
        if self._handle is None:
            return
        if tidy:
            self._file(self.name).unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = None

    def is_running(self, name: str) -> bool:
        """Say whether another console of that name is still running."""
        if name == self.name:
            return True
        try:
            handle = os.open(self._file(name), _OPEN)
        except (OSError, ValueError):
            return False
        try:
            return not _unlocked(handle)
        finally:
            os.close(handle)

    def left_sessions(self) -> Iterator[LeftSession]:
        """Find the sessions of consoles that were killed; forget those that must have ended by themselves."""
        for file in sorted(self._folder.glob("*.json")):
            try:
                handle = os.open(file, _OPEN)
            except OSError:
                continue
            try:
                left = _left(file, handle) if _unlocked(handle) else None
            finally:
                os.close(handle)
            if left is not None:
                yield left

    def _file(self, name: str) -> Path:
        return self._folder / f"{uuid.UUID(name)}.json"


def _unlocked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _left(file: Path, handle: int) -> LeftSession | None:
    status = os.fstat(handle)
    try:
        found: Any = json.loads(os.read(handle, 65_536))
        left = LeftSession(file, str(found["core"]), str(found["session_id"]))
    except (OSError, ValueError, TypeError, KeyError):
        left = None
    age = time.time() - status.st_mtime
    if age > (_COMING_UP_SECONDS if left is None else FORGOTTEN_SECONDS):
        file.unlink(missing_ok=True)
        return None
    return left


async def end_left_sessions(running: RunningConsole | None, sessions: Sessions, core: str) -> None:
    """End what killed consoles left alive at this core service; what cannot be ended now is tried at the next start."""
    for left in running.left_sessions() if running is not None else ():
        if left.core != core:
            continue
        try:
            await sessions.revoke(left.session_id)
        except NotFound:
            pass
        except ApiError:
            continue
        left.file.unlink(missing_ok=True)
