"""`console notes`: hand-over notes without a screen."""

from __future__ import annotations

import os
import pwd
from argparse import ArgumentParser

from console.base.clock import SystemClock
from console.base.frozen import asdict
from console.base.text import clean
from console.base.zone import zone_of
from console.cli.connection import SelectedProfile, Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.output import escaped, print_json, talk
from console.config.paths import places
from console.recording.identities import Identities
from console.recording.notes import Notes, fault_of, notes_file
from console.views.past import clock_text
from console.views.wording import plural


def declare_list(parser: ArgumentParser) -> None:
    """Declare `console notes list`."""
    parser.add_argument("--json", action="store_true", help="Print a JSON array.")
    add_where(parser)
    parser.set_defaults(run=list_notes)


def list_notes(*, json: bool, where: Where) -> int:
    """Print the notes of the last week, the oldest first, with id, time and author."""
    chosen = choose(where)
    zone, kept = zone_of(chosen.profile.time_zone), notes_of(chosen)
    try:
        kept.check()
    except OSError as error:
        raise Failure(Exit.FAILED, str(error.strerror)) from None
    notes = kept.recent(SystemClock().now_ms())
    if json:
        print_json([asdict(note) for note in notes])
        return Exit.OK
    for note in notes:
        about = f"  ({note.kind} {clean(note.key, 80)})" if note.kind else ""
        print(escaped(f"{note.id}  {clock_text(note.at_ms, zone)}  {note.author}  {note.text}{about}"))
    if not notes:
        talk("there are no notes")
    return Exit.OK


def declare_add(parser: ArgumentParser) -> None:
    """Declare `console notes add`."""
    parser.add_argument("text", metavar="TEXT", help="The note, one line.")
    parser.add_argument("--by", metavar="TEXT", help="Author instead of the profile's user.")
    add_where(parser)
    parser.set_defaults(run=add)


def add(*, text: str, by: str | None, where: Where) -> int:
    """Add a note for the next shift, which sees it on Home until it is dismissed."""
    chosen = choose(where)
    fault = fault_of(text)
    if fault is not None:
        raise Failure(Exit.USAGE, f"{fault[:1].lower()}{fault[1:].rstrip('.')}")
    try:
        note = notes_of(chosen).add(text, by or _who(chosen), SystemClock().now_ms())
    except OSError as error:
        raise _failure(error) from None
    print(note.id)
    return Exit.OK


def declare_dismiss(parser: ArgumentParser) -> None:
    """Declare `console notes dismiss`."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="Ids as console notes list prints them.")
    parser.add_argument("--by", metavar="TEXT", help="Person instead of the profile's user.")
    add_where(parser)
    parser.set_defaults(run=dismiss)


def dismiss(*, ids: list[str], by: str | None, where: Where) -> int:
    """Take notes off the Home of a person; others still see them.

    Exits with 5 if none of them was there.
    """
    chosen = choose(where)
    try:
        many = notes_of(chosen).dismiss(ids, by or _who(chosen))
    except OSError as error:
        raise _failure(error) from None
    talk(f"{plural(many, 'note')} dismissed")
    return Exit.OK if many else Exit.CONDITION


def notes_of(chosen: SelectedProfile) -> Notes:
    """Return the notes of a profile's service, also if it was never reached."""
    here = places(os.environ)
    return Notes(notes_file(here, Identities(here).service(chosen.name, chosen.profile.core).key))


def _failure(error: OSError) -> Failure:
    return Failure(Exit.FAILED, f"the note cannot be written: {error.strerror or error}")


def _who(chosen: SelectedProfile) -> str:
    """Return the user of the profile, otherwise the user of the machine."""
    if chosen.profile.username:
        return chosen.profile.username
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
