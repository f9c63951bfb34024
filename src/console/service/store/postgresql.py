"""PostgreSQL: a database server. Its statements wait for the network."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from sqlalchemy import exc as faults
from sqlalchemy.dialects.postgresql.base import PGTypeCompiler

from console.service.store.engine import Begun, CommitNote, Connections, DatabaseEngine
from console.service.store.faults import DatabaseFault, OutcomeUnknown, StorageFault
from console.service.store.node import CHANNEL, NodeListener, holds_duty
from console.service.store.outbox import SCHEMA_VERSION, check_schema
from console.service.store.server_url import parse_url
from console.service.store.threads import READERS, WAIT_SECONDS

# A node that is stopped during a statement is expected: without a handler, psycopg would print that on the terminal.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

PREPARE_SECONDS = 60
"""Longest time of a statement that prepares the database, with the wait for the lock of the writer."""
_WRITER = 7_261_001
"""Key of the advisory lock of the transaction that writes."""
_VERSIONS = "versions"
"""Name of the fact with the versions of kinds: the number of the last commit that changed each."""
_OF_THE_SERVER = ("08", "25006", "25P03", "40", "53", "55", "57", "58", "XX")
"""Beginnings of PostgreSQL's codes for failures of connection, resources or server, rather than of a statement."""
_NETWORK: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "console",
    # A node that stops in the middle of a transaction holds the lock no longer than this.
    "options": "-c idle_in_transaction_session_timeout=20s -c lock_timeout=8s -c statement_timeout=20s",
}
_LISTENING: dict[str, Any] = _NETWORK | {
    "autocommit": True,
    "tcp_user_timeout": 4_000,
    # The server gives up the locks of a node whose machine is gone within the same time.
    "options": "-c lock_timeout=8s -c statement_timeout=20s -c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 "
    "-c tcp_keepalives_count=2 -c tcp_user_timeout=4000",
}
_LAST = 'SELECT coalesce(max("offset"), 0) FROM outbox'
_SEEN = f"SELECT coalesce(max(\"offset\"), 0), (SELECT value FROM facts WHERE name = '{_VERSIONS}') FROM outbox"
_LOCK = f"SELECT pg_advisory_xact_lock({_WRITER})"
_BEGIN_READ = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {_SEEN}"
# Each statement sees all that was committed before it: the last one all that earlier writers did.
_BEGIN_WRITE = f"BEGIN; {_LOCK}; {_SEEN}"
_TABLES = sa.text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")


