"""A foreign event channel that only says which lists changed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection as SyncConnection
from websockets.sync.server import serve as serve_in_thread

from console.cli.checks import examination
from tests.cli.conftest import Console
from tests.third_party.deployment import HEADER, SCHEME, Deployment
from tests.third_party.platform import PASSWORD
from tests.third_party.seat import seat_at

Seen = list[tuple[str | None, Any]]


@asynccontextmanager
async def hinting(seen: Seen) -> AsyncGenerator[Server]:
    """Serve a WebSocket that takes one frame from each subscriber."""

    async def handler(connection: ServerConnection) -> None:
        assert connection.request is not None
        seen.append((connection.request.headers.get(HEADER), json.loads(await connection.recv())))
        await connection.wait_closed()

    async with serve(handler, "127.0.0.1", 0) as server:
        yield server


def configured(file: Path, deployment: Deployment, url: str) -> Path:
    more = (
        f'[profiles.far.channel]\nurl = "{url}"\nsay = {{ join = "all" }}\nresource = "about.path"\n'
        '[profiles.far.channel.lists]\n"/calls" = ["calls", "agents"]\n"/teams" = ["groups"]\n'
    )
    file.write_text(deployment.profile().rstrip() + "\n" + more, encoding="utf-8")
    return file


def url_of(server: Server) -> str:
    return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/bus"


async def test_a_hidden_list_is_current_within_a_second_and_the_state_stays_polling(
    home: Path, deployment: Deployment
) -> None:
    seen: Seen = []
    file = home / "config.toml"
    async with (
        hinting(seen) as server,
        seat_at(configured(file, deployment, url_of(server)), PASSWORD) as eva,
    ):
        await eva.until(lambda: server.connections and seen)
        credential, said = seen[0]
        assert credential is not None
        assert credential.startswith(f"{SCHEME} ")
        assert said == {"join": "all"}
        deployment.platform.teams["dawn"]["name"] = "Sunrise"
        began = time.monotonic()
        broadcast(server.connections, '{"about": {"path": "/teams/dawn"}}')
        await eva.until(lambda: getattr(eva.backend.records("groups")["dawn"], "name", "") == "Sunrise")
        assert time.monotonic() - began < 1
        await eva.press("7")
        await eva.sees("Sunrise")
        await eva.sees("POLLING")
        assert "LIVE" not in eva.screen_text()


@pytest.mark.parametrize(
    ("frames", "state", "reason"),
    [
        (
            ['{"about": {"path": "/calls/7"}}', "what?"],
            "works",
            "opened; 1 of 2 frames understood within 0.5 s; lists: agents, calls",
        ),
        (
            ['{"about": {"path": "/chats"}}', "ping"],
            "unproven",
            'URL opened; 2 frames arrived within 0.5 s, and no hint was understood yet: {"about": {"path": "/chats"}}',
        ),
        (
            ["ping \x1b[31m"],
            "unproven",
            "URL opened; 1 frame arrived within 0.5 s, and no hint was understood yet: ping ␛[31m",
        ),
        ([], "unproven", "URL opened; nothing arrived within 0.5 s"),
    ],
)
def test_doctor_tells_an_open_channel_from_one_that_is_understood(
    console: Console,
    home: Path,
    deployment: Deployment,
    monkeypatch: pytest.MonkeyPatch,
    frames: list[str],
    state: str,
    reason: str,
) -> None:
    monkeypatch.setattr(examination, "HEARD_SECONDS", 0.5)

    def handler(connection: SyncConnection) -> None:
        connection.recv()
        for frame in frames:
            connection.send(frame)
        # Until the client closes.
        with suppress(ConnectionClosed):
            connection.recv()

    with serve_in_thread(handler, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        configured(home / "config.toml", deployment, f"ws://127.0.0.1:{port}/bus")
        ended = console("doctor", "--json")
        server.shutdown()
        thread.join()
    (found,) = [each for each in json.loads(ended.out)["findings"] if each["name"] == "events"]
    reason = reason.replace("URL", f"ws://127.0.0.1:{port}/bus")
    assert (found["state"], found["reason"]) == (state, reason)
