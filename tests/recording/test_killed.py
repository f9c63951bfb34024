"""A recording console that is killed at any moment loses at most its last second, and never the file."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from console.base.clock import SystemClock
from console.kinds.catalogue import FEEDS
from console.recording.recording import ListRecording
from tests.recording.desk import Desk, plan_of, recorded

LOST_MS = 1_000
ROOT = Path(__file__).resolve().parents[2]


def shown_until_killed(folder: Path, seconds: float) -> tuple[int, list[tuple[int, dict[str, str]]]]:
    """Run the program, kill it, and return when, and what it showed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-m", "tests.recording.killed", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT) as child:
        assert child.stdout is not None
        shown: list[tuple[int, dict[str, str]]] = []
        for line in child.stdout:
            at_ms, rows = json.loads(line)
            shown.append((at_ms, rows))
            if at_ms - shown[0][0] > seconds * 1000:
                child.kill()
                return SystemClock().now_ms(), shown
    raise AssertionError("the program ended by itself")


def test_what_was_shown_a_second_before_is_in_the_file(tmp_path: Path):
    lot, plan = random.Random(), plan_of(tmp_path)
    shown: list[tuple[int, dict[str, str]]] = []
    for _ in range(2):
        killed_at, some = shown_until_killed(tmp_path, lot.uniform(1.2, 2.4))
        shown += [(at, rows) for at, rows in some if at <= killed_at - LOST_MS]
    assert len(shown) > 20
    with recorded(Desk("calls"), plan), ListRecording.open(plan.file) as read:
        assert [each.reason for each in read.gaps] == ["the console was killed"] * 2
        for at_ms, rows in shown:
            expected = {key: FEEDS["calls"].read(row.encode(), key) for key, row in rows.items()}
            assert dict(read.rows("calls", at_ms)) == expected
        assert read.damage == ()
