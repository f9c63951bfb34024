"""A backend of a few answers by method and path, for commands that are tried with unusual ones."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Sent:
    """An answer that is not plain JSON with status 200."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Asked:
    """A request that arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    query: str = ""


@dataclass
class Stub:
    """The answers, by `METHOD /path`, and the requests. Everything else is answered by `otherwise`."""

    url: str
    answers: dict[str, Any]
    otherwise: Callable[[Asked], Any] = field(default=lambda _: Sent(404, b'{"message":"no such path"}'))
    asked: list[Asked] = field(default_factory=list[Asked])

    def answer(self, asked: Asked) -> Sent:
        """Return what is sent to a request."""
        self.asked.append(asked)
        found = self.answers.get(f"{asked.method} {asked.path}", self.otherwise)
        found = found(asked) if callable(found) else found
        return found if isinstance(found, Sent) else Sent(200, json.dumps(found).encode())


LOGIN = {
    "POST /oauth2/token": {"access_token": "of-eva", "token_type": "Bearer"},
    "POST /sessions/start": {"access_token": "session-of-eva", "session": {"id": "s1"}},
    "GET /users/current": {"user": {"id": "17", "username": "eva", "domain": "north.example", "role": "admin"}},
}
"""The answers to a login."""


@contextmanager
def stub(answers: Mapping[str, Any]) -> Generator[Stub]:
    """Run a backend that knows a login and these answers."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = urlsplit(self.path)
            sent = running.answer(Asked(self.command, parts.path, dict(self.headers), body, parts.query))
            self.send_response(sent.status)
            for name, value in {"Content-Type": "application/json", **sent.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent.body)))
            self.end_headers()
            self.wfile.write(sent.body)

        do_GET = do_POST = do_PUT = do_DELETE = handle_any

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = Stub(f"http://127.0.0.1:{server.server_address[1]}", {**LOGIN, **answers})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
