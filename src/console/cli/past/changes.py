"""`console recordings changes`: what came, went and changed between two moments."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from console.cli.connection import SelectedProfile, Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.lists.rows import check_name, wanted
from console.cli.output import CsvOption, OutputFormat, add_csv, escaped, form_of, print_json, room, talk, written
from console.cli.past.profile_recording import RECORDED, moment, opened, render_at, report_damage
from console.kinds.tables import TABLES
from console.live.delta import Delta
from console.recording.comparing import Comparison, compare, summary
from console.recording.recording import ListRecording
from console.records.differences import Difference
from console.views import wording


def declare_changes(parser: ArgumentParser) -> None:
    """Declare `console recordings changes`."""
    parser.add_argument(
        "--from",
        dest="begin",
        metavar="TEXT",
        required=True,
        help="The first moment: 10:42, -15m, yesterday 22:10, 8h.",
    )
    parser.add_argument("--to", metavar="TEXT", help="The second moment; without it, the end of the recording.")
    parser.add_argument(
        "--kind", metavar="TEXT", default="", help="Lists to compare, such as calls,agents; without it, all."
    )
    parser.add_argument(
        "--filter", metavar="TEXT", default="", help="Print only what matches, such as field:state or change:came."
    )
    parser.add_argument(
        "--json", action="store_true", help="Print a JSON object with the numbers by list, and the changes."
    )
    add_csv(parser, help="Print the changes as CSV; --csv=excel for Excel.")
    add_where(parser)
    parser.set_defaults(run=changes)


def changes(
    *,
    begin: str,
    to: str | None,
    kind: str,
    filter: str,
    json: bool,
    csv: CsvOption,
    where: Where,
) -> int:
    """Print what came, what went, and which fields changed between two moments of the recording of a profile.

    What changed and changed back is not told; `console history` prints each change of one record. Fields that change
    by themselves, such as counters of the last minutes, are left out. Exits with 1 if a part of the recording cannot be
    read.
    """
    form = form_of(json=json, csv=csv)
    chosen = choose(where)
    kinds = [part.strip() for part in kind.split(",")] if kind else list(RECORDED)
    for list_name in kinds:
        check_name(list_name, RECORDED)
    moments = moment(begin, "--from", chosen), None if to is None else moment(to, "--to", chosen)
    table = TABLES["differences"]
    asked = wanted(table.kind, filter, None, None, chosen.config, table)
    with opened(chosen) as recording:
        comparison = _compared(recording, chosen, kinds if kind else _loaded(recording, kinds), moments)
        view = asked.view(render_at(recording, comparison.to_ms, chosen))
        view.apply(Delta(version=1, whole=True, upserts={row.id: row for row in comparison.rows}))
        rows: list[Any] = list(view.shown())
        render = view.render_context
        if form is OutputFormat.JSON:
            print_json(_object(comparison, rows))
        elif form in {OutputFormat.CSV, OutputFormat.EXCEL}:
            sys.stdout.write(written(form, rows, asked.columns, render, room=None))
        else:
            times = (wording.clock(value, render) for value in (comparison.from_ms, comparison.to_ms))
            print(escaped(f"{summary(comparison, render)} from {' to '.join(times)}"))
            lists = TABLES["changed-lists"]
            columns = [column for column in lists.columns if column.priority < 9]
            for some, shape in ((comparison.lists, columns), (rows, asked.columns)):
                if some:
                    print()
                    sys.stdout.write(written(form, some, shape, render, room=room()))
        is_damaged = report_damage(recording)
    if comparison.left_out:
        talk(f"{comparison.left_out} further changes are not shown: use --kind or a shorter time")
    return Exit.FAILED if is_damaged else Exit.OK


def _compared(
    recording: ListRecording, chosen: SelectedProfile, kinds: list[str], moments: tuple[int, int | None]
) -> Comparison:
    known = recording.span
    first, last = moments
    if known is None or first < known[0] or (last is not None and last < known[0]):
        raise Failure(Exit.FAILED, "nothing was recorded at that time; see `console recordings list`")
    # After the end of a recording, nothing is known.
    first, last = (min(value, known[1]) for value in (first, known[1] if last is None else last))
    return compare(recording, kinds, (first, last), lambda at_ms: render_at(recording, at_ms, chosen))


def _loaded(recording: ListRecording, kinds: list[str]) -> list[str]:
    """Return the lists that the recording contains."""
    known = recording.kinds
    return [kind for kind in kinds if kind in known]


def _object(comparison: Comparison, differences: list[Difference]) -> dict[str, Any]:
    return {
        "from": comparison.from_ms,
        "to": comparison.to_ms,
        "lists": [
            {"list": changed_list.list, "unknown": changed_list.unknown}
            if changed_list.unknown
            else {
                "list": changed_list.list,
                "came": changed_list.came,
                "went": changed_list.went,
                "changed": changed_list.changed,
                **({"outdated": changed_list.outdated} if changed_list.outdated else {}),
            }
            for changed_list in comparison.lists
        ],
        "changes": [change for difference in differences for change in _changes(difference)],
    }


def _changes(difference: Difference) -> list[dict[str, Any]]:
    """Return an object for each field that changed, or one for a record that came or went."""
    about = {"list": difference.list, "key": difference.subject, "name": difference.name, "change": difference.change}
    fields = [
        {"field": changed.field, "label": changed.label, "before": changed.old, "after": changed.new}
        for changed in difference.fields
    ]
    return [about | changed for changed in fields or [{}]]
