"""The overview: key figures of the service, what needs attention, and how each skill is covered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size

from console.commands.action import Action
from console.kinds.episodes.facts import attention, muted_now, target
from console.kinds.scope import Scope, nothing_wrong, only, scope
from console.kinds.skills.facts import Staffing, covers
from console.kinds.skills.staffing import cover_cell
from console.kinds.status.facts import Start
from console.kinds.status.summary import TILES, numbers
from console.live.delta import Freshness
from console.screens import navigation
from console.screens.app_context import AppContext
from console.screens.console_screen import ConsoleScreen
from console.screens.specs import screen_of, spec_of
from console.signs import drawn
from console.text import clean, fit
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.words import age, amount
from console.widgets.concerns import ConcernList
from console.widgets.styled_line import Piece, StyledLine, piece, pieces
from console.widgets.theme import app_of
from console.widgets.tile import Tile

if TYPE_CHECKING:
    from console.records.record import Record
    from console.records.support import Skill
    from console.records.traffic import StatusSummary

_HOUR = 3600.0
_COUNTS = 36
"""Cells of a skill's row without its name."""
_TITLES = {"alarms": "call quality"}


class Heading(StyledLine):
    """The title of a section of Home."""

    DEFAULT_CSS = """
    Heading { margin: 1 0 0 0; }
    """


class CoverTable(StyledLine):
    """The table of skills with their cover."""

    DEFAULT_CSS = """
    CoverTable { height: 1fr; }
    """


