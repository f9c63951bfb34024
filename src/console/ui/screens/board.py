"""The parts of Home: tiles, the line above what needs attention, notes, lists, and the charts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, cells, clean
from console.kinds.episodes.facts import muted_now
from console.kinds.scope import Scope, is_exact, nothing_wrong, only, scope
from console.kinds.status.charts import CHARTS, DAY, HOUR, sampled, seconds_to_curves, shown_span
from console.kinds.status.summary import Figure
from console.live.delta import Freshness
from console.recording.notes import Note
from console.records.episodes import Episode
from console.records.extent import Extent
from console.ui.screens import deferred, preload
from console.ui.screens.app_context import AppContext
from console.ui.widgets.chart import ChartView, beginning
from console.ui.widgets.concerns import ConcernList
from console.ui.widgets.styled_line import Piece, StyledLine, piece, pieces, width_of
from console.ui.widgets.wrapping import wrap
from console.views import wording
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from console.views.trend import spark
from console.views.wording import amount, seconds_words

if TYPE_CHECKING:
    from console.records.record import Record
    from console.ui.screens.list_pane import ListPane

_HEAD = 2
"""Lines of the list of queues besides its rows: totals and titles."""
_EMPTY = 2
"""Lines in which a list without rows says why."""
_NARROW = 160
"""Width from which queues and what needs attention are side by side."""
_REDRAWN_MS = 2_000


class BoardHeights(Frozen):
    """Heights of the parts in lines. What needs attention gets the rest."""

    queues: int
    charts: int
    """0 if there is no room."""
    grid: tuple[int, int] = (4, 1)
    """Charts beside and above each other."""


_BESIDE_CONCERNS = 3
"""Lines besides the rows of what needs attention: their title, and a gap above and below."""
_FEWEST_CONCERNS = 5
"""Lines of three things that need attention, with their title."""


def plan(width: int, height: int, queues: int, concerns: int, *, crowded: bool, begun: bool = True) -> BoardHeights:
    """Divide the lines below the tiles; `crowded` is whether not all that needs attention had room.

    Unless the charts have `begun` to have curves, one line says when.
    """
    need = max(queues, _EMPTY) + _HEAD
    if width < _NARROW:
        spare = height - need - max(_FEWEST_CONCERNS, concerns + _BESIDE_CONCERNS)
        charts = max(8, height // 4, min(height * 3 // 5, spare)) if height >= 26 and width >= 96 else 0
        charts = charts if begun else min(charts, 1)
        left = height - charts - (1 if charts else 0)
        most = max(4, left * 11 // 20, 0 if crowded else left - _FEWEST_CONCERNS)
        return BoardHeights(min(need, most), charts, (max(3, min(4, width // 28)), 1))
    if not begun:
        return BoardHeights(height - 2, 1)
    board = min(max(need, height // 2 if crowded else 14), height)
    charts = height - board - 1
    if charts < 7:
        return BoardHeights(height, 0)
    return BoardHeights(board, charts, (3, 2) if charts >= 20 else (6, 1) if width >= 220 else (4, 1))


_FEW, _MANY, _MANY_IF_LOW = 4, 10, 5
"""Rows of what needs attention on an agent's Home: at least, and at most unless the colleagues leave more."""
_FEWEST_COLLEAGUES = 8
"""Lines of six colleagues."""


