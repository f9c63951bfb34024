"""The frame that every screen stands in: top line, tabs, body, footer.

A screen is drawn on a beat while it is shown, and costs nothing while it is not. What actions there are is imported by
the methods that need it: the first frame does without (`preload`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from console.commands.action import Action
from console.commands.view_keys import VIEW_KEYS, ViewKey
from console.kinds.catalogue import FEEDS
from console.live.command import Ticket
from console.live.delta import Freshness, Health
from console.screens import preload
from console.screens.app_context import AppContext
from console.screens.specs import SCREENS, ScreenSpec
from console.screens.tabs import tab_of
from console.screens.updating import FullScreen
from console.text import clean
from console.views.words import USER_PREFIX
from console.widgets.frame import FooterKey, KeyFooter, ScreenTabs, Toasts
from console.widgets.styled_line import piece
from console.widgets.theme import app_of
from console.widgets.top_line import Paused

if TYPE_CHECKING:
    from console.records.record import Record

NOTHING_TO_UNDO = "Nothing to undo."


class FrameScreen(FullScreen):
    """A screen in its frame. Subclasses give the body, and say what is selected and under which kinds keys work."""

    DEFAULT_CSS = """
    FrameScreen { layout: vertical; }
    FrameScreen > #body { height: 1fr; }
    """

    spec: ClassVar[ScreenSpec]
    OVER: ClassVar[bool] = False
    """Whether it is laid over the screen that it was opened from, and closed when another is gone to."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.tabs = ScreenTabs()
        self.toasts = Toasts()
        self.footer = KeyFooter()
        self._said_state: Freshness | None = None
        self._met: object = None

    # -- what subclasses say -----------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Give what stands between the tabs and the footer."""
        yield from ()

    def kinds_in_view(self) -> frozenset[str]:
        """Say which kinds must be fresh while this screen is shown."""
        return frozenset(self.spec.kinds)

    def kind_in_focus(self) -> str:
        """Say to which kind of record the keys apply."""
        return self.spec.kinds[0] if self.spec.kinds else ""

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the records that an action would meet if its key were pressed now."""
        return ()

    def selected(self) -> Record | None:
        """Return what is selected besides the records acted upon."""
        return None

    def health(self) -> Health:
        """Say how fresh what is looked at is: the list that has the keys, or the connection as a whole."""
        backend, kind = self.context.backend, self.kind_in_focus()
        return backend.health(kind) if kind in FEEDS else backend.link

    def paused(self) -> Paused | None:
        """Say since when the list in view stands still, and how far it is behind; None while it does not."""
        return None

    @property
    def cursor_key(self) -> str:
        """The key of the record under the cursor, empty if there is none."""
        return ""

    def presences_in_view(self) -> Sequence[str]:
        """Return the addresses whose presence is on the screen, whether the caller follows them or not."""
        return ()

    def refresh_body(self, fresh: bool) -> None:
        """Bring the body up to date; `fresh` says whether anything arrived since the last beat."""

    def show_record(self, kind: str, key: str, filter_text: str = "") -> None:
        """Put the cursor on a record, or show the list with a filter."""

    # -- frame ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the frame around the body."""
        self._fit(app_of(self).size)
        yield self.top_line
        yield self.tabs
        with Container(id="body"):
            yield from self.compose_body()
        yield self.toasts
        yield self.footer

    def on_resize(self, event: events.Resize) -> None:
        """Use the room that there is."""
        self._fit(event.size)

    def fit(self, size: Size) -> dict[str, bool]:
        """Say which classes the style sheet knows a terminal of that size by."""
        return {"wide": size.width >= 120, "very-wide": size.width >= 160, "tall": size.height >= 34}

    def _fit(self, size: Size) -> None:
        """Be laid out for a size. Textual works out every style below anew, so it is told once, and only of changes."""
        roomy = self.fit(size)
        if any(self.has_class(name) is not there for name, there in roomy.items()):
            self.update_classes(roomy)

    def on_screen_resume(self) -> None:
        """Tell the backend what must be fresh, and draw at once."""
        self._repeat.forget()
        self.context.backend.show(self.kinds_in_view() | {"alerts", "status"})
        self.beat(True)

    def beat(self, fresh: bool, /) -> None:
        """Draw what changed. Called about ten times a second while this screen is the one that is shown."""
        if not self.is_mounted:
            return
        self.context.asked.poll(lambda: (USER_PREFIX + self.context.user_id, *self.presences_in_view()))
        self.refresh_body(fresh)
        self._refresh_frame(fresh)

    def _refresh_frame(self, fresh: bool) -> None:
        context = self.context
        health = self.health()
        heard = not context.quiet or health.state is not self._said_state
        if fresh or heard:
            self._said_state = health.state
            self.top_line.show(context.top_facts(health, self.paused()))
            self.tabs.show([tab_of(spec, context) for spec in SCREENS], self.spec.name)
        met = self.met_by_keys()
        if (heard or met != self._met) and preload.is_loaded():
            self._met = met
            self.footer.show(self.footer_keys())
        self._say_what_became_of_commands()

    def _say_what_became_of_commands(self) -> None:
        tickets = self.context.backend.tickets()
        self.toasts.show(tickets, self.context.key_words("view.undo") if tickets else "")

    def met_by_keys(self) -> object:
        """Return what the footer follows at once when something comes; anything else that makes a key useful or not it
        follows within a second. Asking every key whether it could be taken costs as much as painting a row."""
        return self.context.backend.revision, self.focused

    def footer_keys(self) -> list[FooterKey]:
        """Return the keys that work here and now, the most used first."""
        from console.commands.guards import blocked
        from console.kinds.actions import for_kind

        found: list[tuple[int, FooterKey]] = []
        situation = self.context.situation(self.selected())
        for action in for_kind(self.kind_in_focus()):
            if action.footer >= 9:
                continue
            words = self.context.key_words(action.id)
            if words:
                reason = blocked(action, situation, self.acted_on(action)) or ""
                found.append(
                    (action.footer, FooterKey(words, action.short or action.title.lower(), clean(reason), action.id))
                )
        for each in self.view_keys():
            words = self.context.key_words(each.id)
            if each.footer < 9 and words:
                reason = clean(self.view_why_not(each.id))
                found.append((each.footer, FooterKey(words, each.short or each.title, reason, each.id)))
        return [key for _, key in sorted(found, key=lambda pair: pair[0])]

    def view_why_not(self, identifier: str) -> str:
        """Say why a view key would do nothing at the moment; empty if it would do something."""
        if identifier == "view.undo":
            tickets = self.context.backend.tickets()
            found = any(each.can_undo and not each.command.takes_back for each in tickets)
            return "" if found else NOTHING_TO_UNDO
        if identifier == "view.next-wait" and self.context.waits.longest(self.context.render_context()) is None:
            return self.context.why_no_wait()
        return ""

    def view_keys(self) -> list[ViewKey]:
        """Return the view keys that work on this screen."""
        return [each for each in VIEW_KEYS if hasattr(self, method_of(each.id)) and self._applies(each)]

    def _applies(self, key: ViewKey) -> bool:
        return key.where in {"everywhere", self.spec.name, self.kind_in_focus()} or key.where == "list"

    def actions_here(self) -> list[Action[Any]]:
        """Return every action that can be reached from this screen, for the palette and help."""
        from console.kinds.actions import ACTIONS

        kinds = {*self.spec.kinds, self.kind_in_focus(), "everywhere"}
        return [action for action in ACTIONS if action.kind in kinds]

    # -- notices ---------------------------------------------------------------------------------------------

    def submitted(self, ticket: Ticket) -> None:
        """Show at once that a command was taken."""
        self.beat(True)

    def say(self, words: str) -> None:
        """Say something to the operator in the line above the footer."""
        # What a command has come to before is told before: on the next beat it would take the place of these words.
        self._say_what_became_of_commands()
        self.toasts.say([piece(clean(words, 160))])


def method_of(identifier: str) -> str:
    """Return the name of the method that a view key calls: `view.filter` calls `do_filter`."""
    return "do_" + identifier.partition(".")[2].replace("-", "_")
