"""What is opened over a whole screen: a record, an answer, the quality of a call, the grid of skills.

Its keys are those of the context's key map, like everywhere else; the line at the bottom and help say them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from console.commands.view_keys import VIEW_KEYS
from console.frozen import Frozen
from console.live.delta import Health
from console.screens.app_context import AppContext
from console.screens.console_screen import ConsoleScreen
from console.screens.repeat import Press
from console.screens.updating import FullScreen
from console.text import SafeText, clean
from console.views.cell import Cell, Line, Tone
from console.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.widgets.theme import Part, app_of

_LINGER_BEATS = 40
_ABOUT = {each.id: each.about or each.title for each in VIEW_KEYS}


class OverlayHead(StyledLine):
    """What is open."""


class OverlayFoot(StyledLine):
    """The keys that work in what is open, or for a while what has to be said."""

    DEFAULT_CSS = """
    OverlayFoot { background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._words: SafeText | None = None
        self._beats = 0

    def say(self, words: SafeText) -> None:
        """Say something in place of the keys; it gives way to them again by itself."""
        self._words, self._beats = words, _LINGER_BEATS
        self.update([piece(words, Tone.NOTICE)])

    def keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Say the keys and what they do, those for which there is room; call it on every beat."""
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
    """A key that works in what is open, by the id that the key map has for it."""

    id: str
    words: str
    """What it does here, in a word or two."""
    do: Callable[[], object]
    shown: bool = True
    """Whether the line at the bottom names it; help names all."""
    about: str = ""
    """What it does, in a sentence, where that is other than elsewhere."""
    repeats: bool = True
    """Whether it counts again while it is held down."""


class Overlay(FullScreen):
    """The base: a top line that says how fresh it is, a head, the body, and the keys."""

    FIXED: tuple[tuple[str, str], ...] = (("↑↓", "scroll"),)
    """Keys that nobody can give to anything else."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.head = OverlayHead()
        self.foot = OverlayFoot()

    # -- what subclasses say -----------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Give what stands between the head and the keys."""
        yield from ()

    def health(self) -> Health:
        """Say how fresh what is open is."""
        return self.context.backend.link

    def keys(self) -> list[OverlayKey]:
        """Return the keys that work here, the most used first; those of leaving and help come from the base."""
        return []

    def draw(self) -> None:
        """Bring head and body up to date."""

    def leave(self) -> None:
        """Close it."""
        self.dismiss()

    # -- the machinery -----------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the lines around the body."""
        yield self.top_line
        yield self.head
        yield from self.body()
        yield self.foot

    def on_screen_resume(self) -> None:
        """Draw before the first key is taken: what it does is done to what is shown."""
        self.beat(True)

    def beat(self, _fresh: bool, /) -> None:
        """Draw what changed."""
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
            OverlayKey("view.help", "help", self.help, shown=False),
            OverlayKey("view.quit", "back", self.leave, shown=False, about="Go back to the previous screen."),
        ]

    def on_key(self, event: events.Key) -> None:
        """Do what the key map says; keys typed into a field never come here."""
        press = self._repeat.pressed(event.key, event.time)
        for each in self._all_keys():
            if event.key in self.context.keys.get(each.id, ()):
                event.stop()
                event.prevent_default()
                if press is Press.MEANT or each.repeats:
                    each.do()
                return

    def help(self) -> None:
        """Show every key that works here."""
        from console.widgets.dialogs import HelpDialog

        app_of(self).push_screen(HelpDialog("All keys", self._help_lines(), self.context.closing_keys))

    def _help_lines(self) -> tuple[Line, ...]:
        said: list[tuple[str, str]] = []
        for each in self._all_keys():
            key = self.context.key_words(each.id)
            if key and (key, each.words) not in said:
                said.append((key, each.about or _ABOUT.get(each.id, "") or each.words))
        said += [(key, words.capitalize()) for key, words in self.FIXED]
        width = max(len(key) for key, _ in said)
        return tuple(
            (Cell(clean(key.rjust(width)), Tone.NOTICE), Cell(clean(f"  {words}", 200))) for key, words in said
        )

    def say(self, words: str) -> None:
        """Say something to the operator in the line of the keys."""
        self.foot.say(clean(words, 160))


def beneath(screen: Screen[None]) -> ConsoleScreen | None:
    """Return the screen over which this one is open."""
    stack = app_of(screen).screen_stack
    under = stack[stack.index(screen) - 1] if screen in stack else None
    return under if isinstance(under, ConsoleScreen) else None
