"""`console doctor`: checks each operation of a profile's deployment.

Its report with `--share` is for a vendor. Only what is known to be harmless is written there: names of operations and
fields, methods, path templates, statuses, and the console's own words. Reasons of the service are left out, because
they may name people.
"""

from __future__ import annotations

import platform
import re
import textwrap
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from console import __version__
from console.api.catalogue import catalogue
from console.base.frozen import replace
from console.base.secrets import MASK
from console.base.text import clean
from console.cli.checks.examination import examine
from console.cli.checks.findings import AS_IT_SHOULD_BE, EVENTS, Finding, State
from console.cli.connection import SelectedProfile, Where, add_where, choose, logged_in, run_async
from console.cli.exits import Exit, Failure
from console.cli.output import print_json, talk
from console.client.endpoint import Endpoint
from console.config.paths import write_output
from console.config.schema import Profile
from console.config.settings import builtins_of
from console.records.addresses import configured_addresses
from console.records.fields import resolved_fields
from console.records.record import Record


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
        write_share(share, share_text(chosen.profile, endpoint, findings, texts), chosen.files)
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


_SHOWN = frozenset(
    (
        *(
            "core",
            "provisioning",
            "events",
            "other_core",
            "other_provisioning",
            "other_events",
            "variant",
            "provisioning_variant",
            "statuses",
            "refusals",
            "times",
            "addresses",
        ),
        *("trust_env", "read_only", "max_rows", "page_size", "channel.dialect", "channel.url", "channel.quiet"),
        *("present.header", "present.query", "provisioning_present.header", "provisioning_present.query"),
        *("login.url", "login.grant", "login.client_auth", "login.body", "login.session"),
    )
)
"""Keys of a profile whose values are written, with those below them; of others only that they are set."""
_SCHEMES = frozenset({"", "Bearer", "Token", "OAuth", "Basic", "JWT", "Ticket", "Session"})
"""Prefixes of a credential that are written: another may be part of a secret."""
_OWN_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and array be boolean but false field fields format has in integer is item list missing more no none"
        " nothing number object of only or places should string text than the true valid whole",
    )
)
"""Words of `api.shape`, which are not taken for values of records."""
_PLACE = re.compile(r" \((?:not set|[^()]*:\d+|CONSOLE_\w+)\)\.$")
"""The place of a key at the end of an advice."""
_TOKEN = re.compile(r"[^\s,;:'\"()\[\]{}.]+")


def write_share(file: Path, text: str, inputs: Iterable[Path]) -> None:
    """Write a report that only this user can read, but into none of the files it is about. Raise Failure."""
    try:
        write_output(file, text.encode(), inputs=inputs)
    except OSError as error:
        raise Failure(Exit.FAILED, f"cannot write {file}: {error.strerror or error}") from None


def share_text(profile: Profile, endpoint: Endpoint, findings: Sequence[Finding], texts: Collection[str]) -> str:
    """Return the report in Markdown. `texts` are the texts in the answers, which it must not repeat."""
    values = frozenset(token for text in texts for token in _TOKEN.findall(text)) - _OWN_WORDS - _declared()
    counts = ", ".join(
        f"{n} {state.value}" for state in State if (n := sum(finding.state is state for finding in findings))
    )
    parts = [
        "# Check of a deployment",
        f"console {__version__}, Python {platform.python_version()}, {platform.system()}. "
        "Values of records, secrets, user names and reasons of the service are left out.",
        "## Profile",
        "\n".join(f"- `{key}` = {value}" for key, value in _settings("", builtins_of(profile))),
        "## Operations",
        f"{counts}.",
        _table(endpoint, findings),
        *_answers(findings, values),
    ]
    return "\n\n".join(parts) + "\n"


def _settings(above: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    defaults = builtins_of(Profile(core="")) if not above else {}
    for name, value in values.items():
        key = f"{above}{name}"
        if value in (None, [], {}, "") or (name in defaults and defaults[name] == value):
            continue
        if key.partition(".")[0] in _SHOWN or key in _SHOWN:
            yield key, f"`{clean(_harmless(value), 200)}`"
        elif key.endswith("present.scheme"):
            yield key, f"`{value}`" if value in _SCHEMES else MASK
        elif isinstance(value, dict) and key in {"present", "provisioning_present", "login", "channel"}:
            yield from _settings(f"{key}.", cast("Mapping[str, Any]", value))
        else:
            yield key, "(set)"


def _harmless(value: Any) -> Any:
    """Return a URL without its query and user; other values as they are."""
    if not isinstance(value, str) or "://" not in value:
        return value
    parts = urlsplit(value)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _table(endpoint: Endpoint, findings: Sequence[Finding]) -> str:
    lines = ["| operation | method and path | answer | result |", "|---|---|---|---|"]
    for finding in findings:
        route = "" if finding.name == EVENTS else _shared_route(finding.name, endpoint)
        lines.append(f"| {finding.name} | {route} | {_answer(finding.answer)} | {finding.state.value}{_why(finding)} |")
    return "\n".join(lines)


def _shared_route(name: str, endpoint: Endpoint) -> str:
    operation = catalogue()[name].operation
    if endpoint.lacks(operation) is not None:
        return ""
    route = endpoint.route(operation)
    return f"`{route.method} {clean(route.template, 200)}`"


def _answer(answer: str) -> str:
    """Return status and content type of an answer, without its first line."""
    match = re.match(r"(?:\d{3}|2xx) (?:no content type|[\w.+-]+/[\w.+-]+)", answer)
    return match[0] if match else ""


def _why(finding: Finding) -> str:
    """Return the likeliest cause without the place of its key, which is a path on this machine."""
    if finding.advice:
        return f": {clean(_PLACE.sub('.', finding.advice), 300)}"
    own = finding.seconds is None and not finding.answer and finding.name != EVENTS
    return f": {clean(finding.reason, 200)}" if own and finding.reason else ""


def _answers(findings: Sequence[Finding], values: Collection[str]) -> Iterator[str]:
    differing = [finding for finding in findings if finding.differences]
    if differing:
        yield "## Differences in the form of answers"
    for finding in differing:
        lines = [
            f"- {f'`{_without(one.place, values)}`: ' if one.place else ''}{_without(one.words, values)}"
            + (f" (in {one.times} places)" if one.times > 1 else "")
            for one in finding.differences
        ]
        yield "\n".join((f"### {finding.name}", "", *lines))


def _without(text: str, values: Collection[str]) -> str:
    """Return a text without words that are values of records, or do not look like the name of a field."""

    def masked(match: re.Match[str]) -> str:
        word = match[0]
        return MASK if word in values or not re.fullmatch(r"[A-Za-z_$][\w$-]{0,40}|\d{1,3}|<=?|>=?|=", word) else word

    return clean(_TOKEN.sub(masked, text), 300)


def _declared() -> frozenset[str]:
    """Return the names of fields that the contract declares."""
    kinds: list[type[Record]] = [Record]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    return frozenset(field.wire for kind in kinds[1:] for field in resolved_fields(kind).values())
