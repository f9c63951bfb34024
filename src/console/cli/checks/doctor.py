"""`console doctor`: checks each operation of a profile's deployment."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from console.api.catalogue import catalogue
from console.base.frozen import replace
from console.base.text import clean
from console.cli.checks.examination import examine
from console.cli.checks.findings import AS_IT_SHOULD_BE, EVENTS, Finding, State
from console.cli.checks.sharing import share_text, write_share
from console.cli.connection import SelectedProfile, Where, add_where, choose, logged_in, run_async
from console.cli.exits import Exit, Failure
from console.cli.output import print_json, talk
from console.client.endpoint import Endpoint
from console.records.addresses import configured_addresses


def declare_doctor(parser: ArgumentParser) -> None:
    """Declare `console doctor`."""
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="NUMBER",
        default=60.0,
        help="Time limit for all checks together. Default: %(default)s.",
    )
    parser.add_argument("--json", action="store_true", help="Print the results as JSON.")
    parser.add_argument(
        "--share",
        type=Path,
        metavar="FILE",
        help=(
            "Also write a report to this file, without secrets, user names and values of records, to send to a vendor."
        ),
    )
    add_where(parser)
    parser.set_defaults(run=doctor)


def doctor(
    *,
    seconds: float,
    json: bool,
    share: Path | None,
    where: Where,
) -> int:
    """Check which operations work with a profile.

    Calls every operation that only reads, and opens the event channel. Inputs come from the answers of other
    operations: `users.get` asks for a user from `users.list`. The result of each operation is one of: works, refused,
    shape differs (the answer is not as declared), not bound (nothing at this method and path), not offered (excluded by
    variant, profile or routes file), unproven (could not be checked), failed, or unreachable. The check logs in and
    out, and changes nothing else.

    Exit codes: 0 no problems, 1 problems found, 2 invalid profile or routes file, 3 service unreachable, 4 login
    refused.
    """
    if seconds <= 0:
        raise Failure(Exit.USAGE, "--seconds must be more than 0")
    chosen = choose(where, channel=True)
    # No change is requested here; the read-only client guarantees it.
    careful = replace(chosen, profile=replace(chosen.profile, read_only=True))
    endpoint = careful.endpoint
    texts: set[str] | None = set() if share is not None else None
    findings = run_async(lambda: _examined(careful, seconds, texts))
    if share is not None and texts is not None:
        write_share(share, share_text(chosen.profile, endpoint, findings, texts))
        talk(f"the report is in {share}: read it before you send it")
    if json:
        print_json(_report(careful, endpoint, findings))
    else:
        _print(findings, endpoint)
    return _exit(findings)


async def _examined(chosen: SelectedProfile, seconds: float, texts: set[str] | None) -> tuple[Finding, ...]:
    async with logged_in(chosen) as client:
        profile = chosen.profile
        named = profile.channel is not None or profile.events not in {"auto", "off"}
        addresses = configured_addresses(profile.addresses)
        return await examine(client, seconds, channel=named, addresses=addresses, texts=texts)


def _exit(findings: Sequence[Finding]) -> Exit:
    asked = [finding for finding in findings if finding.seconds is not None or finding.state is State.UNREACHABLE]
    if asked and all(finding.state is State.UNREACHABLE for finding in asked):
        return Exit.CONNECTION
    return Exit.OK if all(finding.state in AS_IT_SHOULD_BE for finding in findings) else Exit.FAILED


def _print(findings: Sequence[Finding], endpoint: Endpoint) -> None:
    width = max(len(finding.name) for finding in findings)
    for finding, others in _grouped(findings):
        route = f" ({_route(finding, endpoint)})" if finding.state is State.NOT_BOUND and finding.name != EVENTS else ""
        name = f"{1 + len(others)} operations" if others else finding.name
        print(clean(f"{name:<{width}}  {finding.state.value:<13}  {finding.reason}{route}".rstrip(), 1000))
        for line in (*_differences(finding), finding.advice, _names([finding, *others]) if others else ""):
            for part in textwrap.wrap(line, LINE, break_long_words=False, break_on_hyphens=False) if line else ():
                print(clean(f"{'':<{width}}  {part}", 1000))
    counts = Counter(finding.state for finding in findings)
    print(", ".join(f"{counts[state]} {state.value}" for state in State if counts[state]))


LINE = 90
"""Width of the lines below a result."""
SHOWN = 6
"""Names in an entry of several results."""


def _grouped(findings: Sequence[Finding]) -> list[tuple[Finding, list[Finding]]]:
    """Return the results by state; several with the same cause and key are one entry: the first and the others."""
    entries: dict[tuple[str, ...], tuple[Finding, list[Finding]]] = {}
    for finding in sorted(findings, key=lambda finding: list(State).index(finding.state)):
        same = finding.reason if finding.state is State.NOT_OFFERED and finding.name != EVENTS else finding.name
        key = (finding.state, finding.advice or same)
        if key in entries:
            entries[key][1].append(finding)
        else:
            entries[key] = (finding, [])
    return list(entries.values())


def _names(findings: Sequence[Finding]) -> str:
    """Return the names of the first results, and the number of others."""
    join = ", ".join(finding.name for finding in findings[:SHOWN])
    more = len(findings) - SHOWN
    return f"{join} and {more} more: --json lists them" if more > 0 else join


def _differences(finding: Finding) -> Iterator[str]:
    for difference in finding.differences:
        where = f"{difference.place}: " if difference.place else ""
        yield f"{where}{difference.words}{f' (in {difference.times} places)' if difference.times > 1 else ''}"


def _route(finding: Finding, endpoint: Endpoint) -> str:
    route = endpoint.route(catalogue()[finding.name].operation)
    return f"{route.method} {route.template}"


def _report(chosen: SelectedProfile, endpoint: Endpoint, findings: Sequence[Finding]) -> dict[str, Any]:
    profile = chosen.profile
    return {
        "profile": chosen.name,
        "core": profile.core,
        "provisioning": profile.provisioning,
        "variant": profile.variant,
        "provisioningVariant": profile.provisioning_variant,
        "counts": {state.value: sum(finding.state is state for finding in findings) for state in State},
        "findings": [_entry(finding, endpoint) for finding in findings],
    }


def _entry(finding: Finding, endpoint: Endpoint) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": finding.name, "state": finding.state.value, "reason": finding.reason}
    if finding.name != EVENTS and finding.state is not State.NOT_OFFERED:
        entry["route"] = _route(finding, endpoint)
    entry["differences"] = [
        {"place": difference.place, "words": difference.words, "times": difference.times}
        for difference in finding.differences
    ]
    entry |= {"request": finding.request, "answer": finding.answer, "advice": finding.advice}
    entry["seconds"] = None if finding.seconds is None else round(finding.seconds, 3)
    return entry
