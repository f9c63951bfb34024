"""Installed dialects: found by name, and harmless whatever they do."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from console.api.errors import ApiError, Forbidden, LoginNeeded, NotOffered, Unreachable
from console.api.events import Event, Hint
from console.client import dialect_runner, dialects
from console.client.client import Client
from console.client.dialects import DialectFault, find_dialect
from console.client.endpoint import ChannelSettings, Endpoint
from tests.client.installed import BASE, install
from tests.client.reading import read_and_close, read_channel
from tests.client.test_client_stream import serving


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A folder for packages, which no other test sees."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("said_"):
            del sys.modules[name]


def test_only_the_named_dialect_is_imported(folder: Path) -> None:
    install(folder, "said_one", BASE, one="said_one:Base")
    install(folder, "said_two", "raise RuntimeError", two="said_two:Base")
    assert find_dialect("one").__name__ == "Base"
    assert "said_two" not in sys.modules


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        (BASE, "onne", "no dialect 'onne' is installed; did you mean one?"),
        ("import nowhere", "one", "cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit('bye')", "one", "cannot be imported: SystemExit: bye"),
        ("class Other: pass", "one", "cannot be imported: AttributeError"),
        ("Base = 7", "one", "is not a class, but int"),
        ("class Base:\n    def open(self): pass\n    read = 7", "one", "has no method greet, read, reply, closed"),
    ],
    ids=["name", "import", "exit", "class", "number", "methods"],
)
def test_a_dialect_that_cannot_be_used_is_reported(folder: Path, source: str, name: str, words: str) -> None:
    install(folder, "said_bad", source, one="said_bad:Base")
    with pytest.raises(DialectFault) as fault:
        find_dialect(name)
    assert words in str(fault.value)


def test_a_dialect_whose_import_never_ends_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "IMPORT_SECONDS", 0.2)
    go_on = threading.Event()
    monkeypatch.setattr(dialects, "test_go_on", go_on, raising=False)
    install(
        folder, "said_bad", "from console.client.dialects import test_go_on; test_go_on.wait()", one="said_bad:Base"
    )
    try:
        with pytest.raises(DialectFault, match=r"its import takes more than 0\.2 s"):
            find_dialect("one")
    finally:
        go_on.set()


def client_of(url: str, dialect: str = "one", **endpoint: Any) -> Client:
    channel = ChannelSettings(dialect=dialect)
    client = Client(Endpoint("http://127.0.0.1:1", events=url, channel=channel, **endpoint))
    client.sessions.token = "s3cret"
    return client


async def test_a_dialect_decides_what_is_sent_and_what_frames_mean(folder: Path) -> None:
    source = """
        import json
        from console.client.dialect import Hint, row
        class Mine(Base):
            answers = ()
            def open(self, target):
                return type(target)(target.url + "?room=1", {**target.headers, "X-Room": "1"}, target.token)
            def greet(self, topics, resume): return ["hello " + ",".join(topics)]
            def read(self, frames):
                for frame in map(json.loads, frames):
                    if frame["say"] == "ping": self.answers = ["pong"]
                    elif frame["say"] == "look": yield Hint(("calls",))
                    else: yield row("calls", frame["id"], json.dumps(frame).encode())
            def reply(self):
                told, self.answers = self.answers, ()
                return told
    """
    install(folder, "said_mine", BASE + dedent(source), one="said_mine:Mine")
    seen: list[Any] = []

    async def handler(connection: ServerConnection) -> None:
        assert connection.request is not None
        seen.append((connection.request.path, connection.request.headers["X-Room"]))
        seen.append(await connection.recv())
        await connection.send('{"say": "ping"}')
        seen.append(await connection.recv())
        await connection.send('{"say": "look"}')
        await connection.send('{"say": "call", "id": "c1"}')

    async with serving(handler) as url:
        client = client_of(url)
        messages, _ = await read_and_close(client)
    assert seen == [("/events?room=1", "1"), "hello calls", "pong"]
    assert messages[0] == Hint(("calls",))
    assert isinstance(messages[1], Event)
    assert (messages[1].topic, messages[1].key) == ("calls", "c1")
    assert json.loads(bytes(messages[1].body))["id"] == "c1"


GARBAGE = {
    "open": [
        "raise ValueError('no')",
        "return None",
        "return type(target)('ws://elsewhere.example/events')",
        "return type(target)(target.url, {'X': 'a\\r\\nb'})",
        "raise SystemExit",
    ],
    "greet": ["return 'hello'", "return [7]", "return 7", "return ['x' * 100_000]", "return iter(lambda: 'x', None)"],
    "read": [
        "raise KeyboardInterrupt",
        "raise RecursionError",
        "return 7",
        "return ['text']",
        "return [Hint(7)]",
        "return [Event('x', 0, 'calls', 'upsert', 'c1')]",
        "return [row('calls', 'c1', b'{no json')]",
        "return [row('calls', 'c1', b'\"\\xff\"')]",
        "return iter(Hint, None)",
    ],
    "reply": ["raise StopIteration", "return 'x'", "return {1: 2}"],
    "closed": ["raise Exception", "return 'gone'", "return ValueError()"],
}
SIGNATURES = {
    "open": "target",
    "greet": "topics, resume",
    "read": "frames",
    "reply": "",
    "closed": "code, reason",
}


@pytest.mark.parametrize(
    ("method", "body"), [(method, body) for method, bodies in GARBAGE.items() for body in bodies], ids=str
)
async def test_a_dialect_that_fails_or_returns_garbage_is_a_broken_channel(
    folder: Path, method: str, body: str
) -> None:
    imports = "from console.client.dialect import Event, Hint, row\n"
    source = f"class Mine(Base):\n    def {method}(self, {SIGNATURES[method]}):\n        {body}\n"
    install(folder, "said_mine", imports + BASE + source, one="said_mine:Mine")

    async def handler(connection: ServerConnection) -> None:
        await connection.send("frame")
        await connection.close(4321, "because")

    async with serving(handler) as url:
        client = client_of(url)
        messages, error = await read_and_close(client)
    assert not messages
    assert type(error) is Unreachable
    assert error.reason.startswith("dialect one: " + method)


async def test_an_error_of_a_dialect_does_not_contain_the_credential(folder: Path) -> None:
    source = "class Mine(Base):\n    def open(self, target): raise ValueError(str(target))\n"
    install(folder, "said_mine", BASE + source, one="said_mine:Mine")
    client = client_of("ws://127.0.0.1:1/events")
    _, error = await read_and_close(client)
    assert "ws://127.0.0.1:1" in error.reason
    assert "s3cret" not in error.reason


@pytest.mark.parametrize("kind", [LoginNeeded, Forbidden, NotOffered])
@pytest.mark.parametrize("method", ["read", "closed"])
async def test_a_dialect_can_say_that_the_login_ended_or_that_it_is_refused(
    folder: Path, kind: type[ApiError], method: str
) -> None:
    imports = f"from console.api.errors import {kind.__name__}\n"
    body = f"{'raise' if method == 'read' else 'return'} {kind.__name__}('say who you are')"
    source = f"class Mine(Base):\n    def {method}(self, {SIGNATURES[method]}):\n        {body}\n"
    install(folder, "said_mine", imports + BASE + source, one="said_mine:Mine")

    async def handler(connection: ServerConnection) -> None:
        await connection.send("frame")
        await connection.close(4321, "because")

    async with serving(handler) as url:
        client = client_of(url)
        _, error = await read_and_close(client)
    assert (type(error), error.reason) == (kind, "dialect one: say who you are")


async def test_a_dialect_that_never_returns_occupies_one_thread_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
        import threading
        go_on = threading.Event()
        class Mine(Base):
            def read(self, frames):
                go_on.wait()
                return ()
    """
    install(folder, "said_mine", BASE + dedent(source), one="said_mine:Mine")
    monkeypatch.setattr(dialect_runner, "CALL_SECONDS", 0.2)

    async def handler(connection: ServerConnection) -> None:
        await connection.send("frame")
        await connection.wait_closed()

    async with serving(handler) as url:
        client = client_of(url)
        try:
            _, first = await read_channel(client)
            _, second = await read_channel(client)
        finally:
            sys.modules["said_mine"].go_on.set()
            await client.close()
    assert isinstance(first, Unreachable)
    assert first.reason == "dialect one: read did not return within 0.2 s"
    assert isinstance(second, NotOffered)
    assert second.reason == "dialect one: an earlier call has not returned"


async def test_a_dialect_that_is_not_installed_means_that_there_is_no_channel(folder: Path) -> None:
    client = client_of("ws://127.0.0.1:1/events", "nowhere")
    _, error = await read_and_close(client)
    assert type(error) is NotOffered
    assert error.reason.startswith("no dialect 'nowhere' is installed")
