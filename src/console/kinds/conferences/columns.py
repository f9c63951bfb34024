"""The table of conferences (contract 2.9): participants, invites, reasons of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from console.base.signs import drawn
from console.base.text import SafeText, cells, clean, fit, of_number
from console.kinds.agents.facts import state_of
from console.kinds.calls.related import calls_of
from console.kinds.conferences import AGE
from console.kinds.conferences.states import INVITES, STATES
from console.kinds.presence.columns import call_line
from console.kinds.presence.facts import activity_of, presence_of
from console.kinds.presence.states import STATES as PRESENCE_STATES
from console.kinds.scope import counted
from console.records import state_words
from console.records.support import Agent
from console.records.traffic import Call, Conference, ConferenceParticipant, ConferenceTransfer, Invite, InviteCandidate
from console.views import columns, states, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import (
    faults_section,
    gap,
    labelled,
    pair,
    raw_section,
    related_lines,
    rest,
    several,
    text_line,
)
from console.views.render_context import RenderContext
from console.views.table import Link, Table
from console.views.timeline import NAME_WIDTH, Scale, scale

if TYPE_CHECKING:
    from console.records.traffic import Conference


def over(conference: Conference) -> bool:
    """Return whether it has ended."""
    return wording.at(conference.finished_at) is not None or STATES.look(conference.state).over


def _inside(conference: Conference) -> list[ConferenceParticipant]:
    """Return the participations that have not ended; none of a conference that has."""
    if over(conference):
        return []
    return [participant for participant in conference.participants if wording.at(participant.finished_at) is None]


def inside(conference: Conference) -> int:
    """Return the number of current participants."""
    return len(_inside(conference))


def failed(conference: Conference) -> int:
    """Return the number of failed invites."""
    looks = (INVITES.look(invite.state) for invite in conference.invites)
    return sum(look.rank == 6 for look in looks)


def _inside_if_known(conference: Conference, _render: RenderContext) -> int | None:
    return None if conference.unread("participants") else inside(conference)


def _failed_if_known(conference: Conference, _render: RenderContext) -> int | None:
    return None if conference.unread("invites") else failed(conference)


_ROWS = 100
_CANDIDATES = 20
"""Most lines of one part of the detail."""
_NAME_WIDTH, _LONGEST_NAME = 13, 19
"""Width of a name before its timeline, in cells, beside a list and at most in an opened record."""
_STATE_WIDTH = 16
"""Width of a person's state before the name, in cells."""
_REASONS = {
    200: "answered",
    403: "forbidden",
    404: "not found",
    408: "no answer",
    410: "gone",
    415: "media not supported",
    480: "unavailable",
    484: "number incomplete",
    486: "busy",
    487: "cancelled",
    488: "not acceptable",
    500: "server error",
    502: "bad gateway",
    503: "service unavailable",
    504: "server time-out",
    600: "busy everywhere",
    603: "declined",
    604: "does not exist",
}
"""SIP status codes (RFC 3261, 21); the contract does not define them."""


def reason(code: float | None, render: RenderContext) -> str:
    """Return an end reason as number with its meaning, if known."""
    if code is None:
        return wording.dash(render)
    code = wording.bounded(code)
    phrase = _REASONS.get(int(code)) if float(code).is_integer() else None
    return f"{code:g} {phrase}" if phrase else f"{code:g}"


def _since(conference: Conference, _render: RenderContext) -> float | None:
    return wording.at(conference.finished_at if over(conference) else conference.created_at)


def _invites(conference: Conference, _render: RenderContext) -> str | None:
    counts = Counter(invite.state or "unknown" for invite in conference.invites)
    return ", ".join(f"{many} {state_words.display_word(state)}" for state, many in counts.most_common()) or None


def _media(conference: Conference, _render: RenderContext) -> str | None:
    offered = [invite.mediatypes for invite in conference.invites if invite.mediatypes]
    audio, video = any(media.audio for media in offered), any(media.video for media in offered)
    return " ".join(name for name, there in (("audio", audio), ("video", video)) if there) or None


