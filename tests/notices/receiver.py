"""A local receiver of webhooks."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from tests.patience import PATIENCE


class Received(NamedTuple):
    """A request with its headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes


class Receiver:
    """Answers each request with the next status, the last one for all further requests."""

    def __init__(self, statuses: Sequence[int], retry_after: str = "") -> None:
        self.statuses = list(statuses)
        self.retry_after = retry_after
        self.received: list[Received] = []
        self.url = ""
        self.hold = threading.Event()
        """Answers wait for it."""
        self.hold.set()

    def answer(self) -> int:
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


@contextmanager
def receiving(
    *statuses: int, retry_after: str = "", certificate: tuple[Path, Path] | None = None
) -> Generator[Receiver]:
    """Run a receiver."""
    receiver = Receiver(statuses or (204,), retry_after)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(self.path, headers, self.rfile.read(length)))
            receiver.hold.wait(20)
            self.send_response(receiver.answer())
            if receiver.retry_after:
                self.send_header("Retry-After", receiver.retry_after)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    receiver.url = f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_address[1]}/notices"
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)
