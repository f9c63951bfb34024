"""`console metrics` serves the figures of a running console, and only what its number of names allows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from prometheus_client.core import CollectorRegistry
from prometheus_client.openmetrics import exposition, parser

from console.base.clock import SystemClock
from console.cli.checks.figures import MOST_NAMES, LiveFigures, RequestFigures, new_registry, state_of
from console.live.backend_api import ListsApi
from console.live.delta import Freshness, Health
from console.records.queues import Queue
from console.records.record import Record
from console.records.support import Agent, Alert, Skill
from console.records.traffic import Call
from console.service.domain.calls import CALLS
from console.views.render_context import RenderContext
from tests.background import Running
from tests.cli.conftest import profile
from tests.live.until import until
from tests.patience import PATIENCE

OPEN_METRICS = {"Accept": "application/openmetrics-text; version=1.0.0"}


class Known(ListsApi):
    """A backend with these lists."""

    def __init__(self, role: str = "admin", **lists: Mapping[str, Record]) -> None:
        self.lists, self.role = lists, role

    def records(self, kind: str) -> Mapping[str, Record]:
        return self.lists.get(kind, {})

    def health(self, kind: str) -> Health:
        return Health(Freshness.LIVE, 0.5) if kind in self.lists else Health()

    def render(self) -> RenderContext:
        return RenderContext(SystemClock().now_ms(), ZoneInfo("UTC"), lookup=self.records, role=self.role)


def exposed(registry: CollectorRegistry) -> str:
    return cast("bytes", cast("Any", exposition).generate_latest(registry)).decode()


def samples(text: str) -> dict[tuple[str, ...], float]:
    """Parse an answer strictly: names with label values, and the value."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in cast("Any", parser).text_string_to_metric_families(text)
        for sample in family.samples
    }


def figures(backend: Known) -> dict[tuple[str, ...], float]:
    registry = new_registry()
    registry.register(LiveFigures(backend, backend.render))
    return samples(exposed(registry))


