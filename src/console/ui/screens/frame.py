"""The frame of every screen: top line, tabs, body, footer.

A screen is updated only while it is shown. Modules of actions are imported by the methods that need them, since the
first frame does not (`preload`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from console.base.put_aside import untold
from console.base.text import clean
from console.commands.action import Action
from console.commands.guards import blocked
from console.kinds.catalogue import LIVE
from console.kinds.scope import Scope, count_words, scope, titled
from console.kinds.view_keys import VIEW_KEYS, ViewKey
from console.live.command import Ticket
from console.live.delta import Freshness, Health
from console.records.extent import Extent
from console.ui.screens import deferred, preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.specs import SCREENS, ScreenSpec
from console.ui.screens.updating import FullScreen
from console.ui.widgets.frame import FooterKey, KeyFooter, ScreenTabs, TabLabel
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.ui.widgets.time_bar import TimeBar
from console.ui.widgets.top_line import Paused, TopFacts
from console.views.wording import known_count

if TYPE_CHECKING:
    from console.records.record import Record
    from console.views.render_context import RenderContext


_COUNTED = tuple(spec.counted for spec in SCREENS if spec.counted)
NOTHING_TO_UNDO = "Nothing to undo."


class FrameScreen(FullScreen):
    """A screen with its frame. Subclasses define the body, the selection, and the kinds whose keys work."""

    DEFAULT_CSS = """
    FrameScreen { layout: vertical; }
    FrameScreen > #body { height: 1fr; }
    """

    spec: ClassVar[ScreenSpec]

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.tabs = ScreenTabs()
        self.footer = KeyFooter()
        self.time_bar = TimeBar() if context.past is not None else None
        self._said_state: Freshness | None = None
        self._met: object = None
        self._tab_counts: Mapping[str, TabCount] | None = None
        self._tab_labels: list[TabLabel] = []
        self._body = Container(id="body")

    @property
    def laid_out(self) -> bool:
        """Whether the body has its size, so that all parts of it can be drawn."""
        return self._body.size.height > 0

    # -- for subclasses ----------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Return the widgets between the tabs and the footer."""
        yield from ()

    def kinds_in_view(self) -> frozenset[str]:
        """Return the kinds that must be fresh while this screen is shown."""
        return frozenset(self.spec.kinds)

    def kind_in_focus(self) -> str:
        """Return the kind of record that keys act on."""
        return self.spec.kinds[0] if self.spec.kinds else ""

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the records that an action would apply to now."""
        return ()

    def selected(self) -> Record | None:
        """Return the record that is selected besides those acted on."""
        return None

    def health(self) -> Health:
        """Return the freshness of the focused list, or of the connection."""
        backend, kind = self.context.backend, self.kind_in_focus()
        return backend.health(kind) if kind in LIVE else backend.link

    def paused(self) -> Paused | None:
        """Return since when the visible list is paused and how far it is behind, None if it is not paused."""
        return None

    @property
    def cursor_key(self) -> str:
        """The key of the record under the cursor, empty if there is none."""
        return ""

    @property
    def filter_text(self) -> str:
        """The filter of the list in focus, empty if there is none."""
        return ""

    def presences_in_view(self) -> Sequence[str]:
        """Return the addresses of visible presences, including those that the caller does not follow."""
        return ()

    def refresh_body(self, fresh: bool) -> None:
        """Update the body; `fresh` is whether data arrived since the last call."""

    def show_record(self, kind: str, key: str, filter_text: str = "") -> None:
        """Move the cursor to a record, or show the list with a filter."""

    def arrived(self) -> None:
        """Note that the operator came from another screen, to no particular record."""

    def seek_gone(self, kind: str, key: str) -> None:
        """Tell about the record that a link leads to, if it is not listed any more."""

    # -- frame ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Compose the frame around the body."""
        self._fit(app_of(self).size)
        yield self.top_line
        yield self.tabs
        with self._body:
            yield from self.compose_body()
        if self.time_bar is not None:
            yield self.time_bar
        yield self.message_line
        yield self.footer

    def on_resize(self, event: events.Resize) -> None:
        """Adapt the layout to the size."""
        self._fit(event.size)

    def fit(self, size: Size) -> dict[str, bool]:
        """Return the classes of the style sheet for a terminal of this size."""
        wide = {"wide": 120, "very-wide": 160, "widest": 240}
        return {**{name: size.width >= least for name, least in wide.items()}, "tall": size.height >= 34}

    def _fit(self, size: Size) -> None:
        """Set the classes for a size, only if they change: Textual then recomputes all styles below."""
        roomy = self.fit(size)
        if any(self.has_class(name) is not there for name, there in roomy.items()):
            self.update_classes(roomy)

    def on_screen_resume(self) -> None:
        """Declare which kinds must be fresh, and draw at once."""
        self._repeat.forget()
        self.context.backend.show(self.kinds_in_view() | {"alerts", "status"})
        self.beat(True)

    def beat(self, fresh: bool, /) -> None:
        """Draw changes. Called about ten times a second while this screen is shown."""
        if not self.is_mounted:
            return
        self.context.asked.poll(self._presences_to_ask)
        self.refresh_body(fresh)
        self._refresh_frame(fresh)

    def _presences_to_ask(self) -> Sequence[str]:
        return self.context.addresses.user.of(self.context.user_id), *self.presences_in_view()

    def _refresh_frame(self, fresh: bool) -> None:
        context = self.context
        health = self.health()
        if health.state is Freshness.OFFLINE and context.backend.fatal is not None:
            # It says what the service refused; the lists only say that they are not loaded.
            health = context.backend.link
        heard = not context.quiet or health.state is not self._said_state
        if heard or (fresh and not context.busy):
            self._said_state = health.state
            render = context.render_context()
            facts = self.top_facts(render, health, self.paused())
            self.top_line.show(facts)
            counts = tab_counts(context, render, facts)
            if counts != self._tab_counts:
                self._tab_counts = counts
                self._tab_labels = [tab_of(spec, counts.get(spec.counted), render) for spec in SCREENS]
            self.tabs.show(self._tab_labels, self.spec.name, context.colour)
            self._show_time()
            if untold:
                self.say(untold.popleft())
        met = self.met_by_keys()
        if (heard or met != self._met) and preload.is_loaded():
            self._met = met
            self.footer.show(self.footer_keys())
        self.show_commands()

    def _show_time(self) -> None:
        context, past = self.context, self.context.past
        if self.time_bar is not None and past is not None:
            now, symbols = context.clock.now_ms(), context.config.symbols
            marks = [(event.at_ms, event.sign, event.words) for event in past.events()]
            known, episodes = past.recording.spans, past.severities()
            self.time_bar.show(known, episodes, marks, now, context.zone, symbols, past.mark_ms)
            damage = past.new_damage()
            if damage:
                self.say(f"The recording is damaged: {damage}")

    def met_by_keys(self) -> object:
        """Return the state on which the footer is updated at once; on any other change it is updated within a second.

        Checking for every key whether it is available costs as much as painting a row.
        """
        return None if self.context.busy else self.context.backend.revision, self.focused

    def footer_keys(self) -> list[FooterKey]:
        """Return the keys available now, the most used first."""
        ranked: list[tuple[int, FooterKey]] = []
        situation, first_keys = self.context.situation(self.selected()), self.context.first_keys
        for action in deferred.actions.for_kind(self.kind_in_focus()):
            if action.footer >= 9:
                continue
            text = first_keys.get(action.id)
            if text:
                reason = blocked(action, situation, self.acted_on(action)) or ""
                ranked.append((action.footer, FooterKey(text, action.short or action.title, clean(reason), action.id)))
        for view_key in self.view_keys():
            text = first_keys.get(view_key.id)
            if view_key.footer < 9 and text:
                reason = clean(self.view_why_not(view_key.id))
                ranked.append((view_key.footer, FooterKey(text, view_key.short or view_key.title, reason, view_key.id)))
        next_key, offer = first_keys.get("view.next-step"), deferred.next_steps.offer(self.context)
        # Not the same action twice: after a new group, the key that adds members is there anyway.
        if next_key and offer is not None and all(key.identifier != offer.action.id for _, key in ranked):
            ranked.append(
                (2, FooterKey(next_key, offer.action.short or offer.action.title, clean(""), "view.next-step"))
            )
        if self.context.past is not None:
            title = "go to" if self.context.file else "now"
            ranked.append((0, FooterKey(self.context.key_words("view.past"), title, clean(""), "view.past")))
        return [key for _, key in sorted(ranked, key=itemgetter(0))]

    def view_why_not(self, identifier: str) -> str:
        """Return why a view key would do nothing now, empty if it would do something."""
        if self.context.watch is None and any(key.id == identifier and key.of_rules for key in VIEW_KEYS):
            return self.context.why_no_rules
        if identifier == "view.undo":
            tickets = self.context.backend.commands.tickets()
            can_undo = any(ticket.can_undo and not ticket.command.takes_back for ticket in tickets)
            return "" if can_undo else NOTHING_TO_UNDO
        if identifier == "view.next-wait" and self.context.waits.longest(self.context.render_context()) is None:
            return self.context.why_no_wait()
        return ""

    def view_keys(self) -> list[ViewKey]:
        """Return the view keys of this screen."""
        past = ("past",) if self.context.past is not None else ()
        return [*_view_keys(type(self), ("everywhere", "list", self.spec.name, self.kind_in_focus(), *past))]

    def view_keys_of_other_lists(self) -> list[ViewKey]:
        """Return the view keys that work only in another list of this screen, for help."""
        kinds = {*self.spec.kinds} - {self.kind_in_focus(), self.spec.name}
        return [view_key for view_key in VIEW_KEYS if view_key.where in kinds and hasattr(self, method_of(view_key.id))]

    def actions_here(self) -> list[Action[Any]]:
        """Return all actions of this screen, for the palette and help."""
        kinds = {*self.spec.kinds, self.kind_in_focus(), "everywhere"}
        return [action for action in deferred.actions.ACTIONS if action.kind in kinds]

    # -- notices ---------------------------------------------------------------------------------------------

    def submitted(self, ticket: Ticket) -> None:
        """Show at once that a command was accepted."""
        self.beat(True)

    def say(self, text: str) -> None:
        """Show a notice above the footer, or on the screen that is open over this one."""
        front = app_of(self).screen
        if front is not self and isinstance(front, FullScreen) and front.OVER:
            front.say(text)
            return
        # Report finished commands first: their notice would replace this one at the next refresh.
        self.show_commands()
        self.message_line.say([piece(clean(text, 160))])


