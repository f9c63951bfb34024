"""A proxy between a console and its service that forwards requests or answers them itself."""

from __future__ import annotations

import http.client
import http.server
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PAGE = b"<!doctype html><html><head><title>Hotel WiFi</title></head><body>Please accept our terms.</body></html>"


@dataclass(frozen=True)
class Instead:
    """An answer in place of the service's."""

    body: bytes = PAGE
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})


@dataclass
class Portal:
    """The address of the proxy, and what it answers itself."""

    base_url: str = ""
    answer: Callable[[str, str], Instead | None] = lambda _method, _path: None
    """Given method and path, returns the answer; None forwards the request."""
    swallow: bool = True
    """Whether requests that are answered here do not reach the service."""
    stopped: list[str] = field(default_factory=list[str])
    """Method and path of each request that was answered here."""

    @property
    def core_url(self) -> str:
        """The base address of the core service behind the proxy."""
        return f"{self.base_url}/core"

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.base_url).netloc

    def close(self, *paths: str, instead: Instead | None = None) -> None:
        """Answer requests whose path has one of these endings, or all requests, with a page or another answer."""
        found = instead or Instead()
        self.answer = lambda _method, path: found if not paths or path.endswith(paths) else None

    def open(self) -> None:
        """Forward all requests again."""
        self.answer = lambda _method, _path: None
        self.swallow = True


@contextmanager
def portal_to(service_url: str) -> Generator[Portal]:
    """Run a proxy for the service at a base URL."""
    portal = Portal()
    upstream = urlsplit(service_url).netloc

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            path = urlsplit(self.path).path
            instead = portal.answer(self.command, path)
            if instead is None or not portal.swallow:
                with closing(http.client.HTTPConnection(upstream, timeout=20)) as connection:
                    connection.request(self.command, self.path, body, dict(self.headers))
                    came = connection.getresponse()
                    found = Instead(came.read(), came.status, dict(came.getheaders()))
            else:
                found = instead
            if instead is not None:
                portal.stopped.append(f"{self.command} {path}")
            self._send(instead or found)

        def _send(self, found: Instead) -> None:
            self.send_response(found.status)
            for name, value in found.headers.items():
                if name.lower() not in {"content-length", "transfer-encoding", "connection", "date", "server"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(found.body)))
            with suppress(OSError):
                self.end_headers()
                self.wfile.write(found.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _pass

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    portal.base_url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield portal
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
