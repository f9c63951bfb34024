"""The report of a shift and hand-over notes, as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.base.text import clean
from console.report.parts import ColumnHeading, ReportSection, ReportTable, Row
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.home import HomeScreen, SectionTitle
from console.ui.screens.report import ReportScreen
from console.ui.textual_compat.testing import painted
from console.ui.widgets.concerns import ConcernList
from console.ui.widgets.report_lines import ReportLines, laid_out
from tests.behaviour.idle_console import SharedSitter
from tests.behaviour.past import go_back, rows, screen_of, seat, top
from tests.idle.world import NOW_MS, StillWorld
from tests.live.until import until_async
from tests.snapshots.pictures import Sitter

SECTIONS = (
    *("Summary", "What needed attention", "Alerts", "Queues", "Understaffed skills"),
    *("Chats", "Outages", "Call quality", "Own changes"),
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def show_report(sitter: Sitter, since: str) -> ReportScreen:
    await sitter.press("R")
    await sitter.type(since)
    await sitter.press("enter")
    screen = sitter.app.screen
    assert isinstance(screen, ReportScreen)
    await until_async(lambda: screen.is_done)
    await sitter.settle()
    return screen


def said(screen: ReportScreen) -> str:
    return screen.query_one(ReportLines).said


def concerns(sitter: Sitter) -> str:
    home = sitter.app.screen
    assert isinstance(home, HomeScreen)
    return f"{home.query_one(ConcernList).said}\n{home.query_one('#concerns-head', SectionTitle).said}"


async def go_to_line(sitter: Sitter, words: str) -> None:
    lines = sitter.app.screen.query_one(ReportLines)
    for _ in range(60):
        line = lines.current
        if line is not None and words in "".join(cell.text for cell in line.words):
            return
        await sitter.press("down")
    raise AssertionError(words)


async def test_a_line_of_the_report_leads_to_its_moment_and_back(recorded_eva: SharedSitter):
    screen = await show_report(recorded_eva, "2m")
    assert "2 calls offered" in said(screen)
    assert "Line down" in said(screen)
    await go_to_line(recorded_eva, "Line down")
    await recorded_eva.press("enter")
    assert "PAST" in top(recorded_eva)
    assert isinstance(recorded_eva.app.screen, HomeScreen)
    await recorded_eva.press("2")
    assert rows(recorded_eva) == {"a", "b"}
    await recorded_eva.press("T")
    assert recorded_eva.app.screen is screen
    await recorded_eva.press("escape")
    assert "PAST" not in top(recorded_eva)


async def test_the_report_has_more_columns_on_a_wider_screen_and_is_saved_as_a_page_and_as_json(
    recorded_eva: SharedSitter,
) -> None:
    for width, columns in ((80, 1), (119, 1), (120, 2), (240, 3)):
        await recorded_eva.restart((width, 80))
        screen = await show_report(recorded_eva, "2m")
        texts = [strip.text.replace("►", " ") for strip in painted(screen)]
        places = {text.index(f" {title}  ") for text in texts for title in SECTIONS if f" {title}  " in text}
        assert len(places) == columns, f"where the titles of sections begin in {width} columns"
        # The lines keep their order: the last one is reached by going down, as in one column.
        await go_to_line(recorded_eva, "Own changes")
        await recorded_eva.press("left")
        line = screen.query_one(ReportLines).current
        assert line is not None, width
        assert (line.x == 0) == (columns < 3), width
        assert all(title in said(screen) for title in SECTIONS), width
    await recorded_eva.press("E", "J")
    exports = screen.context.places.downloads
    (page,) = exports.glob("report-*.html")
    (figures,) = exports.glob("report-*.json")
    assert "Shift report" in page.read_text(encoding="utf-8")
    assert json.loads(figures.read_text(encoding="utf-8"))["to_ms"] == NOW_MS


async def test_a_narrow_table_leaves_half_of_the_screen_to_what_follows_also_below_a_wide_one() -> None:
    wide = ReportTable("", (ColumnHeading("x" * 100),), (Row((clean("1"),)),))
    narrow = ReportTable("Worst waits", (ColumnHeading("Until"),), (Row((clean("10:42"),)),))
    sections = [ReportSection("queues", "Queues", tables=(wide, narrow)), ReportSection("chats", "Chats")]
    lines = list(laid_out(sections, 118, columns=2))
    place = {"".join(cell.text for cell in line.words).strip(): (line.x, line.y) for line in lines}
    assert place["Chats"][1] == place["Worst waits"][1]
    assert place["Chats"][0] > place["Worst waits"][0] == 0
    assert [line.begins for line in lines].count(True) == 2, "a further table is no section of its own"


async def test_without_a_recording_the_report_and_the_past_say_why(empty: StillWorld, tmp_path: Path):
    async with seat(empty, tmp_path) as eva:
        await go_back(eva, "-5m")
        assert "There is no past to show: there is no recording" in screen_of(eva).message_line.said
        for text in ("tomorrow", "99:99"):
            await go_back(eva, text)
            assert not isinstance(eva.app.screen, ConsoleScreen), "the dialog stays open"
            await eva.press("escape")
        screen = await show_report(eva, "2m")
        assert "There is no report: there is no recording" in screen.head.said
        await eva.press("E")
        assert not (tmp_path / "exports").exists()


async def test_in_the_past_the_report_ends_at_the_moment_that_is_shown(recorded_eva: SharedSitter):
    await recorded_eva.press("T", *"-50s", "enter")
    screen = await show_report(recorded_eva, "1m")
    assert "1 call offered" in said(screen)
    await recorded_eva.press("escape")
    assert "PAST" in top(recorded_eva)


async def test_a_note_is_on_home_and_in_the_report_until_it_is_dismissed(recorded_eva: SharedSitter):
    await recorded_eva.press("N")
    await recorded_eva.type("x" * 300)
    await recorded_eva.press("enter")
    assert not isinstance(recorded_eva.app.screen, ConsoleScreen), "the dialog stays open: the text is too long"
    await recorded_eva.press("escape")
    assert "note" not in concerns(recorded_eva)
    await recorded_eva.press("N")
    await recorded_eva.type("line 3 is down")
    await recorded_eva.press("enter")
    assert "line 3 is down" in concerns(recorded_eva)
    assert "1 note" in concerns(recorded_eva)
    assert "line 3 is down" in said(await show_report(recorded_eva, "2m"))
    await recorded_eva.press("escape", "K")
    assert "line 3 is down" not in concerns(recorded_eva)
    assert "note" not in concerns(recorded_eva)


async def test_a_note_about_the_record_under_the_cursor_leads_to_it(recorded_eva: SharedSitter):
    await recorded_eva.press("T", *"-1s", "enter", "2", "N")
    await recorded_eva.type("call back")
    await recorded_eva.press("enter", "T", "1")
    assert "call back" in concerns(recorded_eva)
    home = recorded_eva.app.screen
    assert isinstance(home, HomeScreen)
    assert home.context.notes is not None
    (note,) = (each for each in home.context.notes.all() if each.text == "call back")
    assert (note.kind, note.key, note.moment_ms) == ("calls", "b", NOW_MS - 1_000)
    await recorded_eva.press("enter")
    assert screen_of(recorded_eva).spec.name == "calls"
