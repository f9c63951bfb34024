"""`console recordings cut`: a part of a recording in a file of its own, to send it to others."""

from __future__ import annotations

import re
import sqlite3
from argparse import ArgumentParser
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from console.api.catalogue import catalogue
from console.base.clock import SystemClock
from console.base.zone import zone_of
from console.cli.connection import Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.output import escaped, talk
from console.cli.past.profile_recording import opened, opened_file, report_damage
from console.cli.past.recordings import clock
from console.kinds.actions import ACTIONS
from console.kinds.tables import TABLES
from console.recording.cutting import NothingRecorded, cut
from console.recording.pseudonyms import Pseudonyms
from console.recording.recording import ListRecording
from console.rules.reading import load_rules
from console.views.past import FORMS, past_ms
from console.views.wording import plural

_VALUE = re.compile(r"\{[^}]*\}")
_WORD = re.compile(r"[^\W\d_]+")


def declare_cut(parser: ArgumentParser) -> None:
    """Declare `console recordings cut`."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="Recording to cut instead of the profile's own."
    )
    parser.add_argument(
        "--from",
        dest="from_",
        metavar="TEXT",
        required=True,
        help="First moment: 10:30, -15m, yesterday 22:10. For a FILE, its end is taken for now.",
    )
    parser.add_argument("--to", metavar="TEXT", required=True, help="Last moment.")
    parser.add_argument("--out", type=Path, metavar="FILE", required=True, help="File to write.")
    parser.add_argument(
        "--anonymize",
        action="store_true",
        help=(
            "Replace names, numbers, addresses and texts by pseudonyms: the same person has the same one everywhere."
        ),
    )
    parser.add_argument("--force", action="store_true", help="Replace an existing file.")
    add_where(parser)
    parser.set_defaults(run=cut_recording)


def cut_recording(
    *,
    file: Path | None,
    from_: str,
    to: str,
    out: Path,
    anonymize: bool,
    force: bool,
    where: Where,
) -> int:
    """Write a part of a recording into a small file, to send it to others. `console replay` opens it.

    Exits with 1 if a part of the recording cannot be read, which is then missing.
    """
    with _opened(file, where) as (recording, now_ms, zone_name):
        zone = zone_of(zone_name)
        moments: list[int] = []
        for option, text in (("--from", from_), ("--to", to)):
            moment = past_ms(text, now_ms, zone)
            if moment is None:
                raise Failure(Exit.USAGE, f"{option} {text!r} is not a past moment such as {FORMS}")
            moments.append(moment)
        first, last = moments
        if first >= last:
            raise Failure(
                Exit.USAGE, f"--from {from_} is not before --to {to}: {clock(first, zone)}, {clock(last, zone)}"
            )
        pseudonyms = Pseudonyms(words_of_the_program()) if anonymize else None
        try:
            part = cut(recording, first, last, out, pseudonyms, force=force)
        except NothingRecorded:
            raise Failure(
                Exit.FAILED, f"nothing was recorded from {clock(first, zone)} to {clock(last, zone)}"
            ) from None
        except FileExistsError:
            raise Failure(Exit.USAGE, f"{out} exists: name another file, or add --force") from None
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise Failure(Exit.FAILED, f"{out} cannot be written: {reason}") from None
        is_damaged = report_damage(recording)
    when = f"{clock(part.start_ms, zone)} to {clock(part.end_ms, zone)}"
    contents = f"{plural(part.lists, 'list')}, {plural(part.changes, 'change')}, {part.size / 1e6:.1f} MB"
    summary = f"{when}  {contents}  {out}"
    if out.is_file():
        print(escaped(summary))
    else:
        # A pipe or a device may be where stdout goes.
        talk(summary)
    if not anonymize:
        talk("the file contains names and numbers; --anonymize replaces them")
    return Exit.FAILED if is_damaged else Exit.OK


@contextmanager
def _opened(file: Path | None, where: Where) -> Generator[tuple[ListRecording, int, str | None]]:
    """Open a recording. Yield it with the moment that is taken for now, and its time zone. Raise Failure."""
    if file is None:
        chosen = choose(where)
        with opened(chosen) as recording:
            yield recording, SystemClock().now_ms(), chosen.profile.time_zone
        return
    with opened_file(file) as recording:
        assert recording.span is not None
        yield recording, recording.span[1], recording.meta.get("zone")


def words_of_the_program() -> Mapping[str, Collection[str]]:
    """Return the words that stay in fields whose texts the program makes, by field."""
    rules = load_rules(None).rules
    sentences = _WORD.findall(" ".join(_VALUE.sub("", rule.words) for rule in rules))
    columns = {word for table in TABLES.values() for column in table.columns for word in _WORD.findall(column.id)}
    return {
        "rule": {rule.name for rule in rules},
        "title": {rule.title for rule in rules} | {action.title for action in ACTIONS},
        "words": {*sentences, *_WORD.findall(" ".join(rule.title for rule in rules))},
        "filter": columns | {"yes", "no"},
        "operation": set(catalogue()),
        "action": {action.id for action in ACTIONS},
    }
