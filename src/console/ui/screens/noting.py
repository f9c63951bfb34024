"""Add and dismiss hand-over notes."""

from __future__ import annotations

from console.base.clock import SystemClock
from console.commands.action import TextAsk
from console.recording.notes import Note, fault_of
from console.ui.dialogs import TextDialog
from console.ui.screens.updating import FullScreen
from console.ui.widgets.theme import app_of


def add_note(screen: FullScreen, kind: str, key: str) -> None:
    """Ask for a note about a record, or about none, and add it."""
    context = screen.context
    if context.file:
        screen.say("This is a recording, without a service: notes belong to a service.")
        return
    notes = context.notes
    if notes is None:
        screen.say("Notes belong to a service, and this one was not reached yet.")
        return

    def typed(text: str | None) -> None:
        if text is None:
            return
        moment = context.clock.now_ms()
        now = moment if context.past is None else SystemClock().now_ms()
        try:
            notes.add(text, context.who, now, moment, kind, key)
        except OSError as error:
            screen.say(f"The note cannot be written: {error.strerror or error}.")
            return
        screen.say("Note added: the next shift sees it on Home.")
        screen.beat(True)

    app_of(screen).push_screen(TextDialog(TextAsk("note", "Note for the next shift", check=fault_of)), typed)


def dismiss(screen: FullScreen, note: Note) -> None:
    """Take a note off the Home of the logged-in user."""
    notes = screen.context.notes
    assert notes is not None  # It contains the note.
    try:
        notes.dismiss([note.id], screen.context.who)
    except OSError as error:
        screen.say(f"The note cannot be dismissed: {error.strerror or error}.")
        return
    screen.say("Note dismissed.")
    screen.beat(True)
