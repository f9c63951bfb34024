"""Run the console with a profile: its backend, its application, how both end, and the exit on a signal or hang-up."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from console.base.clock import Clock, SystemClock
from console.base.frozen import Frozen
from console.base.signal_pipe import SignalPipe
from console.base.text import SafeText
from console.base.zone import zone_of
from console.client.endpoint import Endpoint
from console.client.stored_login import LoginStore
from console.config.paths import Places, resource_dir
from console.config.schema import Config, Profile
from console.kinds.catalogue import FEEDS, THRESHOLDS
from console.live.authentication import Fatal, LoginDetails
from console.live.backend import Backend
from console.live.backend_api import BackendApi
from console.live.bounds import bounds_for
from console.live.delta import Freshness
from console.notices.outside import NOWHERE, Outside
from console.recording.identities import CurrentIdentity
from console.recording.recorder import record_with
from console.rules.keeping import episodes_file
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.ui.app import ConsoleApp
from console.ui.screens.app_context import AppContext
from console.ui.screens.profiles import tone_of
from console.ui.widgets.message_line import describe, went_wrong
from console.ui.widgets.styled_line import words_of
from console.views.thresholds import configured

if TYPE_CHECKING:
    from console.recording.past import Past


INTERRUPTED = 130
"""The exit code of a process that could not restore its terminal."""
GIVE_UP_SECONDS = 4.0
"""Time limit for an orderly exit: a terminal that is not read blocks its writer forever."""
HANGUP_SECONDS = 1.0
"""Interval at which the terminal is checked: one that is not the controlling terminal hangs up without a signal, and
Textual would read its end forever, with half of a processor."""


def _is_hung_up(terminal: int) -> bool:
    """Return whether nobody is at the other end of a terminal any more."""
    poll = select.poll()
    poll.register(terminal, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def exit_event(last_duty: Callable[[], None]) -> threading.Event:
    """Return an event that is set when the process gets a signal to exit or its terminal hangs up.

    If the process has not exited GIVE_UP_SECONDS later, call `last_duty` and exit immediately. Must be called from the
    main thread.
    """
    exiting = threading.Event()
    signals = SignalPipe()

    def tell(_number: int, _frame: FrameType | None) -> None:
        # SIGCONT follows a hang-up. On it Textual would take over the closed terminal again.
        signal.signal(signal.SIGCONT, signal.SIG_IGN)
        signals.notify()

    def watch() -> None:
        while not signals.wait(HANGUP_SECONDS) and not _is_hung_up(sys.stdin.fileno()):
            pass
        exiting.set()
        time.sleep(GIVE_UP_SECONDS)
        last_duty()
        os._exit(INTERRUPTED)

    threading.Thread(target=watch, name="ending", daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, tell)
    return exiting


class Opening(Frozen):
    """Everything that opening a profile needs."""

    endpoint: Endpoint
    login: LoginDetails
    token: str | LoginStore | None = None
    """The token of an active session, or a stored login."""


class RunResult(Frozen):
    """How the application ended."""

    interrupted: bool
    """By a signal or the loss of the terminal."""
    fault: Exception | None
    """An internal error."""
    fatal: Fatal | None
    """The current fatal error."""
    unreached: str
    """Why the service never answered; empty if it did."""
    undone: tuple[SafeText, ...] = ()
    """The last failed commands that the screen could not report any more."""


def run(
    config: Config,
    name: str,
    profile: Profile,
    endpoint: Endpoint,
    places: Places,
    login: LoginDetails,
    token: str | LoginStore | None = None,
    find: Callable[[str], Opening] | None = None,
    outside: Outside = NOWHERE,
    wallboard: bool = False,
) -> RunResult:
    """Run the console with a profile until it exits, and return how it ended.

    `token` belongs to an active session, or is a stored login. `find` returns what another profile of the configuration
    needs to be opened. `outside` is what notices need of this process. With `wallboard`, show only its boards, which
    ask nobody anything. Raise OSError if the journal cannot be written, ValueError for an invalid endpoint.
    """

    def opener(other: str) -> tuple[AppContext, LoginDetails]:
        assert find is not None
        opening = find(other)
        context = _context(config, other, config.profiles[other], opening, places)
        context.mode_prefix = f"{other}\n"
        return context, opening.login

    context = _context(config, name, profile, Opening(endpoint, login, token), places)
    backend = context.backend

    def stop() -> None:
        for opened in app.profiles.opened:
            opened.context.backend.stop()

    app = ConsoleApp(context, resource_dir("themes"), login, True, opener if find else None, outside)
    app.unattended = wallboard
    try:
        event = exit_event(stop)
        app.told_to_end = event
        app.run()
        unreached = backend.link.reason if backend.me is None and backend.link.state is Freshness.OFFLINE else ""
        fatal = backend.fatal
    finally:
        stop()
    undone = tuple(line for opened in app.profiles.opened for line in _undone(opened.context, app))
    return RunResult(event.is_set(), app.fault, fatal, unreached, undone)


def replay(config: Config, name: str, profile: Profile, past: Past, places: Places) -> RunResult:
    """Run the console on a recording, without a service, until it exits, and return how it ended."""
    app = replaying_app(config, name, profile, past, places)
    try:
        app.told_to_end = event = exit_event(past.stop)
        app.run()
    finally:
        past.stop()
    return RunResult(event.is_set(), app.fault, None, "")


def replaying_app(config: Config, name: str, profile: Profile, past: Past, places: Places) -> ConsoleApp:
    """Create the application for a recording."""
    zone = zone_of(profile.time_zone or past.recording.meta.get("zone"))
    context = _context_of(past, config, name, profile, past.clock, zone, places)
    context.past, context.file = past, past.recording.path.name
    return ConsoleApp(context, resource_dir("themes"), None, True)


def _undone(context: AppContext, app: ConsoleApp) -> Iterator[SafeText]:
    """Yield the failed commands of a profile that the screen could not report any more."""
    settled = app.settled.get(context.profile_name, frozenset())
    for ticket in reversed(context.backend.commands.tickets()):
        if ticket.command.number not in settled and (went_wrong(ticket) or ticket.under_way):
            yield words_of(describe(ticket))


def _context(config: Config, name: str, profile: Profile, opening: Opening, places: Places) -> AppContext:
    clock = SystemClock()
    backend = Backend(
        opening.endpoint,
        FEEDS.values(),
        journal_path=places.journal,
        login=opening.login.source,
        token=opening.token,
        clock=clock,
        hold_seconds=config.hold_seconds,
        bounds=bounds_for(profile.max_rows),
    )
    context = _context_of(backend, config, name, profile, clock, zone_of(profile.time_zone), places)
    context.endpoint = opening.endpoint
    login = opening.login
    identity = CurrentIdentity(places, name, backend, lambda: login.username)
    context.identity = identity.last
    if config.recording.enabled and profile.record:
        record_with(backend, config.recording, identity, context.zone, places, apart=True)

    def episodes() -> Path | None:
        known = identity.now()
        return None if known is None else episodes_file(places, known.key)

    context.watch = watch_by(load_rules(places, profile.rules), backend, context.render_context, episodes)
    return context


def _context_of(
    backend: BackendApi, config: Config, name: str, profile: Profile, clock: Clock, zone: ZoneInfo, places: Places
) -> AppContext:
    return AppContext(
        backend=backend,
        config=config,
        profile_name=name,
        profile=profile,
        clock=clock,
        zone=zone,
        places=places,
        thresholds=configured(config.thresholds, THRESHOLDS),
        colour=tone_of(name, profile, config),
    )
