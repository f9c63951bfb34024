"""The application: it wears the themes, beats about ten times a second, and shows one screen at a time."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar, cast

from rich.console import RenderableType
from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.screen import Screen

from console.client.endpoint import Endpoint
from console.clock import SystemClock
from console.config import Config, Profile
from console.frozen import Frozen
from console.kinds.alerts import facts as alerts
from console.kinds.attention import CONCERNING
from console.kinds.catalogue import FEEDS, THRESHOLDS
from console.live import gc_tuning
from console.live.authentication import Fatal, Login
from console.live.backend_api import BackendApi
from console.live.delta import Freshness
from console.live.pending_backend import PendingBackend
from console.paths import Places, resource_dir
from console.screens import preload
from console.screens.app_context import AppContext
from console.screens.bell import Bell
from console.screens.catalogue import class_of
from console.screens.console_screen import ConsoleScreen
from console.screens.ending import told_by_signals
from console.screens.keys_in_turn import KeysInTurn
from console.screens.navigation import go
from console.screens.specs import SCREENS
from console.screens.terminal import TerminalDriver
from console.screens.too_small import TooSmallScreen
from console.screens.updating import Updating
from console.text import SafeText, clean
from console.views.thresholds import configured
from console.views.words import amount, plural
from console.widgets.ascii_only import AsciiOnly
from console.widgets.frame import ScreenTabs, describe, went_wrong
from console.widgets.styled_line import words_of
from console.widgets.styles import StylesOfTheme
from console.widgets.theme import load_themes, register
from console.zone import zone_of

BEAT_SECONDS = 0.1


FIRST_ROWS_SECONDS = 0.02
WAKEFUL_SECONDS = 1.0
"""How long after the last key or click each beat says everything again: what a key leads to may take its time."""
LATEST_SECONDS = 1.0
"""How long what keys lead to may wait for the first rows before it is imported."""


def _commands() -> type[Provider]:
    from console.screens.palette import ConsoleCommands

    return ConsoleCommands


class ConsoleApp(KeysInTurn):
    """The console of one profile."""

    TITLE = "console"
    DEFAULT_MODE: ClassVar[str] = "home"
    # The frame of Textual's palette is drawn with characters that not every font has.
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
        login: Login | None = None,
        told_to_end: threading.Event | None = None,
        make_backend: Callable[[], BackendApi] | None = None,
    ) -> None:
        """`make_backend` is called once, beside the screen, when the first frame stands on the terminal: until then the
        context holds a pending one."""
        super().__init__(driver_class=TerminalDriver)
        self.context = context
        self.fault: Exception | None = None
        """A fault of the console's own that ended it."""
        self._ascii = [AsciiOnly()] if context.config.symbols == "ascii" else []
        self._login = login
        self._told_to_end = told_to_end or threading.Event()
        self._make_backend = make_backend
        self._second = 0
        self._touched = 0.0
        """When something was typed or clicked last, or the terminal changed."""
        self._fetched_at = time.monotonic() + LATEST_SECONDS
        """When what keys lead to is imported at the latest; infinite once it is."""
        self._revision = -1
        self.settled: frozenset[int] = frozenset()
        """The commands whose end could be seen on the screen."""
        self.told_of_unresolved = False
        """Whether the operator has heard of changes of an earlier run that nobody knows the end of."""
        self._bell = Bell()
        self.themes = load_themes(themes, context.places.themes)
        register(self, self.themes)
        self.theme = context.config.theme if context.config.theme in self.themes.by_name else "dark"
        self.stylesheet = StylesOfTheme(variables=self.get_css_variables())
        for spec in SCREENS:
            cast("Any", self).add_mode(spec.name, _maker(spec.name, context))

    def on_mount(self) -> None:
        """Begin to beat."""
        if self._make_backend is not None:
            self.screen.call_after_refresh(self._have_desk_made, self._make_backend)
        self.set_interval(BEAT_SECONDS, self._beat)
        cast("Any", self).app_resume_signal.subscribe(self, self._paint_again)
        self._first_rows = self.set_interval(FIRST_ROWS_SECONDS, self._look_for_first_rows)
        if self.themes.faults:
            self.call_after_refresh(self._say_faults)

    def _paint_again(self, _resumed: object) -> None:
        """Paint every cell: the shell had the terminal, and nothing of the last picture is left on it."""
        self.screen.refresh()

    def _have_desk_made(self, make_backend: Callable[[], BackendApi]) -> None:
        made = self.context.worker.submit(make_backend)
        made.add_done_callback(lambda made: self.call_later(self._take_desk, made))

    def _take_desk(self, made: Future[BackendApi]) -> None:
        """Let the backend that was made take the place of the one to come."""
        before, backend = self.context.backend, made.result()
        self.context.backend = backend
        if isinstance(before, PendingBackend):
            backend.show(before.shown)
        backend.start()

    def _look_for_first_rows(self) -> None:
        """Draw the first rows as soon as they are there: until then nobody has seen anything."""
        health = self.context.backend.health
        if self._fetched_at < math.inf and any(health(kind).state is Freshness.LOADING for kind in CONCERNING):
            return
        self._first_rows.stop()
        self._beat()

    def _say_faults(self) -> None:
        if isinstance(self.screen, ConsoleScreen):
            fault = self.themes.faults[0]
            more = f", and {len(self.themes.faults) - 1} more" if len(self.themes.faults) > 1 else ""
            # Where the file is would leave no room for what is wrong; `console info` says it.
            self.screen.say(f"{str(fault).removeprefix(f'{fault.file.parent}/')}{more}")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Let nothing but ASCII through where the terminal shows nothing else."""
        return [*super().get_line_filters(), *self._ascii]

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer none of Textual's own: themes, help and leaving have keys and names of ours."""
        return ()

    async def on_event(self, event: events.Event) -> None:
        """Note that somebody is there."""
        self._touched = time.monotonic()
        if isinstance(event, events.Key):
            gc_tuning.typed()
        await super().on_event(event)

    def _beat(self) -> None:
        if self._told_to_end.is_set():
            self.exit()
            return
        if not self.is_running or not self.screen_stack:
            return  # The screens, and what stands in them, go before the beat does when the console is left.
        backend = self.context.backend
        revision = backend.revision
        fresh, self._revision = revision != self._revision, revision
        second, now = self.context.clock.now_ms() // 1000, time.monotonic()
        self.context.quiet = second == self._second and now > self._touched + WAKEFUL_SECONDS
        self._second = second
        fatal = backend.fatal
        if TooSmallScreen.needed(self.size):
            if not isinstance(self.screen, TooSmallScreen):
                self.push_screen(TooSmallScreen())
        elif isinstance(self.screen, TooSmallScreen):
            self.screen.dismiss()
        elif fatal is not None:
            self._ask_for_help(fatal)
        if fresh:
            self.settled = frozenset(each.command.number for each in backend.tickets() if not each.under_way)
        for screen in reversed(self.screen_stack):
            if isinstance(screen, Updating):
                screen.beat(fresh)
                break
        if fresh:
            self._ring()
        if self._fetched_at < math.inf and (now >= self._fetched_at or backend.health("calls").age is not None):
            # Not before the rows themselves are on the terminal.
            self.screen.call_after_refresh(self._fetch_later)
        if backend.unresolved and not self.told_of_unresolved and isinstance(self.screen, ConsoleScreen):
            self.told_of_unresolved = True
            many, key = plural(len(backend.unresolved), "change"), self.context.key_words("view.activity")
            self.screen.say(f"The outcome of {many} from an earlier session is unknown: press {key}.")

    def _ask_for_help(self, fatal: Fatal) -> None:
        from console.screens.login import LoginScreen

        if not isinstance(self.screen, LoginScreen):
            if isinstance(self.screen, ConsoleScreen):
                # It is not drawn again while something stands before it.
                preload.load()
                self.screen.beat(True)
            self.push_screen(LoginScreen(self.context, fatal, self._login))

    def _fetch_later(self) -> None:
        """Import what the first frame did without, once."""
        if self._fetched_at < math.inf:
            self._fetched_at = math.inf
            self.context.worker.submit(preload.load)

    def _ring(self) -> None:
        """Ring for what is new, once, and say in the terminal's title how many alerts are open."""
        if self._bell.rings(self.context) and self.context.config.bell:
            self.bell()
        if self.context.backend.health("alerts").age is not None:
            active = len(alerts.active(self.context.render_context()))
            self.title = clean(f"{f'({amount(active)}) ' if active else ''}console {self.context.profile_name}", 80)

    def on_screen_tabs_chosen(self, message: ScreenTabs.Chosen) -> None:
        """Go to the screen whose tab was clicked."""
        go(self, self.context, message.name)

    def on_console_screen_own_changes_requested(self) -> None:
        """Open the list of own changes over the screen in front."""
        from console.screens.activity import ActivityScreen

        self.push_screen(ActivityScreen(self.context))

    def _fatal_error(self) -> None:
        """Leave after a fault of our own. Textual would print it with every local value, passwords among them.

        Screens that are still coming up when the console is left find themselves half made: that is none.
        """
        self.fault = None if self._exit else self._exception
        self._close_messages_no_wait()

    def panic(self, *_renderables: RenderableType) -> None:
        """Leave after a fault that words itself, or because the terminal cannot be read."""
        self.fault = self.fault or self._exception or OSError("the terminal can no longer be read")
        self._close_messages_no_wait()

    def moved_by(self, event: events.Key) -> None:
        """Tell the screen, which tells keys that are held down by those that come between."""
        if isinstance(self.screen, ConsoleScreen):
            self.screen.passed(event)

    async def action_quit(self) -> None:
        """Leave; what is held back is sent first, so that nothing decided is lost."""
        self.context.backend.send_held()
        self.exit()

    def on_unmount(self) -> None:
        """Let the worker's thread end: as long as it waits for work, it keeps the whole application in memory."""
        self.context.worker.shutdown(wait=False, cancel_futures=True)

    def on_app_blur(self) -> None:
        """Send what is held back when the operator turns to another window: nobody watches the seconds any more."""
        self.context.backend.send_held()

    def action_suspend_process(self) -> None:
        """Go to the shell; what is held back is sent before, not whenever the console comes back."""
        self.context.backend.send_held()
        super().action_suspend_process()


