"""A record opened over the whole screen: all its parts, kept up to date while it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from console.live.feeds import FEEDS
from console.records.record import Record
from console.screens.station import Station
from console.tables.cell import Section, Tone
from console.tables.table import Table
from console.text import SafeText, clean
from console.widgets.detail_pane import DetailPane
from console.widgets.frame import badge
from console.widgets.saying import Saying, piece
from console.widgets.theme import Part


def sections_of(station: Station, table: Table[Any], record: Record) -> tuple[Section, ...]:
    """Return the parts of a record's detail, as of now."""
    return table.detail(record, station.sight())


_LINGER_BEATS = 40


class DetailHead(Saying):
    """What is open, and how fresh it is."""

    DEFAULT_CSS = """
    DetailHead { background: $panel; }
    """


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
        """Say the keys and what they do; call it on every beat."""
        if self._beats > 0:
            self._beats -= 1
            return
        said = (each for key, words in keys for each in (piece(key, Part.KEY), piece(f" {words}  ", Tone.QUIET)))
        self.put([*said])


class DetailScreen(Screen[None]):
    """One record. It stays open when the record goes, and says so."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter", "dismiss", "back"),
        ("right_square_bracket,tab", "step(1)", "next part"),
        ("left_square_bracket,shift+tab", "step(-1)", "previous part"),
        ("y", "copy", "copy"),
    ]

    def __init__(
        self,
        station: Station,
        table: Table[Any],
        key: str,
        part: str = "",
        find: Callable[[str], Record | None] | None = None,
    ) -> None:
        """`find` tells where the record is kept, if it is not what the desk holds under the table's kind."""
        super().__init__()
        self._station = station
        self._table = table
        self._key = key
        self._find = find or self._listed
        self._part = part
        self._record: Record | None = None
        self._head = DetailHead()
        self._pane = DetailPane()
        self._foot = DetailFoot()

    def compose(self) -> ComposeResult:
        """Lay out the head, the parts and the keys."""
        yield self._head
        yield self._pane
        yield self._foot

    def on_mount(self) -> None:
        """Draw at once, and open the part that was asked for."""
        self.beat(True)
        if self._part:
            self._pane.open(self._part)
        self._pane.focus()

    def beat(self, _fresh: bool) -> None:
        """Draw what changed."""
        if not self.is_mounted:
            return
        found: Record | None = self._find(self._key)
        gone = found is None and self._record is not None
        self._record = found or self._record
        head = [piece(f"{self._table.one} ", Tone.QUIET), piece(clean(self._key, 40), Tone.STRONG)]
        if gone:
            head.append(piece("   it is no longer listed; this is what was last known", Tone.WARN))
        desk, kind = self._station.desk, self._table.kind
        head += [piece("   "), *badge(desk.health(kind) if kind in FEEDS else desk.link)]
        self._head.put(head)
        self._foot.keys(("esc", "back"), ("]", "next part"), ("[", "previous part"), ("y", "copy id"), ("↑↓", "scroll"))
        if self._record is not None:
            self._pane.show(self._key, sections_of(self._station, self._table, self._record))

    def _listed(self, key: str) -> Record | None:
        return self._station.desk.records(self._table.kind).get(key)

    def action_step(self, step: int) -> None:
        """Go to another part."""
        self._pane.step(step)

    def action_copy(self) -> None:
        """Send the record's id to the terminal's clipboard."""
        from console.screens.export import copy_text

        copies = self._table.copies
        copy_text(self, copies(self._record) if copies and self._record else self._key)

    def say(self, words: str) -> None:
        """Say something to the operator in the line of the keys."""
        self._foot.say(clean(words, 160))
