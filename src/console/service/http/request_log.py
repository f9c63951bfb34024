"""Log lines as JSON, one for each request, slow statement and other message: `console serve --log json`.

A line names its request. It has no headers, bodies, queries or unknown paths, which may hold secrets. Statements have
placeholders, and no values.
"""

from __future__ import annotations

import json
import logging
import os
import re
import time
import traceback
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TextIO

import sqlalchemy as sa
from sqlalchemy import event
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from console.service.auth.caller import Caller
from console.service.http.connections import TEXTS

REQUEST_ID = "X-Request-Id"
NOTE = "note"
"""Key of the scope with the `RequestNote`, if requests are logged."""
LONGEST_PATH = 500
"""Most characters of a path in a line."""
_VALID_ID = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")
_TRACE = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class RequestNote:
    """Facts of a request in progress, for its line."""

    id: str
    path: str
    """The path of an operation; otherwise its first part."""
    operation: str = ""
    user: str = ""

    def note_caller(self, caller: Caller) -> None:
        """Note the account."""
        self.user = caller.user.username or caller.id


_current: ContextVar[RequestNote | None] = ContextVar("request", default=None)


class RequestLog:
    """Logs each request and event channel at its end, and answers its id in a header."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Process a request."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        note = RequestNote(request_id(Headers(scope=scope)), f"/{scope['path'].split('/')[1]}")
        fields: dict[str, Any] = {"method": scope.get("method", "GET"), "status": None}
        size = 0

        async def send_noted(message: Message) -> None:
            nonlocal size
            kind: str = message["type"]
            if kind in {"http.response.start", "websocket.http.response.start", "websocket.accept"}:
                fields["status"] = message.get("status", 101)
                headers = [*message.get("headers", ()), (REQUEST_ID.lower().encode(), note.id.encode())]
                message = {**message, "headers": headers}
            elif kind == "websocket.close":
                fields["status"] = fields["status"] or 403
                fields["close"] = message.get("code", 1000)
            size += _size_of(message)
            await send(message)

        scope[NOTE] = note
        token = _current.set(note)
        try:
            await self._app(scope, receive, send_noted)
        except BaseException:
            fields["status"] = fields["status"] or 500
            raise
        finally:
            if fields["status"] == 404 and not note.operation:
                note.path = ""
            fields |= {
                "path": note.path[:LONGEST_PATH],
                "operation": note.operation,
                "user": note.user,
                "ms": round(1000 * (time.monotonic() - began), 1),
                "bytes": size,
            }
            log.info("request", extra={"fields": fields})
            _current.reset(token)


def request_id(headers: Headers) -> str:
    """Return the id of a request: from its headers if well-formed, the trace id, or a new one."""
    header = headers.get(REQUEST_ID, "")
    if _VALID_ID.fullmatch(header):
        return header
    trace = _TRACE.fullmatch(headers.get("traceparent", ""))
    return trace[1] if trace else uuid.uuid4().hex


def _size_of(message: Message) -> int:
    texts = message.get(TEXTS) or (message.get("body"), message.get("bytes"), message.get("text"))
    return sum(len(text) for text in texts if text)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. Of an exception it has the type and the places: its message may quote the request."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "process": os.getpid(),
        }
        note = _current.get()
        if note is not None:
            line["request"] = note.id
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            places = traceback.extract_tb(record.exc_info[2])
            line["error"] = record.exc_info[0].__name__
            line["trace"] = [f"{place.filename}:{place.lineno} {place.name}" for place in places]
        return json.dumps(line, separators=(",", ":"), default=str)


@contextmanager
def json_lines(stream: TextIO) -> Generator[None]:
    """Log as JSON to a stream: warnings of all modules, and requests and other messages of the console."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    root, own = logging.getLogger(), logging.getLogger("console")
    level = own.level
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    try:
        yield
    finally:
        own.setLevel(level)
        root.removeHandler(handler)


LIMIT_MS = 200.0
"""Time after which a statement is slow, unless another one is given."""
LONGEST_TEXT = 2_000
"""Most characters of a statement in a line."""
_BEGAN = "statement began"


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