class HomeScreen(ConsoleScreen):
    """The status summary of the service, readable from a distance.

    What needs attention has precedence over the tiles. On a small terminal the tiles are two lines high, and the last
    ones and the cover of the skills are left out.
    """

    DEFAULT_CSS = """
    HomeScreen #tiles { layout: grid; grid-size: 4 1; grid-rows: 2; height: auto; grid-gutter: 0 1; padding: 0 1; }
    HomeScreen #tile-uptime { display: none; }
    HomeScreen #tile-memory { display: none; }
    HomeScreen.five #tiles { grid-size: 5 1; }
    HomeScreen.five #tile-uptime { display: block; }
    HomeScreen.six #tiles { grid-size: 6 1; }
    HomeScreen.six #tile-memory { display: block; }
    HomeScreen.full #tiles { grid-size: 3 2; grid-rows: 4; }
    HomeScreen.full.wide #tiles { grid-size: 6 1; grid-rows: 5; padding: 1 1 0 1; }
    HomeScreen #below { height: 1fr; layout: vertical; }
    HomeScreen.wide #below { layout: horizontal; }
    HomeScreen #concerns { height: 2fr; width: 1fr; }
    HomeScreen #cover { height: 1fr; width: 1fr; }
    HomeScreen.low #cover { display: none; }
    HomeScreen.low Heading { margin: 0; }
    HomeScreen.wide #concerns { width: 3fr; height: 1fr; }
    HomeScreen.wide #cover { width: 2fr; height: 1fr; display: block; }
    """

    spec = spec_of("home")

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._drawn: object = None
        self._start = Start()
        self._offers: Mapping[str, Record] = {}
        """The offers when the list was made, so that an action on a vanished offer is refused with a reason."""
        self._tiles = {name: Tile(id=f"tile-{name}") for name in TILES}
        self._concerns_head = Heading(id="concerns-head")
        self._concerns = ConcernList()
        self._cover_box = Vertical(id="cover")
        self._cover_head = Heading(id="cover-head")
        self._cover_table = CoverTable()

    def compose_body(self) -> ComposeResult:
        """Compose the tiles above what needs attention and the cover of the skills."""
        with Container(id="tiles"):
            yield from self._tiles.values()
        with Horizontal(id="below"):
            with Vertical(id="concerns"):
                yield self._concerns_head
                yield self._concerns
            with self._cover_box:
                yield self._cover_head
                yield self._cover_table

    def fit(self, size: Size) -> dict[str, bool]:
        """Return the classes for the size: the tiles get the space left by what needs attention."""
        full = size.height >= (30 if size.width >= 120 else 36)
        room = {"five": full or size.width >= 72, "six": full or size.width >= 86}
        return {**super().fit(size), **room, "full": full, "low": size.height < 20}

    def kinds_in_view(self) -> frozenset[str]:
        """Return the kinds that Home summarises."""
        return frozenset({"status", "calls", "agents", "skills", "alerts", "alarms", "notifications", "episodes"})

    def kind_in_focus(self) -> str:
        """Return the kind under the cursor: alerts and offers can be accepted here."""
        episode = self._concerns.current
        return episode.list if episode is not None and episode.list in {"alerts", "notifications"} else "home"

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the alerts or the offer under the cursor; all equal alerts if the action takes several."""
        episode = self._concerns.current
        if action.needs == "none" or episode is None or episode.list != action.kind:
            return ()
        records = self._offers if episode.list == "notifications" else self.context.backend.records(action.kind)
        keys = episode.keys if action.needs == "many" else episode.keys[:1]
        return [records[key] for key in keys if key in records]

    def refresh_body(self, fresh: bool) -> None:
        """Draw once a second, when data arrived, and when the size changed."""
        room = (self._concerns.size, self._cover_box.size, self._tiles["calls"].size)
        state = (self.context.clock.now_ms() // 1000, self.context.backend.revision, room)
        if state == self._drawn:
            return
        self._drawn = state
        render = self.context.render_context()
        self._draw_tiles(render)
        self._offers = dict(render.lookup("notifications"))
        self._concerns.show(attention(render), render)
        self._draw_concerns_head()
        self._draw_cover(covers(render), render)

    # -- tiles -------------------------------------------------------------------------------------------------------

    def _draw_tiles(self, render: RenderContext) -> None:
        status = cast("StatusSummary | None", render.lookup("status").get("status"))
        started, known = self._start.ms(status, render.now_ms), self.context.backend.health("calls").age is not None
        found = numbers(self.context.waits.all(render), started, render, calls_known=known)
        for name, number in found.items():
            tile = self._tiles[name]
            width = max(6, tile.size.width - 8)
            series = self.context.backend.history.series(number.series, _HOUR, width) if number.series else []
            tile.show(number, series, clean("1h"))

    # -- attention -----------------------------------------------------------------------------------------------------

    def _draw_concerns_head(self) -> None:
        """Show the number of things that need attention, the number of hidden ones, and the kinds that are unknown."""
        health, render = self.context.backend.health, self.context.render_context()
        found, head = self._concerns.total, [piece("Needs attention  ", Tone.STRONG)]
        watched = self.context.watched
        unknown = [kind for kind in watched if health(kind).age is None]
        parts = [kind for kind in watched if kind not in unknown and scope(kind, render) is not Scope.ALL]
        # A backend that fails on this extension has answered: offers are not loading.
        offers = health("notifications")
        offers_loading = offers.state is Freshness.LOADING and not offers.reason
        if offers_loading or any(health(kind).state is Freshness.LOADING for kind in unknown):
            head.append(piece("loading…", Tone.QUIET))
        elif unknown and len(unknown) == len(watched):
            head.append(piece(clean(f"unknown: {health('calls').reason}", 120), Tone.BAD))
            unknown = []
        elif not found:
            head.append(piece(nothing_wrong(parts, unknown, render), Tone.PLAIN if parts or unknown else Tone.GOOD))
        else:
            head.append(piece(amount(found), self._concerns.loudest))
            above, below = self._concerns.hidden
            up, down = (drawn(each, render.symbols) for each in "↑↓")
            head += [piece(f"   {up} {amount(above)} more", Tone.NOTICE)] if above else []
            head += [piece(f"   {down} {amount(below)} more", Tone.NOTICE)] if below else []
            head += [piece(f"   {only(parts, render)}", Tone.QUIET)] if parts else []
        if unknown and not any(health(kind).state is Freshness.LOADING for kind in unknown):
            head.append(piece(f"   not shown: {', '.join(_TITLES.get(kind, kind) for kind in unknown)}", Tone.QUIET))
        if muted := muted_now(render):
            head.append(piece(f"   {drawn('║', render.symbols)} {amount(muted)} muted", Tone.NOTICE))
        self._concerns_head.update(head)

    def on_concern_list_scrolled(self, _message: ConcernList.Scrolled) -> None:
        """Update the number of hidden ones."""
        self._draw_concerns_head()

    def _draw_cover(self, found: list[tuple[Skill, Staffing]], render: RenderContext) -> None:
        known = self.context.backend.health("skills").age is not None
        room = max(1, self._cover_box.size.height - (1 if self.has_class("low") else 2))
        name = min(18, max(8, self._cover_table.size.width - _COUNTS))
        words = f"{'free':>4}{'busy':>5}{'away':>5}{'oldest chat':>12}" if found or not known else "none"
        head = [piece(fit(clean("Skills"), name), Tone.STRONG), piece(words, Tone.QUIET)]
        if len(found) > room:
            head.append(piece(f"  {amount(len(found) - room)} more", Tone.NOTICE))
        self._cover_head.update(head)
        rows: list[list[Piece]] = []
        for skill, staff in found[:room]:
            tone = staff.severity if staff.understaffed else Tone.PLAIN
            oldest = age(None if staff.oldest_chat is None else render.now_ms - staff.oldest_chat, render)
            said = staff.understaffed or staff.unknown
            rows.append(
                [
                    piece(fit(clean(skill.skill, 24), name), tone),
                    piece(f"{staff.free:>4}{staff.busy:>5}{staff.away:>5}"),
                    piece(f"{oldest:>12}"),
                    *([piece("  "), *pieces([cover_cell(staff, render)])] if said else []),
                ]
            )
        self._cover_table.update(*rows)

    # -- keys --------------------------------------------------------------------------------------------------------

    def on_concern_list_chosen(self, message: ConcernList.Chosen) -> None:
        """Go to the screen on which the item can be handled."""
        kind, key, wanted = target(message.episode, self.context.render_context())
        spec = screen_of(kind)
        if spec is not None:
            navigation.go(app_of(self), self.context, spec.name, kind, key, wanted)
        else:
            self.post_message(self.EpisodesRequested(kind))

    def do_open(self) -> None:
        """Open the item under the cursor."""
        episode = self._concerns.current
        if episode is not None:
            self.post_message(ConcernList.Chosen(episode))
        else:
            self.say("Nothing needs attention.")

    def do_filter(self) -> None:
        """Filter the calls: a supervisor who types a number here looks for a call."""
        app = app_of(self)
        navigation.go(app, self.context, "calls", "calls")
        calls = app.screen
        if isinstance(calls, ConsoleScreen):
            calls.call_after_refresh(calls.perform, "view.filter")
