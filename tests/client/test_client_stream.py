"""The event channel over real sockets: messages, closing, and refusals."""

from __future__ import annotations

import http
import json
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosedError
from websockets.http11 import Request, Response

from console.api.errors import (
    ApiError,
    Away,
    BadAnswer,
    Forbidden,
    LoginNeeded,
    NotOffered,
    ServerFault,
    TooMany,
    Unreachable,
)
from console.api.events import Damaged, Event, Heartbeat, Point, Subscribed
from console.api.operations.traffic import ListCalls
from console.api.routes_file import load_routes
from console.client.client import Client
from console.client.dialect import Message
from console.client.dialects import read_message
from console.client.endpoint import ChannelSettings, Endpoint, Presentation
from console.client.stream import TextsConnection
from console.records.raw import Json
from tests.client.reading import read_and_close

Handler = Callable[[ServerConnection], Awaitable[None]]
Refuse = Callable[[ServerConnection, Request], Response | None]


@asynccontextmanager
async def serving(
    handler: Handler, refuse: Refuse | None = None, context: ssl.SSLContext | None = None
) -> AsyncGenerator[str]:
    async with serve(handler, "127.0.0.1", 0, process_request=refuse, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        yield f"{'wss' if context else 'ws'}://127.0.0.1:{port}/events"


def make_client(url: str, **settings: Any) -> Client:
    options: dict[str, Any] = {"core": "http://127.0.0.1:1", **settings}
    client = Client(Endpoint(**options, events=url))
    client.sessions.token = "secret"
    return client


async def gathered(client: Client) -> tuple[list[Message], ApiError]:
    return await read_and_close(client, Point(epoch="e", offset=3))


def status(code: int, headers: dict[str, str] | None = None, body: str = "{}") -> Refuse:
    def refuse(connection: ServerConnection, _request: Request) -> Response:
        response = connection.respond(http.HTTPStatus(code), body)
        for name, value in (headers or {}).items():
            response.headers[name] = value
        return response

    return refuse


async def nothing(_connection: ServerConnection) -> None:
    return None


async def test_messages_arrive_in_order_and_unknown_ones_are_skipped() -> None:
    seen: list[Any] = []

    async def handler(connection: ServerConnection) -> None:
        assert connection.request is not None
        seen.append(connection.request.headers.get("authorization"))
        seen.append(json.loads(await connection.recv()))
        await connection.send('{"type":"subscribed","epoch":"e","offset":3,"topics":["calls"]}')
        await connection.send("not json")
        await connection.send('{"type":"of tomorrow"}')
        await connection.send(
            '{"type":"event","offset":4,"after":3,"topic":"calls","kind":"upsert","key":"a","body":{"id":"a"}}'
        )
        await connection.send('{"type":"heartbeat","epoch":"e","offset":4,"after":4,"new":true}')

    async with serving(handler) as url:
        messages, error = await gathered(make_client(url))
    assert messages == [
        Subscribed(epoch="e", offset=3, topics=("calls",)),
        Damaged(),
        Event(offset=4, after=3, topic="calls", kind="upsert", key="a", body=Json(b'{"id":"a"}')),
        Heartbeat(epoch="e", offset=4, after=4),
    ]
    assert type(error) is Unreachable
    assert seen[0] == "Bearer secret"
    assert seen[1] == {"type": "subscribe", "topics": ["calls"], "resume": {"epoch": "e", "offset": 3}}


async def test_rows_of_events_have_the_fields_of_the_contract(tmp_path: Path) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.recv()
        for topic in ("calls", "alerts"):
            event = {"type": "event", "offset": 4, "after": 3, "topic": topic, "kind": "upsert", "key": "a"}
            await connection.send(json.dumps(event | {"body": {"callId": "a", "phase": "queued"}}))

    file = tmp_path / "routes.toml"
    file.write_text('"calls.list" = { route = "GET /c", fields = { id = "callId", state = "phase" } }', "utf-8")
    async with serving(handler) as url:
        messages, _ = await gathered(make_client(url, routes=load_routes(file)))
    calls, alerts = (json.loads(bytes(each.body)) for each in messages if isinstance(each, Event))
    assert calls == {"id": "a", "state": "queued"}
    assert alerts == {"callId": "a", "phase": "queued"}


async def test_rows_have_the_states_of_the_profile() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.recv()
        row = '{"id":"a","state":"activo"}'
        event = f'{{"type":"event","offset":4,"after":3,"topic":"calls","kind":"upsert","key":"a","body":{row}}}'
        await connection.send(event)

    async with serving(handler) as url:
        (event,), _ = await gathered(make_client(url, states={"calls": {"activo": "connected"}}))
    assert isinstance(event, Event)
    assert json.loads(bytes(event.body)) == {"id": "a", "state": "connected", "console:state": "activo"}


@pytest.mark.parametrize("name", [b"M\xfcller", b"Mu\xccller", b"M\xed\xa0\x80"], ids=["one byte", "half", "surrogate"])
def test_an_event_that_is_not_utf_8_was_damaged_in_transit(name: bytes) -> None:
    text = b'{"type":"event","offset":4,"after":3,"topic":"calls","kind":"upsert","key":"a","body":{"name":"%s"}}'
    assert isinstance(read_message(text % name), Damaged)
    assert isinstance(read_message(text % "Müller".encode()), Event)


def test_a_control_message_that_is_not_utf_8_was_damaged_in_transit() -> None:
    text = b'{"type":"heartbeat","epoch":"e","offset":4,"after":3,"new":"%s"}'
    assert isinstance(read_message(text % b"M\xfcller"), Damaged)
    assert isinstance(read_message(text % "Müller".encode()), Heartbeat)


@pytest.mark.parametrize("frame", [b"\xff" * 40, b"\x81\xff\xff", b"\x83\x01a"], ids=["garbage", "masked", "opcode"])
async def test_a_frame_that_no_service_sends_was_damaged_in_transit(frame: bytes) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.recv()
        connection.transport.write(frame)
        await connection.wait_closed()

    async with serving(handler) as url:
        _, error = await gathered(make_client(url))
    assert type(error) is BadAnswer


async def test_the_credential_can_be_sent_in_the_query() -> None:
    seen: list[str] = []

    async def handler(connection: ServerConnection) -> None:
        assert connection.request is not None
        seen.append(connection.request.path)
        assert "authorization" not in connection.request.headers

    async with serving(handler) as url:
        await gathered(make_client(url, present=Presentation(place="query", name="sid")))
    assert seen == ["/events?sid=secret"]


async def test_a_channel_offers_the_subprotocols_of_the_profile_with_the_token() -> None:
    offered: list[str] = []

    async def handler(connection: ServerConnection) -> None:
        assert connection.request is not None
        offered.append(connection.request.headers["Sec-WebSocket-Protocol"])

    channel = ChannelSettings(subprotocols=("voice.v1", "bearer.{token}"))
    async with serving(handler) as url:
        await gathered(make_client(url, channel=channel))
        client = make_client(url, channel=channel)
        client.sessions.token = "not=a,token"
        _, error = await gathered(client)
    assert offered == ["voice.v1, bearer.secret"]
    assert str(error) == "the token cannot be sent as a subprotocol"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (1000, Unreachable), (1001, Away), (1011, Unreachable), (1012, Away), (4001, Unreachable), (4002, Away),
        (1008, Forbidden), (3500, NotOffered), (4500, NotOffered), (4501, LoginNeeded),
    ],
)  # fmt: skip
async def test_close_codes_decide_whether_to_reconnect(code: int, expected: type[ApiError]) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.close(code, "because")

    async with serving(handler) as url:
        _, error = await gathered(make_client(url))
    assert (type(error), error.operation) == (expected, "events")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (401, LoginNeeded), (403, Forbidden), (404, NotOffered), (426, NotOffered), (429, TooMany), (500, ServerFault),
        (503, ServerFault), (200, NotOffered),
    ],
)  # fmt: skip
async def test_a_refused_handshake_raises_the_error_of_its_status(code: int, expected: type[ApiError]) -> None:
    async with serving(nothing, status(code, {"Retry-After": "7"})) as url:
        _, error = await gathered(make_client(url))
    assert (type(error), error.operation) == (expected, "events")
    if isinstance(error, TooMany | ServerFault):
        assert error.retry_after == 7


