"""A terminal that is not read, and a suspended program: the console stays connected, and is soon correct again."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass

import pytest

from console.service.domain.calls import CALLS
from console.service.events.hub import Hub, Subscriber
from tests.background import Running
from tests.faults.figures import count, record
from tests.live.until import until
from tests.terminal.home import Home

LONG = count("FAULTS_COUNT", 0) > 0
UNREAD = 20 if LONG else 1
"""The number of heartbeats, one every three seconds, that pass meanwhile."""
CAUGHT_UP_SECONDS = 1.0


@dataclass
class Heard:
    """The service's record of its event channels."""

    joined: int = 0
    left: int = 0
    beats: int = 0


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    found = Heard()
    join, leave, beat = Hub.join, Hub.leave, Hub.beat

    def joining(hub: Hub, *given: object) -> Subscriber:
        found.joined += 1
        return join(hub, *given)  # pyright: ignore[reportArgumentType]  # passes all arguments on

    def leaving(hub: Hub, subscriber: Subscriber) -> None:
        found.left += 1
        leave(hub, subscriber)

    def beating(hub: Hub, subscriber: Subscriber) -> None:
        found.beats += 1
        beat(hub, subscriber)

    for name, what in (("join", joining), ("leave", leaving), ("beat", beating)):
        monkeypatch.setattr(Hub, name, what)
    return found


def rename(service: Running, name: str) -> None:
    """Change the caller of all calls, so that every row on the screen changes."""
    with service.platform.write() as tx:
        for call in CALLS.records(tx):
            CALLS.put(tx, call.model_copy(update={"caller": f"sip:{name}@desk.example"}))


def test_a_terminal_that_is_not_read_delays_no_heartbeat(home: Home, service: Running, heard: Heard) -> None:
    home.configure(service.core_url)
    with home.seat() as eva:
        eva.press("2")
        eva.until("120 calls")
        joined, left, beats = heard.joined, heard.left, heard.beats
        with eva.not_read():
            number = 0

            def passed() -> bool:
                nonlocal number
                number += 1
                rename(service, f"{'early' * 3}{number}")
                return heard.beats >= beats + UNREAD

            until(passed, seconds=30 + 6 * UNREAD)
            rename(service, "lately")
            began = time.monotonic()
        eva.until("lately")
        took = time.monotonic() - began
        reconnects = heard.joined - joined + heard.left - left
        value = f"unread for {3 * UNREAD} s: {reconnects} reconnects, caught up after {took:.1f} s"
        record("C13", not reconnects and took <= CAUGHT_UP_SECONDS, value, "0 reconnects, caught up in 1 s")
        assert not reconnects
        eva.until("LIVE")


@pytest.mark.skipif(not LONG, reason="what it is like to be suspended is tried in `test_ending`")
def test_a_suspended_program_is_correct_at_once_when_resumed(home: Home, service: Running) -> None:
    home.configure(service.core_url)
    with home.seat() as eva:
        eva.press("2")
        eva.until("120 calls")
        eva.press("ctrl+z")
        eva.until(lambda: not eva.leftovers)
        # The service closes channels that do not answer its pings, after a time that its heartbeats do not show.
        woken = time.monotonic() + 3 * UNREAD
        until(lambda: time.monotonic() >= woken, seconds=60 + 3 * UNREAD)
        rename(service, "lately")
        began = time.monotonic()
        eva.signal(signal.SIGCONT)
        eva.until("lately")
        took = time.monotonic() - began
        value = f"suspended for {3 * UNREAD} s: caught up after {took:.1f} s"
        record("C13", took <= CAUGHT_UP_SECONDS, value, "caught up in 1 s")
        eva.until("LIVE")
