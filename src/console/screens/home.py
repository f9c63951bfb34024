"""Is anything wrong? The service in numbers, what needs attention, and how each skill is covered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical

from console.actions.action import Action
from console.live.delta import Freshness
from console.screens import navigation
from console.screens.frame import DeskScreen
from console.screens.navigation import screen_of, spec_of
from console.screens.station import Station
from console.tables.attention import CONCERNING, Concern, concerns, covers
from console.tables.cell import Tone
from console.tables.facts.calls import WAIT
from console.tables.facts.skills import Staffing
from console.tables.sight import Sight
from console.tables.staffing import cover_cell
from console.tables.thresholds import level
from console.tables.words import clock, span_words
from console.text import clean, fit
from console.widgets.concerns import ConcernList
from console.widgets.saying import Piece, Saying, piece, pieces
from console.widgets.theme import app_of
from console.widgets.tile import Tile

if TYPE_CHECKING:
    from console.records.desk import Skill
    from console.records.record import Record
    from console.records.traffic import StatusSummary

_HOUR = 3600.0
_DASH = "-"
_TILES = ("calls", "users", "recent", "wait", "uptime", "memory")


class Heading(Saying):
    """The title of a part of the home screen."""

    DEFAULT_CSS = """
    Heading { margin: 1 0 0 0; }
    """


class CoverTable(Saying):
    """How each skill is covered."""

    DEFAULT_CSS = """
    CoverTable { height: 1fr; }
    """


class HomeScreen(DeskScreen):
    """The service status summary, made to be read from across the room."""

    DEFAULT_CSS = """
    HomeScreen #tiles { layout: grid; grid-size: 3 2; grid-rows: 4; height: auto; grid-gutter: 0 1; padding: 0 1; }
    HomeScreen.wide #tiles { grid-size: 6 1; grid-rows: 5; padding: 1 1 0 1; }
    HomeScreen #below { height: 1fr; layout: vertical; }
    HomeScreen.wide #below { layout: horizontal; }
    HomeScreen #concerns { height: 3fr; width: 1fr; }
    HomeScreen #cover { height: 2fr; width: 1fr; }
    HomeScreen.wide #concerns { width: 3fr; height: 1fr; }
    HomeScreen.wide #cover { width: 2fr; height: 1fr; }
    """

    spec = spec_of("home")

    def __init__(self, station: Station) -> None:
        super().__init__(station)
        self._drawn: object = None
        self._tiles = {name: Tile(id=f"tile-{name}") for name in _TILES}
        self._concerns_head = Heading(id="concerns-head")
        self._concerns = ConcernList()
        self._cover_box = Vertical(id="cover")
        self._cover_head = Heading(id="cover-head")
        self._cover_table = CoverTable()

    def compose_body(self) -> ComposeResult:
        """Lay out the tiles above what needs attention and the cover of the skills."""
        with Container(id="tiles"):
            yield from self._tiles.values()
        with Horizontal(id="below"):
            with Vertical(id="concerns"):
                yield self._concerns_head
                yield self._concerns
            with self._cover_box:
                yield self._cover_head
                yield self._cover_table

    def kinds_in_view(self) -> frozenset[str]:
        """Home looks at everything that can be wrong."""
        return frozenset({"status", "calls", "agents", "skills", "alerts", "alarms"})

    def kind_in_focus(self) -> str:
        """Keys apply to what needs attention: accepting an alert works from here."""
        concern = self._concerns.current
        return concern.kind if concern is not None and concern.kind == "alerts" else "home"

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the alert under the cursor."""
        concern = self._concerns.current
        if action.needs == "none" or concern is None or concern.kind != action.kind:
            return ()
        record = self.station.desk.records(concern.kind).get(concern.key)
        return () if record is None else (record,)

    def refresh_body(self, fresh: bool) -> None:
        """Draw once a second, when something arrived, and when there is more room or less."""
        room = (self._concerns.size, self._cover_box.size)
        state = (self.station.clock.now_ms() // 1000, self.station.desk.revision, room)
        if state == self._drawn:
            return
        self._drawn = state
        sight = self.station.sight()
        self._draw_tiles(sight)
        found = concerns(sight)
        self._draw_concerns(found, sight)
        self._draw_cover(covers(sight), sight)

    # -- tiles -------------------------------------------------------------------------------------------------------

    def _draw_tiles(self, sight: Sight) -> None:
        desk = self.station.desk
        status = cast("StatusSummary | None", desk.records("status").get("status"))
        calls = status.calls if status else None
        self._tile("calls", "Active calls", _count(len(status.active_calls) if status else None), "", "active_calls")
        self._tile("users", "Active users", _count(len(status.active_users) if status else None), "", "active_users")
        note = "" if calls is None else f"30: {_n(calls.last30)}  60: {_n(calls.last60)}"
        self._tile("recent", "Calls in 15 min", _count(calls.last15 if calls else None), note, "calls_last15")
        queue = self.station.waits.all(sight)
        longest = queue[0].ms(sight.now_ms) if queue else None
        known = self.station.desk.health("calls").age is not None
        waits = span_words(longest) if longest is not None else "none" if known and not queue else _DASH
        tone = level(WAIT, sight).tone(longest)
        place = f"{len(queue)} wait, {clean(queue[0].target, 30)}" if queue else "nobody waits" if known else ""
        self._tile("wait", "Longest wait", waits, place, "longest_wait", tone)
        uptime = status.uptime if status else None
        since = "" if uptime is None else clock(sight.now_ms - uptime * 1000, sight)
        taken = "" if calls is None else f"{_count(calls.since_reboot)} calls since"
        self._tile("uptime", "Uptime", _DASH if uptime is None else span_words(uptime * 1000), taken, "", more=since)
        memory = status.memory_usage if status else None
        heap = ""
        if memory and memory.heap_total and memory.heap_used is not None:
            heap = f"heap {memory.heap_used / memory.heap_total:.0%}"
        rss = _DASH if not memory or memory.rss is None else f"{memory.rss / 1e6:.0f} MB"
        self._tile("memory", "Memory rss", rss, heap, "memory_rss")

    def _tile(
        self, name: str, title: str, value: str, note: str, series: str, tone: Tone = Tone.STRONG, more: str = ""
    ) -> None:
        tile = self._tiles[name]
        width = max(6, tile.size.width - 8)
        values = self.station.desk.history.series(series, _HOUR, width) if series else []
        tile.show(clean(title), clean(value), clean(note, 40), values, clean("1 h"), tone, clean(more, 40))

    # -- attention -----------------------------------------------------------------------------------------------------

    def _draw_concerns(self, found: list[Concern], sight: Sight) -> None:
        head = [piece("Needs attention  ", Tone.STRONG)]
        health = self.station.desk.health("calls")
        if any(self.station.desk.health(kind).state is Freshness.LOADING for kind in CONCERNING):
            head.append(piece("loading…", Tone.QUIET))
        elif health.age is None:
            head.append(piece(clean(f"not known: {health.reason}", 120), Tone.BAD))
        elif not found:
            head.append(piece("nothing: all is well", Tone.GOOD))
        else:
            head.append(piece(f"{len(found)}", Tone.BAD if found[0].tone is Tone.BAD else Tone.WARN))
        self._concerns_head.put(head)
        self._concerns.show(found, sight)

    def _draw_cover(self, found: list[tuple[Skill, Staffing]], sight: Sight) -> None:
        known = self.station.desk.health("skills").age is not None
        words = "free  busy  away  oldest" if found or not known else "there are none"
        head = [piece(fit(clean("Skills"), 14), Tone.STRONG), piece(words, Tone.QUIET)]
        self._cover_head.put(head)
        room = max(1, self._cover_box.size.height - 2)
        rows: list[list[Piece]] = []
        for skill, staff in found[:room]:
            tone = staff.severity if staff.understaffed else Tone.PLAIN
            oldest = _DASH if staff.oldest_chat is None else span_words(sight.now_ms - staff.oldest_chat)
            rows.append(
                [
                    piece(fit(clean(skill.skill, 24), 14), tone),
                    piece(f"{staff.free:>4}  {staff.busy:>4}  {staff.away:>4}  {oldest:>6}  "),
                    *pieces([cover_cell(staff, sight)] if staff.understaffed else []),
                ]
            )
        self._cover_table.put(*rows)

    # -- keys --------------------------------------------------------------------------------------------------------

    def on_concern_list_chosen(self, message: ConcernList.Chosen) -> None:
        """Go to where the concern can be dealt with."""
        concern = message.concern
        spec = screen_of(concern.kind)
        if spec is not None:
            navigation.go(app_of(self), self.station, spec.name, concern.kind, concern.key, concern.filter)

    def do_open(self) -> None:
        """Open what is under the cursor."""
        concern = self._concerns.current
        if concern is not None:
            self.post_message(ConcernList.Chosen(concern))
        else:
            self.say("Nothing needs attention.")

    def do_filter(self) -> None:
        """Look for a call: a supervisor who types a number here means one."""
        app = app_of(self)
        navigation.go(app, self.station, "calls", "calls")
        calls = app.screen
        if isinstance(calls, DeskScreen):
            calls.call_after_refresh(calls.perform, "view.filter")


def _count(value: float | None) -> str:
    return _DASH if value is None else f"{value:,.0f}".replace(",", " ")


def _n(value: float | None) -> str:
    return _DASH if value is None else f"{value:.0f}"
