"""Times without a zone are read in the zone of the profile, and all others as they are."""

from __future__ import annotations

import json
from zoneinfo import ZoneInfo

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.operations.traffic import ListCalls
from console.client.adaptation import with_zone
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.canned import Canned

MADRID = ZoneInfo("Europe/Madrid")
MOMENT = 1_790_000_000_000
"""21 September 2026, 16:13:20 in Madrid."""


@pytest.mark.parametrize(
    "sent",
    [
        "2026-09-21 16:13:20",
        "2026-09-21T16:13:20.000",
        [2026, 9, 21, 16, 13, 20],
        [2026, 9, 21, 16, 13, 20, 0],
        "2026-09-21T14:13:20Z",
        "2026-09-21T15:13:20+01:00",
        MOMENT,
    ],
)
async def test_a_time_is_the_same_with_and_without_a_zone(sent: object) -> None:
    answer = httpx.Response(200, json=[{"id": "a", "date": sent, "data": {"note": "at 2026-09-21 16:13:20"}}])
    client = Client(Endpoint("http://desk.example/core", times=MADRID), transport=Canned(lambda _: answer))
    client.sessions.token = "token"
    (call,) = await client.send(ListCalls())
    await client.close()
    assert call.date == MOMENT
    assert call.data == {"note": "at 2026-09-21 16:13:20"}


def test_winter_and_summer_have_their_own_offsets() -> None:
    assert with_zone(b'["2026-01-21 16:13","2026-09-21 16:13"]', MADRID) == (
        b'["2026-01-21T16:13:00+01:00","2026-09-21T16:13:00+02:00"]'
    )


@pytest.mark.parametrize(
    "sent",
    [
        {"2026-09-21 16:13:20": 1},
        "2026-13-45 16:13:20",
        "0000-00-00 00:00:00",
        "0001-01-01 00:00:00",
        'said "2026-09-21 16:13:20"',
        [2026, 9, 21, 16],
        [2026, 99, 21, 16, 13],
        [17, 18, 19, 20, 21],
    ],
)
def test_what_is_no_time_is_unchanged(sent: object) -> None:
    body = json.dumps(sent).encode()
    assert with_zone(body, MADRID) == body


@given(
    st.recursive(st.text() | st.integers() | st.none(), lambda each: st.lists(each) | st.dictionaries(st.text(), each))
)
def test_any_json_stays_json(sent: object) -> None:
    json.loads(with_zone(json.dumps(sent).encode(), MADRID))
