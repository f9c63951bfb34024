from __future__ import annotations

from typing import Any

import pytest
from textual.app import ComposeResult
from textual.events import Key, Paste
from textual.geometry import Region
from textual.strip import Strip

from console.base.text import cells, clean
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.filter_bar import FilterBar
from console.ui.widgets.line_view import LineBar
from console.views.cell import Cell, Section, Tone
from tests.pieces import needs

from .sample_calls import Harness

pytestmark = pytest.mark.usefixtures("every_frame")


def section(name: str, lines: int, words: str = "line") -> Section:
    return Section(name, name.title(), tuple((Cell(clean(f"{words} {n}")),) for n in range(lines)))


def bar_of(bar: LineBar) -> list[Strip]:
    return bar.render_lines(bar.size.region)


def painted(pane: DetailPane) -> list[str]:
    return [pane.render_line(y).text.rstrip() for y in range(pane.size.height)]


async def test_sections_are_reached_in_turn_and_scrolled_to_the_top() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(60, 12)) as pilot:
        pane.show("a", (section("summary", 30), section("quality", 5), section("raw", 2)))
        await pilot.pause()
        assert painted(pane)[0] == " Summary   Quality   Raw"
        assert pane.section == "summary"
        for name in ("quality", "raw", "summary"):
            pane.step(1)
            await pilot.pause()
            assert pane.section == name
            assert painted(pane)[1].strip() == name.title()
        pane.open("raw")
        await pilot.pause()
        assert pane.section == "raw"
        await pilot.click(pane, offset=(14, 0))
        assert pane.section == "quality"


async def test_titles_without_room_are_left_out_visibly_and_the_current_one_never() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(22, 8)) as pilot:
        pane.show("a", tuple(section(name, 9) for name in ("summary", "quality", "history")))
        await pilot.pause()
        assert painted(pane)[0] == " Summary   Quality  …"
        pane.open("history")
        await pilot.pause()
        assert painted(pane)[0] == " Quality   History"
        await pilot.click(pane, offset=(4, 0))
        assert pane.section == "quality"


async def test_no_title_is_cut_where_the_next_one_has_no_room() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(26, 8)) as pilot:
        pane.show("a", tuple(section(name, 9) for name in ("summary", "quality", "history")))
        await pilot.pause()
        assert painted(pane)[0] == " Summary   Quality  …"


async def test_a_changed_record_keeps_its_scroll_position_and_another_starts_at_the_top() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(60, 12)) as pilot:
        pane.show("a", (section("summary", 50),))
        await pilot.pause()
        pane.focus()
        await pilot.press("pagedown")
        await pilot.wait_for_animation()
        top = pane.scroll_offset.y
        assert top > 0
        pane.show("a", (section("summary", 50, "other"),))
        await pilot.pause()
        assert pane.scroll_offset.y == top
        assert "other" in painted(pane)[0]
        pane.show("b", (section("summary", 50),))
        await pilot.pause()
        assert pane.scroll_offset.y == 0


@needs("scrollbar")
async def test_a_detail_of_another_length_repaints_only_differing_lines_and_not_its_scroll_bar() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(60, 12)) as pilot:
        pane.show("a", (section("summary", 50),))
        await pilot.pause()
        drawn: list[Strip] = []
        paint = pane.render_line

        def noted(y: int) -> Strip:
            drawn.append(strip := paint(y))
            return strip

        pane.render_line = noted
        lines = section("summary", 40).lines
        pane.show("b", (Section("summary", "Summary", (*lines[:3], (Cell(clean("another")),), *lines[4:])),))
        await pilot.pause()
        assert [strip.text.strip() for strip in drawn] == ["another"]
        bar = pane.vertical_scrollbar
        assert isinstance(bar, LineBar)
        thumb = [segment.style is not None and segment.style.reverse for strip in bar_of(bar) for segment in strip]
        assert thumb.count(True) == 4
        # More lines than it knows of are painted too.
        assert len(bar.render_lines(Region(0, 0, 1, bar.size.height + 5))) == bar.size.height + 5
        assert len(bar.render_lines(Region(0, bar.size.height, 1, 3))) == 3


async def test_section_titles_are_repainted_only_when_they_or_the_current_section_change() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(60, 12)) as pilot:

        def named() -> list[Strip]:
            return pane.render_lines(pane.size.region)[:1]

        pane.show("a", (section("summary", 30), section("raw", 30)))
        await pilot.pause()
        first = named()[0]
        pane.show("a", (section("summary", 30, "other"), section("raw", 30)))
        assert named()[0] is first
        pane.show("a", (section("summary", 30), section("bytes", 30)))
        assert "Bytes" in named()[0].text
        pane.open("bytes")
        await pilot.pause()
        assert pane.section == "bytes"
        on_top = [segment.style for segment in named()[0] if "Bytes" in segment.text]
        pane.show("a", (section("summary", 50), section("bytes", 30)))
        await pilot.pause()
        assert pane.section == "summary"
        assert [segment.style for segment in named()[0] if "Bytes" in segment.text] != on_top


RAW = Section("raw", "Raw", section("raw", 5).lines, closed=True)


