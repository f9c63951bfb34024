"""The base of full-screen overlays: a record, an answer, the quality of a call, the grid of skills.

Their keys come from the key map; the footer and help list them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from console.base.frozen import Frozen
from console.base.text import clean
from console.kinds.actions import by_id, for_kind
from console.kinds.view_keys import VIEW_KEYS, ViewKey
from console.live.delta import Health
from console.live.store import Asked
from console.ui.dialogs import HelpDialog
from console.ui.screens import deferred, navigation
from console.ui.screens.app_context import AppContext
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.specs import SCREENS
from console.ui.screens.updating import FullScreen
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.theme import ScreenPart, app_of
from console.ui.widgets.top_line import TopLine
from console.views.cell import Cell, Line, Tone

if TYPE_CHECKING:
    from console.commands.action import Action

_VIEW_KEYS = {view_key.id: view_key for view_key in VIEW_KEYS}
_ABOUT = {view_key.id: view_key.about or view_key.title for view_key in VIEW_KEYS}


Keys = tuple[tuple[str, str], ...]
"""Keys with their titles."""


class OverlayHead(StyledLine):
    """The title line."""


class OverlayFoot(StyledLine):
    """The keys of the overlay."""

    DEFAULT_CSS = """
    OverlayFoot { background: $panel; margin: 1 0 0 0; }
    """

    def keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Show the keys that fit with their titles."""
        pieces: list[Piece] = []
        for key, text in keys:
            more = [piece(key, ScreenPart.KEY), piece(f" {text}  ", Tone.QUIET)]
            if width_of(pieces) + width_of(more) <= self.size.width:
                pieces += more
        self.update(pieces)


class OverlayKey(Frozen):
    """A key of an overlay, identified by its id in the key map."""

    id: str
    words: str
    """Its title, one or two words."""
    do: Callable[[], object]
    shown: bool = True
    """Whether the footer shows it; help lists all."""
    about: str = ""
    """Its description as a sentence, if it differs from the key map."""
    repeats: bool = True
    """Whether it repeats while it is held down."""
    in_help: bool = True
    """Whether help lists it: a key that only says where it works is not listed."""


