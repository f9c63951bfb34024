"""SQLite: a file of its owner only, or the memory of the process."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import event, schema
from sqlalchemy import exc as faults
from sqlalchemy.dialects import sqlite

from console.service.store.engine import Begun, CommitNote, DatabaseEngine
from console.service.store.faults import DatabaseFault, StorageFault
from console.service.store.outbox import SCHEMA_VERSION, check_schema

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


class SqliteEngine(DatabaseEngine):
    """One connection with one lock; other threads (mostly tests) wait."""

    is_remote = False

    def __init__(self, path: Path | None) -> None:
        """Open a file, or with None the memory of this process. Raise DatabaseFault."""
        self.name = "the memory" if path is None else str(path)
        self._lock = threading.RLock()
        with ExitStack() as opened:
            if path is not None:
                opened.callback(os.close, lock(path))
                _check_file(path)
            self._engine = sa.create_engine(
                "sqlite://",
                # Pass the path by itself: in a URL, `?`, `%` and names such as `:memory:` have a meaning.
                creator=lambda: sqlite3.connect(
                    ":memory:" if path is None else path.absolute(), check_same_thread=False
                ),
                poolclass=sa.StaticPool,
                # Parameters may be secrets or very large, and errors are logged.
                hide_parameters=True,
            )
            event.listen(self._engine, "connect", _configure)
            try:
                self._connection = self._engine.connect()
                self._connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
                self._connection.rollback()
            except faults.DatabaseError as error:
                raise DatabaseFault(f"{path}: {error.orig}") from error
            self._opened = opened.pop_all()

    def prepare(self, metadata: sa.MetaData) -> None:
        """Create the tables that are missing."""
        connection = self.begin(writing=True).connection
        try:
            present = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
            for table in metadata.tables.values():
                for statement in _creation(table) if table.name not in present else ():
                    connection.exec_driver_sql(statement)
            self.commit(connection, CommitNote(None, None))
        finally:
            self.leave(connection, writing=True)

    def begin(self, *, writing: bool) -> Begun:
        """Begin a transaction on the only connection, for this thread alone."""
        self._lock.acquire()
        try:
            self._connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
        except BaseException:
            self.leave(self._connection, writing=writing)
            raise
        return Begun(self._connection, None, None)

    def commit(self, connection: sa.Connection, note: CommitNote) -> None:
        """Commit the transaction."""
        connection.commit()

    def leave(self, connection: sa.Connection, *, writing: bool) -> None:
        """Roll back what is not committed, also after a failed commit, so that the next transaction can start."""
        try:
            with suppress(faults.DBAPIError):
                connection.rollback()
            driver = cast("sqlite3.Connection", connection.connection.driver_connection)
            if driver.in_transaction:
                with suppress(sqlite3.Error):
                    driver.rollback()
        finally:
            self._lock.release()

    def savepoint(self, connection: sa.Connection, *statements: str) -> None:
        """Execute statements about savepoints. Raise StorageFault.

        They go directly to the driver: the simulator needs two for each of its events, and through SQLAlchemy they
        cost more than the statements between them.
        """
        driver = cast("sqlite3.Connection", connection.connection.driver_connection)
        try:
            for statement in statements:
                driver.execute(statement)
        except sqlite3.Error as error:
            # SQLite has rolled back already, or fails now.
            raise StorageFault(str(error)) from error

    def is_failure(self, error: faults.DBAPIError) -> bool:
        """Return whether disk, file or memory failed."""
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _OF_THE_STORE

    def last_offset(self, connection: sa.Connection) -> int:
        """Return the offset of the last event, also of a deleted one; 0 without any."""
        last = connection.exec_driver_sql("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").scalar()
        return int(last or 0)

    def follow(self, look: Callable[[int | None], None]) -> None:
        """Do nothing: a file has one service."""

    def unfollow(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Close the file, and unlock it."""
        with self._lock:
            self._connection.close()
            self._engine.dispose()
            self._opened.close()


def _configure(connection: Any, _: object) -> None:
    # The driver's own transaction handling starts too late for consistent reads; `begin` starts transactions.
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def lock(path: Path) -> int:
    """Lock a database for one service; return a handle, which holds the lock until it is closed or the process ends.

    Raise DatabaseFault if another service has it.
    """
    # Beside the real file, whatever link leads to it; on some systems a lock on the file itself would block SQLite.
    real = path.resolve()
    file = real.with_name(f"{real.name}.lock")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise DatabaseFault(f"{file}: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno == errno.EWOULDBLOCK:
            raise DatabaseFault(
                f"{path}: another service uses it. Stop that service, or name another file with --db."
            ) from error
        raise DatabaseFault(f"{file}: {error.strerror}") from error
    return handle


def _check_file(path: Path) -> None:
    """Create the file if it is missing. Raise DatabaseFault if it cannot be used; then nothing was changed."""
    # SQLite gives some names, such as `:memory:`, a meaning of their own.
    path = path.absolute()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise DatabaseFault(f"{path}: {error.strerror}") from error
    try:
        with closing(sqlite3.connect(path)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise DatabaseFault(f"{path}: {error}") from error
    # A new file has 0.
    if version:
        check_schema(str(path), version)


@cache
def _creation(table: sa.Table) -> tuple[str, ...]:
    """Return the statements that create a table, once for all databases: tests open hundreds of them."""
    wanted = (
        schema.CreateTable(table),
        *map(schema.CreateIndex, sorted(table.indexes, key=lambda each: str(each.name))),
    )
    return tuple(str(each.compile(dialect=sqlite.dialect())) for each in wanted)