def plan_own(width: int, height: int, chats: int, concerns: int, colleagues: int) -> BoardHeights:
    """Divide the lines of an agent's Home: the colleagues, in place of the charts, get those that are left."""
    need, wanted = (max(rows, _EMPTY) + _HEAD for rows in (chats, colleagues))
    if width >= _NARROW:
        most = max(height // 2, height - 1 - wanted)
        board = min(max(need, concerns + 1, _FEWEST_COLLEAGUES), most)
        return BoardHeights(board, height - board - 1)
    left, roomy = height - need, height >= 26
    most = max(_MANY if roomy else _MANY_IF_LOW, left - _BESIDE_CONCERNS - wanted)
    lines = left - _BESIDE_CONCERNS - min(max(concerns, _FEW), most)
    lines = max(lines, min(wanted, _FEWEST_COLLEAGUES)) if roomy else lines
    lines = lines if lines > _HEAD else 0
    above = height - lines - (1 if lines else 0)
    return BoardHeights(min(need, max(4, above * 11 // 20, above - min(concerns, _FEW) - 2)), lines)


class HomeList(Vertical):
    """A list on Home. It is composed when its modules are imported, which the first rows do not wait for."""

    DEFAULT_CSS = """
    HomeList { width: 1fr; }
    """

    def __init__(self, context: AppContext, name: str) -> None:
        super().__init__(id=name)
        self.context = context
        self._loading = StyledLine()
        self.pane: ListPane | None = None

    def compose(self) -> ComposeResult:
        """Compose the line that stands for the list until it is there."""
        yield self._loading

    def on_mount(self) -> None:
        """Show a loading message."""
        self._loading.update([piece("Queues", Tone.STRONG), piece("  loading…", Tone.QUIET)])

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.pane.view.matched if self.pane is not None else 0

    @property
    def kind(self) -> str:
        """The kind of the records, empty until the list is there."""
        return self.pane.kind if self.pane is not None else ""

    @property
    def has_cursor(self) -> bool:
        """Whether the list has the focus."""
        return self.pane is not None and self.pane.live_table.has_focus

    @property
    def current(self) -> Record | None:
        """The record under the cursor."""
        return self.pane.view.cursor_record if self.pane is not None else None

    def focus_rows(self) -> bool:
        """Give the list the focus. Return whether it is there."""
        if self.pane is None:
            return False
        self.pane.live_table.focus()
        return True

    def beat(self, kind: str, fresh: bool) -> None:
        """Draw the changes of the list of a kind: of queues, own chats (`chats`) or colleagues (`agents`)."""
        if self.pane is not None and self.pane.kind != kind:
            self.pane.remove()
            self.pane = None
        if self.pane is not None:
            self.pane.beat(fresh)
            view = self.pane.view
            if not self.has_cursor and view.keys and view.cursor_key != view.keys[0]:
                # The longest wait, or who is free now, stays visible until somebody moves the cursor here.
                self.pane.live_table.move_to(view.keys[0])
        elif preload.is_loaded() and self.is_mounted:
            self.pane = deferred.combined_pane.pane_of_board(self.context, kind)
            self.mount(self.pane)
            self._loading.display = False


class Charts(Container):
    """The charts, in a grid; in the first minutes, one line that says when there will be some."""

    DEFAULT_CSS = """
    Charts { layout: grid; grid-gutter: 0 1; padding: 0 1; margin: 1 0 0 0; }
    Charts.to-come { padding: 0; }
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__(id="charts")
        self.context = context
        self._announcement = StyledLine(id="charts-to-come")
        self._views = {chart.name: ChartView(id=f"chart-{chart.name}") for chart in CHARTS}
        self._begun = False
        self._seconds_left: float | None = None
        """Seconds until there are curves, None without samples, and the state for which it holds."""
        self._counted: object = None
        self._span = HOUR
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        """Compose all charts; those without room are not displayed."""
        yield self._announcement
        yield from self._views.values()

    def have_begun(self) -> bool:
        """Return whether there are curves to draw; once there are, the charts stay, but not at another moment."""
        if not self._begun or self.context.past is not None:
            history = self.context.backend.history
            state = self.context.clock.now_ms() // 1000, history.revision
            if state != self._counted:
                self._counted, self._seconds_left = state, seconds_to_curves(history)
                self._begun = self._seconds_left == 0
        return self._begun

    def set_grid(self, grid: tuple[int, int]) -> None:
        """Show as many charts as fit."""
        columns, rows = grid if self._begun else (1, 1)
        self.styles.grid_size_columns, self.styles.grid_size_rows = columns, rows
        self.styles.grid_gutter_horizontal = 1 if rows > 1 else 0
        self.set_class(not self._begun, "to-come")
        self._announcement.display = not self._begun
        for place, view in enumerate(self._views.values()):
            view.display = self._begun and place < columns * rows

    def switch_span(self) -> float:
        """Show a day instead of an hour, or the other way round. Return the span in seconds."""
        self._span = DAY if self._span == HOUR else HOUR
        self._drawn = None
        return self._span

    def draw(self, render: RenderContext) -> None:
        """Draw the charts anew when there are samples, and every few seconds."""
        history = self.context.backend.history
        if not self._begun:
            self._announce(render)
            return
        now_ms = render.now_ms if self.context.past is not None else render.now_ms // _REDRAWN_MS
        state = now_ms, history.revision, self._span, *(view.size for view in self._views.values())
        if state == self._drawn:
            return
        self._drawn = state
        charts = [chart for chart in CHARTS if self._views[chart.name].display]
        span = shown_span(charts, history, self._span)
        for chart in charts:
            view = self._views[chart.name]
            if intervals := view.intervals(chart, render.symbols):
                view.show(chart, sampled(chart, history, intervals, span), span, render)

    def _announce(self, render: RenderContext) -> None:
        seconds = self._seconds_left
        when = "no samples" if render.past else "no samples yet"
        if seconds is not None:
            moment = datetime.fromtimestamp(beginning(seconds, render), render.zone)
            when = f"from {moment:%H:%M}"
        self._announcement.update([piece("Charts", Tone.STRONG), piece(f"  {when}", Tone.QUIET)])


_FULL = 4
"""Lines of a tile with all parts."""


class Tile(StyledLine):
    """Title, values, note and sparkline with its span; on two lines, title and values, with the note if it fits."""

    DEFAULT_CSS = """
    Tile { height: 100%; background: $surface; padding: 0 1; }
    """

    def show(self, number: Figure, samples: Sequence[float | None], span: SafeText, symbols: str) -> None:
        """Show a number with its history over a span."""
        width, height = self.size
        title = number.short if number.short and 0 < width < cells(clean(number.title)) else number.title
        note = clean(number.note, 40)
        first = [piece(title, Tone.QUIET)]
        values = [piece(clean(number.value, 20), number.tone)]
        if number.second:
            second = piece(clean(number.second, 20), number.second_tone)
            roomy = width_of([*values, second]) + 2 <= width or not width
            values += [piece("  " if roomy else " "), second]
        if 0 < height < _FULL:
            fits = note and width_of(values) + 2 + cells(note) <= width
            self.update(first, [*values, *([piece("  "), piece(note, Tone.QUIET)] if fits else [])])
            return
        strip = spark(samples, symbols)
        if strip.strip():
            history = [piece(strip, Tone.NOTICE), piece(f"  {span}", Tone.QUIET)]
            self.update(first, values, [piece(note, Tone.QUIET)], history)
            return
        third, last = [piece(note, Tone.QUIET)], []
        if 0 < width < len(note) or not note.isascii():
            # A reason that is wider than the tile continues on the last line, before what stands there.
            third, *rest = (pieces(row) for row in wrap((Cell(note, Tone.QUIET),), width or cells(note)))
            last = [part for row in rest for part in row]
        if number.more:
            more = [*([piece("  ")] if last else []), piece(clean(number.more, 40), Tone.QUIET)]
            # Half a number would be another number.
            last += more if not last or width_of([*last, *more]) <= width else []
        self.update(first, values, third, last)


_TITLES = {"alarms": "call quality"}


def concerns_head(context: AppContext, concerns: ConcernList, notes: int, *, is_own: bool) -> list[Piece]:
    """Return the number of things that need attention, the number of hidden ones, and the kinds that are unknown."""
    health, render = context.backend.health, context.render_context()
    count, head = (
        concerns.total - notes,
        [piece("Needs attention  ", Tone.STRONG if concerns.has_focus else Tone.PLAIN)],
    )
    watched = context.watched
    unknown = [kind for kind in watched if health(kind).extent is Extent.UNKNOWN]
    known = [kind for kind in watched if kind not in unknown]
    parts = [kind for kind in known if scope(kind, render) is not Scope.ALL]
    if is_own:
        # The whole screen shows what is their own.
        unknown = [kind for kind in unknown if health(kind).state is not Freshness.REFUSED]
    partly = [kind for kind in known if not is_exact(kind, render)]
    # A backend that fails on this extension has answered: offers are not loading.
    offers = health("notifications")
    offers_loading = offers.state is Freshness.LOADING and not offers.reason
    recorded = health("episodes") if context.past is not None else None
    if recorded is not None and recorded.state is Freshness.OFFLINE:
        age = f", {seconds_words(recorded.age)} old" if recorded.age is not None and count else ""
        head += [piece(f"{amount(count)} last known{age}   ", Tone.NOTICE)] if count else []
        head.append(piece(clean(recorded.reason, 120), Tone.BAD))
    elif offers_loading or any(health(kind).state is Freshness.LOADING for kind in unknown):
        head.append(piece("loading…", Tone.QUIET))
    elif unknown and len(unknown) == len(watched):
        head.append(piece(clean(f"unknown: {health('calls').reason}", 120), Tone.BAD))
        unknown = []
    elif not count:
        in_doubt = [*unknown, *partly]
        head.append(piece(nothing_wrong(parts, in_doubt, render), Tone.PLAIN if parts or in_doubt else Tone.GOOD))
    else:
        head.append(piece(amount(count), concerns.loudest))
        above, below = concerns.hidden
        up, down = (drawn(arrow, render.symbols) for arrow in "↑↓")
        head += [piece(f"   {up} {amount(above)} more", Tone.NOTICE)] if above else []
        head += [piece(f"   {down} {amount(below)} more", Tone.NOTICE)] if below else []
        head += [piece(f"   {only(parts, render)}", Tone.QUIET)] if parts and not is_own else []
    if unknown and not any(health(kind).state is Freshness.LOADING for kind in unknown):
        head.append(piece(f"   not shown: {', '.join(_TITLES.get(kind, kind) for kind in unknown)}", Tone.QUIET))
    if partly:
        head.append(
            piece(f"   only partly known: {', '.join(_TITLES.get(value, value) for value in partly)}", Tone.QUIET)
        )
    if muted := muted_now(render):
        head.append(piece(f"   {drawn('║', render.symbols)} {amount(muted)} muted", Tone.NOTICE))
    if notes:
        head.append(piece(f"   {wording.plural(notes, 'note')}", Tone.NOTICE))
    return head


_PREFIX = "note:"
_FIRST = 3
"""Number of notes before what needs the attention of everybody, the newest; the others are at the end."""


def pending_notes(context: AppContext) -> Sequence[Note]:
    """Return the notes that the logged-in user has not dismissed; none in the past."""
    who, notes = context.who, context.notes if context.past is None else None
    return notes.pending(who, context.clock.now_ms()) if who and notes is not None else ()


def with_notes(episodes: Sequence[Episode], notes: Sequence[Note]) -> Sequence[Episode]:
    """Return what needs attention with the notes: the newest after what waits for the user in person."""
    if not notes:
        return episodes
    mine = sum(bool(episode.mine) for episode in episodes)
    noted = [_shown(note) for note in reversed(notes)]
    return [*episodes[:mine], *noted[:_FIRST], *episodes[mine:], *noted[_FIRST:]]


def note_of(episode: Episode, notes: Sequence[Note]) -> Note | None:
    """Return the note that is shown as this line, None for an episode."""
    return next((note for note in notes if episode.id == f"{_PREFIX}{note.id}"), None)


def _shown(note: Note) -> Episode:
    by = f"{note.author}: " if note.author else ""
    return Episode(
        id=f"{_PREFIX}{note.id}", severity="notice", title="note", words=f"{by}{note.text}", since_at=note.at_ms
    )
