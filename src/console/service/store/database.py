"""Transactions, with the events of their changes in the outbox, committed together.

  with database.write() as tx:
      GROUPS.put(tx, group)          # row and event, committed together

Transactions nest: an inner `write` or `read` joins the outer one, so that a request or a step of the simulator is one
commit for any number of domain functions. If an inner `write` fails, the whole transaction does; only what stands in
`tx.attempt()` is rolled back by itself. Never await inside a transaction.

With SQLite, everything runs on the service's event loop: statements take microseconds to a few milliseconds, less than
switching threads. A statement of PostgreSQL waits for the network, so it runs in a worker thread (`Database.run`).
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.service.store.engine import DatabaseEngine
from console.service.store.faults import DatabaseFault, StorageFault
from console.service.store.outbox import OutboxEntry, facts, metadata, outbox
from console.service.store.sqlite import SqliteEngine
from console.service.store.threads import StatementThreads
from console.service.store.transaction import Transaction

T = TypeVar("T")

EVENTS_AT_ONCE = 5_000
"""Most events of other nodes that are read at once."""
COMMITS_KNOWN = 1_000
"""Number of commits for which the written rows of a kind are known: more than between two requests of a long list."""


class Pool(NamedTuple):
    """Connections to a server, and how long transactions of this node have waited. Durations in seconds."""

    size: int
    used: int
    writer_waited: float
    """For their turn to write, with the begin of the transaction itself."""
    waiting: int
    """Transactions that wait for a thread now."""
    waited: float
    """For a thread."""


class Database:
    """The database of a service: a file, the URL of a PostgreSQL database, or with None the memory of the process."""

    def __init__(self, place: Path | str | None = None, now: Callable[[], int] | None = None) -> None:
        """Open the database, or create it if it is new. Raise DatabaseFault."""
        self.path = place if isinstance(place, Path) else None
        """The file, or None."""
        self.epoch = ""
        """Identifies the database for its lifetime. Event offsets are comparable only within it."""
        self.head = 0
        """The offset of the last committed event."""
        self._now = now or (lambda: 0)
        self._listeners: list[Callable[[Sequence[OutboxEntry]], None]] = []
        self._applying = threading.RLock()
        """Held while listeners hear of events, so that they hear them in order."""
        self._commits = 0
        """The number of commits that wrote something, if this process alone writes."""
        self._written: defaultdict[str, deque[tuple[int, set[str] | None]]] = defaultdict(
            lambda: deque(maxlen=COMMITS_KNOWN)
        )
        """For each kind the last commits that wrote to it, with their rows, the latest at the end."""
        self._current = ContextVar[Transaction | None]("transaction", default=None)
        self._needs_duty = ContextVar("needs duty", default=False)
        self._engine = _engine(place)
        self._threads = StatementThreads() if self._engine.is_remote else None
        self._loop_thread: int | None = None
        try:
            self.create_tables()
            with self.read() as tx:
                self.head = self._engine.last_offset(tx.connection)
            self.epoch = self.fact("epoch", lambda: secrets.token_hex(8))
        except DatabaseFault:
            self.close()
            raise
        except (faults.DBAPIError, StorageFault) as error:
            self.close()
            raise DatabaseFault(f"{self.name}: {getattr(error, 'orig', error)}") from error

    @property
    def name(self) -> str:
        """The database as messages name it, without a password."""
        return self._engine.name

    @property
    def is_remote(self) -> bool:
        """Whether a statement waits for the network."""
        return self._engine.is_remote

    @property
    def pool(self) -> Pool | None:
        """The connections to the server and what waits for them; None without a server."""
        connections = self._engine.connections
        if connections is None or self._threads is None:
            return None
        return Pool(*connections, self._threads.waiting, self._threads.waited)

    @property
    def is_first(self) -> bool:
        """Whether no other node used the database when this one opened it."""
        return self._engine.is_first

    def create_tables(self) -> None:
        """Create all declared tables that are missing."""
        self._engine.prepare(metadata)

    def fact(self, name: str, make: Callable[[], str]) -> str:
        """Return a value that is created once per database, such as a signing key."""
        with self.write() as tx:
            return self._fact(tx, name, make)

    def _fact(self, tx: Transaction, name: str, make: Callable[[], str]) -> str:
        value = tx.value(sa.select(facts.c.value).where(facts.c.name == name))
        if value is None:
            value = make()
            tx.run(sa.insert(facts).values(name=name, value=value))
        return str(value)

    # -- transactions ---------------------------------------------------------------------------------------------

    async def run(self, work: Callable[[], T], *, writing: bool = False) -> T:
        """Call a function with transactions: at once, or in a thread if its statements wait for the network.

        Raise StorageFault.
        """
        return work() if self._threads is None else await self._threads.run(work, writing=writing)

    @asynccontextmanager
    async def entered(self, context: AbstractContextManager[object]) -> AsyncGenerator[None]:
        """Enter a context that may execute statements, and leave it, as `run` calls a function. Raise StorageFault."""
        await self.run(context.__enter__)
        try:
            yield
        except BaseException as error:
            if not await self.run(partial(context.__exit__, type(error), error, error.__traceback__)):
                raise
        else:
            await self.run(partial(context.__exit__, None, None, None))

    def apart(self, name: str) -> AbstractContextManager[sa.Connection]:
        """Begin a transaction of its own in a remote database, also inside of another one.

        It is alone among those with the same name, and must not write what has events. Raise StorageFault.
        """
        return self._engine.apart(name)

    def forbid_on(self, thread: int | None) -> None:
        """Refuse transactions on the thread of an event loop, if their statements wait for the network."""
        self._loop_thread = thread if self.is_remote else None

    def read(self) -> AbstractContextManager[Transaction]:
        """Read one consistent state."""
        outer = self._current.get()
        return self._begun(writing=False) if outer is None else nullcontext(outer)

    def write(self) -> AbstractContextManager[Transaction]:
        """Write all or nothing: an exception rolls back the transaction and propagates."""
        outer = self._current.get()
        if outer is None:
            return self._begun(writing=True)
        if not outer.writing:
            raise RuntimeError("a write cannot begin inside a read")
        return self._joined(outer)

    @contextmanager
    def _joined(self, outer: Transaction) -> Generator[Transaction]:
        try:
            yield outer
        except BaseException:
            outer.spoiled = True
            raise

    @contextmanager
    def _begun(self, *, writing: bool) -> Generator[Transaction]:
        engine, tx = self._engine, None
        if self._loop_thread is not None and threading.get_ident() == self._loop_thread:
            raise RuntimeError("a statement would block the event loop")
        try:
            connection, head, versions = engine.begin(writing=writing)
            try:
                head = self.head if head is None else head
                tx = Transaction(engine, connection, self._now(), head=head, versions=versions, writing=writing)
                if writing:
                    self._catch_up(tx)
                    if self._needs_duty.get():
                        engine.check_duty(connection)
                token = self._current.set(tx)
                try:
                    yield tx
                finally:
                    self._current.reset(token)
                if tx.failed:
                    raise StorageFault("the store has failed before")
                if tx.spoiled:
                    raise RuntimeError("a part of the transaction has failed, and was not rolled back by itself")
                if writing:
                    self._commit(tx)
            finally:
                engine.leave(connection, writing=writing)
        except faults.DBAPIError as error:
            if not ((tx is not None and tx.failed) or engine.is_failure(error)):
                raise
            raise StorageFault(str(error.orig)) from error

    def _commit(self, tx: Transaction) -> None:
        """Commit, and tell listeners before another transaction can write, so that they hear of commits in order."""
        tx.store_events()
        self._engine.commit(tx.connection, tx.commit_note())
        if tx.touched and tx.versions is None:
            self._commits += 1
            for kind, keys in tx.touched.items():
                self._written[kind].append((self._commits, keys))
        self._pass_on(tx.changes)

    def _pass_on(self, changes: Sequence[OutboxEntry]) -> None:
        """Tell listeners of events, except of those that they have heard of."""
        with self._applying:
            new = [change for change in changes if change.offset > self.head]
            if new:
                self.head = new[-1].offset
                for listener in tuple(self._listeners):
                    listener(new)

    # -- other nodes ----------------------------------------------------------------------------------------------

    def _catch_up(self, tx: Transaction) -> None:
        """Tell listeners of what other nodes have written, and of commits of which the answer was lost."""
        while tx.head > self.head:
            events = self.events_after(tx, self.head, EVENTS_AT_ONCE)
            if not events:
                return
            self._pass_on(events)

    def follow(self) -> None:
        """Hear of the commits of other nodes until `unfollow`, if there may be any."""
        self._engine.follow(self._look)

    def unfollow(self) -> None:
        """Stop to hear of other nodes."""
        self._engine.unfollow()

    @property
    def is_current(self) -> bool:
        """Whether commits of other nodes are known at most a few seconds later."""
        return self._engine.is_current

    @property
    def has_duty(self) -> bool:
        """Whether this node, of all that follow the database, is the one that runs background work."""
        return self._engine.has_duty

    @contextmanager
    def on_duty(self) -> Generator[None]:
        """Let writes of the block, and of tasks begun in it, fail with StorageFault at a node without the duty."""
        token = self._needs_duty.set(True)
        try:
            yield
        finally:
            self._needs_duty.reset(token)

    def started(self, now: int) -> int:
        """Return when the first of the nodes that are present was started: now, if it is this one."""
        if not self.is_remote:
            return now
        with self.write() as tx:
            if self._engine.is_first:
                tx.run(sa.delete(facts).where(facts.c.name == "started"))
            return int(self._fact(tx, "started", lambda: str(now)))

    def _look(self, offset: int | None) -> None:
        """Read what other nodes have written, up to an event or the last one."""
        if offset is None or offset > self.head:
            with self.read() as tx:
                self._catch_up(tx)

    # -- changes --------------------------------------------------------------------------------------------------

    def on_commit(self, listener: Callable[[Sequence[OutboxEntry]], None]) -> Callable[[], None]:
        """Call the listener with the events of each commit, in order, on the committing thread.

        Return a function that removes the listener.
        """
        self._listeners.append(listener)

        def undo() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return undo

    def version(self, tx: Transaction, kind: str) -> int:
        """Return the version of a kind that a transaction sees: it rises with every commit to the kind.

        Versions of a remote database hold for all its nodes, of others for this process.
        """
        if tx.versions is not None:
            return tx.versions.get(kind, 0)
        commits = self._written[kind]
        return commits[-1][0] if commits else 0

    def written_since(self, kind: str, version: int) -> set[str] | None:
        """Return the keys of the rows of a kind that were written after a version by this process; None if unknown."""
        keys: set[str] = set()
        # Another thread may add to it.
        commits = list(self._written[kind])
        for number, rows in reversed(commits):
            if number <= version:
                return keys
            if rows is None:
                return None
            keys |= rows
        return keys if len(commits) < COMMITS_KNOWN else None

    def events_after(self, tx: Transaction, offset: int, limit: int) -> list[OutboxEntry]:
        """Return at most `limit` events after an offset, oldest first."""
        rows = tx.rows(sa.select(outbox).where(outbox.c.offset > offset).order_by(outbox.c.offset).limit(limit))
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
            for row in rows
        ]

    def oldest_resumable(self, tx: Transaction) -> int:
        """Return the lowest offset after which all events are stored."""
        first = tx.value(sa.select(sa.func.min(outbox.c.offset)))
        return tx.head if first is None else int(first) - 1

    def trim(self, keep: int) -> None:
        """Delete all but the newest `keep` events. Clients that resume from an older one have to list again."""
        with self.write() as tx:
            # The last one tells the last offset.
            tx.run(sa.delete(outbox).where(outbox.c.offset <= tx.head - max(1, keep)))

    def close(self) -> None:
        """Wait for what has begun, and close all connections."""
        if self._threads is not None:
            self._threads.close()
        self._engine.close()


def _engine(place: Path | str | None) -> DatabaseEngine:
    if not isinstance(place, str):
        return SqliteEngine(place)
    try:
        # Most services have a file; psycopg takes a tenth of a second to import, and may not be installed.
        from console.service.store.postgresql import PostgresEngine
    except ImportError as error:
        raise DatabaseFault(
            "PostgreSQL needs an extra package: install operator-console[postgresql], or name a file with --db"
        ) from error
    return PostgresEngine(place)
