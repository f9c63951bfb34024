"""Records two walks in a console: an event to its cell, and a key to the answer in the journal.

    python -m tests.walks.console_walks ANSWERS

`ANSWERS` is a file of `paper_service.write_answers`. Prints the walks as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from tests.budgets.paper_service import PaperService, answers_of
from tests.budgets.stage import Stage
from tests.walks.recorder import Recorder, Walk, recorded

CALLEE = "+34600000000"
ACTION = "alerts.accept"
BENEATH_THE_KEY = frozenset({"ConsoleScreen.on_key", "run_action", "Commands._run", "Journal.append"})
"""Where a key arrives, its action runs, its command is sent, and all of it is noted. The screen is drawn meanwhile."""


class ConsoleWalks:
    """The scenario: a call that is visible gets another callee, then an alert is accepted."""

    def __init__(self, answers: Path) -> None:
        self._stage = Stage(PaperService(answers_of(answers)))
        self._recorder = Recorder(lambda thread: thread.startswith(("MainThread", "console-engine", "asyncio")))

    def run(self) -> None:
        """Play the scenario in a new process."""
        with tempfile.TemporaryDirectory() as folder, recorded(self._recorder):
            self._stage.run(Path(folder), self._play)

    async def _play(self) -> None:
        await self._stage.until(self._stage.is_live)
        walks = {"event": await self._event(), "key": await self._key()}
        # Textual may have replaced the standard output.
        print(json.dumps(walks), file=sys.__stdout__, flush=True)
        # The threads of the stage are not made to end.
        os._exit(0)

    async def _event(self) -> Walk:
        stage = self._stage
        await self._open("2")
        calls = [record.key for record in stage.app.screen.pane.visible_records]
        call = calls[len(calls) // 2]
        self._recorder.begin(call, CALLEE)
        await stage.send([stage.service.rows.change("calls", call, touch="calle", to=CALLEE)])
        await stage.beat()
        return self._recorder.end()

    async def _key(self) -> Walk:
        stage = self._stage
        await self._open("6")
        self._recorder.begin(ACTION, stage.app.screen.pane.view.cursor_record.key, beneath=BENEATH_THE_KEY)
        await stage.press("a")
        # It is held for three seconds.
        await stage.until(lambda: stage.backend.commands.tickets()[0].stage.value == "done")
        return self._recorder.end()

    async def _open(self, screen: str) -> None:
        """Open a screen, and draw it wholly."""
        await self._stage.press(screen)
        self._stage.heartbeat()
        for _ in range(15):
            await self._stage.beat()


if __name__ == "__main__":
    ConsoleWalks(Path(sys.argv[1])).run()
