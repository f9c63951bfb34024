"""The overview: key figures of the service, what needs attention, and how each skill is covered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.geometry import Size

from console.base.text import clean
from console.commands.action import Action
from console.kinds.episodes.facts import attention, target
from console.kinds.scope import sees_only_own
from console.kinds.status.facts import memory_slope
from console.kinds.status.summary import TILES, Figure, is_alarming, numbers, service_line
from console.kinds.view_keys import ViewKey
from console.ui.screens import deferred, navigation, queues
from console.ui.screens.app_context import AppContext
from console.ui.screens.board import (
    Charts,
    HomeList,
    Tile,
    concerns_head,
    note_of,
    pending_notes,
    plan,
    plan_own,
    with_notes,
)
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.specs import screen_of, spec_of
from console.ui.widgets.concerns import ConcernList
from console.ui.widgets.styled_line import StyledLine, pieces, within
from console.ui.widgets.theme import app_of
from console.views import wording
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.recording.notes import Note
    from console.records.connection import Connection
    from console.records.episodes import Episode
    from console.records.people import CurrentUser
    from console.records.queues import Queue
    from console.records.record import Record
    from console.ui.widgets.live_table import LiveTable

_HOUR = 3600.0
_SLOPE_SECONDS = 10
"""Seconds between two computations of the growth of memory."""


class SectionTitle(StyledLine):
    """The title of a section of Home."""

    DEFAULT_CSS = """
    SectionTitle { margin: 1 0 0 0; }
    """


class HomeScreen(ConsoleScreen):
    """The status summary of the service, readable from a distance.

    What needs attention has precedence over the tiles. On a small terminal the tiles are two lines high, some are left
    out, and the state of the service is shown only when something is wrong with it. Who sees only what is their own
    has own chats instead of the queues, and colleagues instead of the charts.
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
    HomeScreen Tile.absent { display: none; }
    HomeScreen.own #service { display: none; }
    HomeScreen.own.alarming #service { display: block; }
    HomeScreen #colleagues { margin: 1 0 0 0; display: none; }
    HomeScreen #concerns { height: 1fr; width: 1fr; }
    HomeScreen.very-wide #queues { width: 3fr; }
    HomeScreen.very-wide #concerns { width: 2fr; height: 100%; }
    HomeScreen.low SectionTitle, HomeScreen.very-wide SectionTitle { margin: 0; }
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
        self._concerns_head = SectionTitle(id="concerns-head")
        self._concerns = ConcernList()
        self._list = HomeList(context, "queues")
        self._colleagues = HomeList(context, "colleagues")
        self._lists = self._list, self._colleagues
        self._charts = Charts(context)
        self._below = Vertical(id="below")
        self._planned: tuple[tuple[Size, bool, bool], tuple[int, int, int]] | None = None
        """For what parts were arranged: size, whether not all that needs attention had room, curves, most rows so far.

        These are the rows of the list, of what needs attention and of the colleagues.
        """
        self._slope: tuple[int, float | None] = 0, None
        self._caller: CurrentUser | None = None
        self._is_own = False
        """Whether the caller is known to see only what is their own."""

    def compose_body(self) -> ComposeResult:
        """Compose the tiles above the queues or own chats, what needs attention, and the charts or colleagues."""
        with Container(id="tiles"):
            yield from self._tiles.values()
        yield self._service
        with self._below:
            with Container(id="board"):
                yield self._list
                with Vertical(id="concerns"):
                    yield self._concerns_head
                    yield self._concerns
            yield self._charts
            yield self._colleagues

    def on_mount(self) -> None:
        """Focus what needs attention."""
        self._concerns.focus()

    def fit(self, size: Size) -> dict[str, bool]:
        """Return the classes for the size: the tiles get the space left by what needs attention."""
        full = size.height >= (30 if size.width >= 120 else 36)
        return {**super().fit(size), "four": size.width < 72, "full": full, "low": size.height < 20}

    def kinds_in_view(self) -> frozenset[str]:
        """Return the kinds that Home summarises."""
        own = {"chats", "groups", "users", "presence"} if self._is_own else {"queues"}
        return frozenset({"status", "calls", "agents", "skills", "alerts", "alarms", "notifications", "episodes"} | own)

    @property
    def _list_in_focus(self) -> HomeList | None:
        """The list with the cursor, None if what needs attention has it."""
        return next((home_list for home_list in self._lists if home_list.has_cursor), None)

    def kind_in_focus(self) -> str:
        """Return the kind under the cursor: alerts and offers can be accepted here."""
        if (focused := self._list_in_focus) is not None:
            return focused.kind
        episode = self._episode
        return episode.list if episode is not None and episode.list in {"alerts", "notifications"} else "home"

    @property
    def _note(self) -> Note | None:
        """The note under the cursor."""
        episode = None if self._list_in_focus is not None else self._concerns.current
        return note_of(episode, self._notes) if episode is not None else None

    @property
    def _episode(self) -> Episode | None:
        """The episode under the cursor."""
        return None if self._note is not None else self._concerns.current

    def linked(self) -> tuple[str, str]:
        """Return list and key of the record to which the queue, episode or note under the cursor leads."""
        note, episode = self._note, self._episode
        if note is not None:
            return note.kind, note.key
        if self._list_in_focus is not None or episode is None:
            return super().linked()
        kind, key, _ = target(episode, self.context.render_context())
        return (kind, key) if key and screen_of(kind) is not None else ("", "")

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return what is under the cursor; of the alerts of an episode all, if the action takes several."""
        if (focused := self._list_in_focus) is not None:
            is_of_list = action.kind == focused.kind and action.needs != "none"
            return [focused.current] if is_of_list and focused.current is not None else ()
        episode = self._episode
        if action.needs == "none" or episode is None or episode.list != action.kind:
            return ()
        records = self._offers if episode.list == "notifications" else self.context.backend.records(action.kind)
        keys = episode.keys if action.needs == "many" else episode.keys[:1]
        return [records[key] for key in keys if key in records]

    def _divide(self) -> None:
        """Divide the lines among the list, what needs attention, and charts or colleagues."""
        size, below = self._below.size, self._concerns.hidden
        begun = self._charts.have_begun()
        crowded = any(below) or (self._planned is not None and self._planned[0] == (size, True, begun))
        most = self._planned[1] if self._planned is not None else (0, 0, 0)
        rows, concerns = max(self._list.rows, most[0]), max(self._concerns.total, most[1])
        colleagues = max(self._colleagues.rows, most[2])
        wanted = (size, crowded, begun), (rows, concerns, colleagues)
        if wanted == self._planned or not size.height:
            return
        self._planned = wanted
        if self._is_own:
            board_heights = plan_own(size.width, size.height, rows, concerns, colleagues)
        else:
            board_heights = plan(size.width, size.height, rows, concerns, crowded=crowded, begun=begun)
        self._list.styles.height = board_heights.queues
        for below, belongs in ((self._charts, not self._is_own), (self._colleagues, self._is_own)):
            below.styles.height = board_heights.charts
            below.display = board_heights.charts > 0 and belongs
        self._charts.set_grid(board_heights.grid)

    def refresh_body(self, fresh: bool) -> None:
        """Draw once a second, when data arrived, and when the size changed."""
        self._follow_caller()
        self._list.beat("chats" if self._is_own else "queues", fresh)
        if self._is_own:
            self._colleagues.beat("agents", fresh)
        self._divide()
        room = (self._concerns.size, self._tiles["calls"].size)
        backend, watch = self.context.backend, self.context.watch
        versions = backend.revision, watch.collection.version if watch is not None else 0
        state = (self.context.clock.now_ms() // 1000, versions, room, self._concerns.has_focus)
        if state == self._drawn and not fresh:
            return
        self._drawn = state
        render = self.context.render_context()
        self._draw_tiles(render)
        self._offers = dict(render.lookup("notifications"))
        self._notes = pending_notes(self.context)
        self._concerns.show(with_notes(attention(render), self._notes), render)
        self._draw_concerns_head()
        self._charts.draw(render)

    def _follow_caller(self) -> None:
        """Show what is the caller's own, once they are known to see nothing else."""
        caller = self.context.backend.me
        if caller is self._caller:
            return
        self._caller = caller
        is_own = sees_only_own(self.context.render_context())
        if is_own is not self._is_own:
            self._is_own, self._planned = is_own, None
            self.set_class(is_own, "own")
            self.context.backend.show(self.kinds_in_view())

    # -- tiles -------------------------------------------------------------------------------------------------------

    def _draw_tiles(self, render: RenderContext) -> None:
        connection = next(iter(cast("Mapping[str, Connection]", render.lookup("connection")).values()), None)
        service = service_line(connection, render, memory_slope=self._memory_slope(render))
        self.set_class(is_alarming(service), "alarming")
        self._service.update(within(pieces(service), max(1, self.size.width - 2)))
        for tile, number in zip(self._tiles.values(), self._numbers(render), strict=True):
            tile.set_class(number is None, "absent")
            if number is None:
                continue
            width = max(6, tile.size.width - 8)
            history = self.context.backend.history if number.series and self._charts.have_begun() else None
            series = history.series(number.series, _HOUR, width) if history is not None else ()
            tile.show(number, series, clean("1h"), render.symbols)

    def _numbers(self, render: RenderContext) -> Iterable[Figure | None]:
        if self._is_own:
            # Takes 0.9 ms, and only an agent who supervises nobody needs it.
            from console.kinds.status.own import own_numbers

            return own_numbers(render)
        return numbers(self.context.waits.all(render), render, self.context.covers.counts(render)).values()

    def _memory_slope(self, render: RenderContext) -> float | None:
        due = render.now_ms // 1000 // _SLOPE_SECONDS
        if self._slope[0] != due:
            samples = self.context.backend.history.samples
            self._slope = due, memory_slope(samples("memory_rss"), samples("uptime"))
        return self._slope[1]

    # -- attention -----------------------------------------------------------------------------------------------------

    def _draw_concerns_head(self) -> None:
        self._concerns_head.update(concerns_head(self.context, self._concerns, len(self._notes), is_own=self._is_own))

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

    def on_live_table_record_opened(self, _message: LiveTable.RecordOpened) -> None:
        """Open the record on Enter or double click."""
        self.do_open()

    @property
    def cursor_key(self) -> str:
        """The key of the record under the cursor of a list, empty if the cursor is elsewhere."""
        focused = self._list_in_focus
        return focused.current.key if focused is not None and focused.current is not None else ""

    def show_record(self, kind: str, key: str, filter_text: str = "") -> None:
        """Move the cursor to a record of a list."""
        for home_list in self._lists:
            if home_list.pane is not None and home_list.kind == kind:
                home_list.focus_rows()
                home_list.pane.show_key(key)

    def do_pane(self, step: int = 1) -> None:
        """Go from what needs attention to the next list, and from the last one back."""
        places = [None, *(home_list for home_list in self._lists if home_list.display and home_list.pane is not None)]
        target = places[(places.index(self._list_in_focus) + step) % len(places)]
        if target is None:
            self._concerns.focus()
        else:
            target.focus_rows()
        self.beat(True)

    def do_pane_back(self) -> None:
        """Go to the previous list, or to what needs attention."""
        self.do_pane(-1)

    def view_keys(self) -> list[ViewKey]:
        """Return the view keys: without charts none for their span."""
        return [view_key for view_key in super().view_keys() if not self._is_own or view_key.id != "home.span"]

    def do_span(self) -> None:
        """Show one hour or a day in the charts."""
        span = self._charts.switch_span()
        if self._charts.display:
            self._drawn = None
            self.refresh_body(True)
        span_text = wording.span_words(1000 * span)
        if not self._charts.display:
            self.say(f"The charts show {span_text}; this terminal is too small for them.")
        elif not self._charts.have_begun():
            self.say(f"The charts will show {span_text}; there are none yet.")

    def do_report(self) -> None:
        """Show the report of the shift."""
        deferred.report.ask_for_time(self)

    def do_free(self) -> None:
        """Show the agents who serve the queue under the cursor, or those who share the operator's skills."""
        if self._list_in_focus is self._colleagues:
            self._perform_on("agents", "agents.free")
        elif self._list.current is not None:
            queues.show_agents(self, cast("Queue", self._list.current))

    def do_open(self) -> None:
        """Open the item under the cursor: of a queue, its calls."""
        focused = self._list_in_focus
        if focused is not None:
            if focused.current is not None and focused.kind == "queues":
                queues.show_calls(self, cast("Queue", focused.current))
            elif focused.current is not None:
                navigation.go_to_record(app_of(self), self.context, focused.kind, focused.current.key)
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
        note = self._note
        if note is not None:
            self._drawn = None
            deferred.overlays.dismiss_note(self, note)
        else:
            deferred.episodes.see(self, self._episodes())

    def do_snooze(self) -> None:
        """Mute the episode under the cursor for a while."""
        deferred.episodes.snooze(self, self._episodes())

    def do_mute(self) -> None:
        """Mute the episode under the cursor, its rule or its record."""
        deferred.episodes.mute(self, self._episodes())

    def do_filter(self) -> None:
        """Filter the calls: a supervisor who types a number here looks for a call."""
        self._perform_on("calls", "view.filter")

    def _perform_on(self, name: str, identifier: str) -> None:
        """Go to the first list of another screen, and execute a key there."""
        app = app_of(self)
        navigation.go(app, self.context, name, name)
        if isinstance(app.screen, ConsoleScreen):
            app.screen.call_after_refresh(app.screen.perform, identifier)
