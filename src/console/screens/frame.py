"""The frame that every screen stands in: top line, tabs, body, footer; and what a key press becomes.

A screen is drawn on a beat while it is shown, and costs nothing while it is not. Keys are looked up in the context's
key map and lead either to a method of the screen (`view.filter` to `do_filter`) or to an action. What actions there are
is imported by the methods that need it: the first frame does without (`later`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from console.commands.action import Action
from console.commands.view_keys import VIEW_KEYS, ViewKey
from console.kinds.catalogue import FEEDS
from console.kinds.keymap import format_key
from console.live.command import Ticket
from console.live.delta import Freshness, Health
from console.screens import navigation, preload
from console.screens.app_context import AppContext
from console.screens.navigation import SCREENS, ScreenSpec
from console.screens.outcomes import pending_words, show_outcomes
from console.screens.repeat import HELD_SECONDS, KeyRepeat, Press
from console.screens.tabs import tab_of
from console.text import clean
from console.views.words import USER_PREFIX
from console.widgets.backpressure import ThrottledScreen
from console.widgets.frame import FooterKey, KeyFooter, ScreenTabs, Toasts
from console.widgets.once import once
from console.widgets.styled_line import piece
from console.widgets.theme import app_of
from console.widgets.top_line import Paused, TopLine

if TYPE_CHECKING:
    from console.records.record import Record

NOTHING_TO_UNDO = "Nothing to undo."
NOT_DONE_YET = "Still being sent: undo it once it is done."
_VIEW_IDS: Mapping[str, ViewKey] = {each.id: each for each in VIEW_KEYS}


class ConsoleScreen(ThrottledScreen[None]):
    """The base of all screens. Subclasses give the body, and say what is selected and under which kinds keys work."""

    DEFAULT_CSS = """
    ConsoleScreen { layout: vertical; }
    ConsoleScreen > #body { height: 1fr; }
    """

    spec: ClassVar[ScreenSpec]
    OVER: ClassVar[bool] = False
    """Whether it is laid over the screen that it was opened from, and closed when another is gone to."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self.top_line = TopLine()
        self.tabs = ScreenTabs()
        self.toasts = Toasts()
        self.footer = KeyFooter()
        self._repeat = KeyRepeat()
        self._said_state: Freshness | None = None
        self._met: object = None
        """Commands whose secrets the operator has given up."""

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

    def beat(self, fresh: bool) -> None:
        """Draw what changed. Called about ten times a second while this screen is the one that is shown."""
        if not self.is_mounted:
            return
        self.context.asked.poll(lambda: (USER_PREFIX + self.context.user_id, *self.presences_in_view()))
        self.refresh_body(fresh)
        self._refresh_frame(fresh)
        if fresh:
            show_outcomes(self)

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
        return [each for each in VIEW_KEYS if hasattr(self, _method(each.id)) and self._applies(each)]

    def _applies(self, key: ViewKey) -> bool:
        return key.where in {"everywhere", self.spec.name, self.kind_in_focus()} or key.where == "list"

    # -- keys ----------------------------------------------------------------------------------------------

    def keyboard(self) -> dict[str, str]:
        """Return which key leads to which action or view key here."""
        from console.kinds.actions import for_kind

        found: dict[str, str] = {}
        identifiers: Iterable[str] = (
            *(each.id for each in self.view_keys()),
            *(action.id for action in reversed(for_kind(self.kind_in_focus()))),
        )
        for identifier in identifiers:
            for key in self.context.keys.get(identifier, ()):
                found[key] = identifier
        return found

    def on_key(self, event: events.Key) -> None:
        """Carry out what the key stands for here; keys typed into a field never come here."""
        press = self._repeat.pressed(event.key, event.time)
        spec = next((each for each in SCREENS if each.digit == event.character), None)
        if spec is not None:
            event.stop()
            navigation.go(app_of(self), self.context, spec.name)
            return
        identifier = self.keyboard().get(event.key)
        if identifier is not None:
            event.stop()
            event.prevent_default()
            if press is Press.MEANT or (identifier in _VIEW_IDS and identifier != "view.undo"):
                self.perform(identifier)
            elif press is Press.UNSURE:
                self._perform_unless_held(identifier)
            else:
                self.say("Key repeat ignored.")
        else:
            self._say_where(event.key)

    def passed(self, event: events.Key) -> None:
        """Take note of a key that has been answered by what it was typed into."""
        self._repeat.pressed(event.key, event.time)

    def _say_where(self, key: str) -> None:
        """Say of a key that help shows, but that means nothing here, where it does."""
        from console.kinds.tables import TABLES

        for action in self.actions_here():
            if key in self.context.keys.get(action.id, ()) and action.kind in TABLES:
                words = f"{format_key(key)} {action.title} works in the list of {TABLES[action.kind].title.lower()}"
                self.say(f"{words}: press {self.context.key_words('view.pane')} to go there.")
                return

    def _perform_unless_held(self, identifier: str) -> None:
        """Do what a key says, to the records it was pressed on, if it turns out that it is not held down."""
        from console.kinds.actions import by_id

        action = None if identifier in _VIEW_IDS else by_id(identifier)
        records = () if action is None else tuple(self.acted_on(action))
        number = self._repeat.number

        def decide() -> None:
            if self._repeat.was_held(number):
                return
            if action is None:
                self.perform(identifier)
            else:
                self.carry_out(action, records)

        once(self, HELD_SECONDS, decide)

    def perform(self, identifier: str) -> None:
        """Do what an action or view key says, by its id."""
        from console.kinds.actions import by_id

        if identifier in _VIEW_IDS:
            getattr(self, _method(identifier))()
        else:
            action = by_id(identifier)
            self.carry_out(action, tuple(self.acted_on(action)))

    @work
    async def carry_out(
        self, action: Action[Any], records: Sequence[Record], known: Mapping[str, Any] | None = None
    ) -> None:
        """Ask what the action needs to know, warn where it warns, and submit it; what failed is said."""
        from console.screens.run_action import NotDone, run_action

        try:
            ticket = await run_action(app_of(self), self.context, action, records, self.selected(), known)
        except NotDone as reason:
            if str(reason):
                self._say_in_front(str(reason))
            return
        self.submitted(ticket)

    def submitted(self, ticket: Ticket) -> None:
        """Show at once that a command was taken."""
        self.beat(True)

    def on_key_footer_pressed(self, message: KeyFooter.Pressed) -> None:
        """Take a click on a key for the key."""
        self._repeat.forget()
        self.perform(message.identifier)

    def _say_in_front(self, words: str) -> None:
        """Say it where the operator looks: a record of this screen may be open over it."""
        getattr(app_of(self).screen, "say", self.say)(words)

    def say(self, words: str) -> None:
        """Say something to the operator in the line above the footer."""
        # What a command has come to before is told before: on the next beat it would take the place of these words.
        self._say_what_became_of_commands()
        self.toasts.say([piece(clean(words, 160))])

    def actions_here(self) -> list[Action[Any]]:
        """Return every action that can be reached from this screen, for the palette and help."""
        from console.kinds.actions import ACTIONS

        kinds = {*self.spec.kinds, self.kind_in_focus(), "everywhere"}
        return [action for action in ACTIONS if action.kind in kinds]

    # -- view keys that work everywhere ------------------------------------------------------------------------

    def do_undo(self) -> None:
        """Undo the last change."""
        ticket = self.context.backend.undo()
        if ticket is None:
            under_way = any(each.under_way for each in self.context.backend.tickets())
            self._say_in_front(NOT_DONE_YET if under_way else NOTHING_TO_UNDO)
        else:
            self.submitted(ticket)

    def do_refresh(self) -> None:
        """Load every list again."""
        self.context.backend.refresh()
        self.say("Refreshing…")

    def do_back(self) -> None:
        """Go back to where the operator came from."""
        if not navigation.back(app_of(self), self.context):
            self.say("Nothing to go back to.")

    def do_quit(self) -> None:
        """Leave, and ask first while something is pending. What is held back is sent then: nothing decided is lost."""
        from console.widgets.dialogs import ConfirmDialog

        app, pending = app_of(self), self.pending()

        def leave(meant: bool | None) -> None:
            if meant:
                self.context.backend.send_held()
                app.exit(0)

        if pending:
            words = clean(" ".join(pending), 400)
            app.push_screen(ConfirmDialog("Quit", (), words, keep="Stay", ready=True), leave)
        else:
            leave(True)

    def pending(self) -> list[str]:
        """Return what is not finished, a sentence each."""
        return pending_words(self.context.backend.tickets())

    def do_help(self) -> None:
        """Show every key of this screen."""
        from console.screens.overlays import help_lines
        from console.widgets.dialogs import HelpDialog

        title, closing = f"{self.spec.title}: all keys", self.context.closing_keys
        app_of(self).push_screen(HelpDialog(title, help_lines(self), closing))

    def do_theme(self) -> None:
        """Choose how the console looks."""
        from console.screens.overlays import choose_theme

        choose_theme(self)

    def do_goto(self) -> None:
        """Choose a screen by name."""
        from console.screens.overlays import choose_screen

        choose_screen(self)

    def do_activity(self) -> None:
        """Show the changes made from here and what became of them."""
        from console.screens.activity import ActivityScreen

        app_of(self).push_screen(ActivityScreen(self.context))

    def do_next_chat(self) -> None:
        """Go to the support chat that waits longest."""
        from console.kinds.chats.facts import oldest_chat

        chat = oldest_chat(self.context.render_context())
        if chat is not None:
            navigation.go(app_of(self), self.context, "agents", "chats", chat.chat_id)
        else:
            self.say("There are no support chats.")

    def do_next_wait(self) -> None:
        """Go to the call that has waited longest."""
        longest = self.context.waits.longest(self.context.render_context())
        if longest is not None:
            navigation.go(app_of(self), self.context, "calls", "calls", longest.key)
        else:
            self.say(self.context.why_no_wait())


def _method(identifier: str) -> str:
    return "do_" + identifier.partition(".")[2].replace("-", "_")
