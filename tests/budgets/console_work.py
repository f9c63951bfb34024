"""Counts the work of a console: start, events, beats and keys.

    python -m tests.budgets.console_work ANSWERS

`ANSWERS` is a file of `paper_service.write_answers`. Prints the figures as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.budgets.counting import ENGINE, OTHER, SCREEN, CallCounter, Work
from tests.budgets.figure import Figure, write
from tests.budgets.paper_service import PaperService, answers_of
from tests.budgets.stage import Stage

BATCHES, BATCH = 10, 50
"""Events arrive in batches, with a beat after each."""
MOVES = 4
THREADS = {ENGINE: "the engine's thread", SCREEN: "the screen's thread", OTHER: "other threads"}


class ConsoleWork:
    """The scenario. Each of its steps begins on the list of calls, with nothing left to do."""

    def __init__(self, answers: Path) -> None:
        self.stage = Stage(PaperService(answers_of(answers)))
        self.rows = self.stage.service.rows
        self.counter = CallCounter()
        self.figures: list[Figure] = []
        self.synced = 0

    def run(self) -> None:
        """Play the scenario in a new process."""
        self._modules = set(sys.modules)
        self._count_syncs()
        self.counter.start()
        self.counter.begin()
        with tempfile.TemporaryDirectory() as folder:
            self.stage.run(Path(folder), self.play)

    def _count_syncs(self) -> None:
        fsync = os.fsync

        def counted(handle: int) -> None:
            self.synced += 1
            fsync(handle)

        os.fsync = counted

    async def play(self) -> None:
        stage = self.stage
        await stage.until(stage.is_live)
        await stage.beat()
        self._started()
        await self.settle()
        await self._quiet_second("Home")
        await stage.press("2")
        await self.settle()
        calls = stage.app.screen.pane
        self.rows.hot = [record.key for record in calls.visible_records]
        await self._events()
        await self.settle()
        await self._beats(calls)
        await self._keys()
        await stage.press("2")
        # Many rows are filtered and sorted in another thread, and shown by the next beat.
        await self._beat("all rows changed", *calls.view.keys, beats=2)
        self._check()
        write(self.figures)
        # Its threads are not made to end.
        os._exit(0)

    def _check(self) -> None:
        """Raise AssertionError if the console does not show what the service has: a failure is little work."""
        rows: list[dict[str, Any]] = json.loads(self.rows.answer("/calls") or b"[]")
        records = self.stage.backend.records("calls")
        assert {row["id"]: row for row in rows} == {key: json.loads(each.encoded()) for key, each in records.items()}

    async def settle(self) -> None:
        """Let more than a second pass without events and keys, and end early in a second."""
        self.stage.heartbeat()
        for _ in range(15):
            self.stage.derive()
            await self.stage.beat()
            self.stage.record()
        await self.stage.until(lambda: 200 <= self.stage.clock.now_ms() % 1000 < 300)

    def _started(self) -> None:
        calls: Counter[str] = sum((work.calls for work in self.counter.end().values()), Counter[str]())
        modules = [
            name
            for name in sys.modules.keys() - self._modules
            if name.partition(".")[0] not in sys.stdlib_module_names | {"tests"}
        ]
        self.figures.append(Figure("start until live rows: calls", calls.total(), dict(calls)))
        # Those of Python itself depend on its version.
        self.figures.append(Figure("start until live rows: modules", len(modules)))

    async def _events(self) -> None:
        stage = self.stage
        self.counter.begin()
        for batch in range(BATCHES):
            await stage.send([self.rows.next_event() for _ in range(BATCH)])
            stage.derive()
            await stage.beat()
            if batch % 5 == 4:
                stage.record()
        for role, work in self.counter.end().items():
            self._add(f"an event, {THREADS[role]}", work, BATCHES * BATCH)

    async def _beats(self, calls: Any) -> None:
        keys = calls.view.keys
        seen = [record.key for record in calls.visible_records]
        await self._beat("nothing changed")
        await self._beat("a row in sight changed", seen[len(seen) // 2])
        await self._beat("a row out of sight changed", keys[-1])
        await self._quiet_second("a list")

    async def _quiet_second(self, where: str) -> None:
        """Count the work of ten beats without events and keys."""
        await self.settle()
        written, revision = self.stage.written, self.stage.backend.revision
        self.counter.begin()
        for _ in range(10):
            await self.stage.beat()
        assert self.stage.backend.revision == revision
        self._add(f"a second in which nothing changed, {where}", self.counter.end()[SCREEN])
        self.figures.append(Figure(f"a second in which nothing changed, {where}: bytes", self.stage.written - written))

    async def _beat(self, what: str, *keys: str, beats: int = 1) -> None:
        await self.settle()
        if keys:
            await self.stage.send([self.rows.change("calls", key, touch="calle", to="+34600000000") for key in keys])
            self.stage.derive()
        written = self.stage.written
        self.counter.begin()
        for _ in range(beats):
            await self.stage.beat()
        self._add(f"a beat, {what}", self.counter.end()[SCREEN])
        self.figures.append(Figure(f"a beat, {what}: bytes", self.stage.written - written))

    async def _keys(self) -> None:
        stage = self.stage
        await stage.press("down")
        await self._key("down", *["down"] * MOVES)
        await stage.press("slash")
        await self._key("a letter of a filter", *"ana")
        await stage.press("escape", "escape", "6")
        await self.settle()
        synced = self.synced
        await self._key("a", "a")
        # It is held for three seconds.
        await stage.until(lambda: stage.backend.commands.tickets()[0].stage.value == "done")
        self.figures.append(Figure("an accepted alert, from the key to the answer: syncs", self.synced - synced))

    async def _key(self, name: str, *keys: str) -> None:
        await self.settle()
        self.counter.begin()
        for key in keys:
            await self.stage.press(key)
        self._add(f"key {name}", self.counter.end()[SCREEN], len(keys))

    def _add(self, name: str, work: Work, times: int = 1) -> None:
        for unit, counts in (("calls", work.calls), ("lines", work.lines)):
            shares = {function: number / times for function, number in counts.items() if number}
            self.figures.append(Figure(f"{name}: {unit}", counts.total() / times, shares))


if __name__ == "__main__":
    ConsoleWork(Path(sys.argv[1])).run()
