"""How missed calls read (contract 2.20): when, from whom, for whom, and whether they have been read."""

from __future__ import annotations

from collections.abc import Iterable

from console.records.meetings import MissedCall
from console.tables import columns, words
from console.tables.cell import Cell, Line, Section, Tone
from console.tables.lines import faults_section, gap, pair, raw_section
from console.tables.sight import Sight
from console.tables.table import Link, Table
from console.text import SafeText, clean


def state(missed: MissedCall, _sight: Sight) -> str | None:
    """Return `read` or `unread`; None where the service does not say."""
    return None if missed.read is None else "read" if missed.read else "unread"


def _state_cell(missed: MissedCall, sight: Sight) -> Cell:
    said = state(missed, sight)
    if said is None:
        return Cell(words.dash(sight), Tone.QUIET)
    symbol, plain, tone = ("○", "o", Tone.QUIET) if said == "read" else ("●", "*", Tone.NOTICE)
    return Cell(clean(f"{plain if sight.symbols == 'ascii' else symbol} {said}"), tone)


def _conference(missed: MissedCall) -> str | None:
    log = missed.meta.conference_log if missed.meta else None
    return log.id if log else None


def name(missed: MissedCall, sight: Sight) -> SafeText:
    """Return what a missed call is called in a sentence: whom it came from."""
    return clean(f"call from {words.name(missed.from_, sight) or 'an unknown number'}", 80)


def totals(missed: Iterable[MissedCall], sight: Sight) -> Line:
    """Return how many there are, and how many are unread."""
    found = list(missed)
    unread = sum(state(each, sight) == "unread" for each in found)
    line = [Cell(clean(words.plural(len(found), "missed call")), Tone.STRONG)]
    return (*line, gap(), Cell(clean(f"{unread} unread"), Tone.NOTICE)) if unread else tuple(line)


def detail(missed: MissedCall, sight: Sight) -> tuple[Section, ...]:
    """Return everything about a missed call."""
    summary = (
        pair("From", words.name(missed.from_, sight), sight, Tone.STRONG),
        pair("For", words.person(missed.user_id, sight) if missed.user_id else None, sight),
        pair("Missed", words.moment(words.at(missed.created_at), sight), sight),
        pair("State", state(missed, sight), sight),
        pair("Invite", missed.meta.invite_id if missed.meta else None, sight),
        pair("Conference", _conference(missed), sight),
        pair("Id", missed.id, sight),
    )
    return (*faults_section(missed), Section("summary", "Missed call", summary), raw_section(missed))


def links(missed: MissedCall, sight: Sight) -> tuple[Link, ...]:
    """Return the ways to who called, to who missed it, and to the conference."""
    found: list[Link] = []
    caller = words.user_id(missed.from_ or "")
    if caller:
        found.append(Link("caller", "users", caller))
    if missed.user_id:
        found.append(Link("user", "users", missed.user_id))
    conference = _conference(missed)
    if conference and sight.find("conferences", conference) is not None:
        found.append(Link("conference", "conferences", conference))
    return tuple(found)


MISSED_CALLS: Table[MissedCall] = Table(
    kind="missed-calls",
    title="Missed calls",
    one="missed call",
    order="-missed",
    columns=columns.marked(
        (
            columns.custom("state", "State", 9, state, _state_cell, closed=True),
            columns.time("missed", "Missed", 12, lambda missed: missed.created_at),
            columns.address("from", "From", 22, lambda missed: missed.from_, grows=True),
            columns.address("user", "For", 22, lambda missed: missed.user_id, grows=True, priority=1),
            columns.text(
                "invite",
                "Invite",
                16,
                lambda missed, _sight: missed.meta.invite_id if missed.meta else None,
                priority=9,
            ),
            columns.text("conference", "Conference", 16, lambda missed, _sight: _conference(missed), priority=9),
            columns.identity(lambda missed: missed.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("users",),
)
