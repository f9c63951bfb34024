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
import os
import secrets
import sqlite3
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Literal, cast

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy import exc as faults

from console.frozen import Frozen
from console.service.migrations import SCHEMA_VERSION
from console.service.store_file import DatabaseFault, Upgrade, lock, prepare
from console.service.visibility import Scope

COMMITS_KNOWN = 1_000
"""Number of commits for which the written rows of a kind are known: more than between two requests of a long list."""

metadata = sa.MetaData()

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("offset", sa.Integer, primary_key=True),
    sa.Column("topic", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("body", sa.Text),
    sa.Column("before", sa.Text),
    sa.Column("after", sa.Text),
    sa.Column("at", sa.Integer, nullable=False),
    sqlite_autoincrement=True,
)
facts = sa.Table("facts", metadata, sa.Column("name", sa.Text, primary_key=True), sa.Column("value", sa.Text))

ChangeKind = Literal["upsert", "remove", "notice"]

_ADD_EVENT = sa.insert(outbox).returning(outbox.c.offset)


_OF_THE_STORE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    }
)
"""SQLite's error codes for failures of disk, file or memory, rather than of a statement."""


class StorageFault(Exception):
    """The database could not be read or written, for example on a full disk. The transaction is rolled back."""


class OutboxEntry(Frozen):
    """One entry of the outbox. Scopes contain the columns for visibility before and after; None means that no row
    existed.

    `after` of a notice contains its addressees.
    """

    offset: int
    topic: str
    kind: ChangeKind
    key: str
    body: str | None
    before: Scope | None
    after: Scope | None


class Transaction:
    """The transaction of a `read` or `write` block."""

    def __init__(self, connection: sa.Connection, now: int, head: int, writing: bool) -> None:
        self.connection = connection
        self.now = now
        """Start of the transaction, in ms since the epoch, by the injected clock."""
        self.writing = writing
        self.changes: list[OutboxEntry] = []
        self.touched: dict[str, set[str] | None] = {}
        """Written kinds, announced or not, with the keys of the rows; None means too many to list."""
        self.failed = False
        """Whether the database failed. Then no statement may follow, because SQLite may have rolled back."""
        self._head = head

    @property
    def head(self) -> int:
        """The offset of the last event visible to this transaction, including its own."""
        return self.changes[-1].offset if self.changes else self._head

    def run(self, statement: sa.Executable, values: Any = None) -> sa.CursorResult[Any]:
        """Execute a statement. Raise StorageFault if the database failed in this transaction."""
        if self.failed:
            raise StorageFault("the store has failed before")
        try:
            return cast("sa.CursorResult[Any]", self.connection.execute(statement, values))
        except faults.DatabaseError as error:
            self.failed = _is_of_the_store(error)
            raise

    def rows(self, statement: sa.Executable) -> Sequence[sa.Row[Any]]:
        """Return all rows of a query."""
        return self.run(statement).all()

    def row(self, statement: sa.Executable) -> sa.Row[Any] | None:
        """Return the first row of a query, or None."""
        return self.run(statement).first()

    def value(self, statement: sa.Executable) -> Any:
        """Return the first column of the first row, or None."""
        return self.run(statement).scalar()

    def touch(self, kind: str, keys: Iterable[str] | None) -> None:
        """Note the written rows of a kind; None means any. `Documents` does this for its rows."""
        known = self.touched.setdefault(kind, set())
        if keys is None:
            self.touched[kind] = None
        elif known is not None:
            known.update(keys)

    def announce(
        self,
        topic: str,
        kind: ChangeKind,
        key: str,
        body: str | None,
        before: Scope | None,
        after: Scope | None,
    ) -> None:
        """Add an event to the outbox; `Documents` does this for its rows."""
        offset: int = self.run(
            _ADD_EVENT,
            {
                "topic": topic,
                "kind": kind,
                "key": key,
                "body": body,
                "before": None if before is None else json.dumps(before),
                "after": None if after is None else json.dumps(after),
                "at": self.now,
            },
        ).scalar_one()
        self.changes.append(OutboxEntry(offset, topic, kind, key, body, before, after))


