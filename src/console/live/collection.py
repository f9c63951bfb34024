"""The records of one kind, and what changed since a reader last looked."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from console.live.delta import Delta, Health
from console.records.record import Record

R = TypeVar("R", bound=Record)
GONE_KEPT = 20_000
"""How many removed keys are remembered; a reader that is further behind gets everything anew."""


class Collection(Generic[R]):
    """Immutable records by key, with one version that only rises. One thread writes, any thread reads.

    Each key is logged once, under the version of its last change, in the order of change: what changed since a version
    is found by walking the log's end, so that a reader pays for what changed and not for what there is.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[str, R] = {}
        self._log: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        self._version = 0
        self._oldest = 0
        self._snapshot: Mapping[str, R] | None = None

    @property
    def version(self) -> int:
        """Rises with every change; 0 only before the first."""
        return self._version

    def __len__(self) -> int:
        return len(self._records)

    def get(self, key: str) -> R | None:
        """Return one record, if it is there."""
        return self._records.get(key)

    def snapshot(self) -> Mapping[str, R]:
        """Return all records by key: a view that later changes do not touch."""
        with self._lock:
            if self._snapshot is None:
                self._snapshot = MappingProxyType(dict(self._records))
            return self._snapshot

    def change(self, upserts: Mapping[str, R], removes: Iterable[str] = ()) -> bool:
        """Apply changes as one step: no reader sees half of it. Removes count first. Returns whether any was one."""
        with self._lock:
            gone = [key for key in removes if key in self._records and key not in upserts]
            if not gone and not upserts:
                return False
            self._version += 1
            for key in gone:
                del self._records[key]
                self._log.pop(key, None)
                self._gone.pop(key, None)
                self._gone[key] = self._version
            for key, record in upserts.items():
                # Taken out first, so that it stands at the end: a dict half the size of one made for being ordered.
                self._log.pop(key, None)
                self._records[key] = record
                self._log[key] = self._version
                self._gone.pop(key, None)
            while len(self._gone) > GONE_KEPT:
                self._oldest = self._gone.pop(next(iter(self._gone)))
            self._snapshot = None
            return True

    def delta(self, since: int, health: Health) -> Delta[R]:
        """Return what changed after version `since`; 0, and a version too old or never given, mean everything."""
        with self._lock:
            if since == self._version:
                return Delta(version=since, whole=False, health=health)
            if since <= 0 or since > self._version or since < self._oldest:
                return Delta(version=self._version, whole=True, upserts=dict(self._records), health=health)
            upserts: dict[str, R] = {}
            for key in reversed(self._log):
                if self._log[key] <= since:
                    break
                upserts[key] = self._records[key]
            removes: set[str] = set()
            for key in reversed(self._gone):
                if self._gone[key] <= since:
                    break
                removes.add(key)
            return Delta(version=self._version, whole=False, upserts=upserts, removes=frozenset(removes), health=health)
