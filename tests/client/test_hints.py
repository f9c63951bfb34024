"""The dialect of hints: what is sent, and which frames name which lists."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from console.api.errors import ApiError, LoginNeeded, NotOffered, Unreachable
from console.api.events import Hint
from console.client.client import Client
from console.client.dialect import SseFrame, Target
from console.client.endpoint import ChannelSettings, Endpoint, Presentation
from console.client.hints import LARGEST_FRAME, Hints
from tests.client.reading import read_and_close
from tests.client.test_client_stream import serving, status
from tests.for_each import for_each

LISTS = {"/calls": ("calls", "agents"), "/calls/groups": ("groups",), "presence.": ("presence",)}


def read(resource: str, *frames: bytes) -> Hint:
    (hint,) = Hints(ChannelSettings("hints", resource=resource, lists=LISTS)).read(frames)
    return Hint(hint.lists, hint.frames, hint.skipped)


@for_each(
    "resource, frame, lists",
    [
        ("", b"/calls", ("calls", "agents")),
        ("", b" /calls/7\n", ("calls", "agents")),
        ("", b"/calls/groups/3", ("groups",)),
        ("", b"/chats", ()),
        ("", SseFrame(b"{}", "presence.changed"), ("presence",)),
        ("", SseFrame(b"/calls"), ("calls", "agents")),
        ("topic", b'{"topic": "/calls"}', ("calls", "agents")),
        ("data.topic", b'{"data": {"topic": "presence.7"}}', ("presence",)),
        ("topic", b'[{"topic": "/calls/groups"}, {"topic": "presence.1"}, 7]', ("groups", "presence")),
        ("data.topics", b'{"data": {"topics": ["/calls", "presence.1"]}}', ("calls", "agents", "presence")),
        (r'"u":"https://[^/"]+(/[^"]*)"', b'{"u":"https://voice.example/calls/1"}', ("calls", "agents")),
        (r"changed=(\S+)", b"changed=/calls/groups changed=presence.x", ("groups", "presence")),
    ],
)
def test_a_frame_names_the_lists_of_the_longest_beginning_of_its_text(
    resource: str, frame: bytes, lists: tuple[str, ...]
) -> None:
    assert read(resource, frame) == Hint(lists, frames=1, skipped=0)


@for_each("resource", ["topic", "data.topic", r"(/calls)\b"])
@for_each(
    "frame",
    [
        b"",
        b"\xff\x00\x01",
        b"{",
        b"null",
        b'{"topic": {"deeper": 1}}',
        b'{"topic": true, "data": 7}',
        b"[" * 200_000,
        b'{"topic":' * 20_000,
        b'{"topic": ' + b"7" * 10_000 + b"}",
        b'{"topic": "/calls"}'.ljust(LARGEST_FRAME + 1),
        '{"topic": "/calls"}'.encode("utf-16"),
    ],
)
def test_a_frame_that_is_not_understood_is_skipped_and_counted(resource: str, frame: bytes) -> None:
    assert read(resource, frame) == Hint((), frames=1, skipped=1)


def test_the_first_frame_that_names_no_list_is_told_without_the_credential() -> None:
    hints = Hints(ChannelSettings("hints", resource="topic", lists=LISTS))
    hints.open(Target("ws://voice.example/bus", token="secret-of-eva"))
    frames = [b'{"topic": "/calls"}', b'{"welcome": "secret-of-eva"}', b"ping"]
    assert hints.read(frames)[0].unknown == '{"welcome": "…"}'
    assert hints.read(frames[:1])[0].unknown == ""


def test_many_frames_are_one_hint() -> None:
    frames = [b'{"t": "/calls"}'] * 5_000 + [b"x"] * 3 + [b'{"t": "presence.x"}'] * 5_000
    assert read("t", *frames) == Hint(("calls", "agents", "presence"), frames=10_003, skipped=3)


def test_an_expression_that_would_take_years_elsewhere_takes_no_time() -> None:
    assert read(r"((a+)+)$", b"a" * 5_000 + b"!") == Hint((), frames=1, skipped=1)


def client_of(url: str, **channel: Any) -> Client:
    settings = ChannelSettings("hints", resource="topic", lists=LISTS, **channel)
    client = Client(Endpoint("http://127.0.0.1:1", events=url, channel=settings))
    client.sessions.token = 'tick"et-1'
    return client


async def test_the_frames_of_the_profile_are_sent_with_the_credential() -> None:
    seen: list[Any] = []

    async def handler(connection: ServerConnection) -> None:
        assert connection.request is not None
        seen.append(connection.request.path)
        seen.append(await connection.recv())
        seen.append(json.loads(await connection.recv()))

    async with serving(handler) as url:
        client = client_of(
            f"{url}?v=2",
            say=("LOGIN {token}", '{"auth": "{token}"}'),
            present=Presentation("query", "ticket", ""),
        )
        await read_and_close(client)
    assert seen == ["/events?v=2&ticket=tick%22et-1", 'LOGIN tick"et-1', {"auth": 'tick"et-1'}]


async def test_binary_and_fragmented_frames_do_no_harm() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.send(b"\x00\xff\x00")
        await connection.send(['{"top', 'ic": "/ca', 'lls"}'])
        await connection.send("garbage")
        await connection.send('{"topic": "presence.1"}')

    async with serving(handler) as url:
        messages, _ = await read_and_close(client_of(url))
    hints = [each for each in messages if isinstance(each, Hint)]
    assert sum(each.frames for each in hints) == 4
    assert sum(each.skipped for each in hints) == 2
    assert [name for each in hints for name in each.lists] == ["calls", "agents", "presence"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [(1000, Unreachable), (1008, LoginNeeded), (4401, LoginNeeded), (4501, LoginNeeded), (4404, Unreachable)],
)
async def test_the_usual_close_codes_of_an_ended_login_renew_it(code: int, expected: type[ApiError]) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.close(code, 'no tick"et-1')

    async with serving(handler) as url:
        _, error = await read_and_close(client_of(url))
    assert type(error) is expected
    assert "et-1" not in error.reason


@pytest.mark.parametrize(("code", "expected"), [(401, LoginNeeded), (404, NotOffered)])
async def test_a_refused_handshake_means_what_its_status_means(code: int, expected: type[ApiError]) -> None:
    async def nothing(_connection: ServerConnection) -> None:
        return None

    async with serving(nothing, status(code)) as url:
        _, error = await read_and_close(client_of(url))
    assert type(error) is expected
