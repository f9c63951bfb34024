"""Long lists put together of rows that are at hand, of which only what was written since is read again.

Ten thousand calls of which one has changed took SQLite 10 ms to find, order and join anew. Rows that lie in their order
are joined in half of one, and those that changed cost as much as any question about them.

A roll is one kind as who sees all of it is shown it, with nothing filtered. It goes stale with every commit that writes
to the kind, and is brought up to date when it is asked for: the database says which rows were written since then
(`Database.written_since`), or that it does not know, and then all of them are read. Who sees only some rows is answered
from the database, and so is who asks from within a transaction that writes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from console.service.caller import Caller
from console.service.database import Database, Transaction
from console.service.documents import Documents

AT_ONCE = 500
"""Rows asked for by key in one statement."""

Place = tuple[int, str]
"""Where a row stands: rising, by the column by which the list falls, then by key."""


class RowCache:
    """The cached rows of one service, as of its database; whoever replaces its content makes a new cache."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._rolls: dict[str, _CachedList] = {}

    def listed(self, documents: Documents[Any], tx: Transaction, caller: Caller) -> bytes:
        """Return all rows that the caller may see, in the order of the kind, as one JSON array of stored texts."""
        if tx.writing or documents.rule.visibility(caller) is not True:
            return documents.listed(tx, caller=caller, order=documents.order)
        roll = self._rolls.get(documents.name)
        written = None if roll is None else self._database.written_since(documents.name, roll.version)
        if roll is None or written is None:
            roll = self._rolls[documents.name] = _CachedList(documents, tx)
        else:
            roll.read_again(tx, sorted(written))
        roll.version = self._database.version(documents.name)
        return roll.joined()


class _CachedList:
    """The rows of one kind in order."""

    def __init__(self, documents: Documents[Any], tx: Transaction) -> None:
        self.version = 0
        self._documents = documents
        key, body = documents.c.key, documents.c.body
        falls = sa.literal(0) if documents.order_desc is None else documents.c[documents.order_desc]
        self._query = sa.select(key, body, falls.label("falls"))
        found = tx.rows(self._query.order_by(*documents.order, key))
        self._places: list[Place] = [(-row.falls, row.key) for row in found]
        self._bodies: list[bytes] = [row.body.encode() for row in found]
        self._by_key: dict[str, Place] = {place[1]: place for place in self._places}

    def read_again(self, tx: Transaction, keys: Sequence[str]) -> None:
        """Bring the rows with these keys up to date: they may have changed, come or gone."""
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            left = set(some)
            for row in tx.rows(self._query.where(self._documents.c.key.in_(some))):
                left.discard(row.key)
                self._put((-row.falls, row.key), row.body.encode())
            for key in left:
                self._take_out(key)

    def joined(self) -> bytes:
        """Return all rows as one JSON array, which is written once: to copy four megabytes takes longer than to join
        them."""
        if not self._bodies:
            return b"[]"
        first, *others = self._bodies
        others.insert(0, b"[" + first)
        others[-1] += b"]"
        return b",".join(others)

    def _put(self, place: Place, body: bytes) -> None:
        if self._by_key.get(place[1]) != place:
            self._take_out(place[1])
            at = bisect_left(self._places, place)
            self._places.insert(at, place)
            self._bodies.insert(at, body)
            self._by_key[place[1]] = place
        else:
            self._bodies[bisect_left(self._places, place)] = body

    def _take_out(self, key: str) -> None:
        place = self._by_key.pop(key, None)
        if place is not None:
            at = bisect_left(self._places, place)
            del self._places[at], self._bodies[at]
