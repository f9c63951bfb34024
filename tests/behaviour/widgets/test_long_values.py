"""Values that are too long: dialogs open quickly, say that the value is cut, and never send a part of it."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from console.api.operations.domains import UpdateDomain
from console.api.operations.support import CreateTemplate
from console.base.text import cells, clean, clean_lines
from console.commands.action import FormAsk, TextAsk
from console.ui.dialogs import DifferenceDialog, FormDialog, HelpDialog, TextDialog
from console.ui.screens.outcome_dialogs import ConflictDialog
from console.ui.widgets.clean_area import CleanArea
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.detail_pane import MOST_LINES, DetailPane
from console.ui.widgets.wrapping import wrap
from console.views.cell import Cell, Section
from tests.behaviour.widgets.asking import OPEN, Asking, text_of

LINES = "x\n" * 500_000
LINE = "x" * 1_000_000
SECONDS = 5.0
"""Processor time; on an idle machine a dialog opens in less than one second."""


@contextmanager
def quickly() -> Generator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < SECONDS


@pytest.mark.parametrize("value", [LINE, LINES], ids=["a line", "lines"])
@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_text_too_long_to_show_is_kept_unless_replaced(asked: Asking, value: str, lines: bool) -> None:
    with quickly():
        async with asked(TextDialog(TextAsk("name", "Name", value, lines=lines))) as (app, pilot):
            assert "1,000,000 characters, too long to show" in text_of(app)
            await pilot.press("ctrl+y" if lines else "enter")
            assert app.answer == value, "nothing was typed, so it is what it was"
    async with asked(TextDialog(TextAsk("name", "Name", value, lines=lines))) as (app, pilot):
        await pilot.press("a", "b", "ctrl+y" if lines else "enter")
        assert app.answer == "ab", "what is typed takes the place of all of it"


def _form(**initial: Any) -> FormDialog:
    request = CreateTemplate if "title" in initial else UpdateDomain
    return FormDialog(FormAsk("form", "Change", request, initial, {}))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_form_opens_on_long_values_and_sends_no_untouched_ones(asked: Asking) -> None:
    initial = {"template_id": "t", "title": LINE, "payload": LINES, "time_to_expire": 60_000}
    dialog = _form(**initial)
    with quickly():
        async with asked(dialog) as (app, pilot):
            assert text_of(app).count("1,000,000 characters, too long to show") == 2
            assert dialog.typed() == {}
            for field in dialog.query(CleanInput):
                if field.id == f"field-{[each.name for each in dialog.fields].index('title')}":
                    field.focus()
            await pilot.press("n", "e", "w")
            assert dialog.typed() == {"title": "new"}
            assert app.answer == OPEN


@pytest.mark.asyncio(loop_scope="module")
async def test_a_form_opens_on_a_hundred_thousand_entries_and_shows_what_changed(asked: Asking) -> None:
    services = {f"service {number}": ["on"] for number in range(20_000)}
    dialog = _form(id="d", services=services, origins=[f"o{number}" for number in range(100_000)])
    with quickly():
        async with asked(dialog) as (app, _pilot):
            assert "too long to show" in text_of(app), "a field of many lines"
            assert dialog.typed() == {}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_long_list_of_differences_shows_the_number_of_further_ones(asked: Asking) -> None:
    lines = [(Cell(clean(f"line {number}")),) for number in range(50)]
    with quickly():
        async with asked(DifferenceDialog("Change", lines)) as (app, _pilot):
            assert "line 0" in text_of(app)


@pytest.mark.asyncio(loop_scope="module")
async def test_text_pasted_into_a_field_is_limited(asked: Asking) -> None:
    with quickly():
        async with asked(TextDialog(TextAsk("name", "Name", lines=True))) as (app, _pilot):
            area = app.screen.query_one(CleanArea)
            area.put_in(LINES)
            assert area.document.line_count <= 2_002
            assert "more lines are not shown" in area.text


@pytest.mark.asyncio(loop_scope="module")
async def test_a_pane_lays_out_a_limited_number_of_lines_and_counts_the_others(asked: Asking) -> None:
    lines = tuple((Cell(clean(f"line {number}")),) for number in range(100_000))
    with quickly():
        async with asked(HelpDialog("Help", lines)) as (app, _pilot):
            pane = app.screen.query_one(DetailPane)
            assert pane.rows == MOST_LINES + 1
            assert "… 95,000 more lines are not shown" in pane.words
            pane.show("other", (Section("a", "A", lines), Section("b", "B", lines)))
            assert pane.rows <= 2 * (MOST_LINES + 3)


@pytest.mark.parametrize("character", ["x", "é", "界", "␊"])
def test_a_very_long_word_is_broken_quickly(character: str) -> None:
    with quickly():
        rows = wrap((Cell(clean_lines(character * 65_536)[0]),), 38)
    assert "".join(cell.text for row in rows for cell in row) == character * 65_536
    assert all(sum(cells(cell.text) for cell in row) <= 38 for row in rows)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_conflict_over_long_texts_opens(asked: Asking) -> None:
    side = [clean(LINES, 200)] * 201
    with quickly():
        async with asked(ConflictDialog("Group", side, side, [clean("mine")])) as (app, _pilot):
            assert "theirs" in text_of(app)
