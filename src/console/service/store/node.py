"""The connection that makes a service a node of its database (PostgreSQL).

It hears of the commits of other nodes, shows them that this node is there, and holds the duty if no other node does:
two locks of its session, which the server gives up when the connection ends.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from console.service.store.faults import StorageFault

log = logging.getLogger(__name__)

CHANNEL = "outbox"
"""The name under which commits are notified, with the offset of the last event."""
LOOK_SECONDS = 1.0
"""Interval of a look without a notification, in case one was lost, and of attempts to get the duty."""
CURRENT_SECONDS = 5.0
"""Time without a look after which the node does not answer for its events."""
PAUSE_SECONDS = 0.2
"""Pause after a lost connection."""
_PRESENT = 7_261_002
"""Key of the lock that all nodes share."""
_DUTY = 7_261_003
"""Key of the lock of the node that has the duty."""

Connection = psycopg.Connection[tuple[Any, ...]]


class NodeListener:
    """A connection of its own, and the thread that listens on it."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        """`connect` opens a connection that commits each statement, or raises psycopg.Error."""
        self.is_first = False
        """Whether no other node was there when this one joined."""
        self._looked = 0.0
        """Time of the last look, by `time.monotonic`."""
        self._connect = connect
        self._connection: Connection | None = None
        self._duty: int | None = None
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def joining(self) -> Generator[None]:
        """Join the other nodes, unless this one has. Raise psycopg.Error.

        A node that finds no other one is alone during the block: others wait until it has prepared the database.
        """
        if self._connection is not None:
            yield
            return
        self._connection = connection = self._connect()
        try:
            self.is_first = _value(connection, f"SELECT pg_try_advisory_lock({_PRESENT})")
            if not self.is_first:
                _value(connection, f"SELECT pg_advisory_lock_shared({_PRESENT})")
            yield
            if self.is_first:
                _value(connection, f"SELECT pg_advisory_lock_shared({_PRESENT}), pg_advisory_unlock({_PRESENT})")
        except BaseException:
            self._leave()
            raise

    @property
    def duty(self) -> int | None:
        """The process of the server that holds the duty for this node; None if it does not have the duty."""
        return self._duty

    @property
    def is_current(self) -> bool:
        """Whether commits of other nodes are known at most a few seconds later; true until `follow`."""
        return self._thread is None or time.monotonic() - self._looked < CURRENT_SECONDS

    def follow(self, look: Callable[[int | None], None]) -> None:
        """Call `look` from a thread after each notification, and each second without one."""
        self._closed.clear()
        self._looked = time.monotonic()
        self._thread = threading.Thread(target=self._run, args=(look,), name="outbox", daemon=True)
        self._thread.start()

    def _run(self, look: Callable[[int | None], None]) -> None:
        failing = False
        while not self._closed.is_set():
            try:
                connection = self._renewed()
                look(None)
                self._looked = time.monotonic()
                failing = False
                self._listen(connection, look)
            except Exception as error:  # Whatever fails, events must arrive later.
                self._leave()
                if not failing and not self._closed.is_set():
                    log.warning("the database cannot be followed, trying again: %s", error)
                failing = True
                self._closed.wait(PAUSE_SECONDS)

    def _renewed(self) -> Connection:
        """Return the connection, or a new one; it listens, and has the duty if it can be had. Raise psycopg.Error."""
        with self.joining():
            pass
        connection = self._connection
        assert connection is not None
        # Listening again changes nothing, and notices a connection on which nothing arrives any more.
        connection.execute(f"LISTEN {CHANNEL}".encode())
        if self._duty is None and _value(connection, f"SELECT pg_try_advisory_lock({_DUTY})"):
            self._duty = connection.info.backend_pid
        return connection

    def _listen(self, connection: Connection, look: Callable[[int | None], None]) -> None:
        """Wait for notifications until the next look is due."""
        end = time.monotonic() + LOOK_SECONDS
        while not self._closed.is_set() and (left := end - time.monotonic()) > 0:
            for heard in connection.notifies(timeout=left, stop_after=1):
                look(int(heard.payload))

    def unfollow(self, wake: Callable[[], None]) -> None:
        """End the thread, and give up the duty. `wake` notifies all nodes."""
        self._closed.set()
        if self._thread is not None:
            try:
                wake()
            except StorageFault:
                log.warning("the database does not answer at the end")
            self._thread.join()
            self._thread = None
            self.close()

    def _leave(self) -> None:
        self._duty = None
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close the connection; the thread has ended. The next node need not wait until the server notices."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.execute(b"SELECT pg_advisory_unlock_all()")
        self._leave()


def holds_duty(process: int) -> str:
    """Return the query whether a process of the server holds the duty."""
    held = f"locktype = 'advisory' AND objid = {_DUTY} AND pid = {process} AND granted"
    return f"SELECT EXISTS (SELECT FROM pg_locks WHERE {held})"


def _value(connection: Connection, statement: str) -> bool:
    row = connection.execute(statement.encode()).fetchone()
    return row is not None and row[0] is True
