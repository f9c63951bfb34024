"""What is closed is freed: a console that is open for a shift opens thousands of dialogs and records."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from textual.widget import Widget
from textual.widgets import TextArea

from console.ui.textual_compat import pieces
from console.ui.widgets.line_view import LineView
from tests.behaviour.test_outdated_lists import sitting
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld, StillWorlds

pytestmark = pytest.mark.skipif("stylesheet" in pieces.without(), reason="the framework keeps the widgets")


@pytest.fixture(scope="module")
def quiet(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("quiet")


OF_THE_THEME = (LineView, TextArea)
"""Widgets that are painted anew with another theme, which the app tells them."""


def painted_widgets() -> int:
    """Return the number of widgets whose painted lines are in memory."""
    gc.collect()
    return sum(type(value).__name__ == "StylesCache" for value in gc.get_objects())


@pytest.mark.parametrize(
    ("first", "opening"),
    [("1", "question_mark"), ("2", "enter"), ("8", "n"), ("1", "ctrl+p"), ("1", "exclamation_mark")],
)
async def test_a_closed_dialog_or_record_leaves_nothing_in_memory(
    first: str, opening: str, quiet: StillWorld, tmp_path: Path
) -> None:
    async with sitting(IdleBackend(quiet), tmp_path) as eva:
        await eva.press(first)
        await eva.settle()
        screen, before, watching = eva.app.screen, painted_widgets(), list[weakref.ref[Widget]]()
        number = closed = 0
        for _ in range(3):
            await eva.press(opening)
            await eva.until(lambda: eva.app.screen is not screen)
            await eva.settle()
            closed = len(watching)
            watching += [
                weakref.ref(widget) for widget in eva.app.screen.query(Widget) if isinstance(widget, OF_THE_THEME)
            ]
            number = len(eva.app.screen.query(Widget))
            await eva.leave()
            await eva.until(lambda: eva.app.screen is screen)
            await eva.settle()
        # Timers of the event loop keep some for a moment; the framework the last one, until another has the focus.
        await eva.until(lambda: painted_widgets() <= before + number)
        await eva.until(lambda: all(widget() is None for widget in watching[:closed]))
