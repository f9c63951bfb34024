"""Work of screens in other threads, such as reading a recording."""

from __future__ import annotations

import subprocess
import sys

import pytest

from console.ui.screens.background import Background
from tests.live.until import until

_QUITS_BEFORE_THE_RESULT = """
import asyncio, threading
from console.ui.screens.background import Background

async def open_and_quit():
    Background("endless", lambda _: threading.Event().wait())

asyncio.run(open_and_quit())
"""


def test_the_console_ends_without_waiting_for_a_result() -> None:
    subprocess.run([sys.executable, "-c", _QUITS_BEFORE_THE_RESULT], check=True, timeout=50)


def test_what_work_raises_is_raised_to_who_waits_for_its_result() -> None:
    work = Background("report", lambda _: 1 // 0)
    until(lambda: work.is_done)
    with pytest.raises(ZeroDivisionError):
        work.result()
