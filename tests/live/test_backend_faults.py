"""Errors of a backend that is unreachable, untrusted or not understood: a clear sentence, and no storm of requests."""

from __future__ import annotations

import http.server
import socket
import ssl
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.api.errors import ReadOnly, Unreachable
from console.api.operations.support import AcceptAlert
from console.api.operations.traffic import GetStatus
from console.client.endpoint import Endpoint, Tls
from console.kinds.catalogue import FEEDS
from console.live.authentication import Fatal
from console.live.backend import Backend
from console.live.backend_api import BackendApi
from console.live.command import Command, Stage, Step
from console.live.delta import Freshness
from tests.client.certificates import Authority, server_context
from tests.live.until import until

Open = Callable[[Endpoint], Backend]


@pytest.fixture
def open_desk(tmp_path: Path) -> Generator[Open]:
    backends: list[Backend] = []

    def open_one(endpoint: Endpoint) -> Backend:
        backend = Backend(endpoint, FEEDS.values(), journal_path=tmp_path / "journal", login=lambda: ("ana", "demo"))
        backends.append(backend)
        backend.show(frozenset({"calls"}))
        backend.start()
        return backend

    yield open_one
    for backend in backends:
        backend.stop(5.0)


class _Handler(http.server.BaseHTTPRequestHandler):
    seen: list[str]

    def do_POST(self) -> None:
        self.seen.append(self.path)
        body = b"<html>welcome"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def web_page(context: ssl.SSLContext | None = None) -> Generator[tuple[str, list[str]]]:
    """Serve a page of something else than the service."""
    seen: list[str] = []
    handler = type("Handler", (_Handler,), {"seen": seen})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda request, client_address: None
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"{'https' if context else 'http'}://127.0.0.1:{server.server_address[1]}/core", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def fatal_of(backend: BackendApi) -> Fatal:
    fatal = until(lambda: backend.fatal)
    assert fatal is not None
    return fatal


def test_an_invalid_url_is_a_configuration_error(open_desk: Open) -> None:
    backend = open_desk(Endpoint("desk.example/core"))
    assert fatal_of(backend).kind == "config"
    assert "core" in fatal_of(backend).reason
    health = backend.health("calls")
    assert (health.state, health.reason) == (Freshness.OFFLINE, fatal_of(backend).reason)


def test_an_html_page_instead_of_a_service_is_a_configuration_error(open_desk: Open) -> None:
    with web_page() as (url, _):
        assert "no such service" in fatal_of(open_desk(Endpoint(url))).reason


def test_an_untrusted_certificate_is_reported_and_not_retried(tmp_path: Path, open_desk: Open) -> None:
    with web_page(server_context(Authority(tmp_path / "theirs").leaf("leaf"))) as (url, seen):
        backend = open_desk(Endpoint(url, tls=Tls(ca=Authority(tmp_path / "ours").file)))
        fatal = fatal_of(backend)
        assert fatal.kind == "certificate"
        assert backend.link.state is Freshness.REFUSED
        assert backend.link.retry_in is None
        assert seen == []


def test_a_missing_certificate_file_is_reported(tmp_path: Path, open_desk: Open) -> None:
    backend = open_desk(Endpoint("https://127.0.0.1:1/core", tls=Tls(ca=tmp_path / "missing.pem")))
    assert fatal_of(backend).kind == "certificate"


def test_an_unreachable_service_is_retried(open_desk: Open) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    backend = open_desk(Endpoint(f"http://127.0.0.1:{port}/core"))
    until(lambda: backend.link.state is Freshness.OFFLINE and backend.link.retry_in is not None)
    assert backend.fatal is None
    assert backend.health("calls").state is Freshness.OFFLINE
    ticket = backend.commands.submit(Command("a", "alerts", (Step(AcceptAlert(alert_id="a"), "a", "x"),), "Accept"))
    assert (ticket.stage, ticket.sent) == (Stage.REFUSED, False)
    assert ticket.reason == f"not connected: cannot connect to 127.0.0.1:{port}: connection refused"


def test_before_the_start_and_after_the_end_nothing_hangs(tmp_path: Path) -> None:
    backend = Backend(
        Endpoint("http://127.0.0.1:1/core"), FEEDS.values(), journal_path=tmp_path / "j", login=lambda: ("a", "b")
    )
    assert backend.records("calls") == {}
    assert backend.health("calls").state is Freshness.LOADING
    with pytest.raises(Unreachable):
        backend.ask(GetStatus()).result(1)
    backend.stop()
    backend.start()
    backend.stop(5.0)
    with pytest.raises(Unreachable):
        backend.ask(GetStatus()).result(1)
    command = Command("a", "alerts", (Step(AcceptAlert(alert_id="a"), "a", "x"),), "Accept")
    assert backend.commands.submit(command).stage is Stage.REFUSED
    backend.refresh()
    backend.show(frozenset())


def test_a_change_cannot_be_sent_as_a_query(tmp_path: Path) -> None:
    backend = Backend(Endpoint("http://127.0.0.1:1/core"), FEEDS.values(), journal_path=tmp_path / "j")
    with pytest.raises(ValueError, match="submit"):
        backend.ask(AcceptAlert(alert_id="a"))


def test_a_read_only_profile_refuses_with_a_reason_and_writes_nothing(tmp_path: Path) -> None:
    backend = Backend(Endpoint("http://127.0.0.1:1/core", read_only=True), FEEDS.values(), journal_path=tmp_path / "j")
    command = Command("a", "alerts", (Step(AcceptAlert(alert_id="a"), "a", "x"),), "Accept")
    assert "read-only" in backend.commands.submit(command).reason
    assert not (tmp_path / "j").exists()
    assert issubclass(ReadOnly, Exception)
