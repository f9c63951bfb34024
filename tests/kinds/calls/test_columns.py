"""The text of calls and their details."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.calls.quality import quality_lines
from console.records.people import User
from console.records.queues import Queue
from console.records.support import Agent
from console.records.traffic import (
    AlarmCondition,
    Call,
    CallAlarm,
    CallAlarmPayload,
    CallStatistic,
    Conference,
    ConferenceParticipant,
    Invite,
    InviteCandidate,
    SsrcStat,
    SsrcStats,
)
from console.views.cell import Tone
from console.views.thresholds import Threshold
from tests.for_each import for_each
from tests.kinds.reading import M, S, known, part, said
from tests.kinds.wild import NOW, render_context


def test_the_attempts_of_a_call_share_one_scale_with_their_offsets() -> None:
    call = Call(
        id="c1",
        date=NOW - 240 * S,
        state="connected",
        attempts=(
            {"user": "ana", "date": NOW - 240 * S, "to": NOW - 120 * S, "state": "noanswer"},
            {"callee": "svc-user:bob", "date": NOW - 120 * S, "state": "connected"},
            {"nonsense": True},
        ),
    )
    lines = part(call, "calls", "attempts", render_context())
    assert tuple(lines) == (
        "  0:00            4:00  from 16:09:20",
        "ana                   +0:00 ○ no answer",
        "  ═══════════·········",
        "bob                   +2:00 ● connected",
        "  ··········═════════►",
        "unknown                     · unknown",
    )


def test_a_scale_is_drawn_in_ascii_without_unicode() -> None:
    call = Call(id="c1", date=NOW - 240 * S, attempts=({"user": "ana", "date": NOW - 60 * S},))
    lines = part(call, "calls", "attempts", render_context(symbols="ascii"))
    assert all(line.isascii() for line in lines)


def test_failures_of_invites_are_counted_and_shown_by_candidate() -> None:
    tried = (InviteCandidate(address="+341", end_reason=486), InviteCandidate(address="+342", end_reason=777))
    conference = Conference(id="k1", invites=(Invite(to="+341", state="rejected", candidates=tried),))
    lines = part(conference, "conferences", "invites", render_context())
    assert lines[0].split(maxsplit=1)[1] == "486 busy (1), 777 (1)"
    assert lines[1] == "× rejected  unknown → +341"
    assert lines[2].split() == ["└", "+341", "486", "busy"]


def test_packet_loss_is_relative_to_the_expected_packets() -> None:
    streams = SsrcStats(
        ssrc=(
            SsrcStat(id="a", packets_received=900, packets_lost=100, codec_name="opus"),
            SsrcStat(id="b", packets_received=0, packets_lost=0),
            SsrcStat(id="c", packets_received=7),
        )
    )
    lines = quality_lines(CallStatistic(payload=streams, timestamp=NOW - M), render_context())
    assert said(lines)[0].endswith(" 10.0 %  100 of 1 000 lost, – sent")
    assert said(lines)[2].endswith("– lost, 7 received, – sent")
    assert "██████████" in said(lines)[0]
    assert lines[0][4].tone is Tone.BAD
    assert "  ?   " in said(lines)[1]
    assert "No counters" in said(quality_lines(CallStatistic(), render_context()))[0]


def test_the_age_of_an_ended_call_counts_from_its_end_and_it_is_sorted_below_active_ones() -> None:
    ended = Call(id="c1", state="servererror", date=NOW - 60 * M, to=NOW - 3 * S)
    assert CALLS.column("age").cell(ended, render_context()).text == "0:03"
    assert CALLS.column("total").cell(ended, render_context()).text == "59:57"
    assert CALLS.column("age").rank is not None


def test_by_age_waiting_calls_come_first_then_active_then_failed_then_other_ended_ones() -> None:
    order = ("queued", "connected", "servererror", "noanswer")
    rank = CALLS.column("age").rank
    assert rank is not None
    ranks = [rank(Call(id=state, state=state, date=NOW - M), render_context()) for state in order]
    assert ranks == sorted(set(ranks))


def test_the_row_and_the_summary_of_a_failed_call_tell_why_it_failed() -> None:
    by_data = Call(id="c1", state="servererror", target="support", to=NOW, data={"reason": "no route"})
    by_attempt = Call(id="c2", state="busy", to=NOW, attempts=({"user": "ana", "reason": "callee is busy"},))
    for call, why in ((by_data, "no route"), (by_attempt, "callee is busy")):
        assert CALLS.column("reason").cell(call, render_context()).text == why
        assert f"Reason       {why}" in part(call, "calls", "summary", render_context())
    assert CALLS.column("reason").cell(by_data, render_context()).tone is Tone.BAD
    assert CALLS.column("reason").cell(Call(id="c3", state="servererror"), render_context()).text == "–"


def test_a_call_from_a_queue_shows_its_queue_and_agent_and_another_its_callee() -> None:
    ana = Agent(id="ana", display_name="Ana Ruiz")
    context = render_context(known(agents=[ana]))
    queued = Call(id="c1", state="queued", callee="+34900", target="support")
    served = Call(id="c2", state="connected", callee="svc-user:ana", target="support")
    direct = Call(id="c3", state="connected", callee="svc-user:ana")
    cells = [
        [CALLS.column(name).cell(call, context).text for name in ("destination", "reason")]
        for call in (queued, served, direct)
    ]
    assert cells == [["support", "–"], ["support", "Ana Ruiz"], ["Ana Ruiz", "–"]]


def test_a_waiting_call_shows_its_queue_and_how_many_could_answer_and_another_one_if_opened() -> None:
    queue = Queue(queue="support", waiting=2, longest_at=NOW - 90 * S, free=0, busy=1, skill="support", trend=(1, 2))
    context = render_context(known(queues=[queue]))
    waits = Call(id="c1", state="queued", date=NOW - 60 * S, target="support")
    titles = {section.id: section.title for section in CALLS.detail(waits, context)}
    assert titles["queue"] == "Queue support"
    assert titles["hour"] == "Last hour"
    assert part(waits, "calls", "queue", context)[:3] == ["Waiting      2", "Free         0", "Busy         1"]
    answered = Call(id="c2", state="connected", date=NOW - 60 * S, target="support")
    elsewhere = Call(id="c3", state="queued", date=NOW - 60 * S, target="sales")
    for call in (answered, elsewhere):
        assert not {"queue", "hour"} & {section.id for section in CALLS.detail(call, context)}
    roomy = replace(context, opened=True)
    assert {"queue", "hour"} <= {section.id for section in CALLS.detail(answered, roomy)}
    assert "queue" not in {section.id for section in CALLS.detail(Call(id="c4", callee="svc-user:ana"), roomy)}


def test_an_alarm_of_an_active_call_is_named_in_its_row() -> None:
    rule = AlarmCondition(section="ssrc", value="packetsLost", cond=">", threshold=5)
    alarm = CallAlarm(id="a1", timestamp=NOW, payload=CallAlarmPayload(call_id="c1", alarm=rule))
    call = Call(id="c1", state="connected", callee="svc-user:ana", target="support")
    cells = [CALLS.column(name).cell(call, render_context(known(alarms=[alarm]))) for name in ("flags", "reason")]
    assert [(cell.text, cell.tone) for cell in cells] == [("∆", Tone.WARN), ("packet loss", Tone.WARN)]


def test_columns_that_are_hidden_by_default_can_still_be_chosen_sorted_and_filtered() -> None:
    hidden = {each.id for each in CALLS.columns if each.priority == 9}
    assert {"callee", "target", "queue-name", "queue", "total", "talk"} <= hidden


def test_a_long_wait_is_highlighted_at_the_configured_thresholds() -> None:
    call = Call(id="c1", state="queued", date=NOW - 90 * S)
    age = CALLS.column("age")
    assert age.cell(call, render_context()).tone is Tone.WARN
    assert (
        age.cell(call, replace(render_context(), thresholds={"calls.wait": Threshold(10 * S, 80 * S)})).tone is Tone.BAD
    )
    assert age.cell(call.model_copy(update={"state": "connected"}), render_context()).tone is Tone.PLAIN


def test_a_call_links_to_its_people_sessions_alarms_and_conference() -> None:
    call = Call(id="c1", caller="+34600", callee="svc-user:ana", sessions=("s1",))
    meeting = Conference(id="k1", participants=(ConferenceParticipant(address="svc-user:ana", session_id="s1"),))
    links = CALLS.links(call, render_context(known(conferences=[meeting])))
    assert {(link.kind, link.key) for link in links} == {
        ("presence", "svc-user:ana"),
        ("users", "ana"),
        ("sessions", "s1"),
        ("conferences", "k1"),
    }


def test_the_users_of_a_call_are_shown_on_demand_as_its_other_columns_name_them() -> None:
    call = Call(id="c1", caller="+34600", callee="svc-user:ana", target="support", users=("ana",), state="connected")
    seen = render_context(known(users=[User(id="ana", username="ana.ruiz")]))
    assert CALLS.column("users").cell(call, seen).text == CALLS.column("reason").cell(call, seen).text
    assert CALLS.column("users").priority == 9


def test_talk_time_counts_from_the_answer_if_there_was_one() -> None:
    told = ({"address": "svc-user:ana", "from": NOW - 60 * S, "answeredAt": NOW - 45 * S, "state": "connected"},)
    talk = CALLS.column("talk")
    calm = Call(id="c1", state="connected", date=NOW - 60 * S, attempts=told)
    assert talk.cell(calm, render_context()).text == "0:45"
    assert talk.value(Call(id="c1", state="busy", date=NOW - 60 * S, to=NOW), render_context()) is None
    assert talk.value(Call(id="c1", state="queued", date=NOW - 60 * S), render_context()) is None


def test_a_stopped_recording_differs_from_a_running_one() -> None:
    runs = Call(id="c1", data={"recording": {"active": True, "filename": "a.wav", "startedAt": NOW - M}})
    stopped = Call(id="c1", data={"recording": {"active": False, "filename": "a.wav", "stoppedAt": NOW}})
    assert CALLS.column("recording").value(runs, render_context()) is True
    assert CALLS.column("recording").value(stopped, render_context()) is False
    summary = "\n".join(part(runs, "calls", "summary", render_context()))
    assert "since 16:12:20, file a.wav" in summary
    assert "stopped 16:13:20, file a.wav" in "\n".join(part(stopped, "calls", "summary", render_context()))


def test_an_opened_call_shows_who_waits_in_its_queue_and_other_calls_of_its_caller() -> None:
    call, earlier, later = (
        Call(id=name, caller="+34600", target="billing", state="queued", date=NOW - at)
        for name, at in (("c1", 90 * S), ("c2", 150 * S), ("c3", 30 * S))
    )
    later = later.model_copy(update={"caller": "+34700"})
    failed = Call(id="c4", caller="+34600", callee="+34900", state="busy", date=NOW - 9 * M, to=NOW - 8 * M)
    seen = replace(render_context(known(calls=[call, earlier, later, failed])), opened=True)
    sections = {section.title: said(section.lines) for section in CALLS.related(call, seen)}
    assert [*sections] == ["Waiting here 3", "Other calls of this caller 2"]
    assert [line.split()[0] for line in sections["Waiting here 3"]] == ["2:30", "1:30", "0:30"]
    assert "this call" in sections["Waiting here 3"][1]
    assert [line.split()[-1] for line in sections["Other calls of this caller 2"]] == ["billing", "+34900"]
    assert not CALLS.related(Call(id="c5"), seen)


@for_each("caller", ["anonymous", "sip:anonymous@anonymous.invalid", "Unknown", ""])
def test_calls_without_a_known_caller_are_not_of_one_caller(caller: str) -> None:
    calls = [Call(id=name, caller=caller, state="ended", date=NOW, to=NOW) for name in ("c1", "c2")]
    assert not CALLS.related(calls[0], render_context(known(calls=[*calls])))
