"""Decide which of a person's consoles on this machine reports an episode, so that it rings in one of them.

The consoles append their notices, and the episodes that the person has seen, to a small file per service and user. Each
line has the next version of an episode. The first line with a version counts, and the console that wrote it reports the
episode. No console waits for another, which may be stopped.

A renewal of this console is the one that another has notified, if this console has not met that yet; otherwise it is
new. So no renewal that a console has to report is taken for what the person saw before. Without the file each console
notifies: better twice than never. The file contains hashes, no text of the service.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from console.config.paths import make_private

SAME_MS = 60_000
"""Consoles notice the same thing at most this far apart; later, it is something new."""
MOST = 1_000
"""Number of remembered episodes."""
MOST_BYTES = 128 * 1024
"""The file begins anew at this size: at worst, something rings in two consoles."""
TRIES = 5
"""How often a console tries again after another was faster."""
_OPEN = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Claim(NamedTuple):
    """A beginning or renewal of an episode."""

    rule: str
    about: str
    renewed_ms: int
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
    """The claims of which this console has to notify."""
    seen: frozenset[Claim]
    """The claims that the person has seen in another console."""


class _Shared(NamedTuple):
    """The last renewal of an episode in the file."""

    version: int
    """Increased by each line about the episode: each time that it was notified, or seen."""
    renewal: str
    """Random, different for each renewal."""
    renewed_ms: int
    rank: int
    seen: bool


class _Met(NamedTuple):
    """This console's knowledge of the last renewal of an episode."""

    renewed_ms: int
    """Its own time of the renewal."""
    renewal: str
    version: int


class _File:
    """The file of one service and user, as far as it was read."""

    def __init__(self, path: Path) -> None:
        self.shared: dict[str, _Shared] = {}
        self._path = path
        self._offset = 0

    def read(self) -> dict[str, _Shared]:
        """Return the last renewal of each episode. Raise OSError."""
        with self._opened() as handle:
            self._read(handle)
        return self.shared

    def add(self, renewals: Mapping[str, _Shared]) -> frozenset[str]:
        """Append renewals of episodes. Return the episodes for which no other console was faster. Raise OSError."""
        # A line begins with its line break: the one before may be incomplete.
        text = "".join("\n" + json.dumps([key, *shared]) for key, shared in renewals.items()).encode()
        with self._opened() as handle:
            if os.fstat(handle).st_size + len(text) > MOST_BYTES:
                os.ftruncate(handle, 0)
            os.write(handle, text)
            self._read(handle)
        return frozenset(key for key, shared in renewals.items() if self.shared.get(key) == shared)

    @contextmanager
    def _opened(self) -> Generator[int]:
        make_private(self._path.parent)
        handle = os.open(self._path, _OPEN, 0o600)
        try:
            yield handle
        finally:
            os.close(handle)

    def _read(self, handle: int) -> None:
        size = os.fstat(handle).st_size
        text = os.pread(handle, MOST_BYTES, self._offset if size >= self._offset else 0)
        self._offset = size
        for line in text.splitlines():
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            entry: Any = json.loads(line)
        except ValueError:
            return
        match entry:
            case [str(key), int(version), str(renewal), int(renewed_ms), int(rank), bool(seen)]:
                before = self.shared.get(key)
                if before is None or before.version < version:
                    self.shared.pop(key, None)
                    self.shared[key] = _Shared(version, renewal, renewed_ms, rank, seen)
                if len(self.shared) > MOST:
                    del self.shared[next(iter(self.shared))]
            case _:
                pass


