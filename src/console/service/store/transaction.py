"""One transaction: statements, and the events of its changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.service.store.faults import StorageFault
from console.service.store.outbox import ChangeKind, OutboxEntry, outbox
from console.service.visibility import Scope

FailureCheck = Callable[[faults.DBAPIError], bool]
"""Return whether the database failed, rather than a statement."""

_ADD_EVENT = sa.insert(outbox).returning(outbox.c.offset)


class Transaction:
    """The transaction of a `read` or `write` block."""

    def __init__(self, connection: sa.Connection, now: int, head: int, writing: bool, is_failure: FailureCheck) -> None:
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
        self._is_failure = is_failure

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
        except faults.DBAPIError as error:
            self.failed = self._is_failure(error)
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
