"""The output of an idle console: only the digits that change, not their surroundings."""

from __future__ import annotations

import re

from tests.background import Running
from tests.pieces import needs
from tests.terminal.home import Home
from tests.terminal.terminal import Terminal

SIZES = ((120, 40), (200, 60))
MOST = 2_000
"""Bytes per second."""
SECONDS = 3
"""Period of the measurement, once everything is shown."""
_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)")
_DAY = 24 * 60 * 60


def second_shown(terminal: Terminal) -> int:
    """Return the second of the day that the top line shows."""
    found = _CLOCK.search(terminal.screen.partition("\n")[0])
    assert found, f"there is no clock; the screen says:\n{terminal.screen}"
    hours, minutes, seconds = map(int, found.groups())
    return (60 * hours + minutes) * 60 + seconds


@needs("compositor")
def test_home_writes_little_while_only_clocks_change(home: Home, service: Running) -> None:
    home.configure(service.core_url)
    with home.seat() as eva:
        eva.until("Needs attention")
        for width, height in SIZES:
            eva.resize(width, height)
            eva.until(lambda width=width: any(len(line.rstrip()) > width - 8 for line in eva.screen.splitlines()[:1]))
            ticks: list[tuple[int, int]] = []

            def little(ticks: list[tuple[int, int]] = ticks) -> bool:
                now = second_shown(eva)
                if not ticks or ticks[-1][0] != now:
                    ticks.append((now, len(eva.written)))
                if len(ticks) <= SECONDS:
                    return False
                (began, before), (ended, written) = ticks[-1 - SECONDS], ticks[-1]
                return 0 < written - before <= MOST * ((ended - began) % _DAY)

            eva.until(little)