class Claims:
    """The claims of this console. Its methods raise nothing, and wait for no other console."""

    def __init__(self, folder: Path) -> None:
        """Use this directory of the user's state."""
        self._folder = folder
        self._files: dict[str, _File] = {}
        self._met: dict[tuple[str, str], _Met] = {}

    def join(self, whose: str) -> None:
        """Note that the person `whose` knows everything that was notified until now."""
        with suppress(OSError):
            for key, known in self._file(whose).read().items():
                if (whose, key) not in self._met:
                    self._know(whose, key, _Met(0, known.renewal, known.version))

    def take(self, whose: str, claims: frozenset[Claim]) -> Granted:
        """Claim one notice about episodes of a service and user, `whose`, for the first time or again.

        It is granted unless another console has notified all of them since this console claimed them last.
        """
        with suppress(OSError):
            for _ in range(TRIES):
                granted = self._try_to_take(whose, self._file(whose), claims)
                if granted is not None:
                    return granted
        return Granted(claims, frozenset())

    def _try_to_take(self, whose: str, file: _File, claims: frozenset[Claim]) -> Granted | None:
        """Return None if another console was faster."""
        shared = file.read()
        known = {claim: self._same_renewal(whose, claim, shared) for claim in claims}
        seen = frozenset(claim for claim, same in known.items() if same is not None and same.seen)
        unseen = claims - seen
        elsewhere = all(self._claimed_elsewhere(whose, claim, known[claim]) for claim in unseen)
        if unseen and not elsewhere:
            new_lines = {claim: _next(claim, shared, known[claim]) for claim in unseen}
            if not file.add({claim.key: each for claim, each in new_lines.items()}):
                return None
            known |= {claim: shared.get(claim.key) for claim in unseen}
        for claim, same in known.items():
            if same is not None:
                self._meet(whose, claim, same)
        return Granted(frozenset() if elsewhere else unseen, seen)

    def saw(self, whose: str, claims: frozenset[Claim]) -> None:
        """Note that the person has seen these renewals, for the other consoles."""
        with suppress(OSError):
            for _ in range(TRIES):
                claims = self._try_to_see(whose, self._file(whose), claims)
                if not claims:
                    return

    def _try_to_see(self, whose: str, file: _File, claims: frozenset[Claim]) -> frozenset[Claim]:
        """Return those for which another console was faster."""
        shared = file.read()
        seen: dict[Claim, _Shared] = {}
        for claim in claims:
            same, met = self._same_renewal(whose, claim, shared), self._met.get((whose, claim.key))
            if same and met and met.renewed_ms == claim.renewed_ms and met.renewal != same.renewal:
                # Another console has notified a later renewal, unknown here.
                continue
            seen[claim] = _next(claim, shared, same)._replace(seen=True)
        added = file.add({claim.key: each for claim, each in seen.items()})
        for claim, each in seen.items():
            if claim.key in added:
                self._meet(whose, claim, each)
        return frozenset(claim for claim in seen if claim.key not in added)

    def _file(self, whose: str) -> _File:
        file = self._files.get(whose)
        if file is None:
            name = hashlib.sha256(whose.encode(errors="replace")).hexdigest()[:32]
            file = self._files[whose] = _File(self._folder / f"{name}.log")
        return file

    def _same_renewal(self, whose: str, claim: Claim, shared: Mapping[str, _Shared]) -> _Shared | None:
        """Return what the file says of this renewal, or of a later one; None if it is not in it."""
        same, met = shared.get(claim.key), self._met.get((whose, claim.key))
        if same is None or (met is not None and met.renewed_ms == claim.renewed_ms):
            return same
        met_before = met is not None and met.renewal == same.renewal
        return None if met_before or same.rank < claim.rank or same.renewed_ms < claim.renewed_ms - SAME_MS else same

    def _claimed_elsewhere(self, whose: str, claim: Claim, same: _Shared | None) -> bool:
        """Return whether another console has notified it since this one claimed it."""
        met = self._met.get((whose, claim.key))
        if same is None or met is None or met.renewed_ms != claim.renewed_ms:
            return same is not None
        return met.version < same.version

    def _meet(self, whose: str, claim: Claim, shared: _Shared) -> None:
        met = self._met.pop((whose, claim.key), None)
        renewal = shared.renewal
        if met is not None and (met.renewed_ms == claim.renewed_ms or shared.rank > claim.rank):
            # A later renewal that another console has notified is still to come here.
            renewal = met.renewal
        self._know(whose, claim.key, _Met(claim.renewed_ms, renewal, shared.version))

    def _know(self, whose: str, key: str, met: _Met) -> None:
        self._met[whose, key] = met
        if len(self._met) > 4 * MOST:
            del self._met[next(iter(self._met))]


def _next(claim: Claim, shared: Mapping[str, _Shared], same: _Shared | None) -> _Shared:
    """Return the next line about an episode: about the same renewal, or a new one."""
    before = shared.get(claim.key)
    if same is None:
        return _Shared(
            before.version + 1 if before else 1, secrets.token_hex(8), claim.renewed_ms, claim.rank, seen=False
        )
    return same._replace(version=same.version + 1)
