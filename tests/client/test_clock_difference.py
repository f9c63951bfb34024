"""How far the service's clock is ahead is measured from the dates of its answers."""

from __future__ import annotations

from email.utils import formatdate

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.operations.traffic import ListCalls
from console.client.client import Client
from console.client.clock_difference import ClockDifference
from console.client.endpoint import Endpoint
from tests.client.canned import Canned
from tests.live.fake_service import Rig
from tests.manual_clock import ManualClock

NOW = 1_790_000_000_000


def date(ms: int) -> dict[str, str]:
    return {"date": formatdate(ms // 1000, usegmt=True)}


@given(
    ahead=st.integers(-90_000_000, 90_000_000),
    answers=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 60_000)), min_size=1),
)
def test_the_measured_difference_is_off_by_at_most_a_second_and_half_the_fastest_answer(
    ahead: int, answers: list[tuple[int, int, int]]
) -> None:
    measured, now = ClockDifference(), NOW
    for there, back, pause in answers:
        measured.answered(date(now + there + ahead), now, now + there + back)
        now += there + back + pause
    assert measured.ms is not None
    assert abs(measured.ms - ahead) <= (min(there + back for there, back, _ in answers) + 2000) / 2 + 1


def test_many_answers_measure_better_than_one() -> None:
    measured = ClockDifference()
    for number in range(40):
        sent = NOW + number * 1025
        measured.answered(date(sent + 20 + 4321 - number * 13 % 1000), sent, sent + 40)
    assert measured.ms is not None
    assert abs(measured.ms - 4321) <= 200


def test_a_clock_that_is_put_right_is_measured_again() -> None:
    measured = ClockDifference()
    measured.answered(date(NOW + 60_000), NOW, NOW + 10)
    measured.answered(date(NOW + 5_000), NOW + 5_000, NOW + 5_010)
    assert measured.ms is not None
    assert abs(measured.ms) <= 1010


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"date": ""},
        {"date": "yesterday"},
        {"date": "Mon, 32 Nov 2026 10:00:00 GMT"},
        {"date": "Mon, 01 Jan 99999999999 10:00:00 GMT"},
        {"date": "0" * 1_000_000},
        {"date": "Mon, 23 Nov 2026 25:61:61 +9999"},
        {**date(NOW + 60_000), "age": "60"},
    ],
    ids=lambda headers: str(headers)[:30],
)
def test_an_answer_without_a_usable_date_says_nothing(headers: dict[str, str]) -> None:
    measured = ClockDifference()
    measured.answered(headers, NOW, NOW)
    assert measured.ms is None


async def test_a_client_measures_with_each_answer_also_with_errors() -> None:
    clock = ManualClock()

    def refuse(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(500, headers=date(clock.now_ms() - 90_000))

    client = Client(Endpoint("http://fake"), clock, transport=Canned(refuse))
    with pytest.raises(Exception, match="500"):
        await client.send(ListCalls())
    assert client.clock_difference.ms is not None
    assert abs(client.clock_difference.ms + 90_000) <= 1500
    await client.close()


async def test_an_engine_tells_the_difference_of_the_service_that_it_follows() -> None:
    rig = Rig()
    assert rig.engine.clock_difference is None, "nothing was answered yet"
    me = httpx.Response(200, json={"user": {"id": "u1"}}, headers=date(rig.clock.now_ms() + 30_000))
    rig.service.answer = lambda request: me if request.url.path == "/users/current" else None
    async with rig:
        assert rig.engine.clock_difference is not None
        assert abs(rig.engine.clock_difference - 30_000) <= 1500
