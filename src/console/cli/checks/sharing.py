"""The report of `console doctor --share`: what a vendor needs to see, without secrets and without values of records.

Only what is known to be harmless is written: names of operations and fields, methods, path templates, statuses, and the
console's own words. Reasons of the service are left out, because they may name people.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from console import __version__
from console.api.catalogue import catalogue
from console.base.text import clean
from console.cli.checks.findings import EVENTS, Finding, State
from console.cli.exits import Exit, Failure
from console.client.endpoint import Endpoint
from console.config.paths import write_output
from console.config.schema import Profile
from console.config.settings import builtins_of
from console.records.fields import resolved_fields
from console.records.record import Record
from console.records.secrets import MASK

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


def write_share(file: Path, text: str) -> None:
    """Write a report that only this user can read. Raise Failure."""
    try:
        write_output(file, text.encode())
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
        route = "" if finding.name == EVENTS else _route(finding.name, endpoint)
        lines.append(f"| {finding.name} | {route} | {_answer(finding.answer)} | {finding.state.value}{_why(finding)} |")
    return "\n".join(lines)


def _route(name: str, endpoint: Endpoint) -> str:
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
