"""The database: SQLite, a single writer, and an outbox that stores state and event in one transaction.

Everything runs on the service's event loop: statements take microseconds to a few milliseconds, less than switching
threads. There is one connection with one lock; other threads (mostly tests) block. Never await inside a transaction.

  with database.write() as tx:
      GROUPS.put(tx, group)          # row and event, committed together

Transactions nest: an inner `write` becomes a savepoint of the outer one, so that a request or a step of the simulator
is one commit for any number of domain functions; an inner `read` sees the state of the outer one.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from itertools import islice
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.service.store.engine import Engine, Upgrade
from console.service.store.faults import DatabaseFault, StorageFault
from console.service.store.outbox import OutboxEntry, facts, metadata, outbox
from console.service.store.sqlite import SqliteEngine
from console.service.store.transaction import Transaction

COMMITS_KNOWN = 1_000
"""Number of commits for which the written rows of a kind are known: more than between two requests of a long list."""


class Database:
    """The database of a service, which no other service can open. With `path` None, it is in memory."""

    def __init__(self, path: Path | None = None, now: Callable[[], int] | None = None) -> None:
        self.path = path
        self.epoch = ""
        """Identifies the database for its lifetime. Event offsets are comparable only within it."""
        self.head = 0
        """The offset of the last committed event."""
        self._now = now or (lambda: 0)
        self._listeners: list[Callable[[Sequence[OutboxEntry]], None]] = []
        self._versions: Counter[str] = Counter()
        self._written: defaultdict[str, deque[set[str] | None]] = defaultdict(lambda: deque(maxlen=COMMITS_KNOWN))
        """For each kind, the rows written by each of the last commits, the latest at the end."""
        self._current = ContextVar[Transaction | None]("transaction", default=None)
        self._engine: Engine = SqliteEngine(path, self._now())
        try:
            self.create_tables()
            with self.write() as tx:
                self.epoch = self._fact(tx, "epoch", lambda: secrets.token_hex(8))
                self.head = self._engine.last_offset(tx.connection)
        except (faults.DBAPIError, StorageFault) as error:
            self._engine.close()
            raise DatabaseFault(f"{self._engine.name}: {getattr(error, 'orig', error)}") from error

    @property
    def upgraded(self) -> Upgrade | None:
        """The upgrade of a file from an older version, or None."""
        return self._engine.upgraded

    def create_tables(self) -> None:
        """Create all declared tables that are missing."""
        with self.write() as tx:
            metadata.create_all(tx.connection)

    def fact(self, name: str, make: Callable[[], str]) -> str:
        """Return a value that is created once per database, such as a signing key."""
        with self.write() as tx:
            return self._fact(tx, name, make)

    def _fact(self, tx: Transaction, name: str, make: Callable[[], str]) -> str:
        found = tx.value(sa.select(facts.c.value).where(facts.c.name == name))
        if found is None:
            found = make()
            tx.run(sa.insert(facts).values(name=name, value=found))
        return str(found)

    def on_commit(self, listener: Callable[[Sequence[OutboxEntry]], None]) -> Callable[[], None]:
        """Call the listener with the events of each commit, in order, on the committing thread.

        Return a function that removes the listener.
        """
        self._listeners.append(listener)

        def undo() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return undo

    def read(self) -> AbstractContextManager[Transaction]:
        """Read one consistent state."""
        outer = self._current.get()
        return self._begun(writing=False) if outer is None else nullcontext(outer)

    def write(self) -> AbstractContextManager[Transaction]:
        """Write all or nothing: an exception rolls back the block and propagates."""
        outer = self._current.get()
        if outer is None:
            return self._begun(writing=True)
        if not outer.writing:
            raise RuntimeError("a write cannot begin inside a read")
        return self._nested(outer)

    @contextmanager
    def _nested(self, outer: Transaction) -> Generator[Transaction]:
        """Roll back the block if it fails."""
        done = len(outer.changes)
        # Savepoint names may repeat: they refer to the innermost one.
        self._engine.savepoint(outer.connection, "SAVEPOINT inner_write")
        try:
            yield outer
        except BaseException:
            del outer.changes[done:]
            self._engine.savepoint(outer.connection, "ROLLBACK TO inner_write", "RELEASE inner_write")
            raise
        self._engine.savepoint(outer.connection, "RELEASE inner_write")

    @contextmanager
    def _begun(self, *, writing: bool) -> Generator[Transaction]:
        engine, tx = self._engine, None
        try:
            connection = engine.begin(writing=writing)
            try:
                tx = Transaction(connection, self._now(), self.head, writing, engine.is_failure)
                token = self._current.set(tx)
                try:
                    yield tx
                finally:
                    self._current.reset(token)
                if tx.failed:
                    raise StorageFault("the store has failed before")
                engine.commit(connection)
                if writing:
                    # Before another thread can write, so that the order is that of the commits.
                    self._committed(tx)
            finally:
                engine.leave(connection)
        except faults.DBAPIError as error:
            if not ((tx is not None and tx.failed) or engine.is_failure(error)):
                raise
            raise StorageFault(str(error.orig)) from error

    def _committed(self, tx: Transaction) -> None:
        for kind, keys in tx.touched.items():
            self._versions[kind] += 1
            self._written[kind].append(keys)
        if tx.changes:
            self.head = tx.head
            for listener in tuple(self._listeners):
                listener(tx.changes)

    def version(self, kind: str) -> int:
        """Return a number that increases with every commit to a kind; comparable within this process only."""
        return self._versions[kind]

    def written_since(self, kind: str, version: int) -> set[str] | None:
        """Return the keys of the rows of a kind that were written after a version, or None if unknown."""
        commits = self._versions[kind] - version
        written = self._written[kind]
        if commits > len(written):
            return None
        keys: set[str] = set()
        for each in islice(reversed(written), commits):
            if each is None:
                return None
            keys |= each
        return keys

    def events_after(self, tx: Transaction, offset: int, limit: int) -> list[OutboxEntry]:
        """Return at most `limit` events after an offset, oldest first."""
        found = tx.rows(sa.select(outbox).where(outbox.c.offset > offset).order_by(outbox.c.offset).limit(limit))
        return [
            OutboxEntry(
                row.offset,
                row.topic,
                row.kind,
                row.key,
                row.body,
                None if row.before is None else json.loads(row.before),
                None if row.after is None else json.loads(row.after),
            )
            for row in found
        ]

    def oldest_resumable(self, tx: Transaction) -> int:
        """Return the lowest offset after which all events are stored."""
        first = tx.value(sa.select(sa.func.min(outbox.c.offset)))
        return tx.head if first is None else int(first) - 1

    def trim(self, keep: int) -> None:
        """Delete all but the newest `keep` events. Clients that resume from an older one have to list again."""
        with self.write() as tx:
            tx.run(sa.delete(outbox).where(outbox.c.offset <= tx.head - keep))

    def close(self) -> None:
        """Close all connections."""
        self._engine.close()