class Overlay(FullScreen):
    """The base: a top line with the freshness, a title, the body, notices, and the keys."""

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
        """Return the keys, the most used first. The base adds the keys for leaving and help."""
        return []

    def fixed_keys(self) -> Keys:
        """Return the keys that cannot be remapped, with their titles."""
        return (("↑↓", "scroll"),)

    def works_here(self, key: ViewKey | Action[Any]) -> bool:
        """Return whether a key of the screen below does the same here; others say that they work in the list."""
        place = key.where if isinstance(key, ViewKey) else key.kind
        return place in {"everywhere", "past"}

    def unfinished(self) -> str:
        """Return what must be finished before a key may lead elsewhere, as a sentence; empty if nothing."""
        return ""

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
        yield self.message_line
        yield self.foot

    def on_screen_resume(self) -> None:
        """Draw before the first key is handled, so that it acts on what is shown."""
        self.beat(True)

    def beat(self, _fresh: bool, /) -> None:
        """Draw changes."""
        if not self.is_mounted:
            return
        self.show_commands()
        self.draw()
        self.top_line.show(self.top_facts(self.context.render_context(), self.health()))
        keys = [
            (self.context.key_words(overlay_key.id), overlay_key.words)
            for overlay_key in self._all_keys()
            if overlay_key.shown
        ]
        self.foot.keys([*(key for key in keys if key[0]), *self.fixed_keys()])

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
        for overlay_key in self._every_key():
            if event.key in self.context.keys.get(overlay_key.id, ()):
                event.stop()
                event.prevent_default()
                if press.counts or overlay_key.repeats:
                    overlay_key.do()
                return
        self._unknown_key(event)

    def _every_key(self) -> list[OverlayKey]:
        keys = self._all_keys()
        own = {overlay_key.id for overlay_key in keys}
        return [*keys, *(overlay_key for overlay_key in self._keys_below() if overlay_key.id not in own)]

    def _keys_below(self) -> list[OverlayKey]:
        """Return the keys of the screen below: those that work here too, and those that say where they work."""
        under = beneath(self)
        if under is None:
            return []
        # As in the keyboard of a list: actions take precedence, then the last view key.
        below = (*for_kind(under.kind_in_focus()), *reversed(under.view_keys()))
        return [
            OverlayKey(
                key.id,
                key.title,
                partial(self.perform, key.id),
                False,
                key.about,
                repeats=isinstance(key, ViewKey) and key.where == "past",
                in_help=self.works_here(key),
            )
            for key in below
        ]

    def perform(self, identifier: str) -> None:
        """Do what a key does on the screen below, or say where it works."""
        under, key_words = beneath(self), self.context.key_words
        if under is None:
            return
        key = _VIEW_KEYS.get(identifier) or by_id(identifier)
        if not self.works_here(key):
            self.say(f"{key_words(key.id)} {key.title} works in the list: press {key_words('view.back')} to go there.")
        elif reason := self.unfinished():
            self.say(reason)
        else:
            under.perform(identifier)

    def _unknown_key(self, event: events.Key) -> None:
        """Go to the screen of a digit, or say where the key works."""
        spec = next((screen for screen in SCREENS if screen.digit == event.character), None)
        under = beneath(self)
        if spec is not None:
            event.stop()
            if reason := self.unfinished():
                self.say(reason)
            else:
                navigation.go(app_of(self), self.context, spec.name)
        elif under is not None:
            under.say_where(event.key, self.context.key_words("view.back"))

    def on_top_line_chosen(self, message: TopLine.Chosen) -> None:
        """Do what a click does on the screen below."""
        under = beneath(self)
        if under is not None:
            under.on_top_line_chosen(message)

    def help(self) -> None:
        """Show all keys."""
        app_of(self).push_screen(HelpDialog("All keys", self._help_lines(), self.context.closing_keys))

    def note(self) -> None:
        """Add a hand-over note, about the record under the cursor of the screen below."""
        under = beneath(self)
        deferred.overlays.add_note(self, *(under.linked() if under is not None else ("", "")))

    def _help_lines(self) -> tuple[Line, ...]:
        entries: list[tuple[str, str]] = []
        for overlay_key in self._every_key():
            if not overlay_key.in_help:
                continue
            key = self.context.key_words(overlay_key.id)
            if key and (key, overlay_key.words) not in entries:
                entries.append((key, overlay_key.about or _ABOUT.get(overlay_key.id, "") or overlay_key.words))
        entries += [(key, text.capitalize()) for key, text in self.fixed_keys()]
        width = max(len(key) for key, _ in entries)
        return tuple(
            (Cell(clean(key.rjust(width)), Tone.NOTICE), Cell(clean(f"  {text}", 200))) for key, text in entries
        )

    def say(self, text: str) -> None:
        """Show a notice above the keys, where a long one wraps."""
        self.message_line.say([piece(clean(text, 160))])


def beneath(screen: Screen[Any]) -> ConsoleScreen | None:
    """Return the screen below this one, and below other overlays."""
    stack = app_of(screen).screen_stack
    below = stack[: stack.index(screen)] if screen in stack else []
    return next((candidate for candidate in reversed(below) if isinstance(candidate, ConsoleScreen)), None)


AskedLines = Asked[tuple[Line, ...]]
"""An answer of the service that a detail shows as lines."""


def lines_of(asked: AskedLines, none: str) -> tuple[Line, ...]:
    """Look, and return the current lines; `none` is the text for "not found"."""
    asked.look()
    if asked.answered:
        return _line(none) if asked.value is None else asked.value
    return _line(f"Cannot load: {asked.reason}", Tone.WARN) if asked.reason else _line("Loading…")


def _line(text: str, tone: Tone = Tone.QUIET) -> tuple[Line, ...]:
    return ((Cell(clean(text, 300), tone),),)