class PostgresEngine(DatabaseEngine):
    """A server, with a pool of connections: one for each transaction."""

    is_remote = True

    def __init__(self, url: str) -> None:
        """Connect to the server on first use. Raise DatabaseFault if the URL is invalid."""
        try:
            parsed = parse_url(url)
        except ValueError as error:
            raise DatabaseFault(f"the database {error}") from None
        self.name = parsed.difference_update_query(["password"]).render_as_string(hide_password=True)
        self._turn = threading.Lock()
        """Held by the thread that writes: others wait here, without a connection of the pool."""
        self._writer_waited = 0.0
        """Changed by the thread that has the turn."""
        self._engine = sa.create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            # `begin` starts transactions, together with its other statements in one round trip.
            isolation_level="AUTOCOMMIT",
            # One for each thread that writes, starts the service, or follows other nodes; and one `apart` for each.
            pool_size=2 * (READERS + 3),
            max_overflow=0,
            pool_timeout=WAIT_SECONDS,
            connect_args=_NETWORK,
            # Parameters may be secrets or very large, and errors are logged.
            hide_parameters=True,
        )
        self._engine.dialect.type_compiler_instance = _Types(self._engine.dialect)
        self._node = NodeListener(lambda: psycopg.connect(parsed.render_as_string(hide_password=False), **_LISTENING))

    @property
    def is_first(self) -> bool:  # type: ignore[override]  # read only
        """Whether no other node was there when this one joined."""
        return self._node.is_first

    @property
    def has_duty(self) -> bool:  # type: ignore[override]  # read only
        """Whether this node has the duty, as far as it knows."""
        return self._node.duty is not None

    @property
    def is_current(self) -> bool:  # type: ignore[override]  # read only
        """Whether commits of other nodes are known at most a few seconds later."""
        return self._node.is_current

    @property
    def connections(self) -> Connections:  # type: ignore[override]  # read only
        """The connections to the server."""
        pool = cast("sa.QueuePool", self._engine.pool)
        return Connections(pool.size(), pool.checkedout(), self._writer_waited)

    def prepare(self, metadata: sa.MetaData) -> None:
        """Create the tables that are missing, in one transaction with the lock of the writer.

        Raise DatabaseFault if the schema has another version, or the database is used by another program.
        """
        try:
            with self._turn, self._node.joining():
                self._prepare(metadata)
        except psycopg.errors.LockNotAvailable as error:
            raise DatabaseFault(f"{self.name}: another node prepares it for too long. Try again later.") from error
        except (StorageFault, faults.DBAPIError, psycopg.Error) as error:
            raise DatabaseFault(f"{self.name}: {_words(error)}") from error

    def _prepare(self, metadata: sa.MetaData) -> None:
        connection = self._connect()
        try:
            most = f"'{PREPARE_SECONDS}s'"
            _execute(
                connection, f"BEGIN; SET LOCAL statement_timeout = {most}; SET LOCAL lock_timeout = {most}; {_LOCK}"
            )
            present = set(connection.execute(_TABLES).scalars())
            if "facts" in present:
                version = connection.exec_driver_sql("SELECT value FROM facts WHERE name = 'schema'").scalar_one()
                check_schema(self.name, int(version))
            elif present & {"outbox", "users"}:
                raise DatabaseFault(f"{self.name}: holds the tables of another program. Name an empty database.")
            _find_long_texts(metadata)
            missing = [table for table in metadata.sorted_tables if table.name not in present]
            metadata.create_all(connection, tables=missing, checkfirst=False)
            if "facts" not in present:
                _execute(connection, f"INSERT INTO facts VALUES ('schema', '{SCHEMA_VERSION}')")
            _execute(connection, "COMMIT")
        finally:
            self._give_back(connection)

    def begin(self, *, writing: bool) -> Begun:
        """Begin a transaction in one round trip. One that writes waits for its turn. Raise StorageFault.

        A connection that was lost while it was idle is replaced by a new one.
        """
        began = time.monotonic()
        if writing and not self._turn.acquire(timeout=WAIT_SECONDS):
            raise StorageFault(f"no turn to write within {WAIT_SECONDS:.0f} s")
        try:
            connection, (head, versions) = self._begun(_BEGIN_WRITE if writing else _BEGIN_READ)
            if writing:
                self._writer_waited += time.monotonic() - began
            return Begun(connection, int(head), json.loads(versions or "{}"))
        except BaseException:
            if writing:
                self._turn.release()
            raise

    def _begun(self, statements: str) -> tuple[sa.Connection, tuple[Any, ...]]:
        """Begin a transaction in one round trip; return the row that its last statement selects. Raise StorageFault."""
        connection = self._connect()
        try:
            try:
                return connection, _last_row(connection, statements)
            except StorageFault:
                if not connection.invalidated:
                    raise
            # The server was restarted, or the line cut: the other idle connections are lost as well.
            self._engine.dispose()
            return connection, _last_row(connection, statements)
        except BaseException:
            self._give_back(connection)
            raise

    @contextmanager
    def apart(self, name: str) -> Generator[sa.Connection]:
        """Begin a transaction of its own, also inside of another one, alone among those with the same name."""
        key = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), signed=True)
        connection, _ = self._begun(f"BEGIN; SELECT pg_advisory_xact_lock({key})")
        try:
            yield connection
            _execute(connection, "COMMIT")
        except faults.DBAPIError as error:
            raise StorageFault(_words(error)) from error
        finally:
            self._give_back(connection)

    def _connect(self) -> sa.Connection:
        try:
            return self._engine.connect()
        except (faults.DBAPIError, faults.TimeoutError) as error:
            raise StorageFault(_words(error)) from error

    def check_duty(self, connection: sa.Connection) -> None:
        """Raise StorageFault if the server has given up the lock of the duty, or another node has it."""
        # Whoever gets it from now on waits for this transaction before it writes.
        duty = self._node.duty
        if duty is None or not _last_row(connection, holds_duty(duty))[0]:
            raise StorageFault("another node has the duty")

    def commit(self, connection: sa.Connection, note: CommitNote) -> None:
        """Commit the transaction. Raise StorageFault, and OutcomeUnknown if the connection was lost meanwhile."""
        statements: list[str] = []
        if note.versions is not None:
            # Kinds and tables have the same names.
            value = json.dumps(note.versions)
            insert = f"INSERT INTO facts VALUES ('{_VERSIONS}', '{value}')"
            statements.append(f"{insert} ON CONFLICT (name) DO UPDATE SET value = excluded.value")
        if note.offset is not None:
            statements.append(f"NOTIFY {CHANNEL}, '{note.offset}'")
        try:
            _execute(connection, "; ".join((*statements, "COMMIT")))
        except StorageFault as fault:
            if connection.invalidated:
                raise OutcomeUnknown(str(fault)) from fault
            raise

    def leave(self, connection: sa.Connection, *, writing: bool) -> None:
        """Roll back what is not committed, and give the connection back to the pool."""
        try:
            self._give_back(connection)
        finally:
            if writing:
                self._turn.release()

    def _give_back(self, connection: sa.Connection) -> None:
        try:
            if not _is_idle(connection):
                with suppress(StorageFault):
                    _execute(connection, "ROLLBACK")
        finally:
            # A signal that ends the process may interrupt a statement, and the next one its rollback: the server still
            # works on it.
            if not _is_idle(connection):
                connection.invalidate()
            connection.close()

    def savepoint(self, connection: sa.Connection, *statements: str) -> None:
        """Execute statements about savepoints, in one round trip. Raise StorageFault."""
        _execute(connection, "; ".join(statements))

    def is_failure(self, error: faults.DBAPIError) -> bool:
        """Return whether the connection or the server failed."""
        code: str = getattr(error.orig, "sqlstate", None) or ""
        if code:
            return code.startswith(_OF_THE_SERVER)
        return error.connection_invalidated or isinstance(error, faults.OperationalError | faults.InterfaceError)

    def is_too_long(self, error: faults.DBAPIError) -> bool:
        """Return whether a text was too long for an index: it may have 2,704 bytes, after compression."""
        return getattr(error.orig, "sqlstate", None) == "54000"

    def last_offset(self, connection: sa.Connection) -> int:
        """Return the offset of the last event; 0 without any."""
        row = _last_row(connection, _LAST)
        return int(row[0])

    def follow(self, look: Callable[[int | None], None]) -> None:
        """Call `look` from a thread when another node may have written, and each second."""
        self._node.follow(look)

    def unfollow(self) -> None:
        """Stop to call it, and give up the duty."""
        self._node.unfollow(self._wake)

    def _wake(self) -> None:
        connection = self._connect()
        try:
            _execute(connection, f"NOTIFY {CHANNEL}, '0'")
        finally:
            self._give_back(connection)

    def close(self) -> None:
        """Close all connections."""
        self.unfollow()
        self._engine.dispose()
        self._node.close()


