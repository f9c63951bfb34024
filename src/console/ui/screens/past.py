"""Going back in time: open the recording of a profile, move in it, and return."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import App

from console.base.text import clean
from console.commands.action import TextAsk
from console.recording.format import RecordingFault
from console.recording.identities import NEVER_CONNECTED
from console.recording.past import SPEEDS, Past
from console.recording.recording import ListRecording
from console.ui.dialogs import TextDialog
from console.ui.screens import navigation
from console.ui.screens.frame import FrameScreen
from console.ui.screens.specs import screen_of
from console.ui.screens.updating import FullScreen
from console.ui.widgets.theme import app_of
from console.views import wording
from console.views.cell import Cell, Tone
from console.views.past import FORMS, past_ms

if TYPE_CHECKING:
    from console.ui.screens.app_context import AppContext
    from console.ui.screens.console_screen import ConsoleScreen
    from console.ui.screens.profiles import Profiles
    from console.views.cell import Line

STEP_MS = 10_000
NO_NOW = "This is a recording, without a service: there is no now to return to."


def opened_past(context: AppContext, at_ms: int) -> AppContext:
    """Return the context of a profile's past at a moment. Raise RecordingFault."""
    file = context.recording
    if file is None:
        raise RecordingFault(NEVER_CONNECTED)
    recording = ListRecording.open(file)
    if recording.span is None:
        recording.close()
        raise RecordingFault("nothing was recorded yet")
    past = Past(recording, at_ms)
    return replace(
        context,
        backend=past,
        clock=past.clock,
        past=past,
        watch=None,
        mode_prefix=f"{context.mode_prefix}past ",
        jumps=[],
        settled=set(),
        _addresses=None,
    )


def show_moment(
    app: App[Any], profiles: Profiles, at_ms: int, kind: str, key: str, add_screens: Callable[[AppContext], None]
) -> None:
    """Show a moment of the profile's past on the same screen, or there a record or list.

    `add_screens` adds the screens of a past that was not shown before.
    """
    present, known = profiles.present.context, profiles.known_past()
    try:
        context = known or opened_past(present, at_ms)
    except RecordingFault as fault:
        if isinstance(app.screen, FullScreen):
            app.screen.say(f"There is no past to show: {fault}.")
        return
    past = context.past
    assert past is not None
    past.move(at_ms, 0)
    context.jumps.clear()
    # What lies over a list, such as the report, is there again after the way back.
    while isinstance(here := app.screen, FrameScreen) and here.OVER:
        app.pop_screen()
    profiles.show_past(context, app.current_mode)
    present.backend.commands.send_held()
    present.backend.show(present.heard)
    if known is None:
        add_screens(context)
    if kind:
        spec = screen_of(kind)
        navigation.show(app, context, *((spec.name, kind) if spec is not None else ("home", "")), key, "", linked=True)
    elif isinstance(here, FrameScreen):
        navigation.show(app, context, here.spec.name, here.kind_in_focus(), here.cursor_key, here.filter_text)
    if isinstance(app.screen, FrameScreen):
        say_end(app.screen, past, at_ms)


def leave(screen: ConsoleScreen) -> None:
    """Return to now, if there is one."""
    if screen.context.file:
        screen.say(f"{NO_NOW} {screen.context.key_words('view.quit')} quits.")
    else:
        screen.post_message(screen.PastRequested(None))


def ask_for_moment(screen: ConsoleScreen) -> None:
    """Ask for a moment of the past, and go there. In a recording without a service, its end is taken for now."""
    context = screen.context
    past = context.past

    def read(text: str) -> int | None:
        return past_ms(text, past.span[1] if past is not None else context.clock.now_ms(), context.zone)

    def check(text: str) -> str | None:
        return f"Not a past moment: use {FORMS}." if read(text) is None else None

    def typed(text: str | None) -> None:
        at_ms = read(text) if text is not None else None
        if at_ms is None:
            return
        if past is not None:
            go_to(screen, past, at_ms, 0)
        else:
            screen.post_message(screen.PastRequested(at_ms))

    def preview(text: str) -> tuple[Line, ...]:
        at_ms = read(text)
        leads_to = FORMS if at_ms is None else wording.moment(at_ms, context.render_context())
        return ((Cell(clean(leads_to), Tone.QUIET),),)

    title = "Go back to" if past is None else "Go to"
    ask = TextAsk("moment", title, "-5m", anew=True, check=check, preview=preview, verb="Go there")
    app_of(screen).push_screen(TextDialog(ask), typed)


def step(screen: ConsoleScreen, past: Past, by_ms: int) -> None:
    """Go a little back or forth."""
    go_to(screen, past, past.clock.now_ms() + by_ms)


def go_to(screen: ConsoleScreen, past: Past, wanted: int, speed: int | None = None) -> None:
    """Go to a moment, or to the end of the recording that is nearest to it."""
    past.move(wanted, speed)
    screen.beat(True)
    say_end(screen, past, wanted)


def say_end(screen: FrameScreen, past: Past, wanted: int) -> None:
    """Say where the recording begins or ends, if the wanted moment is not in it."""
    first, last = past.span
    if wanted < first:
        screen.say(f"The recording begins at {wording.clock(first, screen.context.render_context())}.")
    elif wanted > last:
        screen.say("This is the end of the recording.")


def go_to_event(screen: ConsoleScreen, past: Past, forward: bool) -> None:
    """Go to the next or last thing that mattered, and say what it is."""
    events, here = past.events(), past.clock.now_ms()
    moments = [event.at_ms for event in events]
    place = bisect_right(moments, here) if forward else bisect_left(moments, here) - 1
    if not 0 <= place < len(events):
        screen.say("Nothing mattered after this." if forward else "Nothing mattered before this.")
        return
    past_event = events[place]
    past.move(past_event.at_ms, 0)
    screen.beat(True)
    screen.say(f"{wording.clock(past_event.at_ms, screen.context.render_context())} {clean(past_event.words, 140)}")


def set_mark(screen: ConsoleScreen, past: Past) -> None:
    """Mark the moment that is shown; on the mark, remove it."""
    here, key = past.clock.now_ms(), screen.context.key_words("view.compare")
    past.mark_ms = None if past.mark_ms == here else here
    screen.beat(True)
    when = wording.clock(here, screen.context.render_context())
    screen.say("Mark removed." if past.mark_ms is None else f"{when} is marked: {key} compares other moments with it.")


def play(screen: ConsoleScreen, past: Past) -> None:
    """Let time pass at the next speed."""
    speed = SPEEDS[(SPEEDS.index(past.clock.speed) + 1) % len(SPEEDS)]
    past.move(past.clock.now_ms(), speed)
    screen.beat(True)
    screen.say(f"Playing at {speed}x." if speed else "Stopped.")