class Database:
    """The database of a service, which no other service can open. With `path` None, it is in memory."""

    def __init__(self, path: Path | None = None, now: Callable[[], int] | None = None) -> None:
        self.path = path
        self.epoch = ""
        """Identifies the database for its lifetime. Event offsets are comparable only within it."""
        self.head = 0
        """The offset of the last committed event."""
        self._now = now or (lambda: 0)
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Sequence[OutboxEntry]], None]] = []
        self._versions: Counter[str] = Counter()
        self._written: defaultdict[str, deque[set[str] | None]] = defaultdict(lambda: deque(maxlen=COMMITS_KNOWN))
        """For each kind, the rows written by each of the last commits, the latest at the end."""
        self._current: Transaction | None = None
        self.upgraded: Upgrade | None = None
        """The upgrade of a file from an older version, or None."""
        with ExitStack() as opened:
            if path is not None:
                opened.callback(os.close, lock(path))
                self.upgraded = prepare(path, self._now())
            self._engine = _engine(path)
            try:
                self._connection = self._engine.connect()
                self._open()
            except faults.DatabaseError as error:
                raise DatabaseFault(f"{path}: {error.orig}") from error
            self._opened = opened.pop_all()

    def _open(self) -> None:
        self._connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
        self._connection.rollback()
        self.create_tables()
        with self.write() as tx:
            self.epoch = self._fact(tx, "epoch", lambda: secrets.token_hex(8))
            last = tx.value(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'"))
            self.head = int(last or 0)

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

    @contextmanager
    def read(self) -> Generator[Transaction]:
        """Read one consistent state."""
        with self._lock:
            if self._current is not None:
                yield self._current
                return
            with self._begun("BEGIN", writing=False) as tx:
                yield tx

    @contextmanager
    def write(self) -> Generator[Transaction]:
        """Write all or nothing: an exception rolls back the block and propagates."""
        with self._lock:
            outer = self._current
            if outer is not None:
                if not outer.writing:
                    raise RuntimeError("a write cannot begin inside a read")
                with self._nested(outer):
                    yield outer
                return
            with self._begun("BEGIN IMMEDIATE", writing=True) as tx:
                yield tx
            for kind, keys in tx.touched.items():
                self._versions[kind] += 1
                self._written[kind].append(keys)
            if tx.changes:
                self.head = tx.head
                for listener in tuple(self._listeners):
                    listener(tx.changes)

    @contextmanager
    def _nested(self, outer: Transaction) -> Generator[None]:
        """Roll back the block if it fails.

        The statements go directly to the driver: forty minutes of the scenario `busy` nest 43,000 times, and through
        SQLAlchemy these two statements cost more than those inside.
        """
        done = len(outer.changes)
        self._savepoint("SAVEPOINT inner")
        try:
            yield
        except BaseException:
            del outer.changes[done:]
            self._savepoint("ROLLBACK TO inner", "RELEASE inner")
            raise
        self._savepoint("RELEASE inner")

    def _savepoint(self, *statements: str) -> None:
        # Savepoint names may repeat: they refer to the innermost one.
        try:
            for statement in statements:
                self._driver.execute(statement)
        except sqlite3.Error as error:
            # SQLite has rolled back already, or fails now.
            raise StorageFault(str(error)) from error

    @contextmanager
    def _begun(self, begin: str, writing: bool) -> Generator[Transaction]:
        tx = Transaction(self._connection, self._now(), self.head, writing)
        try:
            with self._connection.begin():
                self._connection.exec_driver_sql(begin)
                self._current = tx
                try:
                    yield tx
                finally:
                    self._current = None
                if tx.failed:
                    raise StorageFault("the store has failed before")
        except faults.DatabaseError as error:
            if not (tx.failed or _is_of_the_store(error)):
                raise
            raise StorageFault(str(error.orig)) from error
        finally:
            self._leave_nothing_open()

    def _leave_nothing_open(self) -> None:
        """Roll back after a failed commit, so that the next transaction can start."""
        if self._driver.in_transaction:
            with suppress(sqlite3.Error):
                self._driver.rollback()

    @property
    def _driver(self) -> sqlite3.Connection:
        return cast("sqlite3.Connection", self._connection.connection.driver_connection)

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
        """Close the file, and unlock it."""
        with self._lock:
            self._connection.close()
            self._engine.dispose()
            self._opened.close()


def _is_of_the_store(error: faults.DatabaseError) -> bool:
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _OF_THE_STORE


def _engine(path: Path | None) -> sa.Engine:
    engine = sa.create_engine(
        "sqlite://",
        # The path is no part of a URL, where `?` and `%` have a meaning; nor is it a name such as `:memory:`.
        creator=lambda: sqlite3.connect(":memory:" if path is None else path.absolute(), check_same_thread=False),
        poolclass=sa.StaticPool,
        # Parameters may be secrets or very large, and errors are logged.
        hide_parameters=True,
    )

    def prepare(connection: Any, _: object) -> None:
        # The driver's own transaction handling starts too late for consistent reads; `_begun` starts transactions.
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine
