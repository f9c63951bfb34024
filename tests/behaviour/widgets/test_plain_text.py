"""The framework parses no markup in fields and content; in the other places, the guard of the tests reports texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Input, Label, Static, TextArea

WORDS = "[/] [@click=app.quit]press[/] [link=http://x]y"
CONTENT = {
    "init": lambda: Content(WORDS),
    "styled": lambda: Content.styled(WORDS, "bold"),
    "assemble": lambda: Content.assemble(WORDS, (WORDS, "bold")),
    "join": lambda: Content(" ").join([WORDS, Content(WORDS)]),
    "append": lambda: Content("a").append(WORDS).append_text(WORDS),
    "add": lambda: Content("a") + WORDS,
}


class Places(App[None]):
    """An app of one widget, and fields with texts in all their places."""

    def __init__(self, widget: Label | Static) -> None:
        super().__init__()
        self.widget = widget

    def compose(self) -> ComposeResult:
        yield self.widget
        yield Input(WORDS, placeholder=WORDS)
        yield TextArea(WORDS)

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


@pytest.mark.asyncio
async def test_no_plain_text_widget_parses_its_text() -> None:
    app = Places(Label(Content(WORDS)))
    async with app.run_test() as pilot:
        app.fill()
        await pilot.pause()
    for name, make in CONTENT.items():
        made = make()
        assert WORDS in made.plain, name
        assert "click" not in str([span.style for span in made.spans]), name


@pytest.mark.asyncio
@pytest.mark.parametrize("make", [Label, Static])
async def test_a_text_that_is_parsed_fails_the_test_whatever_it_says(make: Callable[[str], Label | Static]) -> None:
    with pytest.raises(AssertionError, match="is parsed as markup"):
        async with Places(make("Ana Belmonte rang")).run_test():
            pass


@pytest.mark.asyncio
async def test_a_text_that_is_copied_uncleaned_fails_the_test() -> None:
    app = Places(Label(Content(WORDS)))
    async with app.run_test():
        with pytest.raises(AssertionError, match="is copied"):
            app.copy_to_clipboard("Ana Belmonte")
