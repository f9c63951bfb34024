"""What differs between the kinds of databases: connections, the limits of transactions, errors and the schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, NamedTuple

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.frozen import Frozen


class Upgrade(Frozen):
    """The upgrade of a database at opening."""

    before: int
    after: int
    titles: tuple[str, ...]
    """The titles of the steps, in the imperative."""
    backup: Path | None
    """The copy of the database before the upgrade, if there is one."""


class Begun(NamedTuple):
    """A transaction that has begun."""

    connection: sa.Connection
    head: int | None
    """The offset of the last event that it sees; None if this process alone writes, and knows it."""


class Engine(ABC):
    """One kind of database."""

    is_remote: ClassVar[bool]
    """Whether a statement waits for the network, and reads run while another transaction commits."""
    name: str
    """The database as messages name it, without a password."""
    upgraded: Upgrade | None = None
    """The upgrade from an older version at opening, or None."""

    @abstractmethod
    def prepare(self, metadata: sa.MetaData) -> None:
        """Create the tables that are missing, all or none, after an upgrade if the schema is old.

        Raise DatabaseFault if the schema is newer, or cannot be upgraded.
        """

    @abstractmethod
    def begin(self, *, writing: bool) -> Begun:
        """Begin a transaction. One that writes is alone among all that write. Raise StorageFault."""

    @abstractmethod
    def commit(self, connection: sa.Connection) -> None:
        """Commit the transaction. Raise StorageFault."""

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
    def close(self) -> None:
        """Close all connections."""
