"""Who is online and can take work."""

from __future__ import annotations

from console.kinds.agents.facts import reachable
from console.kinds.presence.facts import is_online
from tests.for_each import for_each
from tests.kinds.sample_records import agent


@for_each(
    "there, activity, known_online, can_take_work",
    [
        (True, "available", True, True),
        (True, "dnd", True, False),
        (True, "doNotDisturb", True, False),
        (True, "training", True, True),
        (True, "lunch", True, False),
        (None, "away", True, False),
        (None, "training", None, False),
        (None, None, None, False),
        (True, "offline", False, False),
        (False, "available", False, False),
    ],
)
def test_who_is_online_and_available(
    there: bool | None, activity: str | None, known_online: bool | None, can_take_work: bool
) -> None:
    found = agent(online=there, activity=activity)
    assert (is_online(found), reachable(found)) == (known_online, can_take_work)