@pytest.mark.parametrize(
    ("width", "titles"),
    [(100, ["Summary"]), (110, ["Summary", "Calls"]), (170, ["Summary", "Calls", "History"])],
)
async def test_sections_stand_side_by_side_in_as_many_columns_as_have_room(width: int, titles: list[str]) -> None:
    pane = DetailPane(in_columns=True)
    async with Harness(pane).run_test(size=(width, 30)) as pilot:
        pane.show("a", (section("summary", 4), section("calls", 6), section("history", 6)))
        await pilot.pause()
        assert painted(pane)[0].split() == titles
        lines = pane.words.splitlines()
        assert [lines.index(title) for title in ("Summary", "Calls", "History")] == sorted(
            lines.index(title) for title in ("Summary", "Calls", "History")
        )


async def test_a_closed_section_is_open_where_it_fits_below_the_first_until_the_user_closes_it() -> None:
    choices: dict[str, bool] = {}
    pane = DetailPane(choices, in_columns=True)
    async with Harness(pane).run_test(size=(110, 14)) as pilot:
        pane.show("a", (section("summary", 4), section("calls", 2), RAW))
        await pilot.pause()
        assert painted(pane)[6].split() == ["Raw", "▼"]
        pane.show("b", (section("summary", 9), section("calls", 2), RAW))
        assert painted(pane)[11].split() == ["Raw", "►"]
        pane.show("a", (section("summary", 4), section("calls", 2), RAW))
        pane.toggle()
        assert painted(pane)[6].split() == ["Raw", "►"]
        assert choices == {"raw": False}
        await pilot.click(pane, offset=(3, 6))
        assert painted(pane)[6].split() == ["Raw", "▼"]


async def test_two_thousand_lines_and_wide_words_stay_within_the_pane() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(40, 10)) as pilot:
        pane.show("a", (Section("raw", "Raw", tuple((Cell(clean("界" * 90)),) for _ in range(2000))),))
        await pilot.pause()
        pane.focus()
        await pilot.press("end")
        for y in range(10):
            strip = pane.render_line(y)
            assert strip.cell_length == pane.scrollable_content_region.width
            assert sum(cells(segment.text) for segment in strip) == strip.cell_length


class Filtered(Harness):
    """A filter bar, and the keys that it does not handle."""

    def __init__(self) -> None:
        self.bar = FilterBar()
        super().__init__(self.bar)

    def compose(self) -> ComposeResult:
        yield self.bar

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        self.said.append(("changed", message.text))

    def on_filter_bar_closed(self, message: FilterBar.Closed) -> None:
        self.said.append(("closed", message.keep))

    def on_key(self, event: Key) -> None:
        self.said.append(("key", event.key))


def words(app: Filtered) -> str:
    return " ".join(str(label.render()) for label in app.bar.query("Label") if label.display)


async def test_a_filter_is_typed_applied_and_cleared() -> None:
    app = Filtered()
    async with app.run_test(size=(80, 10)) as pilot:
        assert not app.bar.display
        app.bar.open("")
        await pilot.press(*"a:b")
        assert app.said[-1] == ("changed", "a:b")
        app.bar.show("a:b", 22, 128)
        await pilot.press("enter")
        assert app.said[-1] == ("closed", True)
        assert app.bar.display
        await pilot.pause()
        assert "a:b" in words(app)
        assert "22 of 128" in words(app)
        app.bar.open("a:b")
        await pilot.press("escape")
        assert app.said[-1] == ("closed", False)
        app.bar.show("", 128, 128)
        assert not app.bar.display
        assert not [each for each in app.said if each[0] == "key"]


@pytest.mark.parametrize("width", [40, 60, 80])
async def test_a_filter_that_is_cut_ends_with_a_sign(width: int) -> None:
    app = Filtered()
    async with app.run_test(size=(width, 10)) as pilot:
        app.bar.show("state:waiting to:support " * 4, 22, 128)
        await pilot.pause()
        label = app.bar.query_one("#filter-words")
        assert label.render_line(0).text.rstrip().endswith("…")


async def test_an_error_is_shown_while_typing_and_cleared_after() -> None:
    app = Filtered()
    async with app.run_test(size=(80, 10)) as pilot:
        app.bar.open("")
        app.bar.show_typed(clean("There is no column x"))
        await pilot.pause()
        assert "There is no column x" in words(app)
        await pilot.press("enter")
        app.bar.show("x", 1, 1)
        await pilot.pause()
        assert "There is no column x" not in words(app)


async def test_pasted_text_is_never_an_enter() -> None:
    app = Filtered()
    async with app.run_test(size=(80, 10)) as pilot:
        app.bar.open("")
        app.post_message(Paste("ana\x1b[c\u202e\nbob"))
        await pilot.pause()
        assert app.bar.query_one(CleanInput).value == "ana␛[c\ufffd"
        assert ("closed", True) not in app.said


async def test_a_password_is_never_copied() -> None:
    copied: list[str] = []

    class Login(Harness):
        def copy_to_clipboard(self, text: str) -> None:
            copied.append(text)

    for secret in (True, False):
        field = CleanInput(password=secret)
        app: Any = Login(field)
        async with app.run_test() as pilot:
            field.focus()
            field.value = "letmein"
            field.select_all()
            await pilot.press("ctrl+c", "ctrl+x")
    assert copied == ["letmein", "letmein"]


async def test_secondary_words_are_painted_as_such() -> None:
    pane = DetailPane()
    async with Harness(pane).run_test(size=(40, 5)) as pilot:
        pane.show("a", (Section("s", "S", ((Cell(clean("state "), Tone.QUIET), Cell(clean("[b]x"), Tone.BAD)),)),))
        await pilot.pause()
        assert painted(pane)[0] == " state [b]x"
        assert pane.words == "state [b]x"