@pytest.fixture
def address(home: Path, service: Running) -> Generator[str]:
    profile(home, service.core_url)
    environment = {**os.environ, "CONSOLE_PASSWORD": "demo"}
    command = [sys.executable, "-m", "console", "metrics", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            yield child.stdout.readline().strip()
            child.send_signal(signal.SIGTERM)
            assert child.wait(PATIENCE) == 0
        finally:
            child.kill()


def test_the_figures_of_a_running_service_can_be_scraped(address: str, service: Running) -> None:
    found: dict[tuple[str, ...], float] = {}

    def is_complete() -> bool:
        with urllib.request.urlopen(urllib.request.Request(address, headers=OPEN_METRICS), timeout=PATIENCE) as answer:
            found.update(samples(answer.read().decode()))
        return ("console_list_rows", "calls") in found and ("console_list_rows", "status") in found

    until(is_complete, 30)
    with service.platform.read() as tx:
        waiting = sum(each.state == "queued" for each in CALLS.records(tx))
    assert found["console_calls", "waiting"] == waiting
    assert found["console_request_duration_seconds_count", "calls.list"] >= 1
    assert found["console_link", "live"] + found["console_link", "polling"] == 1
    assert found["console_service_uptime_seconds",] >= 0
    assert address.startswith("http://127.0.0.1:")


def test_a_list_that_is_not_known_has_no_figures() -> None:
    found = figures(Known(agents={}))
    assert found["console_agents", "free"] == 0
    assert ("console_calls", "waiting") not in found
    assert ("console_list_rows", "calls") not in found


def test_the_age_of_records_without_a_time_has_no_figure() -> None:
    def found_with(**fields: float) -> dict[tuple[str, ...], float]:
        call = Call.model_validate({"id": "c1", "state": "queued", **fields})
        alert = Alert.model_validate({"alertId": "a1", "state": "active"})
        queue = Queue(queue="sales", waiting=1)
        chat = {"chatId": "x1", "users": ["u9"]}
        ana = Agent.model_validate({"id": "ana", "channels": {"chat": [chat]}})
        skills = {"fibre": Skill(skill="fibre", agents=("ana",))}
        agents, queues = {"ana": ana}, {"sales": queue}
        return figures(Known(calls={"c1": call}, alerts={"a1": alert}, queues=queues, agents=agents, skills=skills))

    ages = {
        ("console_calls_longest_wait_seconds",),
        ("console_alerts_oldest_seconds",),
        ("console_queue_longest_wait_seconds", "sales"),
        ("console_skill_oldest_chat_seconds", "fibre"),
    }
    assert not ages & found_with().keys()
    to_come = SystemClock().now_ms() + 60_000
    assert not ages & found_with(date=to_come).keys()
    assert found_with(date=SystemClock().now_ms() - 60_000)["console_calls_longest_wait_seconds",] >= 60
    none = figures(Known(calls={}, alerts={}))
    assert none["console_calls_longest_wait_seconds",] == none["console_alerts_oldest_seconds",] == 0


def test_figures_beside_records_of_unknown_state_or_time_are_minima_so_that_rules_fire() -> None:
    began = SystemClock().now_ms() - 60_000
    calls = {
        "c1": Call(id="c1", state="queued"),
        "c2": Call(id="c2", state="queued", date=began),
        "c3": Call(id="c3", state="hyperspace"),
    }
    alerts = {
        "a1": Alert.model_validate({"alertId": "a1", "state": "active", "createdAt": began}),
        "a2": Alert.model_validate({"alertId": "a2", "state": "hyperspace"}),
    }
    found = figures(Known(calls=calls, alerts=alerts))
    assert found["console_calls_longest_wait_seconds",] >= 60
    assert found["console_calls", "waiting"] == 2
    assert found["console_alerts_oldest_seconds",] >= 60
    assert found["console_alerts_active",] == 1
    nothing = figures(Known(calls={"c3": calls["c3"]}, alerts={"a2": alerts["a2"]}))
    unknown = {("console_calls_longest_wait_seconds",), ("console_alerts_oldest_seconds",), ("console_alerts_active",)}
    assert not unknown & nothing.keys()


def test_no_figure_says_that_there_is_no_agent_of_a_state_which_one_in_doubt_may_have() -> None:
    ana = Agent(id="ana", online=True, activity="training")
    eva = Agent(id="eva", online=True, activity="away")
    skills = {"fibre": Skill(skill="fibre", agents=("ana",)), "billing": Skill(skill="billing", agents=("eva",))}
    found = figures(Known(agents={"ana": ana, "eva": eva}, skills=skills))
    assert {key[1]: value for key, value in found.items() if key[0] == "console_agents"} == {"unknown": 1, "away": 1}
    staff = {key[1:]: value for key, value in found.items() if key[0] == "console_skill_agents"}
    assert {key: value for key, value in staff.items() if "fibre" in key} == {("unknown", "fibre"): 1}
    assert staff["free", "billing"] == 0, "all of its agents are known"


def test_lists_of_which_others_see_more_have_no_figures() -> None:
    def found_as(role: str) -> dict[tuple[str, ...], float]:
        return figures(Known(role, calls={}, alerts={}, queues={}, agents={}, status={}))

    own = {("console_calls", "waiting"), ("console_alerts_active",), ("console_list_rows", "queues")}
    assert own <= found_as("admin").keys()
    as_user = found_as("user")
    assert not own & as_user.keys()
    assert as_user["console_agents", "free"] == 0


def test_chats_of_other_agents_are_counted_as_they_are_listed() -> None:
    held = {"chatId": "x2", "timestamp": 1_790_000_000_000, "users": ["u9"]}
    ana = Agent.model_validate({"id": "ana", "channels": {"chat": [held]}})
    assert figures(Known(chats={}, agents={"ana": ana}))["console_list_rows", "chats"] == 1
    assert ("console_list_rows", "chats") not in figures(Known(chats={})), "agents are not known"


def test_the_number_of_names_is_bounded_and_texts_of_the_service_cannot_break_the_format() -> None:
    names = ['"} 1\n# EOF', "\x1b[2Jx", "a\\b", *(f"skill {number}" for number in range(MOST_NAMES * 2))]
    skills = {name: Skill(skill=name, agents=("eva",)) for name in names}
    found = figures(Known(skills=skills, agents={"eva": Agent(id="eva", online=True, activity="available")}))
    assert sum(name == "console_skill_understaffed" for name, *_ in found) <= MOST_NAMES
    assert found["console_skills_left_out",] >= MOST_NAMES
    assert not any("\x1b" in part or "\n" in part for key in found for part in key)


@pytest.mark.parametrize(
    ("state", "group"),
    [("ringing", "ringing"), ("queued", "waiting"), ("connected", "connected"), ("held", "held"), ("??", "other")],
)
def test_states_are_grouped(state: str, group: str) -> None:
    assert state_of(Call(id="1", state=state)) == group
    assert state_of(Call(id="1", state=state, to=1_790_000_000_000)) == "ended"


def test_requests_are_counted_by_operation_and_error() -> None:
    registry = new_registry()
    requests = RequestFigures(registry)
    requests.answered("calls.list", 0.02, "")
    requests.answered("calls.list", 4.0, "TimedOut")
    found = samples(exposed(registry))
    assert found["console_request_duration_seconds_count", "calls.list"] == 2
    assert found["console_request_errors_total", "TimedOut", "calls.list"] == 1
