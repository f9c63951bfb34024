"""The service's store: SQLite, one writer, and an outbox that makes state and event one write.

All of it runs on the service's event loop: statements take microseconds to a few milliseconds, and a thread hop would
cost more than most of them. One connection, one lock: other threads (tests, mostly) wait their turn. Never await
inside a transaction.

    with database.write() as tx:
        GROUPS.put(tx, group)          # row and event, committed together

Transactions nest: an inner `write` becomes a savepoint of the outer one, so that a request or a step of the simulator
is one commit however many domain functions it calls; an inner `read` reads what the outer one sees.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Literal, cast

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy import exc as faults

from console.frozen import Frozen
from console.service.migrations import SCHEMA_VERSION
from console.service.store_file import DatabaseFault, prepare
from console.service.visibility import Scope

COMMITS_KNOWN = 1_000
"""How many commits to a kind it is known of which rows they wrote: more than between two looks at a long list."""

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
"""SQLite's codes of faults that lie with disk, file or memory, and not with what was asked."""


class StorageFault(Exception):
    """The store could not be read or written, as when the disk is full: nothing of the transaction was kept."""


class Change(Frozen):
    """One entry of the outbox. Scopes say who could see the row before and after (None: it was not there).

    Of a notice, `after` says to whom it is addressed.
    """

    offset: int
    topic: str
    kind: ChangeKind
    key: str
    body: str | None
    before: Scope | None
    after: Scope | None


class Transaction:
    """What one `read` or `write` block works with."""

    def __init__(self, connection: sa.Connection, now: int, head: int, writing: bool) -> None:
        self.connection = connection
        self.now = now
        """When the transaction began, in ms since the epoch of the injected clock."""
        self.writing = writing
        self.changes: list[Change] = []
        self.touched: dict[str, set[str] | None] = {}
        """The kinds that this transaction writes to, whether they announce it or not, and the keys of the rows: None
        where they are too many to be told."""
        self.failed = False
        """Whether the store has failed within: then nothing more may be done, for SQLite may have undone it all."""
        self._head = head

    @property
    def head(self) -> int:
        """The offset of the last event that this transaction sees, its own included."""
        return self.changes[-1].offset if self.changes else self._head

    def run(self, statement: sa.Executable, values: Any = None) -> sa.CursorResult[Any]:
        """Execute a statement. Raises StorageFault once the store has failed within the transaction."""
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
        """Note which rows of a kind are written; None says that it may be any; `Documents` does this for its rows."""
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
        self.changes.append(Change(offset, topic, kind, key, body, before, after))


class Database:
    """The one store of a service. `path` None keeps everything in memory."""

    def __init__(self, path: Path | None = None, now: Callable[[], int] | None = None) -> None:
        self.path = path
        self.epoch = ""
        """Identifies this database for as long as it lives: event offsets are comparable only within it."""
        self.head = 0
        """The offset of the last committed event."""
        self._now = now or (lambda: 0)
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Sequence[Change]], None]] = []
        self._versions: Counter[str] = Counter()
        self._written: defaultdict[str, deque[set[str] | None]] = defaultdict(lambda: deque(maxlen=COMMITS_KNOWN))
        """By kind, the rows that each of the last commits wrote to it, the last one at the end."""
        self._current: Transaction | None = None
        self.upgraded = None if path is None else prepare(path, self._now())
        """What was done to a file that an older version had written."""
        self._engine = _engine(path)
        try:
            self._connection = self._engine.connect()
            self._open()
        except faults.DatabaseError as error:
            raise DatabaseFault(f"{path}: {error.orig}") from error

    def _open(self) -> None:
        self._connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
        self._connection.rollback()
        self.create_tables()
        with self.write() as tx:
            self.epoch = self._fact(tx, "epoch", lambda: secrets.token_hex(8))
            last = tx.value(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'"))
            self.head = int(last or 0)

    def create_tables(self) -> None:
        """Create the tables that have been declared and are not there yet."""
        with self.write() as tx:
            metadata.create_all(tx.connection)

    def fact(self, name: str, make: Callable[[], str]) -> str:
        """Return a value that is made once per database, such as a signing key."""
        with self.write() as tx:
            return self._fact(tx, name, make)

    def _fact(self, tx: Transaction, name: str, make: Callable[[], str]) -> str:
        found = tx.value(sa.select(facts.c.value).where(facts.c.name == name))
        if found is None:
            found = make()
            tx.run(sa.insert(facts).values(name=name, value=found))
        return str(found)

    def on_commit(self, listener: Callable[[Sequence[Change]], None]) -> Callable[[], None]:
        """Call the listener with the events of each commit, in order, on the committing thread.

        Returns what undoes it.
        """
        self._listeners.append(listener)

        def undo() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return undo

    @contextmanager
    def read(self) -> Generator[Transaction]:
        """Look at one consistent state."""
        with self._lock:
            if self._current is not None:
                yield self._current
                return
            with self._begun("BEGIN", writing=False) as tx:
                yield tx

    @contextmanager
    def write(self) -> Generator[Transaction]:
        """Change things, all or nothing: an exception undoes what this block did and goes on."""
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
        """Undo what the block did when it fails.

        Told to the driver directly: forty minutes of the busy world nest 43,000 times, and through SQLAlchemy these two
        statements cost more than those they surround.
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
        # Names may be used again: the innermost is meant.
        try:
            for statement in statements:
                self._driver.execute(statement)
        except sqlite3.Error as error:
            # Undone by SQLite itself when the store failed, or failing now.
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
        """Undo what a failed commit has left open: the next transaction could not begin."""
        if self._driver.in_transaction:
            with suppress(sqlite3.Error):
                self._driver.rollback()

    @property
    def _driver(self) -> sqlite3.Connection:
        return cast("sqlite3.Connection", self._connection.connection.driver_connection)

    def version(self, kind: str) -> int:
        """Return a number that rises with every commit that touches a kind; comparable within this process only."""
        return self._versions[kind]

    def written_since(self, kind: str, version: int) -> set[str] | None:
        """Return the keys of the rows of a kind that were written after a version; None when that is not known."""
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

    def events_after(self, tx: Transaction, offset: int, limit: int) -> list[Change]:
        """Return the events after an offset, oldest first, at most `limit`."""
        found = tx.rows(sa.select(outbox).where(outbox.c.offset > offset).order_by(outbox.c.offset).limit(limit))
        return [
            Change(
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
        """Return the lowest offset from which nothing has been dropped."""
        first = tx.value(sa.select(sa.func.min(outbox.c.offset)))
        return tx.head if first is None else int(first) - 1

    def trim(self, keep: int) -> None:
        """Drop all but the newest `keep` events; who resumes from before is told to list again."""
        with self.write() as tx:
            tx.run(sa.delete(outbox).where(outbox.c.offset <= tx.head - keep))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()
            self._engine.dispose()


def _is_of_the_store(error: faults.DatabaseError) -> bool:
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _OF_THE_STORE


def _engine(path: Path | None) -> sa.Engine:
    engine = sa.create_engine(
        "sqlite://" if path is None else f"sqlite:///{path}",
        poolclass=sa.StaticPool,
        connect_args={"check_same_thread": False},
        # Values may be secrets, or a megabyte; errors that show them end up in logs.
        hide_parameters=True,
    )

    def prepare(connection: Any, _: object) -> None:
        # The driver's own transaction handling begins too late for consistent reads: `_begun` begins by itself.
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine
