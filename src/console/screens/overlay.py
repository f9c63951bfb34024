"""The base of full-screen overlays: a record, an answer, the quality of a call, the grid of skills.

Their keys are those of the key map; the footer and help list them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from console.frozen import Frozen
from console.kinds.view_keys import VIEW_KEYS
from console.live.delta import Health
from console.screens.app_context import AppContext
from console.screens.console_screen import ConsoleScreen
from console.screens.repeat import Press
from console.screens.updating import FullScreen
from console.text import SafeText, clean
from console.views.cell import Cell, Line, Tone
from console.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.widgets.theme import Part, app_of
from console.widgets.top_line import TopLine

_LINGER_BEATS = 40
_ABOUT = {each.id: each.about or each.title for each in VIEW_KEYS}


class OverlayHead(StyledLine):
    """The title line."""


class OverlayFoot(StyledLine):
    """The keys of the overlay, or for a few seconds a notice."""

    DEFAULT_CSS = """
    OverlayFoot { background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._words: SafeText | None = None
        self._beats = 0

    def say(self, words: SafeText) -> None:
        """Show a notice in place of the keys for a few seconds."""
        self._words, self._beats = words, _LINGER_BEATS
        self.update([piece(words, Tone.NOTICE)])

    def keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Show the keys that fit with their titles. Must be called on every refresh."""
        if self._beats > 0:
            self._beats -= 1
            return
        said: list[Piece] = []
        for key, words in keys:
            more = [piece(key, Part.KEY), piece(f" {words}  ", Tone.QUIET)]
            if width_of(said) + width_of(more) <= self.size.width:
                said += more
        self.update(said)


class OverlayKey(Frozen):
    """A key of an overlay, identified by its id in the key map."""

    id: str
    words: str
    """Its title, one or two words."""
    do: Callable[[], object]
    shown: bool = True
    """Whether the footer shows it; help lists all."""
    about: str = ""
    """Its description as a sentence, if it differs from that of the key map."""
    repeats: bool = True
    """Whether it repeats while it is held down."""
    in_help: bool = True
    """Whether help lists it: a key that only says where it works is not listed."""


class Overlay(FullScreen):
    """The base: a top line with the freshness, a title, the body, and the keys."""

    FIXED: tuple[tuple[str, str], ...] = (("↑↓", "scroll"),)
    """Keys that cannot be remapped."""
    OVER: ClassVar[bool] = True

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.head = OverlayHead()
        self.foot = OverlayFoot()

    # -- for subclasses ----------------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Return the widgets between the title and the keys."""
        yield from ()

    def health(self) -> Health:
        """Return the freshness of the contents."""
        return self.context.backend.link

    def keys(self) -> list[OverlayKey]:
        """Return the keys, the most used first. The base adds those of leaving and help."""
        return []

    def keys_of_list(self) -> list[OverlayKey]:
        """Return the keys of the list below that work here too, and those that say why not."""
        return []

    def unknown_key(self, event: events.Key) -> None:
        """Handle a key that is none of these."""

    def draw(self) -> None:
        """Update title and body."""

    def leave(self) -> None:
        """Close the overlay."""
        self.dismiss()

    # -- implementation ----------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Compose the lines around the body."""
        yield self.top_line
        yield self.head
        yield from self.body()
        yield self.foot

    def on_screen_resume(self) -> None:
        """Draw before the first key is handled, so that it acts on what is shown."""
        self.beat(True)

    def beat(self, _fresh: bool, /) -> None:
        """Draw changes."""
        if not self.is_mounted:
            return
        self.draw()
        self.top_line.show(self.context.top_facts(self.health()))
        told = [(self.context.key_words(each.id), each.words) for each in self._all_keys() if each.shown]
        self.foot.keys([*(each for each in told if each[0]), *self.FIXED])

    def _all_keys(self) -> list[OverlayKey]:
        return [
            OverlayKey("view.back", "back", self.leave, about="Go back to the previous screen."),
            *self.keys(),
            OverlayKey("view.note", "note", self.note, shown=False, repeats=False),
            OverlayKey("view.help", "help", self.help, shown=False),
            OverlayKey("view.quit", "back", self.leave, shown=False, about="Go back to the previous screen."),
        ]

    def on_key(self, event: events.Key) -> None:
        """Execute the key map's entry for a key. Keys typed into an input do not arrive here."""
        press = self._repeat.pressed(event.key, event.time)
        for each in self._every_key():
            if event.key in self.context.keys.get(each.id, ()):
                event.stop()
                event.prevent_default()
                if press is Press.MEANT or each.repeats:
                    each.do()
                return
        self.unknown_key(event)

    def _every_key(self) -> list[OverlayKey]:
        keys = self._all_keys()
        own = {each.id for each in keys}
        return [*keys, *(each for each in self.keys_of_list() if each.id not in own)]

    def on_top_line_chosen(self, message: TopLine.Chosen) -> None:
        """Do what a click does on the screen below."""
        under = beneath(self)
        if under is not None:
            under.on_top_line_chosen(message)

    def help(self) -> None:
        """Show all keys."""
        from console.widgets.dialogs import HelpDialog

        app_of(self).push_screen(HelpDialog("All keys", self._help_lines(), self.context.closing_keys))

    def note(self) -> None:
        """Add a hand-over note, about the record under the cursor of the screen below."""
        from console.screens.noting import add_note

        under = beneath(self)
        add_note(self, *(under.linked() if under is not None else ("", "")))

    def _help_lines(self) -> tuple[Line, ...]:
        said: list[tuple[str, str]] = []
        for each in self._every_key():
            if not each.in_help:
                continue
            key = self.context.key_words(each.id)
            if key and (key, each.words) not in said:
                said.append((key, each.about or _ABOUT.get(each.id, "") or each.words))
        said += [(key, words.capitalize()) for key, words in self.FIXED]
        width = max(len(key) for key, _ in said)
        return tuple(
            (Cell(clean(key.rjust(width)), Tone.NOTICE), Cell(clean(f"  {words}", 200))) for key, words in said
        )

    def say(self, words: str) -> None:
        """Show a notice in the line of the keys."""
        self.foot.say(clean(words, 160))


def beneath(screen: Screen[Any]) -> ConsoleScreen | None:
    """Return the screen below this one, and below other overlays."""
    stack = app_of(screen).screen_stack
    below = stack[: stack.index(screen)] if screen in stack else []
    return next((each for each in reversed(below) if isinstance(each, ConsoleScreen)), None)
