"""A person at a terminal hears of what begins at the service; a watch without a screen tells for days."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from console.service.domain.alerts import ALERTS
from tests.background import Running
from tests.patience import PATIENCE
from tests.terminal import processes
from tests.terminal.home import Home
from tests.terminal.served import Served
from tests.terminal.terminal import Terminal

HOSTILE = "Fire\x1b]0;owned\x07\x1b[2J\u202e;4;3\x9b31m [@click=app.quit]x[/]"
CLEAN = "Fire␛]0,owned␇␛[2J�,4,3�31m [@click=app.quit]x[/]"
WAYS = '["bell", "title", "terminal", "flash"]'
NOTICES = re.compile(rb"\x07|\x1b\[2[23];2t|\x1b\]777;notify;[^\x00-\x1f\x7f]*\x1b\\")
"""What only notices write."""


_ENDED_BY_BELL = re.compile(rb"\x1b\][^\x07\x1b]*\x07")
"""A sequence of the framework, such as the shape of the pointer."""


def rings(eva: Terminal) -> int:
    """Return how often the bell rang."""
    return _ENDED_BY_BELL.sub(b"", bytes(eva.written)).count(b"\x07")


def raise_alert(service: Running, title: str) -> None:
    """Raise an alert for everybody."""
    with service.platform.write() as tx:
        known = next(each for each in ALERTS.records(tx) if each.state == "active")
        ALERTS.put(tx, known.model_copy(update={"alert_id": f"new-{len(title)}", "title": title}))


@pytest.mark.timeout(240)
def test_a_new_alert_rings_once_is_shown_and_notified_until_a_key_and_the_title_returns(
    home: Home, service: Running
) -> None:
    home.write(
        f'[profiles.desk]\ncore = "{service.core_url}"\n'
        f'[notices]\nways = {{ critical = {WAYS}, warning = [], notice = [] }}\nterminal = "osc777"\n'
    )
    with home.seat() as eva:
        eva.lawful = NOTICES
        eva.until("need attention")
        assert rings(eva) == 0
        raise_alert(service, HOSTILE)
        eva.until(lambda: rings(eva) == 1, 5)
        eva.until("Fire␛]0;owned")
        written = bytes(eva.written)
        title = re.search(rb"\x1b\[22;2t\x1b\]2;([^\x1b]*)\x1b\\", written)
        notified = re.search(rb"\x1b\]777;notify;([^;]*);([^\x1b]*)\x1b\\", written)
        assert title is not None
        assert notified is not None
        assert re.match(r"× desk: (for you|alert): (alert )?Fire␛", title[1].decode())
        assert notified[2].decode().endswith(CLEAN)
        eva.until(lambda: rings(eva) == 2, 15)
        # The world goes on, and a key means that a person has read only what was shown for a second.
        eva.until(lambda: eva.press("down") or b"\x1b]2;console desk\x1b\\" in eva.written)
        eva.press("q")
        assert eva.ended() == 0
        assert bytes(eva.written).rfind(b"\x1b[23;2t") > bytes(eva.written).rfind(b"\x1b]2;")


@pytest.mark.timeout(240)
def test_a_watch_without_a_screen_goes_on_when_the_service_returns(home: Home, tmp_path: Path) -> None:
    with Served(tmp_path / "desk.db", home.environment(), begin=processes.start) as served:
        told = tmp_path / "told"
        home.write(
            f'[profiles.desk]\ncore = "{served.core}"\nusername = "eva"\n[notices]\ncommand = ["tee", "-a", "{told}"]\n'
            'ways = { critical = ["command"], warning = [] }\n'
        )
        watch = subprocess.Popen(
            [sys.executable, "-m", "console", "watch", "--rules"],
            env=home.environment(CONSOLE_PASSWORD="demo"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        lines = Lines(watch)
        try:
            lines.until("notice", "")
            for number in (signal.SIGKILL, signal.SIGTERM):
                served.stop(number)
                lines.until("began", "link-lost")
                served.start()
                lines.until("ended", "link-lost")
            assert watch.poll() is None
            assert "link" in told.read_text(encoding="utf-8")
        finally:
            os.killpg(watch.pid, signal.SIGTERM)
            watch.wait(PATIENCE)
            lines.close()


class Lines:
    """The lines of JSON that a program prints."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._output = process.stdout
        self._changed = threading.Condition()
        self._read: list[tuple[str, str]] = []
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        for line in self._output:
            found = json.loads(line)
            with self._changed:
                self._read.append((found["change"], found.get("record", {}).get("rule", "")))
                self._changed.notify_all()

    def until(self, change: str, rule: str) -> None:
        """Wait for a change of an episode of a rule, and forget the lines before it."""
        with self._changed:
            assert self._changed.wait_for(lambda: (change, rule) in self._read, 30), f"{change} {rule}: {self._read}"
            del self._read[: self._read.index((change, rule)) + 1]

    def close(self) -> None:
        self._thread.join(PATIENCE)
        self._output.close()
