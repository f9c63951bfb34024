"""`console list`: prints a list as text or data, filtered and sorted."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from console.api.errors import NotFound, NotOffered
from console.api.operations.people import GetCurrentUser
from console.api.request import Request
from console.cli.completers import completed_by
from console.cli.connection import PatientClient, SelectedProfile, Where, add_where, choose, logged_in, run_async
from console.cli.exits import Exit, Failure
from console.cli.lists.resources import listed, question, table_of, without_list
from console.cli.lists.rows import LoadedKinds, Wanted, check_name, fill, render_context_of, wanted, watched
from console.cli.output import CsvOption, OutputFormat, add_csv, form_of, room, talk, written
from console.cli.past.profile_recording import RECORDED, identity_of, list_at
from console.client.client import Client
from console.config.paths import places
from console.kinds.catalogue import RESOURCES
from console.kinds.tables import TABLES
from console.live.bounds import bounds_for
from console.live.delta import Delta
from console.live.paging import advised
from console.records.people import User
from console.records.record import Record
from console.rules.compiled import faults_of
from console.rules.editing import rows_of
from console.rules.keeping import CURRENT_MS, Kept, episodes_file, load_episodes
from console.rules.reading import load_rules
from console.views.view import View
from console.views.wording import span_words

KEPT = ("episodes", "rules")
"""Lists that are kept on this machine."""
_NO_INPUTS = "{} take no inputs: use --filter"
_EXPECTED = re.compile(r"(<=|>=|=|<|>)?\s*(\d+)")


def declare_list(parser: ArgumentParser) -> None:
    """Declare `console list`."""
    name = parser.add_argument(
        "name",
        metavar="NAME",
        help=(
            "calls, queues, conferences, presence, agents, skills, chats, alerts, templates, groups, users, "
            "sessions, alarms, episodes, rules, connection, or a list of the Admin screen: domains, phonebooks, "
            "recordings, sip-identities, provisioning-users, ..."
        ),
    )
    completed_by(name, lambda: (*watched(), *KEPT, *RESOURCES))
    parser.add_argument(
        "fields",
        metavar="FIELD=VALUE",
        nargs="*",
        default=[],
        help="Inputs of the request, for lists of the Admin screen: console list tokens username=ana.",
    )
    parser.add_argument(
        "--filter", "-f", metavar="TEXT", default="", help="Filter, as on the screens: state:queued age>2m."
    )
    parser.add_argument("--sort", metavar="TEXT", help="Column to sort by; - before it for descending order.")
    parser.add_argument("--columns", metavar="TEXT", help="Columns in order, separated by commas; all for all columns.")
    parser.add_argument("--limit", type=int, metavar="NUMBER", help="Maximum number of rows to print.")
    parser.add_argument(
        "--at",
        metavar="TEXT",
        help="Print the list as it was then, from the recording of the profile: 10:42, -15m, yesterday 22:10.",
    )
    parser.add_argument(
        "--expect", metavar="TEXT", help="Exit with 5 unless this many rows match: none, some, 3, <=3, >10."
    )
    parser.add_argument(
        "--json", action="store_true", help="Print a JSON array. Times are in ms since the epoch, ages in seconds."
    )
    parser.add_argument("--jsonl", action="store_true", help="Print one JSON object per line.")
    add_csv(
        parser,
        help=(
            "Print CSV with a header row; --csv=excel for Excel: with a byte order mark, and phone numbers stay texts."
        ),
    )
    add_where(parser)
    parser.set_defaults(run=list_rows)


def list_rows(
    *,
    name: str,
    fields: Sequence[str],
    filter: str,
    sort: str | None,
    columns: str | None,
    limit: int | None,
    at: str | None,
    expect: str | None,
    json: bool,
    jsonl: bool,
    csv: CsvOption,
    where: Where,
) -> int:
    """Print a list of calls, alerts, groups, domains, recordings, ...

    Queues are computed from one list of calls: how many were served or abandoned is shown by `console watch`.

    Episodes and rules come from the profile on this machine, read without asking the service: episodes as the
    console or its last session wrote them, a few seconds ago at most while it runs.

    If `--expect` depends on rows of which it is not known whether they match, the command exits with 1.

    A list longer than `max_rows` of the profile is cut to its first rows, and the command exits with 1. So it does for
    episodes if no console runs that is connected, and with `--at` if the list was cut, not current or not known at
    that moment.
    """
    form = form_of(json=json, jsonl=jsonl, csv=csv)
    holds = _expectation(expect)
    chosen = choose(where)
    if at is not None:
        if fields:
            raise Failure(Exit.USAGE, "a recorded list takes no inputs: use --filter")
        check_name(name, RECORDED)
        asked = wanted(name, filter, sort, columns, chosen.config, TABLES[name], expects=expect is not None)
        matched, complete = list_at(chosen, asked, at, form, limit)
        return _expected(matched, name, expect, holds) if complete else Exit.FAILED
    check_name(name, (*watched(), *KEPT, *RESOURCES))
    first, table = None, None
    if name in KEPT:
        table = TABLES[name]
        if fields:
            raise Failure(Exit.USAGE, _NO_INPUTS.format(name))
    elif name in listed():
        first = question(name, fields, chosen)
        table = table_of(name, type(first))
    elif name not in watched():
        raise without_list(name)
    elif fields:
        raise Failure(Exit.USAGE, _NO_INPUTS.format(name))
    asked = wanted(name, filter, sort, columns, chosen.config, table, expects=expect is not None)
    if name in KEPT:
        matched, complete = _list_kept(chosen, asked, form, limit)
    else:
        matched, complete = run_async(lambda: _list(chosen, asked, form, limit, first))
    if not complete:
        return Exit.FAILED
    return _expected(matched, name, expect, holds)


def _expected(matched: range, name: str, expect: str | None, holds: Callable[[int], bool]) -> int:
    least = matched[0]
    if all(map(holds, matched)):
        return Exit.OK
    if any(map(holds, matched)):
        talk(f"expected {expect}, but {least} to {matched[-1]} {name} match: not all that decides it is known")
        return Exit.FAILED
    talk(f"{least if len(matched) == 1 else f'{least} to {matched[-1]}'} {name} match, expected {expect}")
    return Exit.CONDITION


async def _list(
    chosen: SelectedProfile, asked: Wanted, form: OutputFormat, limit: int | None, first: Request[Any] | None
) -> tuple[range, bool]:
    """Print the list; return the possible numbers of matching rows, and whether the list is complete."""
    known = LoadedKinds()
    async with logged_in(chosen, PatientClient) as client:
        me = await myself(client)
        view = asked.view(render_context_of(chosen.profile, chosen.config, me, known, known.extent))
        filled = await fill(client, view, known, asked.columns, bounds_for(chosen.profile.max_rows), first)
    _write(view, asked, form, limit, filled.faults)
    if filled.cut:
        talk(f"{asked.table.kind}: {advised(filled.cut)}")
    return asked.possible_matches(view), not filled.cut


def _list_kept(chosen: SelectedProfile, asked: Wanted, form: OutputFormat, limit: int | None) -> tuple[range, bool]:
    """Print a list of this machine; return the possible numbers of matching rows, and whether all of them are current.

    Episodes are as the console of the profile wrote them last. If that was a while ago, it does not run, or is not
    connected: rules are still listed in full, but nobody knows their episodes. Raise ConfigFault for invalid rules.
    """
    own = places(os.environ)
    identity = identity_of(chosen)
    kept = Kept() if identity is None else load_episodes(episodes_file(own, identity.key))
    render = render_context_of(chosen.profile, chosen.config, None, LoadedKinds(), LoadedKinds().extent)
    age_ms = None if kept.evaluated_at is None else max(0.0, render.now_ms - kept.evaluated_at)
    is_current = age_ms is not None and age_ms <= CURRENT_MS
    records: Mapping[str, Record]
    if asked.table.kind == "episodes":
        records = {episode.key: episode for episode in kept.episodes}
    else:
        rules = (*load_rules(own, chosen.profile.rules).rules, *kept.once)
        faults = {rule.name: fault for rule, fault in reversed([*faults_of(rules)])}
        records = {row.key: row for row in rows_of(rules, faults, kept.episodes if is_current else None)}
    view = asked.view(render)
    view.apply(Delta(version=1, whole=True, upserts=records))
    is_known = is_current or asked.table.kind != "episodes"
    _write(view, asked, form, limit, () if is_known else [_unknown_episodes(age_ms)])
    return asked.possible_matches(view), is_known


def _unknown_episodes(age_ms: float | None) -> str:
    last = "" if age_ms is None else f", the last one {span_words(age_ms)} ago"
    return (
        "what needs attention is not known: no console evaluates the rules of this profile on this machine now"
        f"{last}; `console watch --rules --once` does"
    )


def _write(view: View[Any], asked: Wanted, form: OutputFormat, limit: int | None, faults: Iterable[str] = ()) -> None:
    """Print the rows of a view, and what is missing."""
    rows = list(view.shown())[:limit]
    sys.stdout.write(written(form, rows, asked.columns, view.render_context, room=room()))
    for fault in faults:
        talk(fault)
    if len(rows) < view.matched:
        talk(f"{len(rows)} of {view.matched} shown")


async def myself(client: Client) -> User | None:
    """Return the caller, or None if the deployment does not tell."""
    try:
        return (await client.send(GetCurrentUser())).user
    except (NotFound, NotOffered):
        return None


def _expectation(text: str | None) -> Callable[[int], bool]:
    """Parse the expected number of rows. Raise Failure."""
    if text is None:
        return (0).__le__
    text = {"none": "=0", "some": ">0"}.get(text, text)
    match = _EXPECTED.fullmatch(text.strip())
    if match is None:
        raise Failure(Exit.USAGE, f"--expect {text!r}: write none, some, or a number with <=, >=, < or > before it")
    number = int(match[2])
    return {
        "<=": number.__ge__,
        ">=": number.__le__,
        "<": number.__gt__,
        ">": number.__lt__,
    }.get(match[1] or "=", number.__eq__)
