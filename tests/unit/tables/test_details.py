"""What the details tell."""

from __future__ import annotations

from collections.abc import Mapping

from console.frozen import replace
from console.kinds.alerts.columns import ALERTS, clocks
from console.kinds.calls.columns import CALLS
from console.kinds.calls.quality import quality_lines
from console.kinds.chats.columns import CHATS
from console.kinds.chats.facts import all_chats, started
from console.kinds.tables import TABLES
from console.kinds.templates.columns import gives_up_ms, timeline
from console.records.people import Group, Session, User
from console.records.record import Record
from console.records.support import (
    Agent,
    AgentChannels,
    AgentChat,
    Alert,
    AlertTemplate,
    ChatParticipant,
    Presence,
    Skill,
    SupportChat,
)
from console.records.traffic import (
    Call,
    CallStatistic,
    Conference,
    ConferenceParticipant,
    Invite,
    InviteCandidate,
    SsrcStat,
    SsrcStats,
)
from console.views.cell import Line, Tone
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold
from tests.unit.tables.wild import NOW, render_context

S, M = 1_000, 60_000


def said(lines: tuple[Line, ...]) -> list[str]:
    return ["".join(cell.text for cell in line).rstrip() for line in lines]


def part(record: Record, kind: str, section: str, seen: RenderContext) -> list[str]:
    found = {each.id: each for each in TABLES[kind].detail(record, seen)}
    return said(found[section].lines)


def known(**kinds: list[Record]) -> Mapping[str, Mapping[str, Record]]:
    return {kind: {record.key: record for record in records} for kind, records in kinds.items()}


def test_the_attempts_of_a_call_stand_on_one_scale_with_their_offsets() -> None:
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


def test_a_scale_is_drawn_in_ascii_where_there_is_nothing_else() -> None:
    call = Call(id="c1", date=NOW - 240 * S, attempts=({"user": "ana", "date": NOW - 60 * S},))
    lines = part(call, "calls", "attempts", render_context(symbols="ascii"))
    assert all(line.isascii() for line in lines)


def test_who_joined_when_is_a_strip() -> None:
    conference = Conference(
        id="k1",
        state="active",
        created_at=NOW - 10 * M,
        participants=(
            ConferenceParticipant(address="svc-user:ana", created_at=NOW - 10 * M, finished_at=NOW - 5 * M),
            ConferenceParticipant(address="+34600", created_at=NOW - 5 * M),
        ),
    )
    lines = part(conference, "conferences", "participants", render_context())
    assert lines[1] == "ana           ═══════════·········   5:00"
    assert lines[2] == "+34600        ··········═════════►   5:00 in"


def test_why_invites_failed_is_counted_and_shown_by_candidate() -> None:
    tried = (InviteCandidate(address="+341", end_reason=486), InviteCandidate(address="+342", end_reason=777))
    conference = Conference(id="k1", invites=(Invite(to="+341", state="rejected", candidates=tried),))
    lines = part(conference, "conferences", "invites", render_context())
    assert lines[0].split(maxsplit=1)[1] == "486 busy (1), 777 (1)"
    assert lines[1] == "× rejected  unknown → +341"
    assert lines[2].split() == ["└", "+341", "486", "busy"]


def test_loss_is_counted_of_what_should_have_come() -> None:
    streams = SsrcStats(
        ssrc=(
            SsrcStat(id="a", packets_received=900, packets_lost=100, CodecName="opus"),
            SsrcStat(id="b", packets_received=0, packets_lost=0),
        )
    )
    lines = quality_lines(CallStatistic(payload=streams, timestamp=NOW - M), render_context())
    assert " 10.0 %" in said(lines)[0]
    assert "██████████" in said(lines)[0]
    assert lines[0][4].tone is Tone.BAD
    assert "  ?   " in said(lines)[1]
    assert "No counters" in said(quality_lines(CallStatistic(), render_context()))[0]


def test_the_clocks_of_an_alert_come_from_the_service_or_else_from_its_template() -> None:
    template = AlertTemplate(
        template_id="t1", title="Fire", number_of_retries=2, time_in_ms_between_retries=M, time_to_expire=5 * M
    )
    seen = render_context(known(templates=[template]))
    alert = Alert(alert_id="a1", title="Fire", state="active", created_at=NOW - 90 * S)
    guessed = clocks(alert, seen)
    assert guessed is not None
    assert (guessed.retries_left, guessed.exact) == (1, False)
    assert guessed.next_retry_at == NOW + 30 * S
    assert guessed.expires_at == NOW - 90 * S + 7 * M
    told = clocks(Alert.model_validate({**alert.wire(), "expiresAt": NOW + 9 * S, "retriesLeft": 0}), seen)
    assert told is not None
    assert (told.expires_at, told.retries_left, told.exact) == (NOW + 9 * S, 0, True)
    assert clocks(alert.model_copy(update={"state": "accepted"}), seen) is None
    assert clocks(alert, render_context()) is None
    assert "estimated from the template of the same title" in part(alert, "alerts", "ladder", seen)
    assert ALERTS.column("left").cell(alert, seen).text == "5:30"


def test_a_template_says_when_it_gives_up() -> None:
    template = AlertTemplate(template_id="t1", number_of_retries=3, time_in_ms_between_retries=M, time_to_expire=3 * M)
    assert gives_up_ms(template) == 6 * M
    lines = said(timeline(template, render_context()))
    assert lines[-1] == "3 retries, expires after 6m; if sent now, at 16:19:20"
    assert len(lines) == 6
    forever = said(timeline(template.model_copy(update={"time_to_expire": None}), render_context()))
    assert forever[-1] == "Never expires."


