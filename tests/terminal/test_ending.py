"""However the console ends, the terminal is restored and its session is ended."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.service.domain.alerts import ALERTS
from tests.background import Running
from tests.faults.figures import record
from tests.patience import PATIENCE
from tests.pieces import needs
from tests.terminal.home import Home, active_alerts, living_sessions, log_in, stored


@pytest.fixture(autouse=True)
def configured(home: Home, service: Running) -> None:
    home.configure(service.core_url)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_a_key_exits_with_a_clean_terminal_and_no_session(home: Home, service: Running, key: str):
    before = living_sessions(service)
    with home.seat() as eva:
        assert len(living_sessions(service) - before) == 1
        eva.press(key)
        assert eva.ended() == 0
        assert eva.leftovers == []
        assert eva.screen == "User name: eva\nPassword of eva:"
    assert living_sessions(service) == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_exits_with_a_clean_terminal_and_no_session(home: Home, service: Running, number: signal.Signals):
    before = living_sessions(service)
    with home.seat() as eva:
        told = time.monotonic()
        eva.signal(number)
        assert eva.ended() == 130
        took = time.monotonic() - told
        assert eva.leftovers == []
        assert eva.screen == "User name: eva\nPassword of eva:"
    revoked = living_sessions(service) == before
    record("K5", revoked and took <= 2, f"{number.name}: revoked, ended in {took:.1f} s", "revoked within 2 s")
    assert revoked


def test_the_session_of_a_console_that_was_killed_is_ended_by_the_next(home: Home, service: Running):
    before = living_sessions(service)
    with home.seat() as eva:
        eva.signal(signal.SIGKILL)
        assert eva.ended() == -signal.SIGKILL
    (left,) = living_sessions(service) - before
    with home.seat() as eva:
        eva.until(lambda: left not in living_sessions(service))
        record("K5", True, "SIGKILL: revoked at the next start", "revoked at the next start")
        eva.press("q")
        assert eva.ended() == 0
    assert living_sessions(service) == before
    assert not list((home.folder / "state" / "running").iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_a_prompt_restores_the_echo(home: Home, number: signal.Signals):
    with home.open() as terminal:
        terminal.until("User name:")
        terminal.type("eva\r")
        terminal.until("Password of eva:")
        assert terminal.leftovers == ["the attributes of the line are others"]
        terminal.signal(number)
        assert terminal.ended() == 130
        assert terminal.leftovers == []


def test_closing_the_terminal_ends_the_console_and_its_session(home: Home, service: Running):
    before = living_sessions(service)
    with home.seat() as eva:
        eva.hang_up()
        assert eva.ended() == 130
    assert living_sessions(service) == before
    assert not (home.folder / "log").exists(), "that is no fault of the console's own"


def test_a_terminal_that_hangs_up_without_a_signal_ends_the_console_too(home: Home, service: Running):
    before = living_sessions(service)
    master, slave = pty.openpty()
    # In a session of its own, the process has no controlling terminal, and nobody sends it a signal.
    child = subprocess.Popen(
        [sys.executable, "-m", "console"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=home.environment(CONSOLE_USERNAME="eva", CONSOLE_PASSWORD="demo"),
        start_new_session=True,
    )
    try:
        os.close(slave)
        seen = b""
        while b"LIVE" not in seen:
            seen += os.read(master, 65536)
        os.close(master)
        assert child.wait(PATIENCE) == 130
    finally:
        child.kill()
        child.wait()
    assert living_sessions(service) == before


def test_a_terminal_that_is_not_read_delays_neither_the_exit_nor_the_logout(home: Home, service: Running):
    before = living_sessions(service)
    with home.seat() as eva, eva.not_read():
        eva.press("2", "3", "2", "3", "4", "5", "6", "7", "8")
        eva.signal(signal.SIGTERM)
        assert eva.ended() == 130
    assert living_sessions(service) == before


@needs("terminal")
def test_a_terminal_with_more_modes_is_left_clean_even_after_an_unexpected_stop(home: Home):
    with home.open(modern=True) as eva:
        log_in(eva)
        eva.until("LIVE")
        assert "mode 1016 is on" in eva.leftovers, "its mouse speaks in pixels"
        eva.signal(signal.SIGSTOP)
        eva.signal(signal.SIGCONT)

        def is_on_calls() -> bool:
            # A key that is pressed before the terminal was taken again is lost.
            eva.press("2")
            return "Caller" in eva.screen

        eva.until(is_on_calls)
        eva.press("q")
        assert eva.ended() == 0
        assert eva.leftovers == []


def test_the_shell_has_the_terminal_to_itself_while_the_console_is_suspended(home: Home):
    with home.seat() as eva:
        eva.press("2")
        eva.until("120 calls")
        eva.press("ctrl+z")
        eva.until(lambda: not eva.leftovers)
        assert eva.screen == "User name: eva\nPassword of eva:"
        eva.signal(signal.SIGCONT)
        eva.until("120 calls")
        eva.until("LIVE")
        eva.press("q")
        assert eva.ended() == 0
        assert eva.leftovers == []


def test_quitting_while_screens_are_being_built_is_no_error(home: Home):
    with home.seat(fresh=True) as eva:
        eva.type("2345678q")
        assert eva.ended() == 0
        assert eva.leftovers == []
    with home.seat() as eva:
        eva.type("2345678?")
        eva.signal(signal.SIGTERM)
        assert eva.ended() == 130
        assert eva.leftovers == []
    assert not (home.folder / "log").exists()


@needs("failure")
def test_an_internal_error_is_one_sentence_and_its_details_are_stored(home: Home, service: Running, tmp_path: Path):
    invalid = (
        "from console.ui.screens.list_screen import ListScreen\nListScreen.do_pause = lambda screen: {}['password']\n"
    )
    (tmp_path / "sitecustomize.py").write_text(invalid, encoding="utf-8")
    before = living_sessions(service)
    with home.open(fresh=True, PYTHONPATH=str(tmp_path)) as eva:
        log_in(eva)
        eva.until("LIVE")
        eva.press("2")
        eva.until("120 calls")
        eva.press("p")
        assert eva.ended() == 1
        assert eva.leftovers == []
        assert "console: internal error: KeyError: 'password' (details in" in eva.screen
        assert "Traceback" not in eva.screen
    assert living_sessions(service) == before
    (kept,) = (home.folder / "log").iterdir()
    assert "Traceback" in kept.read_text(encoding="utf-8")


def test_a_held_change_is_sent_when_the_terminal_closes(home: Home, service: Running):
    home.configure(service.core_url, top="hold_seconds = 30")
    before = active_alerts(service)
    with home.seat() as eva:
        eva.press("6")
        eva.until("►  ▲ active")
        eva.press("a")
        eva.until("sending in")
        assert active_alerts(service) == before
        eva.signal(signal.SIGHUP)
        assert eva.ended() == 130
    (accepted,) = before - active_alerts(service)
    assert stored(service, ALERTS, accepted)["acceptedBy"] == "eva"


def test_changes_refused_after_quitting_are_reported_in_the_shell(home: Home, service: Running):
    home.configure(service.core_url, top="hold_seconds = 30")
    with home.seat() as eva:
        eva.press("6")
        eva.until("►  ▲ active")
        eva.press("a")
        eva.until("sending in")
        with service.database.write() as tx:
            for alert in active_alerts(service):
                ALERTS.remove(tx, alert)
        eva.press("q")
        eva.until_hears("not sent yet")
        eva.press("enter")
        assert eva.ended() == 1
        assert "refused" in eva.screen