def _people(conference: Conference, render: RenderContext) -> str | None:
    named = dict.fromkeys(
        wording.name(participant.address, render) or "unknown" for participant in conference.participants[:_ROWS]
    )
    return ", ".join(named) or None


def _addresses(conference: Conference, _render: RenderContext) -> tuple[str, ...]:
    return tuple(participant.address for participant in conference.participants if participant.address)


def totals(conferences: Iterable[Conference], render: RenderContext) -> Line:
    """Return the number of active conferences, of people in them, and of failed invites."""
    amount = running = people = lost = 0
    exact = True
    for conference in conferences:
        exact = exact and (over(conference) or not conference.unread("participants"))
        amount += 1
        running += not over(conference)
        people += inside(conference)
        lost += failed(conference)
    seen = STATES.look("active")
    mark = states.symbol(seen, render)
    line = [
        Cell(clean(counted("conferences", amount, "conference", render)), Tone.STRONG),
        gap(),
        Cell(clean(f"{mark} {wording.amount(running)} active"), seen.tone if running else Tone.QUIET),
    ]
    if lost:
        # Without a mark: beside one stands a number of conferences.
        line += [gap(), Cell(clean(f"{wording.plural(lost, 'invite')} failed"), Tone.WARN)]
    known = wording.known_count(people, render, exact=exact)
    line += [gap(), Cell(clean(f"{known} {of_number(people, 'person')} inside"))]
    return tuple(line)


def name(conference: Conference, render: RenderContext) -> SafeText:
    """Return the name of a conference in a sentence: its room."""
    del render
    return clean(conference.room_id or wording.short(conference.id), 80)


