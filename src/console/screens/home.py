"""The overview: key figures of the service, what needs attention, and how each skill is covered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.geometry import Size

from console.commands.action import Action
from console.kinds.episodes.facts import attention, muted_now, target
from console.kinds.scope import Scope, is_exact, nothing_wrong, only, scope
from console.kinds.status.facts import memory_slope
from console.kinds.status.service import is_alarming, service_line
from console.kinds.status.summary import TILES, numbers
from console.live.delta import Freshness
from console.records.extent import Extent
from console.screens import navigation, queues
from console.screens.app_context import AppContext
from console.screens.board import Charts, QueueBoard, plan
from console.screens.console_screen import ConsoleScreen
from console.screens.notes import note_of, pending_notes, with_notes
from console.screens.specs import screen_of, spec_of
from console.signs import drawn
from console.text import clean
from console.views import words
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.words import amount, seconds_words
from console.widgets.concerns import ConcernList
from console.widgets.styled_line import StyledLine, piece, pieces, within
from console.widgets.theme import app_of
from console.widgets.tile import Tile

if TYPE_CHECKING:
    from console.notes import Note
    from console.records.connection import Connection
    from console.records.episodes import Episode
    from console.records.queues import Queue
    from console.records.record import Record
    from console.widgets.live_table import LiveTable

_HOUR = 3600.0
_SLOPE_SECONDS = 10
"""Seconds between two computations of the growth of memory."""
_TITLES = {"alarms": "call quality"}


class Heading(StyledLine):
    """The title of a section of Home."""

    DEFAULT_CSS = """
    Heading { margin: 1 0 0 0; }
    """


class HomeScreen(ConsoleScreen):
    """The status summary of the service, readable from a distance.

    What needs attention has precedence over the tiles. On a small terminal the tiles are two lines high, some are left
    out, and the state of the service is shown only when something is wrong with it.
    """

    DEFAULT_CSS = """
    HomeScreen #tiles { layout: grid; grid-size: 6 1; grid-rows: 2; height: auto; grid-gutter: 0 1; padding: 0 1; }
    HomeScreen.four #tiles { grid-size: 4 1; }
    HomeScreen.four #tile-abandoned, HomeScreen.four #tile-failed { display: none; }
    HomeScreen.full #tiles { grid-size: 3 2; grid-rows: 4; }
    HomeScreen.full.wide #tiles { grid-size: 6 1; grid-rows: 4; padding: 1 1 0 1; }
    HomeScreen #service { display: none; }
    HomeScreen.full #service, HomeScreen.alarming #service { display: block; }
    HomeScreen #below { height: 1fr; layout: vertical; }
    HomeScreen #board { layout: vertical; height: 1fr; }
    HomeScreen.very-wide #board { layout: horizontal; }
    HomeScreen.full #below { margin: 1 0 0 0; }
    HomeScreen #concerns { height: 1fr; width: 1fr; }
    HomeScreen.very-wide #queues { width: 3fr; }
    HomeScreen.very-wide #concerns { width: 2fr; height: 100%; }
    HomeScreen.low Heading, HomeScreen.very-wide Heading { margin: 0; }
    """

    spec = spec_of("home")

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._drawn: object = None
        self._offers: Mapping[str, Record] = {}
        """The offers when the list was made, so that an action on a vanished offer is refused with a reason."""
        self._notes: Sequence[Note] = ()
        self._tiles = {name: Tile(id=f"tile-{name}") for name in TILES}
        self._service = StyledLine(id="service")
        self._concerns_head = Heading(id="concerns-head")
        self._concerns = ConcernList()
        self._queues = QueueBoard(context)
        self._charts = Charts(context)
        self._below = Vertical(id="below")
        self._planned: tuple[tuple[Size, bool], int] | None = None
        """Size, whether not all that needs attention had room, and number of queues for which parts were arranged."""
        self._slope: tuple[int, float | None] = 0, None

    def compose_body(self) -> ComposeResult:
        """Compose the tiles above the queues, what needs attention, and the charts."""
        with Container(id="tiles"):
            yield from self._tiles.values()
        yield self._service
        with self._below:
            with Container(id="board"):
                yield self._queues
                with Vertical(id="concerns"):
                    yield self._concerns_head
                    yield self._concerns
            yield self._charts

    def on_mount(self) -> None:
        """Focus what needs attention."""
        self._concerns.focus()

    def fit(self, size: Size) -> dict[str, bool]:
        """Return the classes for the size: the tiles get the space left by what needs attention."""
        full = size.height >= (30 if size.width >= 120 else 36)
        return {**super().fit(size), "four": size.width < 72, "full": full, "low": size.height < 20}

    def kinds_in_view(self) -> frozenset[str]:
        """Return the kinds that Home summarises."""
        return frozenset(
            {"status", "calls", "queues", "agents", "skills", "alerts", "alarms", "notifications", "episodes"}
        )

    def kind_in_focus(self) -> str:
        """Return the kind under the cursor: alerts and offers can be accepted here."""
        if self._queues.has_cursor:
            return "queues"
        episode = self._episode
        return episode.list if episode is not None and episode.list in {"alerts", "notifications"} else "home"

    @property
    def _note(self) -> Note | None:
        """The note under the cursor."""
        shown = None if self._queues.has_cursor else self._concerns.current
        return note_of(shown, self._notes) if shown is not None else None

    @property
    def _episode(self) -> Episode | None:
        """The episode under the cursor."""
        return None if self._note is not None else self._concerns.current

    def linked(self) -> tuple[str, str]:
        """Return the record under the cursor: that of a queue, of an episode or of a note."""
        note, episode = self._note, self._episode
        if note is not None:
            return note.kind, note.key
        if self._queues.has_cursor or episode is None:
            return super().linked()
        kind, key, _ = target(episode, self.context.render_context())
        return (kind, key) if key and screen_of(kind) is not None else ("", "")

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the alerts or the offer under the cursor; all equal alerts if the action takes several."""
        episode = self._episode
        if action.needs == "none" or episode is None or episode.list != action.kind:
            return ()
        records = self._offers if episode.list == "notifications" else self.context.backend.records(action.kind)
        keys = episode.keys if action.needs == "many" else episode.keys[:1]
        return [records[key] for key in keys if key in records]

    def _divide(self) -> None:
        """Divide the lines among queues, what needs attention, and charts."""
        size, below = self._below.size, self._concerns.hidden
        crowded = any(below) or (self._planned is not None and self._planned[0] == (size, True))
        queues = max(self._queues.rows, self._planned[1] if self._planned else 0)
        wanted = (size, crowded), queues
        if wanted == self._planned or not size.height:
            return
        self._planned = wanted
        found = plan(size.width, size.height, queues, crowded=crowded)
        self._queues.styles.height = found.queues
        self._charts.styles.height = found.charts
        self._charts.display = found.charts > 0
        self._charts.set_grid(found.grid)

    def refresh_body(self, fresh: bool) -> None:
        """Draw once a second, when data arrived, and when the size changed."""
        self._queues.beat(fresh)
        self._divide()
        room = (self._concerns.size, self._tiles["calls"].size)
        notes = pending_notes(self.context)
        backend, watch = self.context.backend, self.context.watch
        versions = backend.revision, backend.history.revision, watch.collection.version if watch is not None else 0
        state = (self.context.clock.now_ms() // 1000, versions, room, notes)
        if state == self._drawn:
            return
        self._drawn = state
        render = self.context.render_context()
        self._draw_tiles(render)
        self._offers = dict(render.lookup("notifications"))
        self._notes = notes
        self._concerns.show(with_notes(attention(render), self._notes), render)
        self._draw_concerns_head()
        self._charts.draw(render)

    # -- tiles -------------------------------------------------------------------------------------------------------

    def _draw_tiles(self, render: RenderContext) -> None:
        started = next(
            (each.started_at for each in cast("Iterable[Connection]", render.lookup("connection").values())), None
        )
        service = service_line(started, render, memory_slope=self._memory_slope(render))
        self.set_class(is_alarming(service), "alarming")
        self._service.update(within(pieces(service), max(1, self.size.width - 2)))
        for name, number in numbers(self.context.waits.all(render), render).items():
            tile = self._tiles[name]
            width = max(6, tile.size.width - 8)
            series = self.context.backend.history.series(number.series, _HOUR, width) if number.series else ()
            tile.show(number, series, clean("1h"), render.symbols)

    def _memory_slope(self, render: RenderContext) -> float | None:
        due = render.now_ms // 1000 // _SLOPE_SECONDS
        if self._slope[0] != due:
            samples = self.context.backend.history.samples
            self._slope = due, memory_slope(samples("memory_rss"), samples("uptime"))
        return self._slope[1]

    # -- attention -----------------------------------------------------------------------------------------------------

    def _draw_concerns_head(self) -> None:
        """Show the number of things that need attention, the number of hidden ones, and the kinds that are unknown."""
        health, render = self.context.backend.health, self.context.render_context()
        found, head = self._concerns.total - len(self._notes), [piece("Needs attention  ", Tone.STRONG)]
        watched = self.context.watched
        unknown = [kind for kind in watched if health(kind).extent is Extent.UNKNOWN]
        known = [kind for kind in watched if kind not in unknown]
        parts = [kind for kind in known if scope(kind, render) is not Scope.ALL]
        partly = [kind for kind in known if not is_exact(kind, render)]
        # A backend that fails on this extension has answered: offers are not loading.
        offers = health("notifications")
        offers_loading = offers.state is Freshness.LOADING and not offers.reason
        recorded = health("episodes") if self.context.past is not None else None
        if recorded is not None and recorded.state is Freshness.OFFLINE:
            age = f", {seconds_words(recorded.age)} old" if recorded.age is not None and found else ""
            head += [piece(f"{amount(found)} last known{age}   ", Tone.NOTICE)] if found else []
            head.append(piece(clean(recorded.reason, 120), Tone.BAD))
        elif offers_loading or any(health(kind).state is Freshness.LOADING for kind in unknown):
            head.append(piece("loading…", Tone.QUIET))
        elif unknown and len(unknown) == len(watched):
            head.append(piece(clean(f"unknown: {health('calls').reason}", 120), Tone.BAD))
            unknown = []
        elif not found:
            in_doubt = [*unknown, *partly]
            head.append(piece(nothing_wrong(parts, in_doubt, render), Tone.PLAIN if parts or in_doubt else Tone.GOOD))
        else:
            head.append(piece(amount(found), self._concerns.loudest))
            above, below = self._concerns.hidden
            up, down = (drawn(each, render.symbols) for each in "↑↓")
            head += [piece(f"   {up} {amount(above)} more", Tone.NOTICE)] if above else []
            head += [piece(f"   {down} {amount(below)} more", Tone.NOTICE)] if below else []
            head += [piece(f"   {only(parts, render)}", Tone.QUIET)] if parts else []
        if unknown and not any(health(kind).state is Freshness.LOADING for kind in unknown):
            head.append(piece(f"   not shown: {', '.join(_TITLES.get(kind, kind) for kind in unknown)}", Tone.QUIET))
        if partly:
            head.append(
                piece(f"   only partly known: {', '.join(_TITLES.get(each, each) for each in partly)}", Tone.QUIET)
            )
        if muted := muted_now(render):
            head.append(piece(f"   {drawn('║', render.symbols)} {amount(muted)} muted", Tone.NOTICE))
        if self._notes:
            head.append(piece(f"   {words.plural(len(self._notes), 'note')}", Tone.NOTICE))
        self._concerns_head.update(head)

    def on_concern_list_scrolled(self, _message: ConcernList.Scrolled) -> None:
        """Update the number of hidden ones."""
        self._draw_concerns_head()

    # -- keys --------------------------------------------------------------------------------------------------------

    def on_concern_list_chosen(self, message: ConcernList.Chosen) -> None:
        """Go to the screen on which the item can be handled."""
        note = note_of(message.episode, self._notes)
        if note is not None:
            self._open_note(note)
            return
        kind, key, wanted = target(message.episode, self.context.render_context())
        if self.context.watch is not None:
            self.context.watch.see([message.episode.id])
            self._drawn = None
        spec = screen_of(kind)
        if spec is not None:
            navigation.go(app_of(self), self.context, spec.name, kind, key, wanted)
        else:
            self.post_message(self.EpisodesRequested(kind))

    def _open_note(self, note: Note) -> None:
        """Go to the record that a note is about; without one, show the whole note."""
        spec = screen_of(note.kind)
        if spec is not None and note.key:
            navigation.go(app_of(self), self.context, spec.name, note.kind, note.key)
        else:
            self.say(f"{note.author}: {note.text}" if note.author else note.text)

    def on_live_table_opened(self, _message: LiveTable.Opened) -> None:
        """Show the calls of a queue on Enter or double click."""
        self.do_open()

    @property
    def cursor_key(self) -> str:
        """The key of the queue under the cursor, empty if the cursor is elsewhere."""
        queue = self._queues.current if self._queues.has_cursor else None
        return queue.key if queue is not None else ""

    def show_record(self, kind: str, key: str, filter_text: str = "") -> None:
        """Move the cursor to a queue."""
        if kind == "queues" and self._queues.pane is not None:
            self._queues.focus_rows()
            self._queues.pane.show_key(key)

    def do_pane(self) -> None:
        """Go from what needs attention to the queues, and back."""
        if self._queues.has_cursor or not self._queues.focus_rows():
            self._concerns.focus()
        self.beat(True)

    def do_pane_back(self) -> None:
        """Go from what needs attention to the queues, and back."""
        self.do_pane()

    def do_span(self) -> None:
        """Show one hour or a day in the charts."""
        span = self._charts.switch_span()
        if self._charts.display:
            self._drawn = None
            self.refresh_body(True)
        else:
            self.say(f"The charts show {words.span_words(1000 * span)}; this terminal is too small for them.")

    def do_report(self) -> None:
        """Show the report of the shift."""
        from console.screens.report import ask_for_time

        ask_for_time(self)

    def do_free(self) -> None:
        """Show the agents who serve the queue under the cursor."""
        queue = self._queues.current
        if queue is not None:
            queues.show_agents(self, cast("Queue", queue))

    def do_open(self) -> None:
        """Open the item under the cursor: of a queue, its calls."""
        queue = self._queues.current if self._queues.has_cursor else None
        if queue is not None:
            queues.show_calls(self, cast("Queue", queue))
            return
        episode = self._concerns.current
        if episode is not None:
            self.post_message(ConcernList.Chosen(episode))
        else:
            self.say("Nothing needs attention.")

    def _episodes(self) -> list[Episode]:
        self._drawn = None
        return [episode] if (episode := self._episode) is not None else []

    def do_seen(self) -> None:
        """Mark the episode under the cursor as seen, or dismiss the note."""
        from console.screens.muting import see
        from console.screens.noting import dismiss

        note = self._note
        if note is not None:
            self._drawn = None
            dismiss(self, note)
        else:
            see(self, self._episodes())

    def do_snooze(self) -> None:
        """Mute the episode under the cursor for a while."""
        from console.screens.muting import snooze

        snooze(self, self._episodes())

    def do_mute(self) -> None:
        """Mute the episode under the cursor, its rule or its record."""
        from console.screens.muting import mute

        mute(self, self._episodes())

    def do_filter(self) -> None:
        """Filter the calls: a supervisor who types a number here looks for a call."""
        app = app_of(self)
        navigation.go(app, self.context, "calls", "calls")
        calls = app.screen
        if isinstance(calls, ConsoleScreen):
            calls.call_after_refresh(calls.perform, "view.filter")
