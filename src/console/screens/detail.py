"""A record opened over the whole screen: all its parts, kept up to date while it is looked at."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from console.actions.action import Action
from console.actions.catalogue import for_kind
from console.actions.gate import blocked
from console.records.record import Record
from console.screens.repeat import KeyRepeat, Press
from console.screens.station import Station
from console.tables.cell import Section, Tone
from console.tables.table import Table
from console.text import SafeText, clean
from console.widgets.detail_pane import DetailPane
from console.widgets.frame import Toasts, TopLine
from console.widgets.patience import Patient
from console.widgets.saying import Piece, Saying, piece, width_of
from console.widgets.theme import Part, app_of

if TYPE_CHECKING:
    from console.screens.frame import DeskScreen
    from console.screens.list_pane import ListPane


def sections_of(station: Station, table: Table[Any], record: Record) -> tuple[Section, ...]:
    """Return the parts of a record's detail, as of now."""
    return table.detail(record, station.sight())


def beneath(screen: Screen[Any]) -> DeskScreen | None:
    """Return the screen over which this one is open."""
    from console.screens.frame import DeskScreen

    stack = app_of(screen).screen_stack
    under = stack[stack.index(screen) - 1] if screen in stack else None
    return under if isinstance(under, DeskScreen) else None


_LINGER_BEATS = 40
_MOST_ACTIONS = 3
"""How many of its actions the foot names; help in the list names all."""


class DetailHead(Saying):
    """What is open."""


class DetailFoot(Saying):
    """The keys that work in what is opened over the whole screen, or for a while what has to be said."""

    DEFAULT_CSS = """
    DetailFoot { background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._words: SafeText | None = None
        self._beats = 0

    def say(self, words: SafeText) -> None:
        """Say something in place of the keys; it gives way to them again by itself."""
        self._words, self._beats = words, _LINGER_BEATS
        self.put([piece(words, Tone.NOTICE)])

    def keys(self, *keys: tuple[str, str]) -> None:
        """Say the keys and what they do, those for which there is room; call it on every beat."""
        if self._beats > 0:
            self._beats -= 1
            return
        said: list[Piece] = []
        for key, words in keys:
            more = [piece(key, Part.KEY), piece(f" {words}  ", Tone.QUIET)]
            if width_of(said) + width_of(more) <= self.size.width:
                said += more
        self.put(said)


class DetailScreen(Patient[None]):
    """One record. It stays open when the record goes, and says so.

    What may be done to it in its list may be done here by the same keys; undo takes it back here as well.
    """

    DEFAULT_CSS = """
    DetailScreen { layout: vertical; }
    DetailScreen > DetailPane { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter", "dismiss", "back"),
        ("right_square_bracket,tab", "step(1)", "next part"),
        ("left_square_bracket,shift+tab", "step(-1)", "previous part"),
        ("y", "copy", "copy"),
    ]

    def __init__(self, source: ListPane, key: str) -> None:
        super().__init__()
        self._source = source
        self._key = key
        self._record: Record | None = None
        self._top_line = TopLine()
        self._head = DetailHead()
        self._pane = DetailPane()
        self._toasts = Toasts()
        self._foot = DetailFoot()
        self._repeat = KeyRepeat()

    def compose(self) -> ComposeResult:
        """Lay out the head, the parts and the keys."""
        yield self._top_line
        yield self._head
        yield self._pane
        yield self._toasts
        yield self._foot

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self._pane.focus()

    def on_screen_resume(self) -> None:
        """Draw before the first key is taken: what it does is done to what is shown."""
        self.beat(True)

    def beat(self, _fresh: bool) -> None:
        """Draw what changed."""
        if not self.is_mounted:
            return
        found = self._source.find(self._key)
        gone = found is None and self._record is not None
        self._record = found or self._record
        head = [piece(f"{self._source.table.one} ", Tone.QUIET), piece(clean(self._key, 40), Tone.STRONG)]
        if gone:
            head.append(piece("   it is no longer listed; this is what was last known", Tone.WARN))
        self._head.put(head)
        station = self._source.station
        self._top_line.show(station.top_facts(self._source.health))
        self._toasts.show(station.desk.tickets(), station.key_words("view.undo"))
        usual = (("]", "next part"), ("y", "copy id"), ("↑↓", "scroll"))
        self._foot.keys(("esc", "back"), *self._keys_of_actions(), *usual)
        if self._record is not None:
            self._pane.show(self._key, self.sections())

    # -- what may be done to it ------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Action[Any]]:
        """Return the actions that meet this record, by the words for their keys."""
        station = self._source.station
        found = (
            each for each in for_kind(self._source.kind) if each.kind == self._source.kind and each.needs != "none"
        )
        return {station.key_words(each.id): each for each in found}

    def _keys_of_actions(self) -> list[tuple[str, str]]:
        """Return the keys of the most used actions that can be taken now."""
        under, record = beneath(self), self._record
        if under is None or record is None:
            return []
        situation = self._source.station.situation(under.selected())
        free = [
            (words, action.short or action.title.lower())
            for words, action in self._actions().items()
            if words and action.footer < 9 and not blocked(action, situation, [record])
        ]
        return free[:_MOST_ACTIONS]

    def on_key(self, event: events.Key) -> None:
        """Do to this record what the key stands for in its list."""
        station, under = self._source.station, beneath(self)
        if under is None or self._record is None:
            return
        press = self._repeat.pressed(event.key, event.time)
        if event.key in station.keys.get("view.undo", ()):
            wanted = under.do_undo
        else:
            action = next(
                (each for each in self._actions().values() if event.key in station.keys.get(each.id, ())), None
            )
            if action is None:
                return
            record = self._record
            wanted = partial(under.carry_out, action, (record,))
        event.stop()
        if press is Press.MEANT:
            wanted()

    def sections(self) -> tuple[Section, ...]:
        """Return the parts of the record as they are now."""
        assert self._record is not None
        return sections_of(self._source.station, self._source.table, self._record)

    def action_step(self, step: int) -> None:
        """Go to another part."""
        self._pane.step(step)

    def action_copy(self) -> None:
        """Send the record's id to the terminal's clipboard."""
        from console.screens.export import copy_text

        copies = self._source.table.copies
        copy_text(self, copies(self._record) if copies and self._record else self._key)

    def say(self, words: str) -> None:
        """Say something to the operator in the line of the keys."""
        self._foot.say(clean(words, 160))
