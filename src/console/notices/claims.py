"""Which console of one person on this machine tells about an episode: each news rings in one of them.

The consoles share a small file per service and user, with the last news that was told of each episode. News of this
console are those that another one told if this console has not met those yet; otherwise they are new. So nothing that a
console has to tell is taken for what the person saw before. Without the file every console tells: better twice than
never. The file contains hashes, no text of the service.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

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
    """News of an episode."""

    rule: str
    about: str
    news_ms: int
    """When there was something to tell, in ms since the epoch: a little different in each console."""
    rank: int = 0
    """How serious it is."""

    @property
    def key(self) -> str:
        """A hash of what it is about, equal in all consoles."""
        return hashlib.sha256(f"{self.rule}\n{self.about}".encode(errors="replace")).hexdigest()[:24]


class Granted(NamedTuple):
    """The answer to several claims."""

    mine: frozenset[Claim]
    """Those that this console has to tell."""
    seen: frozenset[Claim]
    """Those that the person has seen in another console."""


class _Shared(NamedTuple):
    """The last news of an episode in the file."""

    news: str
    """Random, different for all news."""
    news_ms: int
    rank: int
    times: int
    """How often the episode was told, by all consoles."""
    seen: bool


class _Met(NamedTuple):
    """What this console knows of the last news of an episode."""

    news_ms: int
    """Its own time of the news."""
    news: str
    times: int


class Claims:
    """The claims of this console. Its methods raise nothing, and wait for other consoles only briefly."""

    def __init__(self, folder: Path) -> None:
        """Use this directory of the user's state."""
        self._folder = folder
        self._met: dict[tuple[str, str], _Met] = {}

    def join(self, whose: str) -> None:
        """Note that everything told until now, to the person `whose`, is no news here."""
        with self._file(whose) as shared:
            for key, known in (shared or {}).items():
                if (whose, key) not in self._met:
                    self._know(whose, key, _Met(0, known.news, known.times))

    def take(self, whose: str, claims: frozenset[Claim]) -> Granted:
        """Claim one notice about episodes of a service and user, `whose`, for the first time or again.

        It is granted unless another console has told all of them since this console claimed them last.
        """
        with self._file(whose) as shared:
            if shared is None:
                return Granted(claims, frozenset())
            known = {claim: self._same_news(whose, claim, shared) for claim in claims}
            seen = frozenset(claim for claim, same in known.items() if same is not None and same.seen)
            unseen = claims - seen
            told = all(self._told_elsewhere(whose, claim, known[claim]) for claim in unseen)
            for claim in claims:
                same = known[claim] or _new(claim, shared)
                if claim in unseen and not told:
                    same = shared[claim.key] = same._replace(times=same.times + 1)
                self._meet(whose, claim, same)
            return Granted(frozenset() if told else unseen, seen)

    def saw(self, whose: str, claims: frozenset[Claim]) -> None:
        """Note that the person has seen these news, for the other consoles."""
        with self._file(whose) as shared:
            if shared is None:
                return
            for claim in claims:
                same = self._same_news(whose, claim, shared)
                met = self._met.get((whose, claim.key))
                if same is None:
                    same = _new(claim, shared)
                elif met is not None and met.news_ms == claim.news_ms and met.news != same.news:
                    # Another console has told later news, which this one does not know yet.
                    continue
                shared[claim.key] = same._replace(seen=True)
                self._meet(whose, claim, same)

    def _same_news(self, whose: str, claim: Claim, shared: Mapping[str, _Shared]) -> _Shared | None:
        """Return what the file says of these news, or of later ones; None if they are not in it."""
        same, met = shared.get(claim.key), self._met.get((whose, claim.key))
        if same is None or (met is not None and met.news_ms == claim.news_ms):
            return same
        met_before = met is not None and met.news == same.news
        return None if met_before or same.rank < claim.rank or same.news_ms < claim.news_ms - SAME_MS else same

    def _told_elsewhere(self, whose: str, claim: Claim, same: _Shared | None) -> bool:
        """Return whether another console has told it since this one claimed it."""
        met = self._met.get((whose, claim.key))
        if same is None or met is None or met.news_ms != claim.news_ms:
            return same is not None
        return met.times < same.times

    def _meet(self, whose: str, claim: Claim, shared: _Shared) -> None:
        met = self._met.pop((whose, claim.key), None)
        news = shared.news
        if met is not None and (met.news_ms == claim.news_ms or shared.rank > claim.rank):
            # Later news that another console has told are still to come here.
            news = met.news
        self._know(whose, claim.key, _Met(claim.news_ms, news, shared.times))

    def _know(self, whose: str, key: str, met: _Met) -> None:
        self._met[whose, key] = met
        if len(self._met) > 4 * MOST:
            del self._met[next(iter(self._met))]

    @contextmanager
    def _file(self, whose: str) -> Generator[dict[str, _Shared] | None]:
        """Yield the news, which are written afterwards; None if the file cannot be used."""
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
            shared = _read(handle)
            before = dict(shared)
            yield shared
            if shared != before:
                _write(handle, shared)
        finally:
            os.close(handle)


def _new(claim: Claim, shared: Mapping[str, _Shared]) -> _Shared:
    """Return news that nobody has told."""
    before = shared.get(claim.key)
    return _Shared(secrets.token_hex(8), claim.news_ms, claim.rank, before.times if before else 0, seen=False)


def claimed(rule: str | None, about: str | None, news_ms: float | None, rank: int = 0) -> Claim:
    """Return the claim of an episode."""
    return Claim(rule or "", about or "", int(news_ms or 0), rank)


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


def _read(handle: int) -> dict[str, _Shared]:
    try:
        found: Any = json.loads(os.read(handle, _LARGEST) or b"{}")
    except (OSError, ValueError):
        return {}
    shared: dict[str, _Shared] = {}
    for key, value in cast("Mapping[str, Any]", found if isinstance(found, dict) else {}).items():
        match value:
            case [str(news), int(news_ms), int(rank), int(times), bool(seen)]:
                shared[key] = _Shared(news, news_ms, rank, times, seen)
            case _:
                pass
    return shared


def _write(handle: int, shared: Mapping[str, _Shared]) -> None:
    newest = sorted(shared.items(), key=lambda item: item[1].news_ms)[-MOST:]
    text = json.dumps(dict(newest)).encode()
    try:
        os.pwrite(handle, text, 0)
        os.ftruncate(handle, len(text))
    except OSError:
        return  # The others tell too.
