"""Missed calls appear by themselves, and are marked as read by key."""

from __future__ import annotations

import pytest

from console.records.meetings import MissedCall, MissedCallDetails
from console.service.domain import missed_calls
from console.service.domain.missed_calls import MISSED_CALLS
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base

pytestmark = pytest.mark.asyncio(loop_scope="module")


def missed(base: Base, user: str, number: str) -> str:
    """Register a missed call of a user."""
    return missed_calls.register(base.service.platform, user, number, MissedCallDetails()).id


@presses("missed.mark-read")
async def test_a_missed_call_appears_and_is_marked_as_read_with_the_earlier_ones(eva: Seat, base: Base) -> None:
    await eva.look_at("missed-calls")
    first, others, second, last = (
        missed(base, user, number)
        for user, number in (("bob", "+34911001"), ("ana", "+34911002"), ("bob", "+34911003"), ("bob", "+34911004"))
    )
    await eva.until(lambda: {first, others, second, last} <= set(eva.shown))
    await eva.move_to(second)
    await eva.press("K")
    await eva.done("missed.mark-read")
    read = [base.stored(MISSED_CALLS, each)["read"] for each in (first, others, second, last)]
    assert read == [True, False, True, False]
    await eva.until(lambda: eva.known("missed-calls", first, MissedCall).read)
    assert not eva.known("missed-calls", last, MissedCall).read
