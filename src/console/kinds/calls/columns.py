"""The table of calls (contract 2.6)."""

from __future__ import annotations

from collections import Counter
from typing import cast

from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.config.schema import SavedView
from console.kinds.calls import RING, WAIT
from console.kinds.calls.facts import (
    abandoned,
    answered,
    begun,
    failed,
    in_state_since,
    is_recording,
    over,
    queue_of,
    reason,
    talk_ms,
    target_of,
    total_ms,
    urgency,
    waiting,
    waits_exact,
    waits_if_known,
)
from console.kinds.calls.quality import alarm_line
from console.kinds.calls.related import related_calls
from console.kinds.calls.states import STATES
from console.kinds.presence.columns import presence_cell
from console.kinds.queues.columns import queue_sections
from console.kinds.scope import counted
from console.records.traffic import Call, CallAlarm, Conference
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.columns import RunningTotals, TotalsState
from console.views.index import Index
from console.views.lines import (
    MOST,
    faults_section,
    field_lines,
    gap,
    labelled,
    pair,
    raw_section,
    rest,
    several,
    text_line,
)
from console.views.render_context import RenderContext
from console.views.states import FAILED
from console.views.table import Link, Table
from console.views.thresholds import Threshold
from console.views.timeline import attempt_lines

_MEASURED = {"packetsLost": "packet loss"}
"""Words for what the rule of an alarm measures, short enough for a list; others as sent."""

_OF_SESSION: Index[Conference] = Index(
    "conferences", lambda conference: [participant.session_id for participant in conference.participants]
)
_ALARMS: Index[CallAlarm] = Index("alarms", lambda alarm: [alarm.payload.call_id if alarm.payload else None])


def _severity(call: Call) -> Threshold | None:
    match urgency(call):
        case 0:
            return WAIT
        case 1 if STATES.look(call.state).rank == 2:
            return RING
        case _:
            return None


def caller(call: Call, render: RenderContext) -> str | None:
    """Return the name of the caller, not cleaned."""
    if call.caller:
        return wording.name(call.caller, render)
    return f"anonymous {call.anonymous_session_id[-4:]}" if call.anonymous_session_id else None


def direction(call: Call, render: RenderContext) -> str | None:
    """Return `in`, `out` or `internal`, depending on which side is a user of the platform."""
    inside = [wording.user_id(value, render) is not None for value in (call.caller, call.callee)]
    if not call.caller and not call.callee:
        return None
    return {(True, True): "internal", (True, False): "out"}.get((inside[0], inside[1]), "in")


def recorded(call: Call, render: RenderContext) -> str | None:
    """Return the state of the recording as text: start or end time, and the file."""
    recording = (call.data or {}).get("recording")
    if not isinstance(recording, dict):
        return "yes" if is_recording(call) else None
    recording_fields = cast("dict[str, object]", recording)
    when = wording.at(recording_fields.get("startedAt" if is_recording(call) else "stoppedAt"))
    head = "since" if is_recording(call) else "stopped"
    file = recording_fields.get("filename")
    return f"{head} {wording.clock(when, render)}" + (f", file {file}" if isinstance(file, str) and file else "")


def alarms_of(call_id: str, render: RenderContext) -> list[CallAlarm]:
    """Return the known alarms of a call."""
    return [*_ALARMS.of(render).get(call_id, {}).values()]


def _flags(call: Call, render: RenderContext) -> str | None:
    flags = (["recording"] if is_recording(call) else []) + (["alarm"] if call.id in _ALARMS.of(render) else [])
    return " ".join(flags) or None


def _flags_cell(call: Call, render: RenderContext) -> Cell:
    text = _flags(call, render) or ""
    if "alarm" in text:
        return Cell(clean(drawn("∆", render.symbols)), Tone.WARN)
    return Cell(clean(drawn("●" if text else "", render.symbols)), Tone.NOTICE)


def _callers(call: Call, _render: RenderContext) -> tuple[str, ...]:
    return tuple(value for value in (call.caller, call.anonymous_session_id) if value)


