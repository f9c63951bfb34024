"""Find running consoles of the same user, and sessions left by killed ones.

Each console holds a lock on its own small file until its process ends. The file contains the id of its session, which
grants no access, never the token.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.api.errors import ApiError, NotFound
from console.base.frozen import Frozen
from console.config.paths import make_private

if TYPE_CHECKING:
    from console.client.login import Sessions

FORGOTTEN_SECONDS = 30 * 24 * 3600.0
"""Age after which a session that could not be ended must have expired."""
_COMING_UP_SECONDS = 60.0
_OPEN = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC


class LeftSession(Frozen):
    """The session of a killed console."""

    file: Path
    core: str
    session_id: str


class RunningConsole:
    """This console, among others of the same user. Its methods raise nothing, because it is only a convenience."""

    def __init__(self, folder: Path) -> None:
        self.name = str(uuid.uuid4())
        self._folder = folder
        self._handle: int | None = None

    def begin(self) -> None:
        """Create the file of this console, locked until `end` or the end of the process."""
        with suppress(OSError):
            self._handle = hold(self._file(self.name), os.O_EXCL)

    def has_session(self, core: str, session_id: str) -> None:
        """Store the session that this console has to end."""
        if self._handle is None:
            return
        text = json.dumps({"core": core, "session_id": session_id}).encode()
        try:
            os.pwrite(self._handle, text, 0)
            os.ftruncate(self._handle, len(text))
        except OSError:
            return

    def end(self, *, tidy: bool) -> None:
        """Remove the file of this console. Keep it unless `tidy`, if the session may still be active."""
        if self._handle is None:
            return
        if tidy:
            self._file(self.name).unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = None

    def is_running(self, name: str) -> bool:
        """Return whether another console of this name is running."""
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
        """Yield the sessions of killed consoles; forget those that must have expired."""
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


def hold(file: Path, flags: int = 0) -> int | None:
    """Create a private file if necessary, and lock it until the returned handle is closed or the process ends.

    Return None if another process holds it. Raise OSError.
    """
    make_private(file.parent)
    handle = os.open(file, _OPEN | os.O_CREAT | flags, 0o600)
    if _unlocked(handle):
        return handle
    os.close(handle)
    return None


def _unlocked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _left(file: Path, handle: int) -> LeftSession | None:
    status = os.fstat(handle)
    try:
        loads: Any = json.loads(os.read(handle, 65_536))
        left = LeftSession(file, str(loads["core"]), str(loads["session_id"]))
    except (OSError, ValueError, TypeError, KeyError):
        left = None
    age = time.time() - status.st_mtime
    if age > (_COMING_UP_SECONDS if left is None else FORGOTTEN_SECONDS):
        file.unlink(missing_ok=True)
        return None
    return left


async def end_left_sessions(running: RunningConsole | None, sessions: Sessions, core: str) -> None:
    """End the sessions of killed consoles at this core service; failures are retried at the next start."""
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
