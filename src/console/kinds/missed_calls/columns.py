"""The table of missed calls (contract 2.20): time, caller, user, read."""

from __future__ import annotations

from collections.abc import Collection

from console.base.text import SafeText, clean
from console.kinds.scope import counted
from console.records.meetings import MissedCall
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, pair, raw_section
from console.views.render_context import RenderContext
from console.views.table import Link, Table


def state(missed: MissedCall, _render: RenderContext) -> str | None:
    """Return `read` or `unread`; None if unknown."""
    return None if missed.read is None else "read" if missed.read else "unread"


def _state_cell(missed: MissedCall, render: RenderContext) -> Cell:
    missed_state = state(missed, render)
    if missed_state is None:
        return Cell(wording.dash(render), Tone.QUIET)
    symbol, plain, tone = ("○", "o", Tone.QUIET) if missed_state == "read" else ("●", "*", Tone.NOTICE)
    return Cell(clean(f"{plain if render.symbols == 'ascii' else symbol} {missed_state}"), tone)


def _conference(missed: MissedCall) -> str | None:
    log = missed.meta.conference_log if missed.meta else None
    return log.id if log else None


def name(missed: MissedCall, render: RenderContext) -> SafeText:
    """Return the name of a missed call in a sentence: its caller."""
    return clean(f"call from {wording.name(missed.from_, render) or 'an unknown number'}", 80)


def totals(missed_calls: Collection[MissedCall], render: RenderContext) -> Line:
    """Return the number of missed calls and of unread ones."""
    unread = sum(state(missed_call, render) == "unread" for missed_call in missed_calls)
    line = [Cell(clean(counted("missed-calls", len(missed_calls), "missed call", render)), Tone.STRONG)]
    return (*line, gap(), Cell(clean(f"{unread} unread"), Tone.NOTICE)) if unread else tuple(line)


def detail(missed: MissedCall, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a missed call."""
    summary = (
        pair("From", wording.name(missed.from_, render), render, Tone.STRONG),
        pair("For", wording.person(missed.user_id, render) if missed.user_id else None, render),
        pair("Missed", wording.moment(wording.at(missed.created_at), render), render),
        pair("State", state(missed, render), render),
        pair("Invite", missed.meta.invite_id if missed.meta else None, render),
        pair("Conference", _conference(missed), render),
        pair("Id", missed.id, render),
    )
    return (*faults_section(missed), Section("summary", "Missed call", summary), raw_section(missed, render))


def links(missed: MissedCall, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the caller, the user and the conference."""
    all_links: list[Link] = []
    caller = wording.user_id(missed.from_, render)
    if caller:
        all_links.append(Link("caller", "users", caller))
    if missed.user_id:
        all_links.append(Link("user", "users", missed.user_id))
    conference = _conference(missed)
    if conference and render.find("conferences", conference) is not None:
        all_links.append(Link("conference", "conferences", conference))
    return tuple(all_links)


TABLE: Table[MissedCall] = Table(
    kind="missed-calls",
    title="Missed calls",
    one="missed call",
    order="-missed",
    columns=columns.marked(
        (
            columns.custom("state", "State", 8, state, _state_cell, closed=True),
            columns.time("missed", "Missed", 12, lambda missed: missed.created_at),
            columns.address("from", "From", 22, lambda missed: missed.from_, grows=True),
            columns.address("user", "For", 22, lambda missed: missed.user_id, grows=True, priority=1),
            columns.text(
                "invite",
                "Invite",
                16,
                lambda missed, _render: missed.meta.invite_id if missed.meta else None,
                priority=9,
            ),
            columns.text("conference", "Conference", 16, lambda missed, _render: _conference(missed), priority=9),
            columns.identity(lambda missed: missed.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("users",),
)
