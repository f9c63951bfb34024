"""The filter bar of a list: text, number of matches, error."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from console.base.text import SafeText, clean
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import styled
from console.views.cell import Tone
from console.views.completion import Completion
from console.views.wording import share


class FilterBar(Horizontal):
    """Hidden until it is opened; visible while a filter is set."""

    DEFAULT_CSS = """
    FilterBar { display: none; height: 1; padding: 0 1; background: $panel; }
    FilterBar.set, FilterBar.typing { display: block; }
    FilterBar > Label { width: auto; height: 1; }
    FilterBar > CleanInput { width: 1fr; }
    FilterBar > #filter-counts { max-width: 70%; text-wrap: nowrap; text-overflow: ellipsis; }
    FilterBar > #filter-words { width: 1fr; display: none; text-wrap: nowrap; text-overflow: ellipsis; }
    FilterBar.set > #filter-words { display: block; }
    FilterBar.set > CleanInput { display: none; }
    FilterBar.typing > #filter-words { display: none; }
    FilterBar.typing > CleanInput { display: block; }
    """

    class Changed(Message):
        """The text changed."""

        def __init__(self, bar: FilterBar, text: str) -> None:
            super().__init__()
            self.bar = bar
            self.text = text

        @property
        def control(self) -> FilterBar:
            """The source of the message."""
            return self.bar

    class Closed(Message):
        """Typing ended: Enter keeps the filter, Escape drops it."""

        def __init__(self, bar: FilterBar, keep: bool) -> None:
            super().__init__()
            self.bar = bar
            self.keep = keep

        @property
        def control(self) -> FilterBar:
            """The source of the message."""
            return self.bar

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._counts: tuple[int, int] = (0, 0)
        self._fault = clean("")
        self._completions: Sequence[Completion] = ()
        self._displayed: object = None

    def compose(self) -> ComposeResult:
        """Lay out label, input and counts."""
        yield Label(styled("filter ", ScreenPart.KEY), markup=False)
        yield Label("", id="filter-words", markup=False)
        yield CleanInput()
        yield Label("", id="filter-counts", markup=False)

    @property
    def typing(self) -> bool:
        """Whether the input has the focus."""
        return self.has_class("typing")

    def open(self, text: str) -> None:
        """Take the focus, with the current filter as text: it is selected, so that typing replaces it."""
        self.add_class("typing")
        field = self.query_one(CleanInput)
        with field.prevent(Input.Changed):
            field.value = clean(text)
        field.focus()
        field.select_all()
        self._say()

    def show(self, text: str, matched: int, total: int) -> None:
        """Show the current filter and its number of matches; hide the bar without a filter."""
        self._text, self._counts = text, (matched, total)
        self.set_class(bool(text), "set")
        self._say()

    def show_typed(self, fault: SafeText, completions: Sequence[Completion] = ()) -> None:
        """Show how the text can go on, or the error in it; empty for none."""
        self._fault, self._completions = fault, completions
        self._say()

    def _say(self) -> None:
        saying = (self._text, self._counts, self._fault, self._completions, self.typing)
        if saying == self._displayed or not self.is_mounted:
            return
        self._displayed = saying
        self.query_one("#filter-words", Label).update(styled(self._text, Tone.STRONG))
        matched, total = self._counts
        if self._completions and self.typing:
            text = styled("  tab ", ScreenPart.KEY)
            for place, completion in enumerate(self._completions):
                text += styled(f"{completion.words}  ", Tone.QUIET if place else Tone.STRONG)
        elif self._fault and self.typing:
            text = styled(f"  {self._fault}", Tone.WARN)
        else:
            text = styled(f"  {share(matched, total)}", Tone.NOTICE)
            if self.typing:
                text += styled("  enter", ScreenPart.KEY) + styled(" keep", Tone.QUIET)
            text += styled("  esc", ScreenPart.KEY) + styled(" clear", Tone.QUIET)
        self.query_one("#filter-counts", Label).update(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Report the changed text."""
        event.stop()
        self.post_message(self.Changed(self, event.value))

    def on_key(self, event: events.Key) -> None:
        """End typing. These keys have another meaning on the screen, so they stop here."""
        if self.typing and event.key in {"enter", "escape", "down", "tab"}:
            event.stop()
            event.prevent_default()
            field = self.query_one(CleanInput)
            if event.key == "tab" and self._completions:
                field.value = clean(self._completions[0].text)
                field.cursor_position = len(field.value)
            else:
                self._close(keep=event.key != "escape")

    def _close(self, keep: bool) -> None:
        self.remove_class("typing")
        self._fault, self._completions = clean(""), ()
        self._say()
        self.post_message(self.Closed(self, keep))
