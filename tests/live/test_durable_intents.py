"""A change is sent only after its intent is on disk; pending changes of a killed console are reported later."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from console.api.operations.support import AcceptAlert
from console.api.request import Request
from console.live.command import Command, Stage, Step
from console.live.journal import Journal
from console.live.journal_reading import changes, unresolved, verify
from tests.faults.figures import count, record
from tests.live.command_bench import FakeEngine, commands_of
from tests.live.until import until, until_async
from tests.manual_clock import ManualClock

LONGEST_LIFE = 0.12


async def test_each_intent_is_on_disk_before_it_is_sent_and_each_outcome_before_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story: list[str] = []
    written = os.fsync

    def fsync(handle: int) -> None:
        written(handle)
        story.append(json.loads((tmp_path / "journal").read_bytes().splitlines()[-1])["what"])

    class Wire(FakeEngine):
        async def change(self, request: Request[Any], once: str) -> Any:
            story.append("sent")
            return await super().change(request, once)

    monkeypatch.setattr(os, "fsync", fsync)
    commands = commands_of(Wire(), Journal(tmp_path / "journal"), ManualClock())
    steps = tuple(Step(AcceptAlert(alert_id=each), each, "accepted") for each in "ab")
    commands.submit(Command("alerts.accept", "alerts", steps, "Accept"))
    await until_async(lambda: commands.tickets()[0].stage is Stage.DONE)
    assert story == ["intent", "sent", "outcome", "sent", "outcome", "result"]


def test_whenever_a_console_is_killed_everything_it_sent_is_in_the_journal(tmp_path: Path) -> None:
    kills, draw = count("SAFETY_COUNT", 15), random.Random(7)
    command = [sys.executable, "-m", "tests.live.killed_consoles"]
    where = Path(__file__).parents[2]
    pipe = subprocess.PIPE
    without_intent, untold, sent = 0, 0, 0
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=where) as factory:
        assert factory.stdin is not None
        assert factory.stdout is not None
        for number in range(kills):
            folder = tmp_path / str(number)
            folder.mkdir()
            factory.stdin.write(f"{folder}\n")
            factory.stdin.flush()
            pid = int(factory.stdout.readline())
            until((folder / "journal").exists)
            # The kill at any point is the fault to be tested: there is no condition to wait for.
            threading.Timer(draw.uniform(0, LONGEST_LIFE), os.kill, (pid, signal.SIGKILL)).start()
            assert factory.stdout.readline() == "gone\n"
            gone_out = (folder / "sent").read_text().split() if (folder / "sent").exists() else []
            names = {name.rpartition("-")[0] for name in gone_out}
            told = {str(each.intent["command"]): each for each in changes(folder / "journal", Counter())}
            open_now = {str(each["command"]) for each in unresolved(folder / "journal")}
            without_intent += len(names - told.keys())
            untold += sum(not told[name].stage and name not in open_now for name in names & told.keys())
            sent += len(gone_out)
            assert verify(folder / "journal").flaw is None
    record("O7", not without_intent, f"{without_intent} of {sent} changes, {kills} kills", "0 without an intent")
    record("O7", not untold, f"{untold} unresolved ones not listed", "0 unresolved ones not listed")
    assert sent
    assert (without_intent, untold) == (0, 0)
