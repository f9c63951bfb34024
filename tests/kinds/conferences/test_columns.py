"""The text of conferences and their details."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.tables import TABLES
from console.records.people import User
from console.records.traffic import (
    Call,
    Conference,
    ConferenceParticipant,
    Invite,
    InviteCandidate,
)
from tests.kinds.reading import ANA, BOB, M, known, part, said
from tests.kinds.sample_records import agent
from tests.kinds.wild import NOW, render_context


def test_joining_times_are_shown_as_a_strip() -> None:
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


def test_why_an_invite_failed_is_said_once() -> None:
    tried = InviteCandidate(address="+34600", end_reason=408)
    for candidates, head in (
        ((tried,), "× failed  +34601 → +34600"),
        ((), "× failed  +34601 → +34600  error 408 no answer"),
    ):
        invite = Invite(state="failed", from_="+34601", to="+34600", error=408, candidates=candidates)
        lines = part(Conference(id="k1", invites=(invite,)), "conferences", "invites", render_context())
        assert [line for line in lines if "→" in line] == [head]
        assert len([line for line in lines if "└" in line and "408 no answer" in line]) == len(candidates)


def test_names_have_more_room_in_an_opened_conference() -> None:
    users = [User(id="u1", alias="Zeynep Jiménez Ortiz de la Torre"), User(id="u2", alias="Maëlle Castillo")]
    stays = tuple(ConferenceParticipant(address=f"svc-user:{user.id}", created_at=NOW - 5 * M) for user in users)
    conference = Conference(id="k1", state="active", created_at=NOW - 10 * M, participants=stays)
    beside = render_context(known(users=[*users]))
    lines = part(conference, "conferences", "participants", beside)
    assert [line[:14] for line in lines[1:]] == ["Zeynep Jimén… ", "Maëlle Casti… "]
    lines = part(conference, "conferences", "participants", replace(beside, opened=True))
    assert [line[:20] for line in lines[1:]] == ["Zeynep Jiménez Ort… ", "Maëlle Castillo     "]


def test_an_opened_conference_has_who_is_in_it_and_their_calls() -> None:
    stays = (
        ConferenceParticipant(address="svc-user:ana", created_at=NOW - 9 * M),
        ConferenceParticipant(address="+34600", created_at=NOW - 9 * M),
        ConferenceParticipant(address="svc-user:bob", created_at=NOW - 9 * M, finished_at=NOW - 5 * M),
    )
    conference = Conference(id="k1", state="active", participants=stays)
    calls = [
        Call(id="k1", state="connected", caller="svc-user:ana", date=NOW - 9 * M),
        Call(id="c1", state="connected", caller="+34601", callee="svc-user:bob", date=NOW - 2 * M),
        Call(id="c2", state="connected", caller="+34600", callee="+34602", date=NOW - M),
        Call(id="c3", state="connected", caller="+34603", callee="+34604", date=NOW - M),
    ]
    at = render_context(known(users=[ANA, BOB], agents=[agent("ana", chats=1)], calls=[*calls]))
    sections = {section.title: said(section.lines) for section in TABLES["conferences"].related(conference, at)}
    assert sections == {
        "In it now 2": ["■ busy            Ana", "not a user        +34600"],
        "Their calls 2": ["● connected  +34600 → +34602  1:00", "● connected  +34601 → Bob  2:00"],
    }
    ended = Conference(id="k1", state="finished", participants=stays)
    assert [section.id for section in TABLES["conferences"].related(ended, at)] == ["calls"]
    assert not TABLES["conferences"].related(Conference(id="k2"), at)
