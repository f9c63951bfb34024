"""The recorder of a night: it writes once in each step, instead of twice in a second of real time."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import cast

from console import __version__
from console.live.backend import Backend
from console.recording.file_writer import FileWriter
from console.recording.messages import RecordingPlan
from console.recording.writing import Writing
from tests.night.console import ZONE, Console


class NightRecorder:
    """Records all lists of a console. `step` lets the writer write, and waits for it."""

    def __init__(self, console: Console, file: Path) -> None:
        """Begin. The file is complete after `end`."""
        console.follow_all()
        plan = RecordingPlan(
            file, "night", "eva", ZONE.key, "http://night.example/core", __version__, file.with_name("journal.jsonl")
        )
        self._turns = _Turns()
        self._writer = FileWriter(plan)
        writing = Writing(cast("Backend", console), self._writer, console.clock, self._turns, lambda: True)
        self._thread = threading.Thread(target=writing.run, args=("", lambda: None), daemon=True)
        self._thread.start()

    def step(self) -> None:
        """Let the writer write what happened since the last step."""
        self._turns.give(back=True)

    def end(self) -> None:
        """Let the writer write for the last time, and end."""
        self._turns.set()
        self._turns.give(back=False)
        self._thread.join()
        self._writer.close()


class _Turns(threading.Event):
    """Tells the writer to end, as its event; its pauses last until the next turn."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()
        self._writes = False

    def wait(self, timeout: float | None = None) -> bool:
        with self._changed:
            self._writes = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._writes)
        return self.is_set()

    def give(self, *, back: bool) -> None:
        """Give the writer a turn, and wait until it gives it back."""
        with self._changed:
            self._writes = True
            self._changed.notify_all()
            if back:
                self._changed.wait_for(lambda: not self._writes)
