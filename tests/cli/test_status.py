"""`console status` prints the key figures, and compares them with limits as monitoring systems expect it."""

from __future__ import annotations

import json
import math
import re
import time
from pathlib import Path

import pytest

from console.base.clock import SystemClock
from console.base.frozen import replace
from console.cli.checks.status import FIGURES, CheckLimits, CheckOutcome
from console.service.domain.calls import CALLS
from tests.background import Running
from tests.cli.conftest import Console, profile, unused_port
from tests.cli.stub import stub

DATA = re.compile(r"([a-z-]+)=(\d+(?:\.\d+)?)s?;([\d.:]*);([\d.:]*);0")


def test_the_figures_are_those_of_the_service(console: Console, service: Running) -> None:
    ended = console("status", "--json")
    assert ended.code == 0, ended.err
    figures = json.loads(ended.out)
    with service.platform.read() as tx:
        waiting = sum(each.state == "queued" for each in CALLS.records(tx))
    assert figures["waiting"] == waiting
    assert set(figures) == {"calls", "waiting", "wait", "failures", "free", "understaffed", "alerts", "alert-age"}
    told = console("status").out
    assert f"waiting calls        {waiting}" in told


def test_a_failure_of_long_ago_no_longer_counts(script: Console, home: Path) -> None:
    now = SystemClock().now_ms()
    failed = [{"id": str(minutes), "state": "servererror", "to": now - minutes * 60_000} for minutes in (1, 4, 6, 600)]
    with stub({"GET /calls": failed}) as backend:
        profile(home, backend.url, 'events = "off"')
        assert json.loads(script("status", "--json").out)["failures"] == 2
        assert re.search(r"^failed in 5 min +2$", script("status").out, re.MULTILINE)


def test_the_age_of_waits_and_alerts_without_a_time_is_unknown_and_never_ok(script: Console, home: Path) -> None:
    timeless: list[dict[str, object]] = [{"id": "1", "state": "queued"}]
    alert = {"alertId": "a1", "state": "active", "title": "Trunk down", "createdAt": "yesterday"}
    with stub({"GET /calls": timeless, "GET /alerts": [alert]}) as backend:
        profile(home, backend.url, 'events = "off"')
        figures = json.loads(script("status", "--json").out)
        assert (figures["waiting"], figures["wait"]) == (figures["alerts"], figures["alert-age"]) == (1, None)
        ended = script("status", "--check")
        assert (ended.code, "longest wait the service does not tell enough" in ended.out) == (3, True), ended.out
        timeless.append({"id": "2", "state": "queued", "date": SystemClock().now_ms() - 300_000})
        ended = script("status", "--check")
        assert (ended.code, ended.out.startswith("CONSOLE CRITICAL - longest wait ≥ 5m")) == (2, True), ended.out


def test_an_inexact_figure_is_a_minimum_that_can_be_critical_and_never_ok(script: Console, home: Path) -> None:
    now = SystemClock().now_ms()
    calls = [{"id": "1", "state": "queued"}, {"id": "2", "state": "queued", "date": now - 300_000}]
    alert = {"state": "active", "title": "Trunk down"}
    alerts = [{"alertId": "a1", **alert}, {"alertId": "a2", **alert, "createdAt": now - 300_000}]
    agents = [{"id": "ana", "online": True, "activity": "available"}, {"id": "bob", "activity": "??"}]
    with stub({"GET /calls": calls, "GET /alerts": alerts, "GET /agents": agents, "GET /skills": []}) as backend:
        profile(home, backend.url, 'events = "off"')

        def checked(*limits: str) -> tuple[int, str, str]:
            usual = [part for each in limits for part in ("--critical", each)]
            for side in ("--warning", "--critical"):
                usual = [*(part for each in ("wait=1d", "alert-age=1d", "free=0") for part in (side, each)), *usual]
            ended = script("status", "--check", *usual)
            text, _, data = ended.out.partition(" | ")
            return ended.code, text, data

        for limits in ((), ("wait=6m",), ("alert-age=6m",)):
            code, text, data = checked(*limits)
            assert code == 3, limits
            assert re.search(r"longest wait ≥ 5m[ \ds]* \(the service does not tell enough about its calls\)", text)
            assert "oldest open alert ≥ 5m" in text
            assert "free" not in text, "one is known to be free, which is more than 0"
            assert not {"wait", "alert-age", "free"} & {name for name, *_ in DATA.findall(data)}
        code, text, _ = checked("wait=4m")
        assert (code, text.startswith("CONSOLE CRITICAL - longest wait ≥ 5m")) == (2, True)
        assert "tell enough" not in text
        code, text, _ = checked("free=1")
        assert (code, "free agents ≥ 1 (" in text) == (3, True), "a second one may be free"
        ended = script("status")
        assert re.search(r"^longest wait +≥ 5m", ended.out, re.MULTILINE)
        figures = json.loads(script("status", "--json").out)
        assert (figures["waiting"], figures["wait"], figures["alert-age"], figures["free"]) == (2, None, None, None)


