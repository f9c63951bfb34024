"""Reconnection: without storms or stampedes, and never given up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import httpx
import pytest

from console.api.errors import ApiError, Away, BadAnswer, NotOffered, Unreachable
from console.live.backoff import FIRST, Backoff
from console.live.delta import Freshness
from console.service.events.hub import places
from tests.faults.figures import count, record
from tests.for_each import for_each
from tests.live.fake_service import Rig, live
from tests.live.until import settled

CONSOLES = 200
ENGINES = CONSOLES if count("FAULTS_COUNT", 0) else 10
"""Number of complete consoles that reconnect; the short run tests the others by their delays alone."""


async def test_a_dead_connection_is_detected_within_ten_seconds() -> None:
    async with Rig() as rig:
        await live(rig)
        seconds = 0.0
        while rig.service.connects == 1:
            await rig.pass_time(0.1, beats=False, step=0.1)
            seconds += 0.1
        record("C3", seconds <= 10.0, f"{seconds:.1f} s", "10 s")
        assert seconds <= 10.0


@pytest.mark.parametrize("closing", [Unreachable, Away, BadAnswer], ids=lambda each: each.__name__)
@pytest.mark.parametrize("subscribed", [False, True])
async def test_a_channel_that_accepts_and_closes_is_opened_at_most_twelve_times_in_its_first_minute(
    closing: type[ApiError], subscribed: bool
) -> None:
    async with Rig() as rig:
        rig.service.greets = subscribed
        rig.service.closes_with = lambda: closing("closed", operation="events")
        rig.service.hang_up()
        rig.engine.followers["calls"].want(shown=True)
        minutes: list[int] = []
        for _ in range(3):
            before = rig.service.connects
            await rig.pass_time(60)
            minutes.append(rig.service.connects - before)
        record("C9", max(minutes) <= 12, f"{max(minutes)} in the worst of {len(minutes)} minutes", "12 a minute")
        # The first attempt precedes the first minute.
        assert minutes[0] + 1 <= 12
        assert max(minutes) <= 12
        rig.service.closes_with = lambda: None
        rig.service.greets = True
        await rig.pass_time(20)
        assert rig.engine.health("calls").state is Freshness.LIVE


@for_each("lot", [0.0, 0.5, 1.0])
@for_each("life", [0.0, 1.0, 2.5, 4.9, 5.0, 7.0, 29.0])
@for_each("away", [False, True])
def test_at_most_twelve_connections_are_opened_in_a_minute_however_long_they_last(
    lot: float, life: float, away: bool
) -> None:
    backoff, at = Backoff(lot=lambda: lot), 0.0
    begun: list[float] = []
    while at < 240:
        begun.append(at)
        at += life + backoff.failed(life, accepted=True, away=away)
    for since in begun:
        assert sum(since <= each < since + 60 for each in begun) <= 12


def busiest_second(times: Sequence[float]) -> float:
    """Return the greatest share of these times within any one second."""
    return max(sum(since <= at < since + 1.0 for at in times) for since in times) / len(times)


@pytest.mark.parametrize("announced", [False, True], ids=["killed", "stopped in good order"])
def test_two_hundred_consoles_reconnect_at_different_times(announced: bool) -> None:
    """A service disappears for all of them at once, for a while; each returns in its turn."""
    worst = latest = 0.0
    for away in (0.5, 1.0, 2.0, 5.0, 12.0, 30.0, 90.0):
        back: list[float] = []
        for number, place in zip(range(CONSOLES), places(), strict=False):
            backoff = Backoff(lot=random.Random(f"{away} {number}").random)
            backoff.place = place
            at = backoff.failed(healthy_for=60.0, accepted=True, away=announced)
            while at < away:
                at += backoff.failed(away=True)
            back.append(at - away)
        latest = max(latest, *back)
        worst = max(worst, busiest_second(back))
    ending = "after it was stopped" if announced else "after it was killed"
    record("C10", worst <= 0.25, f"{ending} {worst:.1%} of 200 in the busiest second", "25% a second")
    record("C10", latest <= 15.0, f"{ending} the last one connects {latest:.1f} s after its return", "15 s")
    assert worst <= 0.25
    assert latest <= 4.5


def test_without_a_place_from_the_service_the_delay_is_random() -> None:
    back = [Backoff(lot=random.Random(number).random).failed(away=True) for number in range(CONSOLES)]
    assert busiest_second(back) <= 1 / 3


@pytest.mark.parametrize("place", [-1.0, 2.0, 1e308, float("nan")])
def test_an_invalid_place_is_ignored(place: float) -> None:
    backoff = Backoff(lot=lambda: 0.0)
    backoff.place = place
    assert backoff.failed(away=True) == FIRST


async def test_every_console_is_live_soon_after_a_restart_of_the_service() -> None:
    back: list[float] = []
    for number, place in zip(range(ENGINES), places(), strict=False):
        async with Rig() as rig:
            rig.service.place = place
            await live(rig)
            rig.service.reachable = False
            rig.service.hang_up()
            await rig.pass_time(4, step=0.25)
            assert rig.engine.health("calls").state is Freshness.OFFLINE
            rig.service.reachable = True
            rig.service.put("a", state=f"{number}")
            seconds = 0.0
            while rig.engine.health("calls").state is not Freshness.LIVE and seconds < 60:
                await rig.pass_time(0.25, beats=False, step=0.25)
                seconds += 0.25
            assert rig.shown() == rig.service.rows
            back.append(seconds)
    record("C10", max(back) <= 15.0, f"{ENGINES} consoles all live {max(back):.1f} s after its return", "15 s")
    assert max(back) <= 5.0
    assert len(set(back)) > min(ENGINES, 16) / 4, "they come back in step"


async def test_many_errors_do_not_cause_more_requests() -> None:
    async with Rig() as rig:
        await live(rig)
        lot = random.Random(1)
        asked = [0]

        def stormy(request: httpx.Request) -> httpx.Response | None:
            asked[0] += 1
            return httpx.Response(503) if lot.random() < 0.3 else None

        rig.service.answer = stormy
        rig.engine.followers["calls"].refresh()
        rig.service.offsets = False
        for _ in range(60):
            await rig.pass_time(1.0)
        usual = 30
        record(
            "C11", asked[0] <= usual * 1.1 + 60, f"{asked[0]} requests in a minute, {usual} without errors", "+10%, 1/s"
        )
        assert asked[0] <= usual * 1.1 + 60


async def test_a_delay_requested_by_the_service_is_respected() -> None:
    for status in (429, 503):
        async with Rig() as rig:
            await live(rig)
            times: list[float] = []

            def busy(request: httpx.Request, status: int = status, times: list[float] = times) -> httpx.Response | None:
                if request.url.path != "/calls":
                    return None
                times.append(rig.clock.monotonic())
                return httpx.Response(status, headers={"Retry-After": "7"})

            rig.service.answer = busy
            rig.engine.followers["calls"].refresh()
            await rig.pass_time(40)
            waits = [later - earlier for earlier, later in pairwise(times)]
            record("C11", min(waits) >= 7.0, f"after {status} the shortest wait was {min(waits):.1f} s of 7 s", "kept")
            assert len(waits) >= 3
            assert min(waits) >= 7.0


async def test_a_channel_that_worked_once_is_retried_after_a_refusal() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.refuse_stream = lambda: NotOffered("moved")
        rig.service.hang_up()
        await rig.pass_time(30)
        assert rig.engine.health("calls").state is Freshness.POLLING
        rig.service.refuse_stream = lambda: None
        await rig.pass_time(60)
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_list_that_worked_before_is_retried_soon_after_a_refusal() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.answer = lambda request: httpx.Response(403) if request.url.path == "/calls" else None
        rig.engine.followers["calls"].refresh()
        await rig.pass_time(1)
        assert rig.engine.health("calls").state is Freshness.REFUSED
        rig.service.put("a", state="new")
        rig.service.answer = lambda _request: None
        await rig.pass_time(5)
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown() == rig.service.rows


async def test_a_list_that_claims_events_it_does_not_contain_is_detected() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.answer = lambda request: (
            rig.service.stamped(list(rig.service.rows.values()), offset=rig.service.offset + 1000)
            if request.url.path == "/calls"
            else None
        )
        rig.engine.followers["calls"].refresh()
        await settled(200)
        rig.service.answer = lambda _request: None
        rig.service.put("a", state="new")
        await rig.pass_time(10)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE
