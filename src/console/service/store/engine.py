"""What differs between the kinds of databases: connections, the limits of transactions, errors and the schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.frozen import Frozen


class Upgrade(Frozen):
    """The upgrade of a database at opening."""

    before: int
    after: int
    titles: tuple[str, ...]
    """The titles of the steps, in the imperative."""
    backup: Path
    """The copy of the database before the upgrade."""


class Engine(ABC):
    """One kind of database."""

    name: str
    """The database as messages name it."""
    upgraded: Upgrade | None = None
    """The upgrade from an older version at opening, or None."""

    @abstractmethod
    def begin(self, *, writing: bool) -> sa.Connection:
        """Begin a transaction, and return its connection. One that writes is alone among all that write."""

    @abstractmethod
    def commit(self, connection: sa.Connection) -> None:
        """Commit the transaction."""

    @abstractmethod
    def leave(self, connection: sa.Connection) -> None:
        """Roll back what is not committed, and give up the connection; never fails."""

    @abstractmethod
    def savepoint(self, connection: sa.Connection, *statements: str) -> None:
        """Execute statements about savepoints. Raise StorageFault."""

    @abstractmethod
    def is_failure(self, error: faults.DBAPIError) -> bool:
        """Return whether the database failed, rather than a statement."""

    @abstractmethod
    def last_offset(self, connection: sa.Connection) -> int:
        """Return the offset of the last event, also of a deleted one; 0 without any."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""