def _people(call: Call, render: RenderContext) -> str | None:
    return ", ".join(wording.person(wording.user_id(user, render) or user, render) for user in call.users) or None


def _context(call: Call, _render: RenderContext) -> str | None:
    return ", ".join(f"{name}: {value}" for name, value in (call.context or {}).items()) or None


def _rank(call: Call, _render: RenderContext) -> int:
    return urgency(call)


def _destination(call: Call, render: RenderContext) -> str | None:
    return wording.name(queue_of(call) or call.callee, render)


def _destinations(call: Call, _render: RenderContext) -> tuple[str, ...]:
    return tuple(value for value in (call.callee, call.target) if value)


def _agent(call: Call, render: RenderContext) -> str | None:
    """Return the name of the agent who has or had a call from a queue, not cleaned; None for other calls."""
    if queue_of(call) is None or wording.user_id(call.callee, render) is None:
        return None
    return wording.name(call.callee, render)


def _alarm_words(call: Call, render: RenderContext) -> str | None:
    latest = max(alarms_of(call.id, render), key=lambda alarm: wording.at(alarm.timestamp) or 0, default=None)
    if latest is None:
        return None
    rule = latest.payload.alarm if latest.payload else None
    measured = rule.value if rule else None
    return _MEASURED.get(measured or "", measured) or latest.urgency or "alarm"


def _reason_cell(call: Call, render: RenderContext) -> Cell:
    text, tone = _reason_or_agent(call, render)
    return Cell(clean(text), tone) if text else Cell(wording.dash(render), Tone.QUIET)


def _reason_or_agent(call: Call, render: RenderContext) -> tuple[str | None, Tone]:
    """Return text and tone of a call's explanation: why it failed, its latest alarm, its agent, or how it ended."""
    why = reason(call)
    if why:
        seen = STATES.look(call.state)
        if seen.over and seen.rank == FAILED.rank:
            return why, seen.tone
    group = urgency(call)
    alarm = _alarm_words(call, render) if group < 2 else None
    if alarm:
        return alarm, Tone.WARN
    agent = _agent(call, render) if group else None
    return (agent, Tone.PLAIN) if agent else (why, Tone.QUIET)


def _share(call: Call) -> columns.Share:
    """Return the state that a call counts under, whether its caller waits, and since a known time, and since when.

    A call with an end time is over.
    """
    state = "ended" if over(call) and not STATES.look(call.state).over else call.state or "unknown"
    if not waiting(call):
        return (state, False, True), None
    since = begun(call)
    return (state, True, since is not None), since


def _totals(totals: TotalsState, render: RenderContext) -> Line:
    """Return the number of calls by state, the most urgent first, and the longest wait."""
    counts, longest = totals.counts, totals.earliest
    line = [Cell(clean(counted("calls", counts.total(), "call", render)), Tone.STRONG)]
    shown_wait, space = False, gap()
    exact = waits_exact(render) and not any(waits and not timed for _, waits, timed in counts)
    shown: Counter[tuple[str, bool]] = Counter()
    for (state, waits, _), many in counts.items():
        shown[state, waits] += many
    ranked = sorted(shown.items(), key=lambda item: (STATES.look(item[0][0]).rank, -item[1], item[0]))
    for (state, waits), many in ranked:
        line += [space, STATES.counted(state, many, render)]
        if waits and longest is not None and not shown_wait:
            wait = render.now_ms - longest
            tone = columns.severity(WAIT, wait, render)
            line += [Cell(clean(", longest ")), Cell(wording.least_age(wait, render, exact=exact), tone)]
            shown_wait = True
    return tuple(line)


def name(call: Call, render: RenderContext) -> SafeText:
    """Return the name of a call in a sentence: caller and agent, queue or callee; its id if none is known."""
    queue = queue_of(call)
    shows_queue = queue is not None and wording.user_id(call.callee, render) is None
    called = wording.name(queue if shows_queue else call.callee, render)
    if not call.caller and not called:
        return clean(call.id, 64)
    return clean(f"{caller(call, render) or 'unknown'} {drawn('→', render.symbols)} {called or 'unknown'}", 80)


