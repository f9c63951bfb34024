"""One transaction: statements, and the events of its changes."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.service.events.visibility import Scope
from console.service.store.engine import CommitNote, DatabaseEngine
from console.service.store.faults import StorageFault, TextTooLong
from console.service.store.outbox import ChangeKind, OutboxEntry, outbox

_ADD_EVENTS = sa.insert(outbox)


class Transaction:
    """The transaction of a `read` or `write` block."""

    def __init__(
        self,
        engine: DatabaseEngine,
        connection: sa.Connection,
        now: int,
        *,
        head: int,
        versions: Mapping[str, int] | None,
        writing: bool,
    ) -> None:
        self.connection = connection
        self.now = now
        """Start of the transaction, in ms since the epoch, by the injected clock."""
        self.writing = writing
        self.versions = versions
        """The versions of kinds that it sees; None if this process alone writes, and knows them."""
        self.changes: list[OutboxEntry] = []
        """The events of this transaction, stored before the commit."""
        self.touched: dict[str, set[str] | None] = {}
        """Written kinds, announced or not, with the keys of the rows; None means too many to list."""
        self.failed = False
        """Whether the database failed. Then no statement may follow, because it may have rolled back."""
        self.spoiled = False
        """Whether an inner `write` failed, so that the transaction cannot be committed."""
        self._engine = engine
        self._head = head

    @property
    def head(self) -> int:
        """The offset of the last event visible to this transaction, including its own."""
        return self._head + len(self.changes)

    def run(self, statement: sa.Executable, values: Any = None) -> sa.CursorResult[Any]:
        """Execute a statement. Raise StorageFault if the database failed in this transaction."""
        if self.failed:
            raise StorageFault("the store has failed before")
        try:
            return cast("sa.CursorResult[Any]", self.connection.execute(statement, values))
        except faults.DBAPIError as error:
            self.failed = self._engine.is_failure(error)
            if self._engine.is_too_long(error):
                raise TextTooLong("a text is too long for an index") from error
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

    @contextmanager
    def attempt(self) -> Generator[None]:
        """Roll back the block, and nothing else, if it fails; the exception propagates."""
        done = len(self.changes)
        self._engine.savepoint(self.connection, "SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            del self.changes[done:]
            self._engine.savepoint(self.connection, "ROLLBACK TO attempt", "RELEASE attempt")
            self.spoiled = False
            raise
        self._engine.savepoint(self.connection, "RELEASE attempt")

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
        self.changes.append(OutboxEntry(self.head + 1, topic, kind, key, body, before, after))

    def commit_note(self) -> CommitNote:
        """Return what other nodes have to know of this transaction."""
        versions = dict(self.versions or {})
        version = 1 + max(versions.values(), default=0)
        versions.update(dict.fromkeys(self.touched, version))
        return CommitNote(self.changes[-1].offset if self.changes else None, versions if self.touched else None)

    def store_events(self) -> None:
        """Write the events of this transaction to the outbox. Raise StorageFault."""
        if self.changes:
            self.run(
                _ADD_EVENTS,
                [
                    {
                        "offset": change.offset,
                        "topic": change.topic,
                        "kind": change.kind,
                        "key": change.key,
                        "body": change.body,
                        "before": None if change.before is None else json.dumps(change.before),
                        "after": None if change.after is None else json.dumps(change.after),
                        "at": self.now,
                    }
                    for change in self.changes
                ],
            )
