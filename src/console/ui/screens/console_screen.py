"""Dispatch of keys: look them up in the key map and execute what they stand for.

A key stands either for a method of the screen (`view.filter` for `do_filter`) or for an action. The first frame
needs no actions (`deferred`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.message import Message

from console.base.text import clean
from console.commands.action import Action
from console.kinds.chats.facts import oldest_chat
from console.kinds.keymap import format_key
from console.kinds.view_keys import VIEW_KEYS, ViewKey
from console.ui.screens import deferred, navigation
from console.ui.screens.frame import FrameScreen, method_of
from console.ui.screens.outcomes import pending_words, show_outcomes, undo
from console.ui.screens.repeat import HELD_SECONDS, Press
from console.ui.screens.specs import SCREENS, screen_of, spec_of
from console.ui.widgets.frame import KeyFooter
from console.ui.widgets.once import once
from console.ui.widgets.theme import app_of
from console.ui.widgets.time_bar import TimeBar
from console.ui.widgets.top_line import TopLine
from console.views.wording import in_sentence

if TYPE_CHECKING:
    from console.records.record import Record

_VIEW_IDS: Mapping[str, ViewKey] = {view_key.id: view_key for view_key in VIEW_KEYS}
_ONCE_A_PRESS = frozenset({"view.undo", "view.next-step", "view.when-free"})
"""View keys that do not repeat while they are held down."""


class ConsoleScreen(FrameScreen):
    """The base of all screens with tabs and a footer."""

    class OwnChangesRequested(Message):
        """The operator opens the list of own changes."""

    class EpisodesRequested(Message):
        """The operator opens the list of episodes, or another one of its lists."""

        def __init__(self, kind: str) -> None:
            super().__init__()
            self.kind = kind

    class PastRequested(Message):
        """The operator goes back to a moment, in ms since the epoch, or returns to now."""

        def __init__(self, at_ms: int | None, kind: str = "", key: str = "") -> None:
            """`kind` and `key` tell what to show there instead of what is shown now."""
            super().__init__()
            self.at_ms = at_ms
            self.kind = kind
            self.key = key

    class ComparisonRequested(Message):
        """The operator compares two moments of the past."""

    class ProfilesRequested(Message):
        """The operator opens the list of profiles."""

    by_name: ClassVar[dict[str, type[ConsoleScreen]]] = {}
    """The imported screen classes by name."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "spec" in vars(cls):
            cls.by_name[cls.spec.name] = cls

    def beat(self, fresh: bool, /) -> None:
        """Draw changes, and open the dialogs that finished commands need."""
        super().beat(fresh)
        if fresh and self.is_mounted:
            show_outcomes(self)

    # -- keys ----------------------------------------------------------------------------------------------

    def keyboard(self) -> dict[str, str]:
        """Return the action or view key for each key of this screen."""
        actions = reversed(deferred.actions.for_kind(self.kind_in_focus()))
        keys = self.context.keys
        return {key: named.id for named in (*self.view_keys(), *actions) for key in keys.get(named.id, ())}

    def on_key(self, event: events.Key) -> None:
        """Execute the action or view key of a key. Keys typed into an input do not arrive here."""
        press = self._repeat.pressed(event.key, event.time)
        spec = next((screen for screen in SCREENS if screen.digit == event.character), None)
        if spec is not None:
            event.stop()
            navigation.go(app_of(self), self.context, spec.name)
            return
        identifier = self.keyboard().get(event.key)
        if identifier is not None:
            event.stop()
            event.prevent_default()
            if press.counts or (identifier in _VIEW_IDS and identifier not in _ONCE_A_PRESS):
                self.perform(identifier)
            elif press.unsure:
                self._perform_unless_held(identifier, press)
            else:
                self.say("Key repeat ignored.")
        else:
            self.say_where(event.key)

    def passed(self, event: events.Key) -> None:
        """Record a key that a widget has handled."""
        self._repeat.pressed(event.key, event.time)

    def way_to(self, kind: str) -> str:
        """Return what to press to go from here to another list of this screen."""
        return f"{self.context.key_words('view.goto')} and type {in_sentence(deferred.tables.TABLES[kind].title)}"

    def say_where(self, key: str, leaving: str = "") -> None:
        """For a key that does nothing here but elsewhere, say where it works: on this screen, else on another one.

        `leaving` is the key that closes what is open over this screen.
        """
        places = [(action, action.kind) for action in self.actions_here()]
        places += [(view_key, view_key.where) for view_key in self.view_keys_of_other_lists()]
        if self.context.past is None:
            places += [(action, action.kind) for action in deferred.actions.ACTIONS]
        places += [(view_key, view_key.where) for view_key in VIEW_KEYS]
        for known, kind in places:
            if key not in self.context.keys.get(known.id, ()):
                continue
            if kind in deferred.tables.TABLES:
                where, way = f"in the list of {in_sentence(deferred.tables.TABLES[kind].title)}", self.way_to(kind)
            elif kind == "past" and self.context.past is None:
                where, way = "in the past", self.context.key_words("view.past")
            elif kind == "home" and self.spec.name != kind:
                where, way = "on Home", spec_of(kind).digit
            else:
                continue
            self.say_place(key, known.title, where, f"{leaving}, then {way}" if leaving else way)
            return

    def say_place(self, key: str, title: str, where: str, way: str) -> None:
        """Say where a key works, and which keys go there."""
        self.say(f"{format_key(key)} {title} works {where}: press {way} to go there.")

    def _perform_unless_held(self, identifier: str, press: Press) -> None:
        """Execute a key on the records it was pressed on, unless it turns out to be held down."""
        action = None if identifier in _VIEW_IDS else deferred.actions.by_id(identifier)
        records = () if action is None else tuple(self.acted_on(action))

        def decide() -> None:
            if press.is_held:
                return
            if action is None:
                self.perform(identifier)
            else:
                self.carry_out(action, records)

        once(self, HELD_SECONDS, decide)

    def perform(self, identifier: str) -> None:
        """Execute an action or view key."""
        if identifier in _VIEW_IDS:
            getattr(self, method_of(identifier))()
        else:
            action = deferred.actions.by_id(identifier)
            self.carry_out(action, tuple(self.acted_on(action)))

    @work
    async def carry_out(
        self,
        action: Action[Any],
        records: Sequence[Record],
        known: Mapping[str, Any] | None = None,
        draft: str | Mapping[str, Any] = "",
    ) -> None:
        """Ask for the action's input, show its warnings, and submit it; a failure is shown as a notice.

        The first text or form starts with the `draft`.
        """
        try:
            ticket = await deferred.run_action.run_action(
                app_of(self), self.context, action, records, self.selected(), known, draft
            )
        except deferred.run_action.NotDone as reason:
            if str(reason):
                self.say(str(reason))
            return
        self.submitted(ticket)

    def on_key_footer_pressed(self, message: KeyFooter.Pressed) -> None:
        """Handle a click on a key like the key."""
        self._repeat.forget()
        self.perform(message.identifier)

    # -- view keys that work everywhere ------------------------------------------------------------------------

    def do_undo(self) -> None:
        """Undo the last change, or name an earlier one that another press undoes."""
        undo(self)

    def do_next_step(self) -> None:
        """Do what usually follows the last change."""
        offer = deferred.next_steps.offer(self.context)
        if offer is None:
            self.say(deferred.next_steps.why_none(self.context))
        else:
            self.carry_out(offer.action, offer.records, draft=offer.draft)

    def do_refresh(self) -> None:
        """Load every list again."""
        self.context.backend.refresh()
        self.say("Refreshing…")

    def do_back(self) -> None:
        """Close a screen that is opened over another, or return to where the operator came from."""
        if self.OVER:
            self.dismiss()
            return
        if navigation.back(app_of(self), self.context):
            return
        if self.context.past is None:
            self.say("Nothing to go back to.")
        else:
            deferred.past.leave(self)

    def do_quit(self) -> None:
        """Exit; ask first while commands are pending. Held commands are then sent, so that none is lost."""
        app, pending = app_of(self), self.pending()

        def leave(confirmed: bool | None) -> None:
            if confirmed:
                self.context.backend.commands.send_held()
                app.exit(0)

        if pending:
            warning = clean(" ".join(pending), 400)
            app.push_screen(deferred.dialogs.ConfirmDialog("Quit", (), warning, keep="Stay", ready=True), leave)
        else:
            leave(True)

    def pending(self) -> list[str]:
        """Return the pending work of all profiles, a sentence each."""
        return pending_words((*self.context.backend.commands.tickets(), *self.context.elsewhere()))

    def do_help(self) -> None:
        """Show all keys of this screen."""
        title, closing = f"{self.spec.title}: all keys", self.context.closing_keys
        app_of(self).push_screen(deferred.dialogs.HelpDialog(title, deferred.overlays.help_lines(self), closing))

    def do_wallboard(self) -> None:
        """Show the boards for a screen on the wall."""

        def closed(key: events.Key | None) -> None:
            if key is not None:
                self.on_key(key)

        app_of(self).push_screen(deferred.wallboard.WallboardScreen(self.context), closed)

    def do_theme(self) -> None:
        """Choose a theme."""
        deferred.overlays.choose_theme(self)

    def do_goto(self) -> None:
        """Choose a screen by name."""
        deferred.overlays.choose_screen(self, self.do_activity, self.do_episodes)

    def do_profiles(self) -> None:
        """Choose another profile."""
        self.post_message(self.ProfilesRequested())

    def do_past(self) -> None:
        """Go back in time, or return to now if there is one."""
        if self.context.past is None or self.context.file:
            deferred.past.ask_for_moment(self)
        else:
            deferred.past.leave(self)

    def do_note(self) -> None:
        """Add a hand-over note."""
        deferred.overlays.add_note(self, *self.linked())

    def linked(self) -> tuple[str, str]:
        """Return the list and the key of the record under the cursor, to which a note leads; empty for none."""
        kind, key = self.kind_in_focus(), self.cursor_key
        return (kind, key) if key and screen_of(kind) is not None else ("", "")

    def do_step_back(self) -> None:
        """Go some seconds back."""
        self._step(-1)

    def do_step(self) -> None:
        """Go some seconds forward."""
        self._step(1)

    def do_set_mark(self) -> None:
        """Mark the moment that is shown, or remove the mark."""
        if self.context.past is not None:
            deferred.past.set_mark(self, self.context.past)

    def do_compare(self) -> None:
        """Show what changed between the mark and the moment that is shown."""
        self.post_message(self.ComparisonRequested())

    def _step(self, direction: int) -> None:
        if self.context.past is not None:
            deferred.past.step(self, self.context.past, direction * deferred.past.STEP_MS)

    def do_event_back(self) -> None:
        """Go to what mattered before."""
        self._go_to_event(False)

    def do_event(self) -> None:
        """Go to what mattered next."""
        self._go_to_event(True)

    def _go_to_event(self, forward: bool) -> None:
        if self.context.past is not None:
            deferred.past.go_to_event(self, self.context.past, forward)

    def do_play(self) -> None:
        """Let time pass."""
        if self.context.past is not None:
            deferred.past.play(self, self.context.past)

    def on_time_bar_moved(self, message: TimeBar.Moved) -> None:
        """Go to a clicked moment."""
        if self.context.past is not None:
            self.context.past.move(message.at_ms, 0)
            self.beat(True)

    def do_activity(self) -> None:
        """Show own changes and their results."""
        self.post_message(self.OwnChangesRequested())

    def do_episodes(self, kind: str = "episodes") -> None:
        """Show what needs attention, and what did, or another list of that screen."""
        self.post_message(self.EpisodesRequested(kind))

    def on_top_line_chosen(self, message: TopLine.Chosen) -> None:
        """Go to the open alerts or to the longest wait on a click."""
        if message.leads == "open":
            navigation.go(app_of(self), self.context, "alerts")
        else:
            self.do_next_wait()

    def do_next_chat(self) -> None:
        """Go to the support chat that waits longest."""
        chat = oldest_chat(self.context.render_context())
        if chat is not None:
            navigation.go(app_of(self), self.context, "agents", "chats", chat.chat_id)
        else:
            self.say(self.context.why_no_chat())

    def do_next_wait(self) -> None:
        """Go to the call that has waited longest."""
        longest = self.context.waits.longest(self.context.render_context())
        if longest is not None:
            navigation.go(app_of(self), self.context, "calls", "calls", longest.key)
        else:
            self.say(self.context.why_no_wait())
