"""Marking missed calls as read: for each user up to the newest selected one, without those already read."""

from __future__ import annotations

from console.api.operations.meetings import MarkMissedCallsRead
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.records.meetings import MissedCall
from tests.kinds.action_world import plan, situation


def missed(key: str, user: str, at: int, read: bool = False) -> MissedCall:
    return MissedCall(id=key, user_id=user, created_at=at, read=read)


def test_of_several_missed_calls_of_one_user_the_newest_unread_is_sent() -> None:
    calls = [missed("a", "u-ana", 1), missed("b", "u-ana", 3), missed("c", "u-bob", 2), missed("d", "u-ana", 4, True)]
    requests = [step.request for step in plan("missed.mark-read", situation(), calls)]
    assert requests == [
        MarkMissedCallsRead(user_id="u-ana", last="b"),
        MarkMissedCallsRead(user_id="u-bob", last="c"),
    ]


def test_a_call_that_is_marked_as_read_is_not_marked_again() -> None:
    action = by_id("missed.mark-read")
    assert blocked(action, situation(), [missed("a", "u-ana", 1, read=True)]) == "Already read."
    assert blocked(action, situation(), [missed("a", "u-ana", 1)]) is None
