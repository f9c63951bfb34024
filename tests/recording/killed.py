"""A program that records changing lists until it is killed. It prints what it showed: moment and rows, a line each."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from console.base.clock import SystemClock
from tests.recording.desk import Desk, plan_of, recorder_of


def main(folder: Path) -> None:
    desk, lot, clock = Desk("calls"), random.Random(folder.name), SystemClock()
    recorder = recorder_of(desk, plan_of(folder), apart=True)
    recorder.start()
    recorder.records.wait()
    while True:
        for _ in range(lot.randrange(1, 8)):
            key = f"k{lot.randrange(40)}"
            if lot.random() < 0.2:
                desk.remove("calls", key)
            else:
                desk.put("calls", id=key, state=lot.choice("abc"), number=lot.randrange(1_000))
        at_ms = clock.now_ms()
        while clock.now_ms() == at_ms:
            time.sleep(0.0002)
        rows = {key: each.encoded().decode() for key, each in desk.lists["calls"].copy().items()}
        print(json.dumps([at_ms, rows]), flush=True)
        time.sleep(0.01)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
