"""Which agents are free, busy or away, for each state a service may use."""

from __future__ import annotations

from console.kinds.agents.facts import cover, turn
from console.kinds.presence.facts import Availability
from tests.for_each import for_each
from tests.kinds.sample_records import agent


@for_each(
    "there, activity, chats, expected",
    [
        (True, "available", 0, Availability.FREE),
        (True, None, 0, Availability.FREE),
        (True, "", 0, Availability.FREE),
        (None, "available", 0, Availability.FREE),
        (True, "Available", 1, Availability.BUSY),
        (True, "busy", 0, Availability.BUSY),
        (True, "On-Call", 0, Availability.BUSY),
        (True, "dnd", 0, Availability.BUSY),
        (True, "in a meeting", 0, Availability.BUSY),
        (True, "away", 0, Availability.AWAY),
        (True, "away", 2, Availability.AWAY),
        (True, "idle", 0, Availability.AWAY),
        (True, "Lunch", 0, Availability.AWAY),
        (True, "brb", 1, Availability.AWAY),
        (True, "offline", 0, Availability.OFFLINE),
        (False, "available", 0, Availability.OFFLINE),
        (False, "lunch", 1, Availability.OFFLINE),
        (None, None, 0, Availability.UNKNOWN),
        (True, "training", 0, Availability.UNKNOWN),
        (None, "training", 0, Availability.UNKNOWN),
        (True, "training", 1, Availability.BUSY),
    ],
)
def test_the_availability_of_an_agent(
    there: bool | None, activity: str | None, chats: int, expected: Availability
) -> None:
    assert cover(agent(online=there, activity=activity, chats=chats)) is expected


def test_a_free_agent_is_before_a_busy_one_without_work_and_both_before_one_with_work() -> None:
    everybody = [agent("working", chats=1), agent("on-a-call", activity="busy"), agent("free"), agent("full", chats=3)]
    assert [each.id for each in sorted(everybody, key=turn)] == ["free", "on-a-call", "working", "full"]