@cache
def _view_keys(screen: type[FrameScreen], places: tuple[str, ...]) -> tuple[ViewKey, ...]:
    """Return the view keys of these places for which a screen has a method."""
    return tuple(key for key in VIEW_KEYS if key.where in places and hasattr(screen, method_of(key.id)))


@cache
def method_of(identifier: str) -> str:
    """Return the name of the method of a view key: `do_filter` for `view.filter`."""
    return "do_" + identifier.partition(".")[2].replace("-", "_")


class TabCount(NamedTuple):
    """The number of records in a tab."""

    number: int
    extent: Extent
    total: int | None
    scope: Scope
    exact: bool


def tab_counts(context: AppContext, render: RenderContext, facts: TopFacts) -> Mapping[str, TabCount]:
    """Return the counts of all tabs by kind: comparing them takes a third of the time of making their texts."""
    counts: dict[str, TabCount] = {}
    for kind in _COUNTED:
        extent = context.backend.extent(kind)
        total = context.backend.health(kind).total if extent is Extent.PART else None
        # Only the active alerts are counted.
        number, exact = len(context.backend.records(kind)), True
        if kind == "alerts":
            number, exact = facts.alerts, facts.alerts_exact
        counts[kind] = TabCount(number, extent, total, scope(kind, render), exact)
    return counts


def tab_of(spec: ScreenSpec, count: TabCount | None, render: RenderContext) -> TabLabel:
    """Return the tab of a screen, with the number of its records, if known, and their scope."""
    count_text = None if count is None else count_words(count.number, count.extent, count.total)
    if count is None or count_text is None:
        return TabLabel(spec.name, spec.digit, spec.title, spec.short)
    if spec.counted == "alerts":
        count_text = known_count(count.number, render, exact=count.exact)
    counted, short = (titled(spec.counted, title, count_text, render, short=True) for title in (spec.title, spec.short))
    return TabLabel(spec.name, spec.digit, spec.title, spec.short, counted, short)