async def test_a_redirect_does_not_forward_the_credential() -> None:
    visited: list[str] = []

    async def elsewhere(_connection: ServerConnection) -> None:
        visited.append("elsewhere")

    async with (
        serving(elsewhere) as other,
        serving(nothing, status(302, {"Location": other})) as url,
    ):
        _, error = await gathered(make_client(url, present=Presentation(name="X-Session", scheme="")))
    assert isinstance(error, NotOffered)
    assert visited == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_closed_port_means_that_the_service_is_unavailable(host: str) -> None:
    async with serving(nothing) as url:
        pass
    url = url.replace("127.0.0.1", host)
    client = make_client(url, core=url.replace("ws:", "http:"))
    with pytest.raises(Away) as listing:
        await client.send(ListCalls())
    _, error = await gathered(client)
    assert type(error) is Away
    address = url.removeprefix("ws://").removesuffix("/events")
    assert listing.value.reason == error.reason == f"cannot connect to {address}: connection refused"


async def test_a_message_that_is_too_large_ends_the_channel() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.send("x" * (5 * 1024 * 1024))

    async with serving(handler) as url:
        _, error = await gathered(make_client(url))
    assert isinstance(error, Unreachable)


async def test_a_channel_that_closes_at_once_was_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The retries of a service that accepts and closes are slower than those of one that is away."""

    async def closed(_connection: TextsConnection, _text: str) -> None:
        raise ConnectionClosedError(None, None)

    monkeypatch.setattr(TextsConnection, "send", closed)
    async with serving(nothing) as url:
        client = make_client(url)
        try:
            async with client.stream(("calls",)) as stream:
                with pytest.raises(Unreachable, match="the event channel was closed"):
                    await anext(aiter(stream))
        finally:
            await client.close()
