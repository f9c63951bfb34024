"""Which agents are free, busy or away, for each state a service may use."""

from __future__ import annotations

import pytest

from console.kinds.agents.facts import cover
from console.kinds.presence.facts import Reach
from tests.kinds.sample_records import agent


@pytest.mark.parametrize(
    ("there", "activity", "chats", "expected"),
    [
        (True, "available", 0, Reach.FREE),
        (True, None, 0, Reach.FREE),
        (True, "", 0, Reach.FREE),
        (None, "available", 0, Reach.FREE),
        (True, "Available", 1, Reach.BUSY),
        (True, "busy", 0, Reach.BUSY),
        (True, "On-Call", 0, Reach.BUSY),
        (True, "dnd", 0, Reach.BUSY),
        (True, "in a meeting", 0, Reach.BUSY),
        (True, "away", 0, Reach.AWAY),
        (True, "away", 2, Reach.AWAY),
        (True, "idle", 0, Reach.AWAY),
        (True, "Lunch", 0, Reach.AWAY),
        (True, "brb", 1, Reach.AWAY),
        (True, "offline", 0, Reach.OFFLINE),
        (False, "available", 0, Reach.OFFLINE),
        (False, "lunch", 1, Reach.OFFLINE),
        (None, None, 0, Reach.UNKNOWN),
        (True, "training", 0, Reach.UNKNOWN),
        (None, "training", 0, Reach.UNKNOWN),
        (True, "training", 1, Reach.BUSY),
    ],
)
def test_what_counts_of_an_agent_when_somebody_is_needed(
    there: bool | None, activity: str | None, chats: int, expected: Reach
) -> None:
    assert cover(agent(online=there, activity=activity, chats=chats)) is expected
