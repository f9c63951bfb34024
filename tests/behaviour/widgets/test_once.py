"""Delayed calls are made even if the process stalls at that moment."""

from __future__ import annotations

import asyncio
import time

import pytest
from textual import timer
from textual.app import App

from console.base.text import clean
from console.ui.dialogs.confirm import ConfirmDialog
from tests.snapshots.pictures import Sitter


class HeldUp:
    """A clock for Textual's timers: the process stalls for a second after each timer's first reading."""

    def __init__(self) -> None:
        self._looked: set[object] = set()

    def get_time(self) -> float:
        late, task = 0, asyncio.current_task()
        if task in self._looked:
            late = 1
        self._looked.add(task)
        return time.monotonic() + late


async def test_a_dialog_hears_though_the_machine_was_held_up_while_it_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        dialog = ConfirmDialog("Sure?", (), clean("It ends."))
        monkeypatch.setattr(timer, "_time", HeldUp())
        app.push_screen(dialog)
        await Sitter(pilot).until(lambda: dialog.listening)
