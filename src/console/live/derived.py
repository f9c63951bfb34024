"""Lists that the console computes from other lists, such as queues from calls and agents."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from console.live.collection import Collection
from console.live.delta import Freshness, Health
from console.live.rest import LONGEST_SECONDS, Rest
from console.records.record import Record

R = TypeVar("R", bound=Record)

log = logging.getLogger("console.live")
BEAT_SECONDS = 0.1
"""Shortest interval between two updates."""
SHORTEST_PAUSE = 0.02
"""Pause after an update that took long."""
FIRST_SECONDS = 1.0
"""Longest delay of the first update of a list: the first rows on the screen come before lists that nobody looks at."""
_WORST = (
    Freshness.LOADING,
    Freshness.OFFLINE,
    Freshness.REFUSED,
    Freshness.STALE,
    Freshness.PAST,
    Freshness.POLLING,
    Freshness.LIVE,
)
"""Freshness from the worst to the best."""


class DerivedList(ABC, Generic[R]):
    """One computed list. The deriving thread calls `update`; any thread reads `collection`."""

    rests: ClassVar[bool] = True
    """Whether it is updated less often if that takes long. One that does not rest limits its work by itself."""

    def __init__(self, kind: str, sources: Iterable[str]) -> None:
        """Create an empty list; `sources` are the kinds from which it is computed."""
        self.kind = kind
        self.sources = frozenset(sources)
        self.collection: Collection[R] = Collection()

    @property
    def is_loading(self) -> bool:
        """Whether the first rows are still to come; the first updates of the lists after it wait for them."""
        return False

    @abstractmethod
    def update(self) -> None:
        """Bring the collection up to date.

        Called in order of the lists, at most ten times a second after a change of data, and at least once a second.
        """

    def close(self) -> None:
        """Keep what the next session needs. Called at the end."""

    def health(self, of: Callable[[str], Health]) -> Health:
        """Return the freshness of the least fresh source."""
        return min((of(kind) for kind in sorted(self.sources)), key=lambda health: _WORST.index(health.state))


class Deriving:
    """Updates derived lists in a thread of its own: neither a stalled terminal nor a long list delays them."""

    def __init__(
        self,
        make: Callable[[], Iterable[DerivedList[Any]]],
        outdated: threading.Event,
        changed: Callable[[], object],
    ) -> None:
        """Prepare without effect until `start`.

        `make` creates the lists when they are first needed, in the order of their updates. `outdated` is set by every
        change of data; `changed` is called after an update that changed a list.
        """
        self._make = make
        self._changed = changed
        self._made: dict[str, DerivedList[Any]] | None = None
        self._lock = threading.Lock()
        self._outdated = outdated
        self._wanted = threading.Event()
        self._ended = threading.Event()
        self._failed: set[str] = set()
        self._rests: dict[str, Rest] = {}
        self._thread = threading.Thread(target=self._work, name="console-derived", daemon=True)

    @property
    def lists(self) -> Mapping[str, DerivedList[Any]]:
        """The lists by kind."""
        with self._lock:
            if self._made is None:
                self._made = {derived_list.kind: derived_list for derived_list in self._make()}
                self._wanted.set()
            return self._made

    def start(self) -> None:
        """Start the thread, without waiting."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread soon, and close the lists."""
        self._ended.set()
        self._wanted.set()
        self._outdated.set()
        with self._lock:
            derived_lists = list((self._made or {}).values())
        for derived_list in derived_lists:
            derived_list.close()

    def update(self, *, first: bool = False) -> bool:
        """Update all lists once; if these are the `first` updates, none after one that is loading.

        Return whether all were updated. An error in one of them does not affect the others.
        """
        for derived_list in self.lists.values():
            self._update_one(derived_list)
            if first and derived_list.is_loading:
                return False
        return True

    def _update_one(self, derived_list: DerivedList[Any]) -> None:
        """Update a list. One that takes long is updated less often, so that the others are not late."""
        rest = self._rests.setdefault(derived_list.kind, Rest())
        if derived_list.rests and not rest.is_over():
            return
        before = derived_list.collection.version
        try:
            with rest.after():
                derived_list.update()
        except Exception:
            if derived_list.kind not in self._failed:
                self._failed.add(derived_list.kind)
                log.exception("internal error: %s cannot be computed", derived_list.kind)
            return
        self._failed.discard(derived_list.kind)
        if derived_list.collection.version != before:
            self._changed()

    def _work(self) -> None:
        began = time.monotonic()
        self._wanted.wait(FIRST_SECONDS)
        first = True
        while not self._ended.is_set():
            self._outdated.clear()
            now = time.monotonic()
            first = not self.update(first=first and now < began + FIRST_SECONDS)
            beat = SHORTEST_PAUSE if first else BEAT_SECONDS
            if not self._ended.wait(max(SHORTEST_PAUSE, beat - (time.monotonic() - now))):
                self._outdated.wait(max(0.0, now + LONGEST_SECONDS - time.monotonic()))