def detail(conference: Conference, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a conference: summary, participants, invites, transfers, raw record."""
    sections = [*faults_section(conference), Section("summary", "Summary", _summary(conference, render))]
    if conference.participants:
        title = f"Who joined when {len(conference.participants)}"
        sections.append(Section("participants", title, participant_lines(conference, render)))
    if conference.invites:
        sections.append(Section("invites", f"Invites {len(conference.invites)}", invite_lines(conference, render)))
    if conference.transfers:
        lines = several(conference.transfers, lambda conference_transfer: _transfer(conference_transfer, render), _ROWS)
        sections.append(Section("transfers", f"Transfers {len(conference.transfers)}", lines))
    return (*sections, raw_section(conference, render))


def _transfer(conference_transfer: ConferenceTransfer, render: RenderContext) -> Line:
    return (
        INVITES.cell(conference_transfer.state, render),
        gap(),
        Cell(clean(wording.name(conference_transfer.from_, render) or "unknown"), Tone.STRONG),
        Cell(clean(" → ")),
        Cell(clean(wording.name(conference_transfer.to, render) or "unknown"), Tone.STRONG),
        Cell(clean(f"  room {conference_transfer.room_id}" if conference_transfer.room_id else ""), Tone.QUIET),
    )


def _summary(conference: Conference, render: RenderContext) -> tuple[Line, ...]:
    began, ended = wording.at(conference.created_at), wording.at(conference.finished_at)
    people = conference.count_of("participants")
    lasted = None if ended is None and over(conference) else render.lasted(began, ended)
    return (
        labelled("State", [STATES.cell(conference.state, render, ended=over(conference))]),
        pair("Room", conference.room_id, render, Tone.STRONG),
        pair("Started", wording.moment(began, render), render),
        pair("Ended", wording.moment(ended, render), render),
        pair("Duration", wording.age(lasted, render), render),
        pair("Inside", None if people is None else f"{inside(conference)} of {people}", render),
        pair("Media", _media(conference, render), render),
        pair("Domains", ", ".join(conference.domains), render),
        pair("Id", conference.id, render),
    )


def participant_lines(conference: Conference, render: RenderContext) -> tuple[Line, ...]:
    """Draw each participation as a bar on the conference's timeline with its duration, highlighting current ones."""
    people = conference.participants
    began, ended = wording.at(conference.created_at), wording.at(conference.finished_at)
    times = [began, ended, *(wording.at(at) for person in people for at in (person.created_at, person.finished_at))]
    span = scale(times, open_end=not over(conference), render=render)
    if span is None:
        return several(
            people,
            lambda conference_participant: text_line(wording.name(conference_participant.address, render) or "unknown"),
            _ROWS,
        )
    names = [clean(wording.name(person.address, render) or "unknown") for person in people[:_ROWS]]
    longest = max(map(cells, names), default=0) if render.opened else 0
    width = min(max(longest, _NAME_WIDTH), _LONGEST_NAME)
    stays = zip(people, (fit(person_name, width) for person_name in names), strict=False)
    return (
        span.heading(width + 1, render),
        *(_stay(person, person_name, conference, span, render) for person, person_name in stays),
        *rest(len(people) - _ROWS),
    )


def _stay(
    conference_participant: ConferenceParticipant,
    fitted_name: SafeText,
    conference: Conference,
    span: Scale,
    render: RenderContext,
) -> Line:
    joined, left = wording.at(conference_participant.created_at), wording.at(conference_participant.finished_at)
    if left is None and over(conference):
        left = span.end
    tone = Tone.GOOD if left is None else Tone.QUIET
    length = render.lasted(joined, left)
    return (
        Cell(fitted_name, Tone.PLAIN),
        gap(" "),
        Cell(span.strip(joined, left, render), tone),
        Cell(fit(wording.age(length, render), 7, right=True), tone),
        Cell(clean(" in" if left is None and joined is not None else ""), tone),
    )


def invite_lines(conference: Conference, render: RenderContext) -> tuple[Line, ...]:
    """Return the invites with all tried addresses and end reasons, first the counts of reasons."""
    counts = Counter(
        reason(candidate.end_reason, render)
        for invite in conference.invites
        for candidate in invite.candidates
        if candidate.end_reason is not None and candidate.end_reason != 200
    )
    lines: list[Line] = []
    if counts:
        join = ", ".join(f"{why} ({many})" for why, many in counts.most_common(5))
        lines.append(labelled("Reason", [Cell(clean(join), Tone.NOTICE)]))
    usual = _media(conference, render)
    for invite in conference.invites[:_ROWS]:
        lines += _invite(invite, usual, render)
    return (*lines, *rest(len(conference.invites) - _ROWS, "invite"))


def _invite(invite: Invite, usual: str | None, render: RenderContext) -> list[Line]:
    """Return an invite with its attempts, and its media if they differ from the conference's."""
    media = invite.mediatypes
    offered = " ".join(
        name for name, there in (("audio", media and media.audio), ("video", media and media.video)) if there
    )
    notes = [
        *([offered] if offered and offered != usual else []),
        *(["group"] if invite.group else []),
        *(["asked to join"] if invite.invite_request else []),
    ]
    head = [
        INVITES.cell(invite.state, render),
        gap(),
        Cell(clean(wording.name(invite.from_, render) or "unknown")),
        Cell(clean(" → ")),
        Cell(clean(wording.name(invite.to, render) or "unknown"), Tone.STRONG),
        Cell(clean(f"  {' '.join(notes)}" if notes else ""), Tone.QUIET),
    ]
    if invite.error and all(candidate.end_reason != invite.error for candidate in invite.candidates[:_CANDIDATES]):
        head.append(Cell(clean(f"  error {reason(invite.error, render)}"), Tone.BAD))
    branch = drawn("  └ ", render.symbols)

    def tried(candidate: InviteCandidate) -> Line:
        return (
            Cell(clean(branch), Tone.QUIET),
            Cell(fit(clean(wording.name(candidate.address, render) or "unknown"), NAME_WIDTH)),
            gap(" "),
            Cell(clean(reason(candidate.end_reason, render)), _end_tone(candidate.end_reason)),
        )

    return [tuple(head), *several(invite.candidates, tried, _CANDIDATES, "candidate")]


def _end_tone(code: float | None) -> Tone:
    return Tone.QUIET if code is None or code == 200 else Tone.WARN


def related(conference: Conference, render: RenderContext) -> tuple[Section, ...]:
    """Return the sections with those who are in a conference, and with the calls of its participants, latest first."""
    sections: list[Section] = []
    inside = (participant.address for participant in _inside(conference))
    people = list(dict.fromkeys(address for address in inside if address))
    if people:
        lines = related_lines(people, lambda address: _person(address, render), render, "participant")
        sections.append(Section("inside", f"In it now {len(people)}", lines))
    calls = _calls(conference, render)
    if calls:
        lines = related_lines(calls, lambda call: call_line(call, render), render, "call")
        sections.append(Section("calls", f"Their calls {len(calls)}", lines))
    return tuple(sections)


def _person(address: str, render: RenderContext) -> Line:
    identifier = wording.user_id(address, render)
    agent = cast("Agent | None", render.find("agents", identifier)) if identifier else None
    if identifier is None:
        state = Cell(clean("not a user"), Tone.QUIET)
    else:
        doing = state_of(agent) if agent is not None else activity_of(presence_of(identifier, render))
        state = PRESENCE_STATES.cell(doing, render)
    return (
        Cell(fit(state.text, _STATE_WIDTH), state.tone),
        gap(),
        Cell(clean(wording.name(address, render) or "unknown")),
    )


def _calls(conference: Conference, render: RenderContext) -> list[Call]:
    """Return the known calls of the participants, without the one that became the conference."""
    addresses = {participant.address for participant in conference.participants if participant.address}
    return [call for call in calls_of(addresses, render) if call.id != conference.id]


def links(conference: Conference, render: RenderContext) -> tuple[Link, ...]:
    """Return links to users, sessions, and transfer targets."""
    all_links: dict[tuple[str, str], Link] = {}
    for participant in conference.participants:
        identifier = wording.user_id(participant.address, render)
        if identifier:
            all_links[("presence", identifier)] = Link("presence", "presence", wording.user_address(identifier, render))
            all_links[("users", identifier)] = Link("user", "users", identifier)
        if participant.session_id:
            all_links[("sessions", participant.session_id)] = Link("session", "sessions", participant.session_id)
    return tuple(all_links.values())


TABLE: Table[Conference] = Table(
    kind="conferences",
    title="Conferences",
    one="conference",
    order="-age",
    columns=columns.marked(
        (
            columns.state(STATES, lambda conference: conference.state, ended=over),
            columns.text(
                "room", "Room", 16, lambda conference, _render: conference.room_id, grows=True, shows="roomId"
            ),
            columns.age(
                "age",
                "Age",
                _since,
                lambda conference: None if over(conference) else AGE,
                rank=lambda conference, _render: int(over(conference)),
                about="duration so far; once ended, time since the end",
            ),
            columns.number("in", "In", 4, _inside_if_known, aliases=("inside",)),
            columns.number(
                "people",
                "Of",
                4,
                lambda conference, _render: conference.count_of("participants"),
                priority=1,
                aliases=("participants",),
                about="all participants so far",
            ),
            columns.text("invites", "Invites", 22, _invites, priority=2, grows=True),
            columns.number("failed", "Failed", 6, _failed_if_known, priority=3),
            columns.text("media", "Media", 11, _media, priority=4, closed=True),
            columns.number(
                "transfers", "Trans", 5, lambda conference, _render: conference.count_of("transfers"), priority=5
            ),
            columns.text(
                "domains", "Domains", 16, lambda conference, _render: ", ".join(conference.domains) or None, priority=6
            ),
            columns.text("who", "Who", 24, _people, also=_addresses, priority=7),
            columns.flag("ended", "Ended", 5, lambda conference, _render: over(conference), priority=9),
            columns.time("began", "Started", 12, lambda conference: conference.created_at, priority=9),
            columns.time("end", "End", 12, lambda conference: conference.finished_at, priority=9, shows="finishedAt"),
            columns.identity(lambda conference: conference.id),
        )
    ),
    name=name,
    detail=detail,
    related=related,
    totals=totals,
    links=links,
    copies=lambda conference: conference.room_id or conference.id,
)
