"""SQLite: a file of its owner only, upgraded before use, or the memory of the process.

A database of an older version is upgraded by the steps in `migrations.py` in one transaction, after a backup: it is
either unchanged or completely upgraded. A database of a newer version is refused.
"""

from __future__ import annotations

import errno
import fcntl
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy import exc as faults

from console.service.store import migrations
from console.service.store.engine import Begun, CommitNote, DatabaseEngine, Upgrade
from console.service.store.faults import DatabaseFault, StorageFault
from console.service.store.migrations import BASELINE, SCHEMA_VERSION

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

    def __init__(self, path: Path | None, now_ms: int) -> None:
        """Open a file, or with None the memory of this process. Raise DatabaseFault."""
        self.name = "the memory" if path is None else str(path)
        self._lock = threading.RLock()
        with ExitStack() as opened:
            if path is not None:
                opened.callback(os.close, lock(path))
                self.upgraded = prepare(path, now_ms)
            self._engine = sa.create_engine(
                "sqlite://",
                # The path is no part of a URL, where `?` and `%` have a meaning; nor is it a name such as `:memory:`.
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
        """Create the tables that are missing; the file has been upgraded already."""
        connection = self.begin(writing=True).connection
        try:
            metadata.create_all(connection)
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


LOCK_SECONDS = 10.0
"""Longest wait of an upgrade for other processes that have the file open, for example to upgrade it."""
TRY_SECONDS = 0.1
"""Longest pause between two attempts to lock the file exclusively."""


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


def prepare(path: Path, now_ms: int) -> Upgrade | None:
    """Create the file if it is missing, or upgrade it if it is old; return the upgrade, or None.

    Raise DatabaseFault if it cannot be used; then nothing was changed.
    """
    # SQLite gives some names, such as `:memory:`, a meaning of their own.
    path = path.absolute()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise DatabaseFault(f"{path}: {error.strerror}") from error
    try:
        if not _is_old(path, _version(path)):
            return None
        return _upgrade(path, now_ms)
    except sqlite3.Error as error:
        raise DatabaseFault(f"{path}: {error}") from error


def _is_old(path: Path, version: int) -> bool:
    """Return whether a database of this version needs an upgrade. Raise DatabaseFault if it cannot be upgraded."""
    newest = migrations.SCHEMA_VERSION
    if version > newest:
        raise DatabaseFault(
            f"{path}: written by a newer version of the service (schema {version}; this version knows {newest}). "
            "Install that version, or name another file with --db."
        )
    if 0 < version < BASELINE:
        raise DatabaseFault(
            f"{path}: too old to be upgraded (schema {version}; the oldest that can be is {BASELINE}). "
            "Name another file with --db."
        )
    return 0 < version < newest


def _version(path: Path) -> int:
    """Return the version of a database; 0 for a new file."""
    with closing(sqlite3.connect(path, timeout=LOCK_SECONDS)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _upgrade(path: Path, now_ms: int) -> Upgrade | None:
    """Upgrade a database when no other process has it open. Raise DatabaseFault after a timeout."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            try:
                # Succeeds only with exclusive access: other processes expect the old schema.
                connection.execute("PRAGMA journal_mode = DELETE").fetchone()
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if time.monotonic() > end:
                    raise DatabaseFault(
                        f"{path}: cannot be upgraded while another process uses it ({error}). Stop it, then try again."
                    ) from error
            else:
                # The commit waits for others that look at the version meanwhile.
                connection.execute(f"PRAGMA busy_timeout = {round(LOCK_SECONDS * 1000)}")
                return _upgrade_alone(connection, path, now_ms)
        # A random pause, because two processes in step would block each other.
        time.sleep(random.uniform(0.0, TRY_SECONDS))
        if not _is_old(path, _version(path)):
            # Another process has upgraded the file, and uses it.
            return None


def _upgrade_alone(connection: sqlite3.Connection, path: Path, now_ms: int) -> Upgrade | None:
    """Upgrade a database in the current transaction, unless another process has done so."""
    before = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not _is_old(path, before):
        return None
    backup = _back_up(path, before, now_ms)
    try:
        titles = _take_steps(connection, path, before)
    except DatabaseFault:
        # The database is unchanged, so the copy is useless.
        backup.unlink()
        raise
    return Upgrade(before, migrations.SCHEMA_VERSION, titles, backup)


def _take_steps(connection: sqlite3.Connection, path: Path, before: int) -> tuple[str, ...]:
    """Run the missing steps, and commit them together."""
    steps = [migration for migration in migrations.MIGRATIONS if migration.version > before]
    for step in steps:
        try:
            for statement in step.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step.version}")
            if step is steps[-1]:
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise DatabaseFault(
                f"{path}: cannot be upgraded to schema {step.version} ({step.title}): {error}. Nothing was changed."
            ) from error
    return tuple(step.title for step in steps)


def _back_up(path: Path, version: int, now_ms: int) -> Path:
    """Copy the database to the same directory and return the path; an incomplete copy has another name."""
    at = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    backup = path.with_name(f"{path.name}.schema-{version}.{at}.backup")
    partial = backup.with_name(f"{backup.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(partial)) as target:
            source.backup(target)
        _sync(partial)
        partial.replace(backup)
        _sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        words = (error.strerror if isinstance(error, OSError) else None) or error
        raise DatabaseFault(f"{path}: cannot be copied to {backup} before its upgrade: {words}") from error
    return backup


def _sync(path: Path) -> None:
    """Sync a file to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
