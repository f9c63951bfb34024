"""The application: applies themes, runs the beat about ten times a second, and shows the screens."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.screen import Screen

from console.config.toml_source import ConfigFault
from console.live import gc_tuning
from console.live.authentication import Fatal, LoginDetails
from console.live.rest import Rest
from console.notices.outside import NOWHERE, Outside
from console.ui.screens import deferred, preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.key_queue import KeyQueueApp
from console.ui.screens.navigation import go
from console.ui.screens.profiles import OpenedProfile, Opener, Profiles
from console.ui.screens.specs import SCREENS, module_of, spec_of
from console.ui.screens.updating import FullScreen, TooSmallScreen, Updating
from console.ui.textual_compat import driver_class, use_current_styles, use_stylesheet
from console.ui.textual_compat.failure import QuietFailure
from console.ui.widgets.ascii_only import AsciiOnly
from console.ui.widgets.frame import ScreenTabs
from console.ui.widgets.theme import load_themes, register
from console.views.wording import plural

if TYPE_CHECKING:
    from console.ui.screens.notice_presenter import NoticePresenter

BEAT_SECONDS = 0.1
BUSY_BEATS = 10
"""Beats with changes, one after the other, after which each is followed by a pause."""
BUSY_RESTS = 19
"""The pause as a multiple of the processor time of a beat: at 5 000 events a second there are five beats, not ten."""
BUSY_SECONDS = 0.25
"""The longest pause."""
STILL_BEATS = 10
"""Beats without changes and keys, one after the other, after which only the first of each second, or one of so many,
looks for what changes by itself, such as an age or an outdated list."""
FIRST_ROWS_SECONDS = 0.02
WAKEFUL_SECONDS = 1.0
"""Time after a key or click in which each beat renders everything, because its effect may be delayed."""
LATEST_SECONDS = 1.0
"""Longest delay for the first rows before secondary screens are imported."""


def _commands() -> type[Provider]:
    return deferred.palette.ConsoleCommands


class ConsoleApp(QuietFailure, KeyQueueApp):
    """The console for one profile."""

    TITLE = "console"
    DEFAULT_MODE: ClassVar[str] = "home"
    # The frame of Textual's palette uses characters that not every font has.
    CSS = """
    SearchIcon { display: none; }
    CommandPalette #--input, CommandPalette CommandList, CommandPalette LoadingIndicator { border: blank; }
    CommandPalette #--input.--list-visible { border-bottom: none; }
    """
    COMMANDS: ClassVar[set[Any]] = {_commands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        context: AppContext,
        themes: Path,
        login: LoginDetails | None = None,
        owns_process: bool = False,
        opener: Opener | None = None,
        outside: Outside = NOWHERE,
    ) -> None:
        """With `owns_process`, start the backend after the first frame, and collect garbage from the first rows on.

        `opener` opens the other profiles of the configuration; `outside` is for notices.
        """
        super().__init__(driver_class=driver_class())
        self.profiles = Profiles(OpenedProfile(context, login), opener)
        self._ascii = [AsciiOnly()] if context.config.symbols == "ascii" else []
        self.told_to_end = threading.Event()
        """Set when the process must end."""
        self.unattended = False
        """Whether only the wallboard is shown, and nobody can be asked to log in."""
        self._owns_process = owns_process
        self._second = 0
        self._touched = 0.0
        """When something was typed or clicked last, or the terminal changed."""
        self._fetched_at = time.monotonic() + LATEST_SECONDS
        """Latest time to import secondary screens; infinite when done."""
        self._revision = -1
        self._fresh_beats = self._still_beats = 0
        self._rest = Rest(BUSY_RESTS, BUSY_SECONDS)
        self.settled: dict[str, frozenset[int]] = {}
        """Commands whose outcome has been shown, by profile."""
        self.told_of_unresolved = False
        """Whether unresolved changes of an earlier session were reported."""
        self._notices: NoticePresenter | None = None
        self._outside = outside
        self.themes = load_themes(themes, context.places.themes)
        register(self, self.themes)
        self.theme = context.config.theme if context.config.theme in self.themes.by_name else "dark"
        use_stylesheet(self)
        self._add_modes(context)

    @property
    def context(self) -> AppContext:
        """The context of the profile that is shown."""
        return self.profiles.here.context

    def _add_modes(self, context: AppContext) -> None:
        context.elsewhere = self.profiles.tickets_elsewhere
        for spec in SCREENS:
            cast("Any", self).add_mode(context.mode_of(spec.name), self._maker(spec.name, context))

    def _maker(self, name: str, context: AppContext) -> Callable[[], ConsoleScreen]:
        def screen_of_mode() -> ConsoleScreen:
            screen = class_of(name)(context)
            use_current_styles(self, screen)
            return screen

        return screen_of_mode

    def on_mount(self) -> None:
        """Start the beat."""
        if self._owns_process:
            self.screen.call_after_refresh(self.context.backend.start)
        self.set_interval(BEAT_SECONDS, self._beat)
        if self.unattended:
            self.push_screen(deferred.wallboard.WallboardScreen(self.context, alone=True))
        cast("Any", self).app_resume_signal.subscribe(self, self._paint_again)
        self._first_rows = self.set_interval(FIRST_ROWS_SECONDS, self._look_for_first_rows)
        if self.themes.faults:
            self.call_after_refresh(self._say_faults)

    def _paint_again(self, _resumed: object) -> None:
        """Paint every cell, because the shell used the terminal."""
        self.screen.refresh()

    def _look_for_first_rows(self) -> None:
        """Draw the first rows as soon as they arrive."""
        if self._fetched_at == math.inf or self._has_first_rows():
            self._first_rows.stop()
            self._beat()

    def _has_first_rows(self) -> bool:
        """Return whether what needs attention is known, as far as it can be."""
        watch = self.context.watch
        return watch is None or not watch.is_loading

    def _say_faults(self) -> None:
        if isinstance(self.screen, ConsoleScreen):
            # A mistyped key explains the missing ones.
            fault = min(self.themes.faults, key=lambda file_problem: file_problem.message.startswith("is missing"))
            more = f", and {len(self.themes.faults) - 1} more" if len(self.themes.faults) > 1 else ""
            self.screen.say(f"{fault.without_folder()}{more}")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Replace characters other than ASCII if the terminal does not support them."""
        return [*super().get_line_filters(), *self._ascii]

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer no commands of Textual: themes, help and quit have their own keys and names."""
        return ()

    async def on_event(self, event: events.Event) -> None:
        """Note activity of the user."""
        self._touched = time.monotonic()
        if isinstance(event, events.Key):
            gc_tuning.typed()
        # A key that no screen stops comes back here, forwarded.
        if isinstance(event, events.Key | events.MouseDown) and not event.is_forwarded:
            if self._notices is not None:
                self._notices.touched()
            if self.screen_stack and isinstance(self.screen, FullScreen):
                self.screen.message_line.key_pressed()
        await super().on_event(event)

    def _beat(self) -> None:
        if self.told_to_end.is_set():
            self.exit()
            return
        if not self.is_running or not self.screen_stack:
            return  # On exit, screens and widgets are removed before the beat stops.
        context = self.context
        if context.past is not None:
            context.past.update()
        revision = context.backend.revision
        self._fresh_beats = self._fresh_beats + 1 if revision != self._revision else 0
        self._still_beats = 0 if self._fresh_beats or self._is_awake else self._still_beats + 1
        if STILL_BEATS < self._still_beats <= 2 * STILL_BEATS and not self._ticked(context):
            return
        self._still_beats = min(self._still_beats, STILL_BEATS)
        if self._fresh_beats <= BUSY_BEATS:
            self._show(context, revision)
        elif self._rest.is_over():
            with self._rest.after():
                self._show(context, revision)
        self._update_notices()

    @property
    def _is_awake(self) -> bool:
        return time.monotonic() <= self._touched + WAKEFUL_SECONDS

    def _ticked(self, context: AppContext) -> bool:
        """Return whether this is another second than the last that was shown."""
        return context.clock.now_ms() // 1000 != self._second

    def _show(self, context: AppContext, revision: int) -> None:
        backend = context.backend
        fresh, self._revision = revision != self._revision, revision
        now = time.monotonic()
        context.busy = self._fresh_beats > BUSY_BEATS
        context.quiet = not self._ticked(context) and (context.busy or not self._is_awake)
        self._second = context.clock.now_ms() // 1000
        fatal = backend.fatal
        if TooSmallScreen.needed(self.size):
            if not isinstance(self.screen, TooSmallScreen):
                self.push_screen(TooSmallScreen())
        elif isinstance(self.screen, TooSmallScreen):
            self.screen.dismiss()
        elif fatal is not None and not self.unattended:
            self._ask_for_help(fatal)
        if fresh and context.past is None:
            done = frozenset(ticket.command.number for ticket in backend.commands.tickets() if not ticket.under_way)
            self.settled[context.profile_name] = done
        for screen in reversed(self.screen_stack):
            if isinstance(screen, Updating):
                screen.beat(fresh)
                break
        if self._fetched_at < math.inf and (now >= self._fetched_at or self._has_first_rows()):
            # After the rows have been drawn: evaluating rules beside this import takes three times as long.
            self.screen.call_after_refresh(self._fetch_later)
        if backend.unresolved and not self.told_of_unresolved and isinstance(self.screen, ConsoleScreen):
            self.told_of_unresolved = True
            many, key = plural(len(backend.unresolved), "change"), context.key_words("view.activity")
            self.screen.say(f"The outcome of {many} from an earlier session is unknown: press {key}.")

    def _ask_for_help(self, fatal: Fatal) -> None:
        if isinstance(below := self.screen, deferred.login.LoginScreen):
            return

        def ask() -> None:
            if self.screen is below:
                if isinstance(below, ConsoleScreen):
                    below.beat(True)
                self.push_screen(deferred.login.LoginScreen(self.context, fatal, self.profiles.here.login))

        if not isinstance(below, ConsoleScreen):
            ask()
        elif below.laid_out:
            # The screen below a dialog is not drawn again: its parts get their sizes, and then their content.
            preload.load()
            below.beat(True)
            below.call_after_refresh(ask)

    def _fetch_later(self) -> None:
        """Import secondary screens once."""
        if self._fetched_at < math.inf:
            self._fetched_at = math.inf
            self.context.worker.submit(self._load_later)

    def _load_later(self) -> None:
        preload.load()
        if self._owns_process:
            gc_tuning.prepare()

    def _update_notices(self) -> None:
        """Show notices about the episodes of all open profiles, from the first rows on; none of a recording."""
        if self.profiles.present.context.past is not None:
            return
        if self._notices is None:
            if not preload.is_loaded():
                return
            self._notices = deferred.notice_presenter.NoticePresenter(
                self, self.context.config, self._outside, self.context.places.notices
            )
        self._notices.beat([opened.context for opened in self.profiles.opened], self.profiles.present.context)
        for text in self._notices.failures():
            self._say(text)

    def on_episodes_changed(self) -> None:
        """Show notices of episodes that began, without waiting for the next beat."""
        if self.is_running and self.screen_stack:
            self._update_notices()

    def _say(self, text: str) -> None:
        """Show a notice, unless a dialog is open."""
        if isinstance(self.screen, FullScreen):
            self.screen.say(text)

    def on_console_screen_profiles_requested(self) -> None:
        """Let the operator choose another profile."""
        if len(self.profiles.names) > 1:
            self.push_screen(deferred.login.ProfileDialog(self.profiles), self._go_to_profile)
        elif self.context.file:
            self._say("A recording has no other profile.")
        else:
            self._say("There is one profile; `console setup` adds another.")

    def on_login_screen_left(self) -> None:
        """Return to the profile before, or exit."""
        if self.profiles.before is None:
            self.exit()
        else:
            self._go_to_profile(self.profiles.before)

    def _go_to_profile(self, name: str | tuple[str, ...] | None) -> None:
        left = self.context
        if not isinstance(name, str) or (name == left.profile_name and left.past is None):
            return
        try:
            mode, new = self.profiles.show(name, self.current_mode)
        except ConfigFault as fault:
            self._say(f"{name} cannot be opened: {fault.problems[0].without_folder()}")
            return
        except (OSError, ValueError) as error:
            self._say(f"{name} cannot be opened: {error}")
            return
        left.backend.commands.send_held()
        left.backend.show(left.heard)
        if new:
            self._add_modes(self.context)
            self.context.backend.start()
        self._revision = -1
        self.switch_mode(mode)

    def on_console_screen_past_requested(self, message: ConsoleScreen.PastRequested) -> None:
        """Show a moment of the past on the same screen, or return to now."""
        self._revision = -1
        if message.at_ms is None:
            self.switch_mode(self.profiles.show_present())
        else:
            deferred.past.show_moment(self, self.profiles, message.at_ms, message.kind, message.key, self._add_modes)

    def on_screen_tabs_chosen(self, message: ScreenTabs.Chosen) -> None:
        """Go to the screen of the clicked tab."""
        go(self, self.context, message.name)

    def on_console_screen_own_changes_requested(self) -> None:
        """Open the list of own changes over the current screen."""
        self.push_screen(deferred.activity.ActivityScreen(self.context))

    def on_console_screen_comparison_requested(self) -> None:
        """Show what changed between two moments of the past over the current screen."""
        if (past := self.context.past) is not None:
            self.push_screen(deferred.comparison.ComparisonScreen(self.context, past))

    def on_console_screen_episodes_requested(self, message: ConsoleScreen.EpisodesRequested) -> None:
        """Open the list of episodes over the current screen."""
        screen = deferred.episodes.EpisodesScreen(self.context)
        self.push_screen(screen)
        screen.call_after_refresh(screen.switch_pane, message.kind)

    def moved_by(self, event: events.Key) -> None:
        """Notify the screen, which distinguishes repeated from separate keys."""
        if isinstance(self.screen, ConsoleScreen):
            self.screen.passed(event)

    async def action_quit(self) -> None:
        """Exit; held commands are sent first."""
        self.context.backend.commands.send_held()
        self.exit()

    def on_unmount(self) -> None:
        """Stop the workers' threads, whose references would keep the application in memory."""
        if self._notices is not None:
            self._notices.close()
        for context in self.profiles.contexts:
            context.worker.shutdown(wait=False, cancel_futures=True)

    def on_app_blur(self) -> None:
        """Send held commands when the terminal loses the focus."""
        self.context.backend.commands.send_held()

    def action_suspend_process(self) -> None:
        """Suspend to the shell; held commands are sent first, not on return."""
        self.context.backend.commands.send_held()
        super().action_suspend_process()


@cache
def class_of(name: str) -> type[ConsoleScreen]:
    """Return the class of a screen: the one in the module of that name, otherwise one with the lists of its kinds.

    Its module is imported on first use, so that the first screen does not wait for the others.
    """
    module = module_of(spec_of(name))
    if module is not None:
        import_module(module)
        return ConsoleScreen.by_name[name]
    return type("PlainScreen", (deferred.list_screen.ListScreen,), {"spec": spec_of(name)})
