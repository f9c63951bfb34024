"""The text of conferences and their details."""

from __future__ import annotations

from console.records.traffic import (
    Conference,
    ConferenceParticipant,
    Invite,
    InviteCandidate,
)
from tests.kinds.reading import M, part
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
