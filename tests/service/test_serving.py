"""The service as a process: it prints its address, exits on a signal, and keeps its data."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from contextlib import closing
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, cast

import pytest
from prometheus_client.openmetrics import parser

from console.cli.program import run as run_command
from console.service.auth.passwords import Cost
from console.service.http.connections import Server
from console.service.platform import ServiceSettings
from console.service.scenarios.fill import fill
from console.service.serve import LOOPBACK, ServeFault, listen, open_service, run
from console.service.store.database import Database
from tests.background import start_background
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE
from tests.service.inside import inside
from tests.service.killed import started
from tests.service.over_http import get


def test_a_signal_ends_the_process_cleanly_and_keeps_the_data(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    epochs: set[str] = set()
    for ending in (signal.SIGTERM, signal.SIGINT):
        with started(path) as service:
            epochs.add(get(f"{service.base_url}/health").json()["epoch"])
            service.process.send_signal(ending)
            assert service.process.stdout is not None
            assert service.process.stdout.read() == "ended\n"
            assert service.process.wait(PATIENCE) == 0
        with closing(Database(path)) as database:
            epochs.add(database.epoch)
    assert len(epochs) == 1


def test_a_signal_before_the_server_listens_for_it_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    serve_sockets = Server.run

    def run_after_a_signal(server: Server, sockets: list[socket.socket] | None = None) -> None:
        signal.raise_signal(signal.SIGTERM)
        serve_sockets(server, sockets)

    monkeypatch.setattr(Server, "run", run_after_a_signal)
    run(open_service(settings=ServiceSettings(password_cost=Cost.cheap())))


def test_a_second_service_on_one_database_is_refused_until_the_first_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "desk.db")
    serve = ["serve", "--port", "0", "--world", "empty", "--db"]
    command = [sys.executable, "-m", "console", *serve, str(tmp_path / "desk.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        try:
            assert first.stdout is not None
            assert first.stdout.readline().startswith("http://")
            for name in ("desk.db", "link.db"):
                assert run_command([*serve, str(tmp_path / name)]) == 1
                refusal = f"{name}: another service uses it. Stop that service, or name another file"
                assert refusal in capsys.readouterr().err
        finally:
            first.kill()
    open_service(tmp_path / "desk.db", world="empty").platform.close()


def test_an_address_in_use_or_invalid_is_reported_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        with pytest.raises(ServeFault, match="cannot listen on"):
            listen(LOOPBACK, taken.getsockname()[1])
    with pytest.raises(ServeFault):
        listen("256.0.0.1", 0)
    with pytest.raises(ServeFault):
        listen(LOOPBACK, 99_999)


def test_answers_are_dated_by_the_clock_of_the_platform() -> None:
    clock = ManualClock()
    with start_background(lambda platform: fill(platform, "quiet"), clock=clock) as service:

        def date_ms() -> float:
            answer = get(f"{service.base_url}/health")
            return parsedate_to_datetime(answer.headers["date"]).timestamp() * 1000

        until(lambda: date_ms() == clock.now_ms() // 1000 * 1000)
        clock.advance(3600)
        until(lambda: date_ms() == clock.now_ms() // 1000 * 1000)


async def test_a_service_that_stops_is_alive_but_not_ready() -> None:
    with inside() as desk:
        async with desk.client() as client:
            assert (await client.get("http://desk/readyz")).json() == {"status": "ready"}
            desk.app.state.drain()
            stopping = await client.get("http://desk/readyz")
            assert (stopping.status_code, stopping.json()) == (503, {"status": "the service is stopping"})
            assert (await client.get("http://desk/healthz")).status_code == 200


async def test_the_figures_of_a_service_are_those_of_its_requests_and_channels() -> None:
    with inside() as desk:
        async with desk.client() as client:
            for path in ("/users/current", "/users/current", "/no-such-path", "/calls/no%0Asuch"):
                await client.get(path)
            answer = await client.get("http://desk/metrics")
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    families = cast("Any", parser).text_string_to_metric_families(answer.text)
    samples = {(each.name, *sorted(each.labels.values())): each.value for family in families for each in family.samples}
    assert samples["service_requests_total", "401", "users.current"] == 2
    assert samples["service_requests_total", "", "404"] == 1
    assert samples["service_request_duration_seconds_count", "users.current"] == 2
    assert samples["service_request_duration_seconds_bucket", "+Inf", "users.current"] == 2
    assert 0 <= samples["service_request_duration_seconds_bucket", "0.001", "users.current"] <= 2
    assert samples["service_database_up",] == samples["service_on_duty",] == 1
    assert samples["service_event_channels",] == samples["service_tail_lag_events",] == 0
    assert samples["service_outbox_rows",] == samples["service_outbox_offset",] > 0
    assert samples["service_outbox_oldest_seconds",] >= 0
