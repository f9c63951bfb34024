"""The text of conferences and their details."""

from __future__ import annotations

from console.records.traffic import (
    Conference,
    ConferenceParticipant,
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