def test_the_members_of_a_group_stand_in_order_with_their_presence() -> None:
    seen = render_context(
        known(
            presence=[Presence(address="svc-user:ana", online=True, activity="away", display_name="Ana")],
            users=[User(id="bob", username="bob")],
        )
    )
    lines = part(Group(group_id="g", participants=("bob", "ana")), "groups", "members", seen)
    assert [line.split()[:3] for line in lines] == [["1", "·", "bob"], ["2", "◊", "Ana"]]


def test_others_chats_are_seen_through_their_agents() -> None:
    held = AgentChannels(chat=(AgentChat(chat_id="x1", timestamp=NOW - M, users=("u9",)),))
    own = SupportChat(chat_id="x2", agent=ChatParticipant(id="ana"), context={"subject": "bill"})
    seen = render_context(known(agents=[Agent(id="ana", display_name="Ana", channels=held)], chats=[own]))
    found = all_chats(seen)
    assert set(found) == {"x1", "x2"}
    assert started(found["x1"], seen) == NOW - M
    assert CHATS.column("agent").cell(found["x1"], seen).text == "Ana"
    assert CHATS.column("about").cell(own, seen).text == "bill"


def test_an_own_chat_is_as_old_as_its_agents_record_says() -> None:
    held = AgentChannels(chat=(AgentChat(chat_id="x2", timestamp=NOW - 2 * M),))
    own = SupportChat(chat_id="x2", agent=ChatParticipant(id="ana"))
    assert started(own, render_context(known(agents=[Agent(id="ana", channels=held)]))) == NOW - 2 * M
    assert started(own, render_context()) is None


def test_an_understaffed_skill_is_named_in_the_agents_totals() -> None:
    ana = Agent(id="ana", online=True, activity="available")
    seen = render_context(known(agents=[ana], skills=[Skill(skill="billing", agents=("ana", "bob"))]))
    total = said((TABLES["agents"].totals([ana], seen),))[0]
    assert "● 1 free" in total
    assert "understaffed: billing" in total


def test_nothing_of_a_session_shows_its_token() -> None:
    session = Session(id="s1", user="ana", token="secret-token-9876", to=-1, expires=NOW + M)
    seen = render_context()
    everything = [line for section in TABLES["sessions"].detail(session, seen) for line in said(section.lines)]
    everything += [column.cell(session, seen).text for column in TABLES["sessions"].columns]
    assert not any("secret" in line for line in everything)
    assert any("…9876" in line for line in everything)
    assert TABLES["sessions"].columns[0].cell(session, seen).text == "● active"


def test_the_age_of_an_ended_call_counts_from_its_end_and_it_stands_below_the_living() -> None:
    ended = Call(id="c1", state="servererror", date=NOW - 60 * M, to=NOW - 3 * S)
    assert CALLS.column("age").cell(ended, render_context()).text == "0:03"
    assert CALLS.column("total").cell(ended, render_context()).text == "59:57"
    assert CALLS.column("age").rank is not None


def test_a_long_wait_gets_loud_at_the_operators_own_levels() -> None:
    call = Call(id="c1", state="queued", date=NOW - 90 * S)
    age = CALLS.column("age")
    assert age.cell(call, render_context()).tone is Tone.WARN
    assert (
        age.cell(call, replace(render_context(), thresholds={"calls.wait": Threshold(10 * S, 80 * S)})).tone is Tone.BAD
    )
    assert age.cell(call.model_copy(update={"state": "connected"}), render_context()).tone is Tone.PLAIN


def test_a_call_leads_to_its_people_sessions_alarms_and_conference() -> None:
    call = Call(id="c1", caller="+34600", callee="svc-user:ana", sessions=("s1",))
    meeting = Conference(id="k1", participants=(ConferenceParticipant(address="svc-user:ana", session_id="s1"),))
    links = CALLS.links(call, render_context(known(conferences=[meeting])))
    assert {(link.kind, link.key) for link in links} == {
        ("presence", "svc-user:ana"),
        ("users", "ana"),
        ("sessions", "s1"),
        ("conferences", "k1"),
    }


def test_what_is_talked_counts_from_the_answer_where_there_was_one() -> None:
    told = ({"address": "svc-user:ana", "from": NOW - 60 * S, "answeredAt": NOW - 45 * S, "state": "connected"},)
    talk = CALLS.column("talk")
    calm = Call(id="c1", state="connected", date=NOW - 60 * S, attempts=told)
    assert talk.cell(calm, render_context()).text == "0:45"
    assert talk.value(Call(id="c1", state="busy", date=NOW - 60 * S, to=NOW), render_context()) is None
    assert talk.value(Call(id="c1", state="queued", date=NOW - 60 * S), render_context()) is None


def test_a_recording_that_stopped_is_told_from_one_that_runs() -> None:
    runs = Call(id="c1", data={"recording": {"active": True, "filename": "a.wav", "startedAt": NOW - M}})
    stopped = Call(id="c1", data={"recording": {"active": False, "filename": "a.wav", "stoppedAt": NOW}})
    assert CALLS.column("recording").value(runs, render_context()) is True
    assert CALLS.column("recording").value(stopped, render_context()) is False
    summary = "\n".join(part(runs, "calls", "summary", render_context()))
    assert "since 16:12:20, file a.wav" in summary
    assert "stopped 16:13:20, file a.wav" in "\n".join(part(stopped, "calls", "summary", render_context()))


def test_an_agents_voice_item_leads_to_its_call_where_that_is_one() -> None:
    agent = Agent.model_validate({"id": "ana", "channels": {"voice": [{"conferenceId": "c1"}, {"conferenceId": "k1"}]}})
    links = TABLES["agents"].links(agent, render_context(known(calls=[Call(id="c1")])))
    assert {(link.kind, link.key) for link in links} >= {("calls", "c1"), ("conferences", "k1")}
