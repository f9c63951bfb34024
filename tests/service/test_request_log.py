"""`console serve --log json`: a line for each request and each other message, without secrets."""

from __future__ import annotations

import io
import itertools
import json
import signal
import socket
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from starlette.datastructures import Headers
from websockets.sync.client import connect

from console.cli.program import run
from console.service.handlers import load_handlers
from console.service.handlers.handler import HANDLERS, Handler
from console.service.http import request_log
from console.service.http.connections import Server
from console.service.http.request_log import json_lines, request_id
from tests.background import start_background
from tests.canary import PASSWORD, leaks, minted, world
from tests.patience import PATIENCE
from tests.service.inside import inside
from tests.service.over_http import token_of

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def test_a_request_has_a_line_with_its_operation_account_and_result() -> None:
    stream = io.StringIO()
    with json_lines(stream), inside() as desk:
        token = {"Authorization": f"Bearer {desk.token('eva')}"}
        answer = await desk.ask("nobody", "GET", "/users/ana?x=1", headers=token | {"X-Request-Id": "call-17"})
        assert answer.headers["x-request-id"] == "call-17"
        await desk.ask("nobody", "GET", "/users/current")
        await desk.ask("nobody", "GET", "/no/such/path")
        await desk.ask("nobody", "GET", "http://desk/healthz")
    lines = lines_of(stream)
    known, anonymous, unknown, health = lines
    assert known["time"].endswith("Z")
    assert known["ms"] >= 0
    assert {name: value for name, value in known.items() if name not in {"time", "ms", "process"}} == {
        "level": "info",
        "message": "request",
        "request": "call-17",
        "method": "GET",
        "path": "/core/users/ana",
        "operation": "users.get",
        "status": 200,
        "user": "eva",
        "bytes": len(answer.content),
    }
    assert (anonymous["status"], anonymous["user"], anonymous["operation"]) == (401, "", "users.current")
    assert (unknown["status"], unknown["path"], unknown["operation"]) == (404, "", "")
    assert (health["status"], health["path"]) == (200, "/healthz")
    assert len({line["request"] for line in lines}) == 4


async def test_another_message_names_its_request_but_not_what_was_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError(PASSWORD)

    load_handlers()
    request = next(each for each in HANDLERS if each.operation.name == "users.current")
    monkeypatch.setitem(HANDLERS, request, Handler(fail))
    stream = io.StringIO()
    with json_lines(stream), inside() as desk:
        answer = await desk.ask("eva", "GET", "/users/current")
    failure, line = lines_of(stream)
    assert (answer.status_code, line["status"]) == (500, 500)
    assert failure["request"] == line["request"] == answer.headers["x-request-id"]
    assert (failure["level"], failure["message"]) == ("error", "users.current failed")
    assert failure["error"] == "ValueError"
    assert failure["trace"][-1].endswith(" fail")
    assert not leaks({"the log": stream.getvalue().encode()}, [PASSWORD])


def test_no_line_has_a_secret() -> None:
    stream = io.StringIO()
    with json_lines(stream), request_log.slow_statements(0), minted() as tokens, start_background(world) as service:
        headers = {"Authorization": f"Bearer {token_of(service.base_url, 'eva', PASSWORD)}"}
        with httpx.Client(base_url=service.core_url, headers=headers, trust_env=False) as eva:
            eva.post("/sessions", json={"context": {"secret": PASSWORD}})
            eva.get("/users", params={"filter": PASSWORD, "token": tokens[0]})
            eva.put("/users/ana", content=PASSWORD)
            eva.get(f"/{tokens[0]}", headers={"X-Request-Id": PASSWORD, "Cookie": PASSWORD})
            eva.get(f"{service.base_url}/{tokens[0]}")
        with connect(f"{service.events_url}?token={tokens[0]}", additional_headers=headers, proxy=None) as channel:
            channel.send(json.dumps({"type": "subscribe", "topics": ["calls"], "token": PASSWORD}))
            channel.recv(PATIENCE)
    lines = lines_of(stream)
    channels = [line for line in lines if line.get("path") == "/events"]
    assert [(line["status"], line["user"]) for line in channels] == [(101, "eva")]
    assert len(tokens) > 1
    statements = [line["statement"] for line in lines if line["message"] == "slow statement"]
    assert any(statement.startswith("INSERT INTO sessions ") for statement in statements)
    assert not leaks({"the log": stream.getvalue().encode()}, [PASSWORD, *tokens])


@pytest.mark.parametrize(("limit_ms", "is_slow"), [(250, True), (251, False)])
async def test_a_slow_statement_has_a_line_with_its_request_and_without_values(
    limit_ms: float, is_slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count(0.0, 0.25)
    monkeypatch.setattr(request_log, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    stream = io.StringIO()
    with json_lines(stream), inside() as desk:
        desk.token("eva")
        with request_log.slow_statements(limit_ms):
            await desk.ask("eva", "GET", "/users/ana", headers={"X-Request-Id": "call-17"})
    slow = [line for line in lines_of(stream) if line["message"] == "slow statement"]
    assert bool(slow) == is_slow
    assert {(line["level"], line["request"], line["ms"]) for line in slow} <= {("warning", "call-17", 250.0)}
    assert any(" FROM users " in line["statement"] for line in slow) == is_slow
    assert not [line for line in slow if "ana" in line["statement"] or "\n" in line["statement"]]


def test_a_slow_statement_that_fails_has_a_line_too() -> None:
    stream = io.StringIO()
    statement = sa.text("SELECT 1 FROM no_such_table")
    with (
        json_lines(stream),
        inside() as desk,
        request_log.slow_statements(0),
        pytest.raises(DBAPIError),
        desk.platform.read() as tx,
    ):
        tx.run(statement)
    assert lines_of(stream)[-1]["statement"] == "SELECT 1 FROM no_such_table"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"x-request-id": "a.b-C_1", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, "a.b-C_1"),
        ({"x-request-id": "two words", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, TRACE),
        ({"traceparent": f"00-{TRACE}-00f067aa0ba902b7"}, None),
        ({"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01"}, None),
        ({"x-request-id": "x" * 129}, None),
        ({"x-request-id": "a\n"}, None),
    ],
)
def test_the_id_of_a_request_is_that_of_the_client_if_it_is_well_formed(
    headers: dict[str, str], expected: str | None
) -> None:
    made = request_id(Headers(headers))
    assert made == expected if expected else (len(made) == 32 and made not in str(headers))


def test_the_service_logs_its_other_messages_as_json_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_sockets = Server.run

    def run_after_a_signal(server: Server, sockets: list[socket.socket] | None = None) -> None:
        signal.raise_signal(signal.SIGTERM)
        serve_sockets(server, sockets)

    monkeypatch.setattr(Server, "run", run_after_a_signal)
    assert run(["serve", "--log", "json", "--world", "empty", "--port", "0"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("http://")
    lines = [json.loads(line) for line in said.err.splitlines()]
    assert [(line["level"], line["message"]) for line in lines] == [("info", "the service has stopped")]
