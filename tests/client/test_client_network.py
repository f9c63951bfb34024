"""Connection errors are in plain words with host and port, without texts of libraries."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from collections.abc import Callable

import httpx
import pytest
from websockets.exceptions import InvalidHeader, InvalidMessage, InvalidUpgrade

from console.api.errors import ApiError
from console.api.operations.traffic import ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.client.network import broke_off, cannot_connect, host_of, no_channel
from tests.for_each import for_each

RAW = re.compile(r"Errno|\[|\(|attempts|Exception|Error|0x|b'")
"""Typical parts of the messages of libraries."""


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


FAULTS: list[tuple[Exception, str]] = [
    (ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 9)"), "connection refused"),
    (caused(httpx.ConnectError("All attempts failed"), OSError(errno.ECONNREFUSED, "x")), "connection refused"),
    (httpx.ConnectError("All connection attempts failed"), "no address of the host accepts connections"),
    (OSError("Multiple exceptions: [Errno 111] Connect call failed, [Errno 111] x"), "connection refused"),
    (OSError("Multiple exceptions: something else"), "no address of the host accepts connections"),
    (ExceptionGroup("all failed", [OSError(errno.EHOSTUNREACH, "x")]), "no route to the host"),
    (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "unknown host"),
    (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "the name server does not answer"),
    (OSError(errno.ENETUNREACH, "Network is unreachable"), "the network is unreachable"),
    (OSError(errno.ETIMEDOUT, "x"), "no answer in time"),
    (TimeoutError("timed out during opening handshake"), "no answer in time"),
    (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), "the connection was reset"),
    (BrokenPipeError(errno.EPIPE, "Broken pipe"), "the connection was closed"),
    (OSError(errno.EMFILE, "Too many open files"), "too many files are open"),
    (OSError(errno.EXDEV, "Invalid Cross-Device Link"), "invalid cross-device link"),
    (ssl.SSLEOFError(8, "[SSL: UNEXPECTED_EOF_WHILE_READING] (_ssl.c:1006)"), "the secure connection was cut off"),
    (httpx.RemoteProtocolError("illegal status line: bytearray(b'hello')"), "the answer is not HTTP, or was cut off"),
    (httpx.UnsupportedProtocol("Request URL has an unsupported protocol"), "the URL's scheme is not supported"),
    (httpx.ReadError(""), "the connection was closed"),
    (InvalidMessage("did not receive a valid HTTP response"), "the answer is not HTTP, or was cut off"),
    (InvalidUpgrade("Upgrade", "h2c"), "the answer is not a WebSocket handshake"),
    (InvalidHeader("Sec-WebSocket-Accept", "x"), "the answer is not a WebSocket handshake"),
]  # fmt: skip


@for_each("error, words", FAULTS)
@for_each("say", [cannot_connect, broke_off, no_channel])
def test_an_error_is_reported_in_plain_words(
    say: Callable[[str, BaseException], str], error: Exception, words: str
) -> None:
    told = say("https://desk.example/core", error)
    assert "desk.example:443" in told
    assert told.endswith(words)
    assert not RAW.search(told)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://desk.example/core", "desk.example:80"),
        ("wss://desk.example/events", "desk.example:443"),
        ("http://desk.example:8080/core", "desk.example:8080"),
        ("http://[::1]:8080/core", "[::1]:8080"),
        ("socks5://eva:secret@proxy.example", "proxy.example:1080"),
    ],
)
def test_host_and_port_are_named_but_no_password(url: str, host: str) -> None:
    assert host_of(url) == host


PROXY, DESK = "proxy.example:3128", "desk.example:80"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ProxyError("407 Proxy Authentication Required"), f"the proxy {PROXY} refused the connection: 407"),
        (httpx.ConnectError("All connection attempts failed"), f"cannot connect to {PROXY}: no address"),
        (httpx.ReadTimeout(""), f"no answer from {DESK} in time"),
        (httpx.PoolTimeout(""), "too many requests are waiting"),
        (httpx.ReadError(""), f"the connection to {DESK} was lost before the answer"),
    ],
)
async def test_a_faulty_proxy_is_named(monkeypatch: pytest.MonkeyPatch, error: Exception, words: str) -> None:
    async def fail(*_: object, **__: object) -> httpx.Response:
        raise error

    monkeypatch.setattr(httpx.AsyncClient, "send", fail)
    client = Client(Endpoint("http://desk.example/core", proxy="http://proxy.example:3128"))
    with pytest.raises(ApiError, match=re.escape(words)):
        await client.send(ListCalls())
    await client.close()