def detail(call: Call, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a call: summary, attempts, people, alarms, its queue, raw record.

    The queue of a call that does not wait is in its opened record only.
    """
    sections = [*faults_section(call), Section("summary", "Summary", _summary(call, render))]
    if call.attempts:
        drawn = attempt_lines(
            call.attempts[:MOST], begun(call), wording.at(call.to), STATES, render, in_progress=not over(call)
        )
        sections.append(Section("attempts", "Attempts", (*drawn, *rest(len(call.attempts) - MOST, "attempt"))))
    if call.users:
        lines = several(call.users, lambda user: _user(user, render))
        sections.append(Section("users", f"Users {len(call.users)}", lines))
    if call.sessions:
        sections.append(Section("sessions", f"Sessions {len(call.sessions)}", several(call.sessions, text_line)))
    alarms = sorted(alarms_of(call.id, render), key=lambda alarm: -(wording.at(alarm.timestamp) or 0))
    if alarms:
        lines = several(alarms, lambda call_alarm: alarm_line(call_alarm, render))
        sections.append(Section("alarms", f"Alarms {len(alarms)}", lines))
    if call.context:
        sections.append(Section("context", "Context", field_lines(call.context, render)))
    if waiting(call) or (render.opened and queue_of(call)):
        sections += queue_sections(call, render)
    return (*sections, raw_section(call, render))


def _summary(call: Call, render: RenderContext) -> tuple[Line, ...]:
    age = columns.severity(_severity(call), render.now_ms - (begun(call) or render.now_ms), render)
    total, talk = total_ms(call, render), talk_ms(call, render)
    return (
        labelled("State", [STATES.cell(call.state, render, ended=over(call))]),
        *_why(call, render),
        _party("Caller", call.caller, caller(call, render), render),
        _party("Callee", call.callee, wording.name(call.callee, render), render),
        _party("Target", call.target, wording.name(call.target, render), render),
        pair("Started", wording.moment(begun(call), render), render),
        pair("Answered", wording.moment(answered(call), render), render),
        pair("Ended", wording.moment(wording.at(call.to), render), render),
        pair("Total", wording.age(total, render), render, age),
        pair("Talk", wording.age(talk, render), render),
        pair("Position", wording.count(call.queue_position, render), render),
        pair("Recording", recorded(call, render), render, Tone.NOTICE if is_recording(call) else Tone.PLAIN),
        pair("Anonymous", call.anonymous_session_id, render),
        pair("Id", call.id, render),
    )


def _why(call: Call, render: RenderContext) -> tuple[Line, ...]:
    """Return the line with the reason of a call, if the service tells one."""
    why = reason(call)
    return (pair("Reason", why, render, STATES.look(call.state).tone if over(call) else Tone.PLAIN),) if why else ()


def _party(label: str, address: str | None, called: str | None, render: RenderContext) -> Line:
    if address is None or called == address:
        return pair(label, called, render)
    return (*pair(label, called, render, Tone.STRONG), gap(), Cell(clean(address), Tone.QUIET))


def _user(address: str, render: RenderContext) -> Line:
    identifier = wording.user_id(address, render) or address
    cell = Cell(clean(wording.person(identifier, render)), Tone.STRONG)
    return (presence_cell(identifier, render), gap(" "), cell, gap(), Cell(clean(address), Tone.QUIET))


def links(call: Call, render: RenderContext) -> tuple[Link, ...]:
    """Return links to users, sessions and alarms."""
    all_links: dict[tuple[str, str], Link] = {}
    for role, address in (("caller", call.caller), ("callee", call.callee), *(("user", user) for user in call.users)):
        identifier = wording.user_id(address, render) or (address if role == "user" else None)
        if identifier is None:
            continue
        all_links.setdefault(
            ("presence", identifier),
            Link(f"presence of {role}", "presence", wording.user_address(identifier, render)),
        )
        all_links.setdefault(("users", identifier), Link(f"{role}", "users", identifier))
    for session in call.sessions:
        all_links.setdefault(("sessions", session), Link("session", "sessions", session))
    for alarm in alarms_of(call.id, render):
        all_links.setdefault(("alarms", alarm.id), Link("alarm", "alarms", alarm.id))
    for conference in _OF_SESSION.any_of(render, *call.sessions):
        all_links.setdefault(("conferences", conference.id), Link("conference", "conferences", conference.id))
    return tuple(all_links.values())


TABLE: Table[Call] = Table(
    kind="calls",
    title="Calls",
    one="call",
    order="-age",
    columns=columns.marked(
        (
            columns.state(STATES, lambda call: call.state, width=14, ended=over, about="what the call is doing"),
            columns.custom("flags", "", 1, _flags, _flags_cell, priority=2, about="alarm, otherwise recording"),
            columns.text("caller", "Caller", 12, caller, also=_callers, grows=True, aliases=("from",)),
            columns.text(
                "destination",
                "Queue/callee",
                12,
                _destination,
                also=_destinations,
                grows=True,
                repeats=True,
                about="the queue, otherwise the callee",
            ),
            columns.age(
                "age",
                "Age",
                in_state_since,
                _severity,
                rank=_rank,
                about="duration so far; once ended, time since the end",
            ),
            columns.custom(
                "reason",
                "Reason/agent",
                12,
                lambda call, render: _reason_or_agent(call, render)[0],
                _reason_cell,
                priority=1,
                grows=True,
                aliases=("agent",),
                about="why it failed, its latest alarm, the agent of a call from a queue, or how it ended",
            ),
            columns.address("callee", "Callee", 13, lambda call: call.callee, priority=9, aliases=("calle", "to")),
            columns.address("target", "Target", 16, target_of, priority=9),
            columns.address("queue-name", "Queue", 16, queue_of, priority=9, about="the target, otherwise the skill"),
            columns.number(
                "queue",
                "Position",
                8,
                lambda call, _render: call.queue_position,
                priority=9,
                aliases=("queueposition", "place"),
                about="position in the queue",
            ),
            columns.lasting("total", "Total", total_ms, priority=9, about="from start to end"),
            columns.lasting("talk", "Talk", talk_ms, priority=9, about="from the answer on"),
            columns.text("users", "Users", 20, _people, priority=9, also=lambda call, _render: call.users),
            columns.number("attempts", "Attempts", 8, lambda call, _render: call.count_of("attempts"), priority=7),
            columns.text("direction", "Direction", 9, direction, priority=9, closed=True),
            columns.flag("ended", "Ended", 5, lambda call, _render: over(call), priority=9),
            columns.flag(
                "waiting",
                "Waiting",
                7,
                lambda call, _render: waits_if_known(call),
                priority=9,
                about="whether the caller is waiting for an answer",
            ),
            columns.flag(
                "failed",
                "Failed",
                6,
                lambda call, _render: failed(call),
                priority=9,
                about="whether it ended with a server error",
            ),
            columns.flag(
                "abandoned",
                "Gave up",
                7,
                lambda call, _render: abandoned(call),
                priority=9,
                about="whether the caller gave up waiting",
            ),
            columns.flag("recording", "Rec", 4, lambda call, _render: is_recording(call), priority=9),
            columns.time("began", "Started", 12, begun, priority=9, aliases=("date",)),
            columns.time("end", "End", 12, lambda call: call.to, priority=9, shows="to"),
            columns.text(
                "sessions", "Sessions", 16, lambda call, _render: ", ".join(call.sessions) or None, priority=9
            ),
            columns.text("context", "Context", 24, _context, priority=9),
            columns.identity(lambda call: call.id),
        )
    ),
    name=name,
    detail=detail,
    related=related_calls,
    totals=RunningTotals(_share, _totals),
    links=links,
    views={
        "Waiting, longest first": SavedView("waiting:yes", "-age"),
        "Ended with a server error": SavedView("failed:yes", "-age"),
    },
)
