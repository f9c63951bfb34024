"""Differences between the kinds of databases: connections, the limits of transactions, errors and the schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import ClassVar, NamedTuple

import sqlalchemy as sa
from sqlalchemy import exc as faults


class Begun(NamedTuple):
    """A transaction that has begun."""

    connection: sa.Connection
    head: int | None
    """The offset of the last event that it sees; None if this process alone writes, and knows it."""
    versions: Mapping[str, int] | None
    """The versions of kinds that it sees, likewise."""


class CommitNote(NamedTuple):
    """Facts of a commit for other nodes."""

    offset: int | None
    """The offset of its last event, if it has any."""
    versions: Mapping[str, int] | None
    """The versions of all kinds after it, if it changes any."""


class Connections(NamedTuple):
    """The connections of an engine to its server, and the wait of transactions that write."""

    size: int
    used: int
    writer_waited: float
    """Seconds that transactions have waited for their turn to write, together."""


class DatabaseEngine(ABC):
    """One kind of database."""

    is_remote: ClassVar[bool]
    """Whether a statement waits for the network, and reads run while another transaction commits."""
    name: str
    """The database as messages name it, without a password."""

    is_first: bool = True
    """Whether no other node was there when this one was."""
    has_duty: bool = True
    """Whether this node, of all, runs background work."""

    is_current: bool = True
    """Whether commits of other nodes are known soon."""

    connections: Connections | None = None
    """The connections to the server, if there is one."""

    @abstractmethod
    def prepare(self, metadata: sa.MetaData) -> None:
        """Create the tables that are missing, all or none. Raise DatabaseFault if the schema has another version."""

    @abstractmethod
    def begin(self, *, writing: bool) -> Begun:
        """Begin a transaction. One that writes is alone among all that write. Raise StorageFault."""

    def apart(self, name: str) -> AbstractContextManager[sa.Connection]:
        """Begin a transaction of its own, also inside of another one, alone among those with the same name.

        It must not write what has events. Only a remote database has it. Raise StorageFault.
        """
        raise NotImplementedError(name)

    def check_duty(self, connection: sa.Connection) -> None:
        """Raise StorageFault if this node does not have the duty, in a transaction that writes."""
        assert self.has_duty

    @abstractmethod
    def commit(self, connection: sa.Connection, note: CommitNote) -> None:
        """Commit the transaction, with a note to other nodes. Raise StorageFault."""

    @abstractmethod
    def leave(self, connection: sa.Connection, *, writing: bool) -> None:
        """Roll back what is not committed, and give up the connection; never fails."""

    @abstractmethod
    def savepoint(self, connection: sa.Connection, *statements: str) -> None:
        """Execute statements about savepoints. Raise StorageFault."""

    @abstractmethod
    def is_failure(self, error: faults.DBAPIError) -> bool:
        """Return whether the database failed, rather than a statement."""

    def is_too_long(self, error: faults.DBAPIError) -> bool:
        """Return whether a text was too long for an index."""
        return False

    @abstractmethod
    def last_offset(self, connection: sa.Connection) -> int:
        """Return the offset of the last event; 0 without any."""

    @abstractmethod
    def follow(self, look: Callable[[int | None], None]) -> None:
        """Call `look` from a thread when another node may have written, with the offset of an event if it is known."""

    @abstractmethod
    def unfollow(self) -> None:
        """Stop to call it."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""
