"""The example of a dialect in the documents: installed into an empty folder, and used by the console."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from tests.static.source_files import ROOT
from tests.third_party.deployment import Deployment
from tests.third_party.platform import PASSWORD

EXAMPLE = ROOT / "docs" / "example-dialect"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example as an installer does, without a network."""
    folder = tmp_path_factory.mktemp("installed")
    command = ("pip", "install", "--quiet", "--offline", "--no-deps", "--no-build-isolation")
    python = ("--python", sys.executable)
    subprocess.run([sys.executable, "-m", "uv", *command, *python, "--target", folder, EXAMPLE], check=True)
    return folder


class Bus:
    """A voice bus that repeats what it says until the client leaves."""

    def __init__(self, *says: dict[str, Any]) -> None:
        self.says = says
        self.received: list[Any] = []

    def __call__(self, connection: ServerConnection) -> None:
        self.received.append(connection.subprotocol)
        with suppress(ConnectionClosed):
            while True:
                with suppress(TimeoutError):
                    self.received.append(json.loads(connection.recv(timeout=0.1)))
                for each in self.says:
                    connection.send(json.dumps(each))

    @contextmanager
    def running(self) -> Generator[str]:
        """Serve within the block, and yield the URL."""
        with serve(self, "127.0.0.1", 0, subprotocols=["voice-bus.v1"]) as server:  # pyright: ignore[reportArgumentType] - a NewType of str
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/bus"
            finally:
                server.shutdown()
                thread.join()


def watch(home: Path, deployment: Deployment, installed: Path, url: str, changes: int) -> list[dict[str, Any]]:
    """Return the first changes that `console watch calls` prints."""
    channel = f'[profiles.far.channel]\ndialect = "voice-bus"\nurl = "{url}"\n'
    (home / "config.toml").write_text(deployment.profile().rstrip() + "\n" + channel, encoding="utf-8")
    paths = os.pathsep.join((str(installed), *filter(None, sys.path)))
    environment = {**os.environ, "CONSOLE_HOME": str(home), "CONSOLE_PASSWORD": PASSWORD, "PYTHONPATH": paths}
    command = ("-m", "console", "watch", "calls", "--jsonl", "--for", "20", "--changes", str(changes))
    ended = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_a_row_of_an_installed_dialect_appears_in_the_list(home: Path, deployment: Deployment, installed: Path) -> None:
    bus = Bus({"op": "call", "call": {"id": "bus-7", "state": "queued"}}, {"op": "ping", "n": 3}, {"op": "tomorrow"})
    with bus.running() as url:
        # The freshness, and the three calls of the deployment, come before.
        printed = watch(home, deployment, installed, url, 5)
    keys = [each["key"] for each in printed if each["change"] == "upsert"]
    assert "bus-7" in keys
    assert {each["state"] for each in printed if each["change"] == "freshness"} == {"polling"}
    assert bus.received[0] == "voice-bus.v1"
    assert (bus.received[1]["op"], bool(bus.received[1]["token"])) == ("login", True)
    assert {"op": "pong", "n": 3} in bus.received
