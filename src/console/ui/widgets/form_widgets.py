"""Widgets of forms: a list of entries, one of a few values, an input with known values, and the line of hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from console.base.text import SafeText, clean, fit
from console.ui.widgets.clean_input import CleanInput, shown_in_input
from console.ui.widgets.form_entries import Entries, line_of
from console.ui.widgets.theme import ScreenPart, app_of
from console.ui.widgets.tones import styled
from console.views.cell import Tone

MOST_ROWS = 6
"""Number of visible entries; the others are reached by scrolling."""


class EntryList(Widget, can_focus=True):
    """The entries, the required names without one, and a last row to add one.

    The dialog opens the form of an entry on request.
    """

    DEFAULT_CSS = """
    EntryList { height: 1; width: 1fr; background: $panel; }
    EntryList:focus { background-tint: $foreground 5%; }
    """

    class Opened(Message):
        """The entry at `index` is to be edited; past the last one, a new one."""

        def __init__(self, sender: EntryList, index: int, name: str = "", text: str = "") -> None:
            """`name` is the required name that the entry has; `text` is what was typed of its value."""
            super().__init__()
            self.sender = sender
            self.index = index
            self.name = name
            self.text = text

    class Changed(Message):
        """The entries changed."""

    def __init__(self, entries: Entries, value: Any, *, secret: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entries = entries
        self.value: list[Any] = entries.apart(value)
        """The current entries."""
        self.secret = secret
        self.instead: SafeText | None = None
        """The text for a value that cannot be entered."""
        self._refused: SafeText | None = None
        """Why the last paste added nothing."""
        self._under: list[Any] = []
        self._needed: tuple[str, ...] = ()
        self._cursor = 0
        self._fit()

    # -- entries -----------------------------------------------------------------------------------------------

    def put(self, index: int, entry: Any) -> None:
        """Replace an entry, or add one past the last."""
        self._take([*self.value[:index], entry, *self.value[index + 1 :]])
        self._cursor = min(index + (index >= len(self.value) - 1), self._last)

    @property
    def _lacking(self) -> list[str]:
        """The required names without an entry."""
        named = {entry["name"] for entry in self.value} if self._needed else set[str]()
        return [name for name in self._needed if name not in named]

    @property
    def _last(self) -> int:
        """The number of the row that adds an entry."""
        return len(self.value) + len(self._lacking)

    def need(self, names: Sequence[str]) -> None:
        """Show a row for each name that the object must contain."""
        if (needed := tuple(names)) != self._needed:
            self._needed = needed
            self._cursor = min(self._cursor, self._last)
            self._fit()
            self.refresh(layout=True)

    def _open(self, at: int, text: str = "") -> None:
        """Request the form of the entry in a row."""
        past = at - len(self.value)
        name = self._lacking[past] if 0 <= past < len(self._lacking) else ""
        if past < 0 and self._needed and self.value[at]["name"] in self._needed:
            name = self.value[at]["name"]
        self.post_message(self.Opened(self, min(at, len(self.value)), name, text))

    def put_instead(self, text: SafeText | None) -> None:
        """Show this text instead of the entries, until one is added; None restores the entries."""
        if self.instead is None:
            self._under = self.value
        self._take(self._under if text is None else [])
        self.instead = text

    def _take(self, entries: Sequence[Any]) -> None:
        self.value = list(entries)
        self.instead = self._refused = None
        self._cursor = min(self._cursor, self._last)
        self._fit()
        self.refresh(layout=True)
        self.post_message(self.Changed())

    def _fit(self) -> None:
        self.styles.height = min(self._last, MOST_ROWS) + 1

    # -- painting ----------------------------------------------------------------------------------------------------

    @property
    def _top(self) -> int:
        """The first visible entry, so that the cursor is visible."""
        return max(0, min(self._cursor, self._last - 1) - MOST_ROWS + 1)

    def render(self) -> RenderResult:
        """Paint the visible entries and the available keys."""
        rows = [self._row(at) for at in range(self._top, min(self._last, self._top + MOST_ROWS))]
        return Content("\n").join([*rows, self._foot()])

    def _row(self, at: int) -> Content:
        look = ScreenPart.CURSOR if self.has_focus and at == self._cursor else Tone.PLAIN
        number = styled(f"{at + 1:>3} ", Tone.QUIET)
        if at >= len(self.value):
            name = clean(self._lacking[at - len(self.value)], 40)
            return number + styled(name, look) + styled(" *", Tone.WARN) + styled("  type its value", Tone.QUIET)
        text = clean(line_of(self.value[at], secret=self.secret) or "nothing", 300)
        return number + styled(fit(text, max(8, self.size.width - 4)), look)

    def _foot(self) -> Content:
        if self._refused is not None:
            return styled("  ") + styled(self._refused, Tone.BAD)
        instead = styled("") if self.instead is None else styled("  ") + styled(self.instead, Tone.STRONG)
        if not self.has_focus:
            return instead + styled("  + ", ScreenPart.KEY) + styled("add", Tone.QUIET)
        here = self._cursor == self._last
        content = instead + styled("  + ", ScreenPart.KEY) + styled("add", ScreenPart.CURSOR if here else Tone.QUIET)
        others = (("enter", "open"), ("-", "remove"), ("shift+↑↓", "move")) if self.value else (("^v", "paste CSV"),)
        for key, text in others:
            content += styled(f"  {key} ", ScreenPart.KEY) + styled(text, Tone.QUIET)
        return content

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show whether the input has the focus."""
        super().watch_has_focus(_has_focus)
        self._refused = None
        self.refresh()

    # -- keys --------------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Move, open, add or remove; other keys go to the dialog."""
        if not getattr(self.screen, "listening", True):
            return
        last, at = self._last, self._cursor
        steps = {"up": -1, "down": 1, "pageup": -MOST_ROWS, "pagedown": MOST_ROWS, "home": -last, "end": last}
        if event.key in steps:
            wanted = min(max(at + steps[event.key], 0), last)
            if wanted == at and event.key in {"up", "down"}:
                return
            self._cursor = wanted
            self.refresh()
        elif event.key == "enter":
            self._open(at)
        elif self._is_lacking(at) and event.is_printable and event.character:
            self._open(at, event.character)
        elif event.character == "+" or event.key == "insert":
            self._open(last)
        elif (event.character == "-" or event.key == "delete") and at < len(self.value):
            self._take([*self.value[:at], *self.value[at + 1 :]])
        elif event.key in {"shift+up", "shift+down"} and at < len(self.value):
            self._move(at, at + (1 if event.key == "shift+down" else -1))
        else:
            return
        event.stop()
        event.prevent_default()

    def _is_lacking(self, at: int) -> bool:
        """Return whether a row is a required name without an entry."""
        return len(self.value) <= at < self._last

    def _move(self, at: int, to: int) -> None:
        if 0 <= to < len(self.value):
            moved = [*self.value]
            moved.insert(to, moved.pop(at))
            self._take(moved)
            self._cursor = to
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked row; a click on the current row opens it, on the last row adds one."""
        at = self._top + event.y if event.y < self.size.height - 1 else self._last
        if at in {self._cursor, self._last}:
            self._open(at)
        self._cursor = at
        self.refresh()

    def on_paste(self, event: events.Paste) -> None:
        """Add an entry for each pasted line."""
        event.stop()
        self._paste(event.text)

    def key_ctrl_v(self) -> None:
        """Add an entry for each line that was copied in the application."""
        self._paste(app_of(self).clipboard)

    def _paste(self, text: str) -> None:
        if self._is_lacking(self._cursor):
            self._open(self._cursor, text.partition("\n")[0].rstrip("\r"))
            return
        try:
            pasted = self.entries.pasted(text)
            if self.secret and self.entries.member and not all(entry.get(self.entries.member) for entry in pasted):
                raise ValueError("Each line needs a name and a value.")
        except ValueError as error:
            self._refused = clean(str(error), 120)
            self.refresh()
            return
        if pasted:
            self._cursor = self._last + len(pasted)
            self._take([*self.value, *pasted])


class Cycle(Widget, can_focus=True):
    """Shows the selected value; left, right and space select another."""

    DEFAULT_CSS = """
    Cycle { height: 1; width: 1fr; background: $panel; }
    Cycle:focus { background-tint: $foreground 5%; }
    """

    class Changed(Message):
        """Another value was selected."""

    def __init__(self, offered: Sequence[str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._offered = tuple(offered) if value in offered else (value, *offered)
        self.value = value
        """The text of the selected value."""
        self.instead: SafeText | None = None
        """The text for a value that cannot be selected."""

    def put_instead(self, text: SafeText | None) -> None:
        """Show this text instead of the value, until another is selected; None restores the value."""
        self.instead = text
        self.refresh()
        self.post_message(self.Changed())

    def render(self) -> RenderResult:
        """Paint the value between arrows."""
        look = ScreenPart.KEY if self.has_focus else Tone.QUIET
        if self.instead is not None:
            return styled("< ", look) + styled(self.instead, Tone.STRONG) + styled(" >", look)
        place = f"  {self._offered.index(self.value) + 1} of {len(self._offered)}"
        return styled("< ", look) + styled(self.value) + styled(" >", look) + styled(place, Tone.QUIET)

    def _turn(self, step: int) -> None:
        self.value = self._offered[(self._offered.index(self.value) + step) % len(self._offered)]
        self.instead = None
        self.refresh()
        self.post_message(self.Changed())

    def on_key(self, event: events.Key) -> None:
        """Select a value; a letter selects the next value that starts with it."""
        if event.key in {"left", "right", "space"}:
            self._turn(-1 if event.key == "left" else 1)
        elif event.character and event.character.isalnum():
            at = self._offered.index(self.value)
            order = [*self._offered[at + 1 :], *self._offered[: at + 1]]
            chosen = next((value for value in order if value.casefold().startswith(event.character.casefold())), None)
            if chosen is None:
                return
            self._turn(self._offered.index(chosen) - at)
        else:
            return
        event.stop()

    def on_click(self) -> None:
        """Select the next value."""
        self._turn(1)


class HintLine(Widget):
    """One line below the fields: what to enter in the field in focus."""

    DEFAULT_CSS = "HintLine { height: 1; margin-top: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._text = clean("")

    def show(self, text: SafeText) -> None:
        """Replace the text."""
        self._text = text
        self.refresh()

    def render(self) -> RenderResult:
        """Paint the text, shortened to the line."""
        return styled(fit(self._text, self.size.width), Tone.QUIET)


class KnownInput(CleanInput):
    """A text of which some values are known. Right at the end of the text puts in the next one; others can be typed."""

    def __init__(self, value: str, known: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(value, id=id)
        self._known = tuple(shown_in_input(known_value) for known_value in known)
        self._typed = ""
        """The text that narrows the values, as typed."""
        self._put_in = value
        """The value that was put in last, which narrows nothing."""

    @property
    def matches(self) -> Sequence[str]:
        """The known values that contain the typed text, those that begin with it first."""
        if self.value != self._put_in:
            self._typed, self._put_in = self.value, ""
        typed = self._typed.casefold()
        first = [value for value in self._known if value.casefold().startswith(typed)]
        starts = {*first}
        return [*first, *(value for value in self._known if typed in value.casefold() and value not in starts)]

    def action_cursor_right(self, select: bool = False) -> None:
        """Move right; at the end of the text, put in the next value."""
        matches = self.matches
        if select or self.cursor_position < len(self.value) or not matches:
            super().action_cursor_right(select)
            return
        at = matches.index(self.value) if self.value in matches else -1
        self.value = self._put_in = shown_in_input(matches[(at + 1) % len(matches)])
        self.cursor_position = len(self.value)