class _Types(PGTypeCompiler):
    """Types that hold what SQLite's hold: milliseconds as integers, texts in the order of their characters."""

    def visit_INTEGER(self, type_: Any, **options: Any) -> str:
        """Return a type of 64 bits."""
        return "BIGINT"

    def visit_JSON(self, type_: Any, **options: Any) -> Any:
        """Return the type that `json_sql.items` reads."""
        return "JSONB"

    def visit_TEXT(self, type_: Any, **options: Any) -> str:
        """Return, for columns, the collation that does not depend on the server."""
        return 'TEXT COLLATE "C"' if isinstance(options.get("type_expression"), sa.Column) else "TEXT"


def _find_long_texts(metadata: sa.MetaData) -> None:
    """Let indexes of one text each be hashes, which take texts of any length; they are used for equality only."""
    for table in metadata.tables.values():
        for index in table.indexes:
            if len(index.columns) == 1 and isinstance(index.columns[0].type, sa.Text):
                index.dialect_options["postgresql"]["using"] = "hash"


def _last_row(connection: sa.Connection, statements: str) -> tuple[Any, ...]:
    """Execute statements in one round trip; return the row that the last one selects. Raise StorageFault."""
    cursor = _execute(connection, statements)
    while cursor.nextset():
        pass
    row = cursor.fetchone()
    assert row is not None
    return row


def _execute(connection: sa.Connection, statements: str) -> psycopg.Cursor[tuple[Any, ...]]:
    """Execute statements in one round trip, without SQLAlchemy. Raise StorageFault."""
    try:
        return _driver(connection).execute(statements.encode())
    except (psycopg.Error, faults.DBAPIError) as error:
        if not connection.invalidated and _driver(connection).closed:
            connection.invalidate()
        raise StorageFault(_words(error)) from error


def _is_idle(connection: sa.Connection) -> bool:
    """Return whether nothing is left to end: no statement and no transaction, or no connection any more."""
    idle = psycopg.pq.TransactionStatus.IDLE
    return connection.invalidated or _driver(connection).info.transaction_status == idle


def _driver(connection: sa.Connection) -> psycopg.Connection[tuple[Any, ...]]:
    return cast("psycopg.Connection[tuple[Any, ...]]", connection.connection.driver_connection)


def _words(error: Exception) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())
