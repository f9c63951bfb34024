"""What `doctor` says of a foreign event channel that only says which lists changed."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from console.cli.checks import examination
from tests.cli.conftest import Console
from tests.third_party.deployment import Deployment


def configured(file: Path, deployment: Deployment, url: str) -> Path:
    more = (
        f'[profiles.far.channel]\nurl = "{url}"\nsay = {{ join = "all" }}\nresource = "about.path"\n'
        '[profiles.far.channel.lists]\n"/calls" = ["calls", "agents"]\n"/teams" = ["groups"]\n'
    )
    file.write_text(deployment.profile().rstrip() + "\n" + more, encoding="utf-8")
    return file


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

    def handler(connection: ServerConnection) -> None:
        connection.recv()
        for frame in frames:
            connection.send(frame)
        # Until the client closes.
        with suppress(ConnectionClosed):
            connection.recv()

    with serve(handler, "127.0.0.1", 0) as server:
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
