"""The line in which a list is filtered: what is typed, how many match, and what is wrong with it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from console.text import SafeText, clean
from console.views.cell import Tone
from console.views.words import share
from console.widgets.clean_input import CleanInput
from console.widgets.theme import Part
from console.widgets.tones import styled


class FilterBar(Horizontal):
    """Takes no room until it is opened; while a filter stands it stays and says so."""

    DEFAULT_CSS = """
    FilterBar { display: none; height: 1; padding: 0 1; background: $panel; }
    FilterBar.set, FilterBar.typing { display: block; }
    FilterBar > Label { width: auto; height: 1; }
    FilterBar > CleanInput { width: 1fr; }
    FilterBar > #filter-counts { max-width: 70%; text-wrap: nowrap; text-overflow: ellipsis; }
    FilterBar > #filter-words { width: 1fr; display: none; }
    FilterBar.set > #filter-words { display: block; }
    FilterBar.set > CleanInput { display: none; }
    FilterBar.typing > #filter-words { display: none; }
    FilterBar.typing > CleanInput { display: block; }
    """

    class Changed(Message):
        """Other text was typed."""

        def __init__(self, bar: FilterBar, text: str) -> None:
            super().__init__()
            self.bar = bar
            self.text = text

        @property
        def control(self) -> FilterBar:
            """The bar it comes from."""
            return self.bar

    class Closed(Message):
        """Typing is over: with Enter the filter is kept, with Escape it is dropped."""

        def __init__(self, bar: FilterBar, keep: bool) -> None:
            super().__init__()
            self.bar = bar
            self.keep = keep

        @property
        def control(self) -> FilterBar:
            """The bar it comes from."""
            return self.bar

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = ""
        self._counts: tuple[int, int] = (0, 0)
        self._fault = clean("")
        self._said: object = None

    def compose(self) -> ComposeResult:
        """Lay out the label, the field and the counts."""
        yield Label(styled("filter ", Part.KEY), markup=False)
        yield Label("", id="filter-words", markup=False)
        yield CleanInput()
        yield Label("", id="filter-counts", markup=False)

    @property
    def typing(self) -> bool:
        """Whether the keys go into the field."""
        return self.has_class("typing")

    def open(self, text: str) -> None:
        """Take the keys, beginning with the filter that stands."""
        self.add_class("typing")
        field = self.query_one(CleanInput)
        with field.prevent(Input.Changed):
            field.value = clean(text)
        field.cursor_position = len(field.value)
        field.focus()
        self._say()

    def show(self, text: str, matched: int, total: int) -> None:
        """Say which filter stands and how many it lets through; without one the bar goes."""
        self._text, self._counts = text, (matched, total)
        self.set_class(bool(text), "set")
        self._say()

    def show_fault(self, fault: SafeText) -> None:
        """Say what is wrong with what is typed; empty when nothing is."""
        self._fault = fault
        self._say()

    def _say(self) -> None:
        saying = (self._text, self._counts, self._fault, self.typing)
        if saying == self._said or not self.is_mounted:
            return
        self._said = saying
        self.query_one("#filter-words", Label).update(styled(self._text, Tone.STRONG))
        matched, total = self._counts
        if self._fault and self.typing:
            words = styled(f"  {self._fault}", Tone.WARN)
        else:
            words = styled(f"  {share(matched, total)}", Tone.NOTICE)
            if self.typing:
                words += styled("  enter", Part.KEY) + styled(" keep", Tone.QUIET)
            words += styled("  esc", Part.KEY) + styled(" clear", Tone.QUIET)
        self.query_one("#filter-counts", Label).update(words)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what was typed."""
        event.stop()
        self.post_message(self.Changed(self, event.value))

    def on_key(self, event: events.Key) -> None:
        """End typing. These keys mean something else to the screen, so they stop here."""
        if self.typing and event.key in {"enter", "escape", "down", "tab"}:
            event.stop()
            event.prevent_default()
            self._close(keep=event.key != "escape")

    def _close(self, keep: bool) -> None:
        self.remove_class("typing")
        self._fault = clean("")
        self._say()
        self.post_message(self.Closed(self, keep))
