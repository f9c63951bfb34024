"""The service stops, crashes and returns while the console is open, and has no event channel at all."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.background import Running
from tests.terminal import processes
from tests.terminal.home import LARGE, SMALL, Home, active_alerts
from tests.terminal.served import Served
from tests.terminal.terminal import Terminal


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    folder: Path = tmp_path_factory.mktemp("service")
    with Served(folder / "desk.db", Home(folder / "home").environment(), begin=processes.start) as running:
        yield running


@pytest.fixture
def served(process: Served) -> Served:
    process.ensure()
    return process


FULL = 33
"""Rows of a list of calls that fills the screen."""


def rows(terminal: Terminal) -> list[str]:
    """Return the callers on the screen; a call may be marked for its alarm or recording."""
    found = re.findall(r"^[► ]  [●≡◊○√×] \w+ +(?:[∆●] +)?(\S.*?)  ", terminal.screen, re.MULTILINE)
    return [caller.strip("… ") for caller in found]


@pytest.mark.timeout(240)
def test_rows_stay_while_the_service_is_down_and_are_correct_soon_after_its_return(home: Home, served: Served):
    home.configure(served.core)
    with home.seat(size=LARGE) as eva:
        eva.press("2")
        eva.until("120 calls")
        # What is read may be a frame of which only the upper half was drawn.
        eva.until(lambda: len(rows(eva)) == FULL)
        before, row = rows(eva), eva.row
        for number in (signal.SIGTERM, signal.SIGKILL):
            served.stop(number)
            eva.until(re.compile(r"OFFLINE \d+s retry in \ds"))
            eva.until(lambda: rows(eva) == before)
            eva.until(re.compile(r"OFFLINE [2-9]s"))
            eva.until(lambda: rows(eva) == before)
            assert eva.row[:30] == row[:30]
            served.start()
            eva.until("LIVE")
            eva.until_gone("OFFLINE")
            assert eva.row[:30] == row[:30]
        fresh = home.run("list", "calls", "--jsonl", "--sort", "-age", CONSOLE_USERNAME="eva", CONSOLE_PASSWORD="demo")
        callers = [str(json.loads(line)["caller"]) for line in fresh.stdout.splitlines()]
        assert len(callers) == 120
        shown = rows(eva)
        assert all(caller.startswith(each) for each, caller in zip(shown, callers, strict=False)), (shown, callers)


def test_changes_made_meanwhile_are_shown_when_the_service_is_back(home: Home, served: Served):
    other = {"CONSOLE_USERNAME": "eva", "CONSOLE_PASSWORD": "demo"}
    home.configure(served.core)
    with home.seat(size=SMALL) as eva:
        eva.press("5", "tab")
        eva.until("Skills 9")
        served.stop()
        eva.until("OFFLINE")
        served.start()
        created = home.run("call", "skills.create", "skill=welsh", **other)
        assert created.returncode == 0, created.stderr
        eva.press("ctrl+r")
        eva.until("LIVE")
        eva.until("Skills 10")
        eva.until("welsh")


def test_an_unanswered_change_is_not_shown_as_done(home: Home, served: Served):
    home.configure(served.core)
    with home.seat(size=SMALL) as eva:
        eva.press("6")
        eva.until("6 open")
        served.stop(signal.SIGKILL)
        eva.until("OFFLINE")
        eva.press("a")
        eva.until(re.compile(r"[?×] .*Trunk down"))
        eva.until("6 open")
        served.start()
        eva.press("ctrl+r")
        eva.until("LIVE")
        eva.until("6 open")


def test_without_an_event_channel_everything_works_and_polling_is_shown(home: Home, service: Running):
    home.configure(service.core_url, profile='events = "off"')
    before = active_alerts(service)
    with home.seat(size=SMALL, until="POLLING") as eva:
        eva.press("6")
        eva.until("6 open")
        eva.until("POLLING")
        eva.press("a")
        eva.until("5 open")
        assert len(before - active_alerts(service)) == 1
        eva.press("2")
        eva.until("120 calls")
        eva.until("POLLING")
        assert "LIVE" not in eva.screen
