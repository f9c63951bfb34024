"""One key, one change: however often and however much at once a request comes, and whatever it waits for within."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest

from console.service.domain.groups import GROUPS
from console.service.domain.meetings import MEETINGS
from tests.faults.figures import count, record
from tests.service.inside import Inside, inside

ROUNDS = max(3, 10 * count("FAULTS_COUNT", 0))
AT_ONCE = 50


@pytest.fixture
def desk() -> Generator[Inside]:
    with inside() as desk:
        yield desk


async def at_once(desk: Inside, path: str, body: Any, key: str) -> set[tuple[int, bytes]]:
    """Ask the same under one key, many times at once; return the different answers."""
    headers = {"Idempotency-Key": key}
    async with desk.client("ana") as ana:
        asked = (ana.post(path, json=body, headers=headers) for _ in range(AT_ONCE))
        return {(each.status_code, each.content) for each in await asyncio.gather(*asked)}


async def test_fifty_requests_at_once_under_one_key_are_one_change_with_one_answer(desk: Inside) -> None:
    wrong = 0
    for number in range(ROUNDS):
        answers = await at_once(desk, "/groups", {"name": f"once {number}"}, f"press {number}")
        with desk.platform.read() as tx:
            made = GROUPS.count(tx, GROUPS.c.name == f"once {number}")
        wrong += (len(answers), made) != (1, 1)
    record("S8", not wrong, f"{AT_ONCE} at once, {ROUNDS} rounds: {wrong} wrong", "1 effect")
    assert not wrong


async def test_a_change_that_waits_for_a_hash_is_made_once_as_well(desk: Inside) -> None:
    meeting = {"name": "Once", "language": "en", "password": "secret"}
    answers = await at_once(desk, "/meetings", meeting, "press")
    made = {answer for answer in answers if answer[0] == 200}
    assert len(made) == 1
    # What found no place in the short queue for hashes was told to wait, and did nothing.
    assert {status for status, _ in answers} <= {200, 429}
    with desk.platform.read() as tx:
        assert MEETINGS.count(tx, MEETINGS.c.name == "Once") == 1
