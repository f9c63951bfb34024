"""A record opened over the whole screen: all its parts, kept up to date while it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from console.records.record import Record
from console.screens.station import Station
from console.tables.cell import Section, Tone
from console.tables.table import Table
from console.text import SafeText, clean
from console.widgets.detail_pane import DetailPane
from console.widgets.frame import badge
from console.widgets.patience import Patient
from console.widgets.saying import Saying, piece
from console.widgets.theme import Part

if TYPE_CHECKING:
    from console.screens.list_pane import ListPane


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


class DetailScreen(Patient[None]):
    """One record. It stays open when the record goes, and says so."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter", "dismiss", "back"),
        ("right_square_bracket,tab", "step(1)", "next part"),
        ("left_square_bracket,shift+tab", "step(-1)", "previous part"),
        ("y", "copy", "copy"),
    ]

    def __init__(self, source: ListPane, key: str, part: str = "") -> None:
        super().__init__()
        self._source = source
        self._key = key
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
        found = self._source.find(self._key)
        gone = found is None and self._record is not None
        self._record = found or self._record
        head = [piece(f"{self._source.table.one} ", Tone.QUIET), piece(clean(self._key, 40), Tone.STRONG)]
        if gone:
            head.append(piece("   it is no longer listed; this is what was last known", Tone.WARN))
        head += [piece("   "), *badge(self._source.health)]
        self._head.put(head)
        self._foot.keys(("esc", "back"), ("]", "next part"), ("[", "previous part"), ("y", "copy id"), ("↑↓", "scroll"))
        if self._record is not None:
            self._pane.show(self._key, self.sections())

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
