"""Which of the consoles of one person on this machine tells about an episode: each episode rings in one of them.

The consoles share a small file per service and user, with who told about what, and what was seen. A console that was
killed has lost its lock (`live/running.py`), so another one goes on in its place. The file contains hashes, no text of
the service. Without the file every console tells: better twice than never.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

from console.live.running import RunningConsole
from console.paths import make_private

SAME_MS = 60_000
"""Consoles notice the same thing at most this far apart; later, it is something new."""
MOST = 1_000
"""Number of remembered episodes."""
LOCK_SECONDS = 0.05
"""Longest wait for another console; a stopped one may hold the lock."""
_LARGEST = 1024 * 1024
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Claim(NamedTuple):
    """An episode to tell about, equal in all consoles."""

    rule: str
    about: str
    news_ms: int
    """When there was something to tell, in ms since the epoch."""

    @property
    def key(self) -> str:
        """A hash of what it is about."""
        return hashlib.sha256(f"{self.rule}\n{self.about}".encode(errors="replace")).hexdigest()[:24]


class Granted(NamedTuple):
    """The answer to several claims."""

    mine: frozenset[Claim]
    """Those that this console has to tell."""
    seen: frozenset[Claim]
    """Those that the person has seen in another console."""


class _Known(NamedTuple):
    """What the file says of an episode."""

    console: str
    news_ms: int
    seen: bool


class Claims:
    """The claims of this console. Its methods raise nothing, and wait for other consoles only briefly."""

    def __init__(self, folder: Path) -> None:
        """Use this directory of the user's state."""
        self._folder = folder
        self._console = RunningConsole(folder / "consoles")
        self._begun = False

    def take(self, whose: str, claims: frozenset[Claim]) -> Granted:
        """Claim episodes of a service and user, `whose`, unless another running console has them."""
        self._begin()
        with self._file(whose) as known:
            if known is None:
                return Granted(claims, frozenset())
            mine: set[Claim] = set()
            seen: set[Claim] = set()
            running: dict[str, bool] = {}
            for each in claims:
                found = known.get(each.key)
                if found is None or each.news_ms - found.news_ms > SAME_MS:
                    known[each.key] = _Known(self._console.name, each.news_ms, seen=False)
                    mine.add(each)
                elif found.seen:
                    seen.add(each)
                elif found.console == self._console.name or not self._runs(found.console, running):
                    known[each.key] = _Known(self._console.name, found.news_ms, seen=False)
                    mine.add(each)
            return Granted(frozenset(mine), frozenset(seen))

    def saw(self, whose: str, claims: frozenset[Claim]) -> None:
        """Note that the person has seen episodes, for the other consoles."""
        self._begin()
        with self._file(whose) as known:
            if known is not None:
                known |= {each.key: _Known(self._console.name, each.news_ms, seen=True) for each in claims}

    def end(self) -> None:
        """Leave unseen episodes to the other consoles."""
        self._console.end(tidy=True)

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._console.begin()
            # This also removes the files of killed consoles.
            list(self._console.left_sessions())

    def _runs(self, console: str, running: dict[str, bool]) -> bool:
        if console not in running:
            running[console] = self._console.is_running(console)
        return running[console]

    @contextmanager
    def _file(self, whose: str) -> Generator[dict[str, _Known] | None]:
        """Yield the known episodes, which are written afterwards; None if the file cannot be used."""
        name = hashlib.sha256(whose.encode(errors="replace")).hexdigest()[:32]
        try:
            make_private(self._folder)
            handle = os.open(self._folder / f"{name}.json", _OPEN, 0o600)
        except OSError:
            yield None
            return
        try:
            if not _locked(handle):
                yield None
                return
            known = _read(handle)
            before = dict(known)
            yield known
            if known != before:
                _write(handle, known)
        finally:
            os.close(handle)


def claimed(rule: str | None, about: str | None, news_ms: float | None) -> Claim:
    """Return the claim of an episode."""
    return Claim(rule or "", about or "", int(news_ms or 0))


def _locked(handle: int) -> bool:
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > end:
                return False
            time.sleep(0.002)
        else:
            return True


def _read(handle: int) -> dict[str, _Known]:
    try:
        found: Any = json.loads(os.read(handle, _LARGEST) or b"{}")
    except (OSError, ValueError):
        return {}
    known: dict[str, _Known] = {}
    for key, value in cast("Mapping[str, Any]", found if isinstance(found, dict) else {}).items():
        match value:
            case [str(console), int(news), bool(seen)]:
                known[key] = _Known(console, news, seen)
            case _:
                pass
    return known


def _write(handle: int, known: Mapping[str, _Known]) -> None:
    newest = sorted(known.items(), key=lambda item: item[1].news_ms)[-MOST:]
    text = json.dumps(dict(newest)).encode()
    try:
        os.pwrite(handle, text, 0)
        os.ftruncate(handle, len(text))
    except OSError:
        return  # The others tell too.
