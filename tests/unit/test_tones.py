"""Words for dialogs are cleaned and never parsed as markup, whoever passes them."""

from __future__ import annotations

import pytest

from console.base.text import clean
from console.ui.widgets.tones import block, styled
from console.views.cell import Cell, Tone


@pytest.mark.parametrize("words", ["\x1b[2J", "a\x07b", "\x9b31m", "ab\u202ecd", "\ud800", "a\nb"])
def test_control_characters_are_shown_instead_of_executed(words: str):
    shown = styled(words, Tone.WARN).plain
    assert shown == clean(words)
    assert shown.isprintable()


def test_brackets_are_text_and_no_markup():
    words = "[@click=app.quit]x[/] [/"
    assert styled(words).plain == words
    assert block([(Cell(clean(words)),), (Cell(clean("second")),)]).plain == f"{words}\nsecond"
