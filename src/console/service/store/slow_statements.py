"""Log lines of slow statements: `console serve --log json`. They have the SQL with placeholders, and no values."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy import event

LIMIT_MS = 200.0
"""Time after which a statement is slow, unless another one is given."""
LONGEST_TEXT = 2_000
"""Most characters of a statement in a line."""
_BEGAN = "statement began"

log = logging.getLogger(__name__)


@contextmanager
def slow_statements(limit_ms: float) -> Generator[None]:
    """Log each statement that takes at least as long, also one that fails, of all databases of the process."""

    def begin(connection: sa.Connection, *_: object) -> None:
        connection.info[_BEGAN] = time.monotonic()

    def end(connection: sa.Connection, _cursor: object, statement: str, *_: object) -> None:
        note(connection, statement)

    def fail(context: sa.ExceptionContext) -> None:
        if context.connection is not None and context.statement is not None and not context.connection.invalidated:
            note(context.connection, context.statement)

    def note(connection: sa.Connection, statement: str) -> None:
        now = time.monotonic()
        ms = 1000 * (now - connection.info.pop(_BEGAN, now))
        if ms >= limit_ms:
            text = " ".join(statement.split())[:LONGEST_TEXT]
            log.warning("slow statement", extra={"fields": {"ms": round(ms, 1), "statement": text}})

    listeners = (("before_cursor_execute", begin), ("after_cursor_execute", end), ("handle_error", fail))
    for name, listener in listeners:
        event.listen(sa.Engine, name, listener)
    try:
        yield
    finally:
        for name, listener in listeners:
            event.remove(sa.Engine, name, listener)
