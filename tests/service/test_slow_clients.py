"""Clients that stop in the middle of a request are disconnected, and nobody else has to wait."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

import h11
import pytest

from console.api.events import CLOSE_TOO_SLOW
from console.service.domain.groups import GROUPS
from console.service.events import hub
from console.service.events.hub import Subscriber
from console.service.http import connections, dispatch
from console.service.http.request_head import LARGEST_HEAD
from tests.background import Running
from tests.live.until import until
from tests.patience import PATIENCE
from tests.service.channels import confirmed, rename, subscribed
from tests.service.over_http import LogIn, data


@contextmanager
def raw(service: Running, *, receive_bytes: int | None = None) -> Generator[socket.socket]:
    with socket.socket() as peer:
        if receive_bytes is not None:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        peer.settimeout(PATIENCE)
        peer.connect(("127.0.0.1", int(service.base_url.rpartition(":")[2])))
        yield peer


def calls_of(monkeypatch: pytest.MonkeyPatch, kind: type, method: str) -> list[tuple[Any, ...]]:
    """Return a list that gets the arguments of each call of a method, once it is over."""
    calls: list[tuple[Any, ...]] = []
    original = getattr(kind, method)

    def noted(self: object, *args: Any) -> None:
        original(self, *args)
        calls.append(args)

    monkeypatch.setattr(kind, method, noted)
    return calls


def until_closed(peer: socket.socket) -> bytes:
    """Read to the end; an open connection times out."""
    parts: list[bytes] = []
    try:
        while part := peer.recv(65_536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


@pytest.mark.parametrize("begun", [b"", b"GET /core/gro", b"GET /health HTTP/1.1\r\nHost: x\r\nSlow: "])
def test_an_unfinished_head_closes_the_connection(
    service: Running, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with raw(service) as peer:
        peer.sendall(begun)
        assert until_closed(peer).startswith(b"HTTP/1.1 408 ")


def test_a_second_head_has_no_more_time_than_the_first(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with raw(service) as peer:
        peer.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert peer.recv(65_536).startswith(b"HTTP/1.1 200 ")
        peer.sendall(b"GET /hea")
        assert b"HTTP/1.1 408 " in until_closed(peer)


def test_two_hundred_slow_heads_delay_nobody(service: Running, as_user: LogIn) -> None:
    eva = as_user("eva")
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(raw(service)).sendall(b"GET /core/groups HTTP/1.1\r\nHost: x\r\nSlow")
        assert len(data(eva.get("/groups"))["groupList"]) == 1


def test_an_unfinished_body_is_refused(service: Running, as_user: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "BODY_SECONDS", 0.2)
    login = as_user("eva").headers["Authorization"].encode()
    with raw(service) as peer:
        peer.sendall(b"POST /core/groups HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\nAuthorization: " + login)
        peer.sendall(b'\r\n\r\n{"name":')
        said = until_closed(peer)
    assert said.startswith(b"HTTP/1.1 408 ")
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == 408


def test_a_head_that_is_too_large_is_refused(service: Running) -> None:
    with raw(service) as peer:
        peer.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nLong: " + b"x" * LARGEST_HEAD)
        said = until_closed(peer)
    assert said.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == 431


def test_many_headers_that_come_at_once_are_refused_before_they_are_parsed(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    def counted(conn: h11.Connection, data: bytes) -> None:
        taken.append(len(data))
        receive(conn, data)

    receive = h11.Connection.receive_data
    monkeypatch.setattr(h11.Connection, "receive_data", counted)
    with raw(service) as peer:
        peer.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 10_000 + b"\r\n")
        assert until_closed(peer).startswith(b"HTTP/1.1 431 ")
    assert sum(taken) <= LARGEST_HEAD + connections.SLICE


@pytest.mark.parametrize("junk", [b"GET nothing\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET / HTTP/9\r\n\r\n"])
def test_bytes_that_are_not_http_are_refused_in_a_declared_format(service: Running, junk: bytes) -> None:
    with raw(service) as peer:
        peer.sendall(junk)
        peer.shutdown(socket.SHUT_WR)
        said = until_closed(peer)
    assert said.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == 400


def test_a_client_that_does_not_read_its_answer_is_disconnected(
    service: Running, as_user: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    eva = as_user("eva")
    with service.platform.write() as tx:
        night = GROUPS.need(tx, "night")
        large = night.model_copy(update={"name": "x" * 90_000})
        GROUPS.load(tx, [large.model_copy(update={"id": f"i{n}", "group_id": f"g{n}"}) for n in range(100)])
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.2)
    ended = calls_of(monkeypatch, connections.HttpConnection, "connection_lost")
    with raw(service, receive_bytes=4096) as peer:
        login = eva.headers["Authorization"].encode()
        peer.sendall(b"GET /core/groups HTTP/1.1\r\nHost: x\r\nAuthorization: " + login + b"\r\n\r\n")
        until(lambda: bool(ended))


def test_a_client_that_reads_no_events_is_disconnected(
    service: Running, as_user: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.5)
    ended = calls_of(monkeypatch, connections.EventConnection, "connection_lost")
    with subscribed(service.events_url, as_user("eva"), "groups", stalls=True) as slow:
        confirmed(slow)

        # Events of the same group are combined while they wait, so only the end tells how many are enough.
        def let_go() -> bool:
            rename(service, f"{service.database.head} " + "x" * 100_000)
            return bool(ended)

        until(let_go)


def test_a_client_too_slow_to_read_its_events_is_closed_with_that_code(
    service: Running, as_user: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "TAKE_SECONDS", 0.2)
    closed = calls_of(monkeypatch, Subscriber, "close")
    with subscribed(service.events_url, as_user("eva"), "groups", stalls=True) as slow:
        confirmed(slow)

        def let_go() -> bool:
            rename(service, f"{service.database.head} " + "x" * 400_000)
            return bool(closed)

        until(let_go)
    assert closed[0][0] == CLOSE_TOO_SLOW