class Left(Frozen):
    """How the console was left."""

    interrupted: bool
    """The process was told to end, or its terminal is gone."""
    fault: Exception | None
    """A fault of the console's own."""
    fatal: Fatal | None
    """What nobody had helped with by then."""
    unreached: str
    """Why the service had never answered; empty if it had."""
    undone: tuple[SafeText, ...] = ()
    """What was decided last and came to no good end, which the screen could not say any more."""


def run(
    config: Config,
    name: str,
    profile: Profile,
    endpoint: Endpoint,
    places: Places,
    login: Login,
    token: str | None = None,
) -> Left:
    """Open the console on a profile until it is left, and say how that was.

    `token` is that of a session that is alive already. Raises OSError when the journal cannot be written, and
    ValueError when the endpoint's settings cannot work.
    """
    clock = SystemClock()

    def make_backend() -> BackendApi:
        from console.live.backend import Backend
        from console.live.bounds import bounds_for

        return Backend(
            endpoint,
            FEEDS.values(),
            journal_path=places.journal,
            login=login.source,
            token=token,
            clock=clock,
            hold_seconds=config.hold_seconds,
            bounds=bounds_for(profile.max_rows),
        )

    context = AppContext(
        backend=PendingBackend(clock, read_only=profile.read_only),
        config=config,
        profile_name=name,
        profile=profile,
        clock=clock,
        zone=zone_of(profile.time_zone),
        places=places,
        thresholds=configured(config.thresholds, THRESHOLDS),
        endpoint=endpoint,
    )
    gc_tuning.prepare()
    try:
        told = told_by_signals(lambda: context.backend.stop())
        app = ConsoleApp(context, resource_dir("themes"), login, told, make_backend)
        app.run()
        backend = context.backend
        unreached = backend.link.reason if backend.me is None and backend.link.state is Freshness.OFFLINE else ""
        fatal = backend.fatal
    finally:
        context.backend.stop()
    unseen = [each for each in reversed(backend.tickets()) if each.command.number not in app.settled]
    undone = tuple(words_of(describe(each)) for each in unseen if went_wrong(each) or each.under_way)
    return Left(told.is_set(), app.fault, fatal, unreached, undone)


def _maker(name: str, context: AppContext) -> Callable[[], ConsoleScreen]:
    return lambda: class_of(name)(context)
