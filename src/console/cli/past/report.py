"""`console report`: the report of a shift, from a recording."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from console.base.clock import SystemClock
from console.base.frozen import replace
from console.base.zone import zone_of
from console.cli.connection import SelectedProfile, Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.cli.past.notes import notes_of
from console.cli.past.profile_recording import opened, opened_file, render_at, report_damage
from console.config.paths import write_output
from console.recording.notes import Note
from console.recording.recording import ListRecording
from console.records.record import Record
from console.report.formats import to_json, to_markdown
from console.report.html import to_html
from console.report.report import Progress, ReportFault
from console.report.report import report as computed
from console.report.sections import sections
from console.views.past import FORMS, past_times
from console.views.render_context import RenderContext

USUAL = "8h"


class ReportFormat(StrEnum):
    """Format of a report."""

    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


_BY_ENDING = {".md": ReportFormat.MARKDOWN, ".json": ReportFormat.JSON, ".html": ReportFormat.HTML}


def declare_report(parser: ArgumentParser) -> None:
    """Declare `console report`."""
    parser.add_argument(
        "--from",
        dest="first",
        metavar="TEXT",
        default=USUAL,
        help=(
            "Beginning: 22:00, yesterday 22:10, 2026-11-20 22:00, or a length before the end such as 8h. Default: "
            "%(default)s."
        ),
    )
    parser.add_argument(
        "--to",
        dest="last",
        metavar="TEXT",
        default="now",
        help="End, in the same forms. A time of day is the next one after the beginning. Default: %(default)s.",
    )
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help=(
            "Recording to read instead of the profile's own. now is its end, and the zone is its own without --profile."
        ),
    )
    parser.add_argument(
        "--format",
        choices=[str(form) for form in ReportFormat],
        metavar="TEXT",
        help="markdown, json or html. By default as the name of the file to write says, or markdown.",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="File to write, readable only by you.")
    add_where(parser)
    parser.set_defaults(run=report)


def report(
    *,
    first: str,
    last: str,
    file: Path | None,
    format: ReportFormat | None,
    out: Path | None,
    where: Where,
) -> int:
    """Print the report of a shift: alerts, queues, skills, chats, outages, quality, own changes, notes.

    Times are in the profile's zone. `--from 22:00 --to 06:00` is the last night. Exits with 1 if a part of the
    recording cannot be read.
    """
    form = format or (_BY_ENDING.get(out.suffix.lower()) if out is not None else None) or ReportFormat.MARKDOWN
    with _opened(where, file) as (recording, chosen):
        zone = zone_of(chosen.profile.time_zone if chosen is not None else recording.meta.get("zone"))
        span = recording.span
        now_ms = span[1] if file is not None and span is not None else SystemClock().now_ms()
        times = past_times(first, last, now_ms, zone)
        if times is None:
            raise Failure(
                Exit.USAGE, f"--from {first!r} --to {last!r} is not a past time; moments are {FORMS}, or a length as 8h"
            )
        if chosen is not None:
            render = render_at(recording, times[1], chosen)
        else:
            me = recording.me(times[1])

            def lookup(kind: str, at_ms: int = times[1]) -> Mapping[str, Record]:
                return recording.rows(kind, at_ms)

            render = RenderContext(times[1], zone, me.user.id if me is not None else "", lookup)
        try:
            shift_report = computed(recording, *times, render, _progress())
        except ReportFault as fault:
            raise Failure(Exit.FAILED, f"{fault}; see `console recordings list`") from None
        code = Exit.FAILED if report_damage(recording) else Exit.OK
        notes: tuple[Note, ...] = ()
        if chosen is not None and file is None:
            kept = notes_of(chosen)
            notes, shift_report = kept.between(*times), replace(shift_report, notes_fault=kept.fault)
        if shift_report.notes_fault:
            talk(shift_report.notes_fault)
            code = Exit.FAILED
        match form:
            case ReportFormat.JSON:
                text = to_json(shift_report, notes)
            case ReportFormat.HTML:
                text = to_html(shift_report, sections(shift_report, render, notes), render)
            case ReportFormat.MARKDOWN:
                text = to_markdown(shift_report, sections(shift_report, render, notes), render)
    if out is None:
        sys.stdout.write(text)
        return code
    try:
        inputs = (recording.path, *(chosen.files if chosen is not None else ()))
        write_output(out, text.encode(errors="replace"), inputs=inputs)
    except OSError as error:
        raise Failure(Exit.FAILED, f"cannot write {out}: {error.strerror or error}") from None
    talk(f"report written to {out}")
    return code


@contextmanager
def _opened(where: Where, file: Path | None) -> Generator[tuple[ListRecording, SelectedProfile | None]]:
    """Open a file, or the recording of the profile. A file needs no profile."""
    if file is None:
        chosen = choose(where)
        with opened(chosen) as recording:
            yield recording, chosen
        return
    chosen = choose(where) if where.profile else None
    with opened_file(file) as recording:
        yield recording, chosen


def _progress() -> Progress:
    """Show the share on a terminal, on one line that is removed at the end."""
    if not sys.stderr.isatty():
        return lambda _: None

    last_text = ""

    def show(share: float) -> None:
        nonlocal last_text
        text = "\r          \r" if share >= 1 else f"\r{share:4.0%} read"
        if text != last_text:
            sys.stderr.write(text)
            sys.stderr.flush()
        last_text = text

    return show
