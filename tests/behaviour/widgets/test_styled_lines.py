"""Lines of styled text look as the framework draws them, which takes fifteen times as long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.style import Style
from textual.containers import Vertical
from textual.strip import Strip
from textual.widget import Widget

from console.ui.textual_compat.testing import painted
from console.ui.widgets.styled_line import Piece, StyledLine, piece
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import Badge, WithoutLine
from console.views.cell import Tone
from tests.behaviour.widgets.sample_calls import Harness

WIDTH = 24
REVERSED = (Badge(Tone.WARN), WithoutLine(Tone.WARN), Badge(Tone.BAD), WithoutLine(Tone.BAD))
LOOKS = (*Tone, *sorted({*ScreenPart} - {ScreenPart.FLASH}), *REVERSED)


def visible(strip: Strip) -> list[tuple[object, ...]]:
    """Return the characters of a line that are not blank, with their styles."""
    return [
        (character, style.color, style.bgcolor, *map(bool, (style.bold, style.underline, style.reverse, style.italic)))
        for segment in strip
        for style in [segment.style or Style()]
        for character in segment.text
        if character != " " or style.reverse
    ]


async def differing_lines(rows: Iterable[Sequence[Piece]], theme: str) -> list[tuple[Sequence[Piece], object, object]]:
    line = StyledLine()
    app = Harness(line)
    different: list[tuple[Sequence[Piece], object, object]] = []
    async with app.run_test(size=(WIDTH + 2, 3)) as pilot:
        app.theme = theme
        for row in rows:
            line.update(row)
            await pilot.pause()
            line.refresh()
            ours, theirs = line.render_line(0), Widget.render_line(line, 0)
            assert ours.cell_length == WIDTH
            if visible(ours) != visible(theirs):
                different.append((row, visible(ours), visible(theirs)))
    return different


async def test_every_look_is_that_of_the_framework() -> None:
    rows = [[piece("before "), piece("here", look), piece(" after", Tone.QUIET)] for look in LOOKS]
    rows += [[piece("Ana", one), piece("Bob", other)] for one in REVERSED for other in REVERSED]
    for theme in ("dark", "light", "mono"):
        assert await differing_lines(rows, theme) == []


async def test_a_line_is_cut_where_the_framework_cuts_it() -> None:
    texts = ("", "x" * WIDTH, "x" * (WIDTH + 1), "名前" * WIDTH, "x" + "名前" * WIDTH, "é" * 60, "a b " * 20)
    rows = [[piece(text[:7], Tone.STRONG), piece(text[7:], Tone.WARN)] for text in texts]
    assert await differing_lines(rows, "dark") == []


async def test_a_line_that_changed_in_a_hidden_pane_is_painted_whole_when_it_is_shown_again() -> None:
    line = StyledLine()
    pane = Vertical(line)
    app = Harness(pane)
    async with app.run_test(size=(WIDTH, 3)) as pilot:
        line.update([piece("41 agents"), piece("  "), piece("7 free")])
        await pilot.pause()
        assert painted(app.screen)[0].text.strip() == "41 agents  7 free"
        pane.display = False
        await pilot.pause()
        line.update([piece("18 of 41"), piece("  "), piece("41 agents")])
        pane.display = True
        await pilot.pause()
        assert painted(app.screen)[0].text.strip() == "18 of 41  41 agents"