def test_a_skill_that_agents_of_unknown_state_may_cover_is_not_called_staffed(script: Console, home: Path) -> None:
    agents = [{"id": "ana", "online": True, "activity": "available"}, {"id": "bob", "activity": "??"}]
    skills = [{"skill": "sales", "agents": ["ana", "bob"]}]
    with stub({"GET /calls": [], "GET /alerts": [], "GET /agents": agents, "GET /skills": skills}) as backend:
        profile(home, backend.url, 'events = "off"')
        assert json.loads(script("status", "--json").out)["understaffed"] is None
        ended = script("status", "--check", "--warning", "free=0")
        assert (ended.code, "understaffed skills" in ended.out) == (3, True), ended.out


@pytest.mark.parametrize("rows", [0, 1])
def test_a_list_is_a_part_if_the_service_names_a_larger_total(script: Console, home: Path, rows: int) -> None:
    calls = [{"id": "a", "state": "queued", "date": SystemClock().now_ms()}][:rows]
    with stub({"GET /calls": {"data": calls, "meta": {"page": {"total": 99}}}}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("list", "calls", "--expect", "<=1")
        assert (ended.code, f"{rows} of 99 rows shown: the service sends no more\n" in ended.err) == (1, True), (
            ended.err
        )
        assert json.loads(script("status", "--json").out)["calls"] is None
        calls[:] = [{"id": str(number), "state": "queued"} for number in range(99)]
        assert script("list", "calls", "--expect", "99").code == 0


def test_a_figure_of_a_part_of_a_list_is_a_minimum(script: Console, home: Path) -> None:
    calls = [
        {"id": str(number), "state": "queued", "date": SystemClock().now_ms() - 300_000} for number in range(1_001)
    ]
    with stub({"GET /calls": calls}) as backend:
        profile(home, backend.url, 'events = "off"\nmax_rows = 1000')
        ended = script("status", "--check", "--critical", "waiting=4")
        assert (ended.code, "waiting calls ≥ 1000" in ended.out) == (2, True), ended.out
        ended = script(
            "status", "--check", "--critical", "waiting=1001", "--critical", "wait=1d", "--warning", "wait=1d"
        )
        assert (ended.code, "waiting calls ≥ 1000 (" in ended.out) == (3, True), ended.out


@pytest.mark.parametrize(
    ("name", "limit", "bad", "good"),
    [("alerts", 3, 3, 2), ("alerts", 2.5, 3, 2), ("alerts", 0, 0, None), ("free", 2, 2, 3), ("free", 0.5, 0, 1)],
)
def test_the_ranges_of_performance_data_agree_with_the_outcome(
    name: str, limit: float, bad: int, good: int | None
) -> None:
    def in_range(value: float, range_of_plugin: str) -> bool:
        low, _, high = range_of_plugin.rpartition(":")
        if range_of_plugin.endswith(":"):
            return value >= float(low)
        return (-math.inf if low == "~" else 0) <= value <= float(high)

    figure = replace(FIGURES[name], limits=CheckLimits(critical=limit))
    assert figure.outcome(bad) is CheckOutcome.CRITICAL
    assert not in_range(bad, figure.range_of(limit))
    if good is not None:
        assert figure.outcome(good) is CheckOutcome.OK
        assert in_range(good, figure.range_of(limit))


def test_a_wait_that_has_not_reached_its_limit_is_not_told_as_long_as_it() -> None:
    figure = replace(FIGURES["wait"], limits=CheckLimits(warning=60))
    assert (figure.outcome(59.7), figure.words(59.7)) == (CheckOutcome.OK, "59s")
    assert (figure.outcome(60.3), figure.words(60.3)) == (CheckOutcome.WARNING, "1m")


@pytest.mark.parametrize(
    ("limits", "code", "word"),
    [
        (("--critical", "free=1000"), 2, "CRITICAL - free agents"),
        (("--warning", "free=1000"), 1, "WARNING - free agents"),
        ((), 0, "OK - active calls"),
    ],
)
def test_a_monitoring_system_gets_its_line_and_exit_code(
    console: Console, limits: tuple[str, ...], code: int, word: str
) -> None:
    never = ("wait=1d", "alert-age=1d", "understaffed=999", "alerts=999")
    usual = [part for each in never for side in ("--warning", "--critical") for part in (side, each)]
    ended = console("status", "--check", *usual, *limits)
    assert ended.out.startswith(f"CONSOLE {word}"), ended.out
    assert ended.code == code
    assert ended.out.count("\n") == 1
    data = {name: (warning, critical) for name, _, warning, critical in DATA.findall(ended.out.partition("|")[2])}
    assert data["wait"] == ("86400", "86400")
    if "free=1000" in limits:
        assert "1001:" in data["free"]


def test_figures_of_own_records_are_labelled_as_own(console: Console, home: Path, service: Running) -> None:
    profile(home, service.core_url, username="pat")
    ended = console("status")
    assert re.search(r"^waiting calls +\d+ of yours$", ended.out, re.MULTILINE)
    assert re.search(r"^free agents +\d+( .*)?$", ended.out, re.MULTILINE)
    assert "free agents" not in ended.err
    assert "only your own are counted" in console("status", "--json").err
    never = ("wait=1d", "alert-age=1d", "understaffed=999", "alerts=999")
    usual = [part for each in never for side in ("--warning", "--critical") for part in (side, each)]
    assert re.match(r"CONSOLE OK - active calls \d+ of yours, ", console("status", "--check", *usual).out)


def test_the_limits_are_those_of_the_configuration(console: Console, home: Path, service: Running) -> None:
    profile(home, service.core_url, '[thresholds]\n"calls.wait" = { warn = 7, bad = 77777 }\n')
    assert "wait=" in console("status", "--check").out
    assert ";7;77777;0" in console("status", "--check").out


def test_what_cannot_be_known_is_unknown_and_never_ok(offline: Console, home: Path) -> None:
    profile(home, f"http://127.0.0.1:{unused_port()}/core")
    ended = offline("status", "--check")
    assert ended.code == 3
    assert ended.out.startswith("CONSOLE UNKNOWN - ")


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("wat=1", "there is no figure 'wat'; did you mean wait?"),
        ("wait=soon", "write wait= and a duration such as 90s"),
        ("wait=nan", "write wait= and a duration such as 90s"),
        ("alerts=inf", "write alerts= and a number"),
        ("free", "write free= and a number"),
    ],
)
def test_a_wrong_limit_is_told(console: Console, limit: str, words: str) -> None:
    ended = console("status", "--warning", limit)
    assert ended.code == 2
    assert words in ended.err


def test_a_wait_or_an_alert_that_begins_in_the_future_is_not_in_time(script: Console, home: Path) -> None:
    later = int(time.time() * 1000) + 3_600_000
    answers = {
        "GET /calls": [{"id": "c", "state": "queued", "date": later}],
        "GET /agents": [],
        "GET /skills": [],
        "GET /alerts": [{"alertId": "a", "title": "Fire", "state": "active", "createdAt": later}],
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        figures = json.loads(script("status", "--json").out)
        ended = script("status", "--check")
    assert (figures["waiting"], figures["alerts"]) == (1, 1)
    assert (figures["wait"], figures["alert-age"]) == (None, None)
    assert (ended.code, ended.out.startswith("CONSOLE UNKNOWN")) == (3, True), ended.out
