"""One list has the keys, and only that one has a coloured row and a bright title."""

from __future__ import annotations

from pathlib import Path

from console.ui.textual_compat.testing import painted
from console.ui.widgets.theme import theme_here
from console.views.cell import Tone
from console.views.theme_file import ScreenPart
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld
from tests.snapshots.pictures import USUAL, Sitter


async def test_only_the_list_in_focus_has_a_coloured_row_and_a_bright_title(busy: StillWorld, tmp_path: Path) -> None:
    app = still_console(IdleBackend(busy), tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        eva = Sitter(pilot)
        await eva.hold_still()
        theme = theme_here(app.screen)
        coloured, bright = theme.parts[ScreenPart.CURSOR].rich.bgcolor, theme.tones[Tone.STRONG].rich.color

        def looks() -> tuple[list[str], list[str], list[str]]:
            """Return the rows in colour, the rows with the other pointer, and the bright titles."""
            rows, others, titles = list[str](), list[str](), list[str]()
            for strip in painted(app.screen):
                words = strip.text.split()
                if any(each.style and each.style.bgcolor == coloured for each in strip):
                    rows.append(" ".join(words[:4]))
                if words and words[0].startswith("›"):
                    others.append(" ".join(words[:2]))
                for title in ("9 queues", "Needs attention"):
                    if strip.text.strip().startswith(title) and any(
                        each.text.startswith(title) and each.style and each.style.color == bright for each in strip
                    ):
                        titles.append(title)
            return rows, others, titles

        assert looks() == (["►× for you alert"], ["› support"], ["Needs attention"])
        await eva.press("tab")
        assert looks() == (["► support 5 2:38"], ["›× for"], ["9 queues"])
        await eva.press("tab", "down")
        assert looks() == (["►× for you alert"], ["› support"], ["Needs attention"])
