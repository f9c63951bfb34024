"""The framework does not parse markup in the places in which the painting rule allows clean text."""

from __future__ import annotations

from typing import Any

import pytest
import textual.markup
from rich import markup as rich_markup
from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Input, TextArea

from tests.static.framework import PLAIN

WORDS = "[/] [@click=app.quit]press[/] [link=http://x]y"


class Places(App[None]):
    """Texts in all places declared as plain, by the name of the place."""

    def __init__(self) -> None:
        super().__init__()
        self.filled: set[str] = set()

    def compose(self) -> ComposeResult:
        yield Input(WORDS, placeholder=WORDS)
        yield Input(placeholder=WORDS)
        yield TextArea(WORDS)
        self.filled |= {"Input.__init__.value", "Input.__init__.placeholder", "TextArea.__init__.text"}

    def fill(self) -> None:
        """Set the texts of mounted widgets."""
        field, area = self.query_one(Input), self.query_one(TextArea)
        field.value = field.placeholder = self.title = self.sub_title = WORDS
        self.screen.title = self.screen.sub_title = WORDS
        field.insert(WORDS, 0)
        field.insert_text_at_cursor(WORDS)
        field.replace(WORDS, 0, 1)
        area.text = area.suggestion = WORDS
        area.load_text(WORDS)
        area.insert(WORDS)
        area.replace(WORDS, (0, 0), (0, 1))
        self.copy_to_clipboard(WORDS)
        self.filled |= {"Input.value", "Input.placeholder", "Input.insert.text", "Input.insert_text_at_cursor.text"}
        self.filled |= {"Input.replace.text", "TextArea.text", "TextArea.suggestion", "TextArea.load_text.text"}
        self.filled |= {"TextArea.insert.text", "TextArea.replace.insert", "App.copy_to_clipboard.text"}
        self.filled |= {f"{owner}.{name}" for owner in ("App", "Screen") for name in ("title", "sub_title")}


CONTENT = {
    "Content.__init__.text": lambda: Content(WORDS),
    "Content.styled.text": lambda: Content.styled(WORDS, "bold"),
    "Content.assemble.parts": lambda: Content.assemble(WORDS, (WORDS, "bold")),
    "Content.join.lines": lambda: Content(" ").join([WORDS, Content(WORDS)]),
    "Content.append.content": lambda: Content("a").append(WORDS),
    "Content.append_text.text": lambda: Content("a").append_text(WORDS),
    "Content.__add__.other": lambda: Content("a") + WORDS,
}
ELSEWHERE = {
    "Hit.__init__.text",
    "DiscoveryHit.__init__.text",
    "Matcher.match.candidate",
    "Segment.__new__.text",
}
"""The palette is tested with hostile texts in `tests/faults/test_hostile_overlays.py`."""


@pytest.mark.asyncio
async def test_no_plain_text_widget_parses_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[Any] = []

    def parse(*given: Any, **_named: Any) -> None:
        parsed.append(given)

    monkeypatch.setattr(textual.markup, "to_content", parse)
    monkeypatch.setattr(rich_markup, "render", parse)
    app = Places()
    async with app.run_test() as pilot:
        app.fill()
        await pilot.pause()
    for name, make in CONTENT.items():
        made = make()
        assert WORDS in made.plain, name
        assert "click" not in str([span.style for span in made.spans]), name
    assert not parsed
    assert app.filled | CONTENT.keys() | ELSEWHERE == PLAIN
