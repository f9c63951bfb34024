"""Freshness is derived only from confirmations by the service."""

from __future__ import annotations

import asyncio
import errno
from itertools import product

import httpx
import pytest

from console.api.errors import Away
from console.live.backoff import AWAY, CAP, FIRST, SHORT_LIVED_CAP, Backoff
from console.live.delta import Freshness, Health
from console.live.engine import CHANNEL_SECONDS
from console.live.freshness import ChannelFacts, KindFacts, kind_health, link_health
from tests.for_each import for_each
from tests.live.fake_service import FakeClient, Rig, at
from tests.live.until import settled

OPEN = ChannelFacts(wanted=True, open=True, proof=100.0, since=90.0)
SHUT = ChannelFacts(wanted=True, open=False, proof=100.0, since=100.0, reason="closed", retry_at=103.0)


@for_each(
    "facts, channel, now, state",
    [
        (KindFacts(), OPEN, 101, Freshness.LOADING),
        (KindFacts(error="refused", unreachable=True), SHUT, 101, Freshness.OFFLINE),
        (KindFacts(proved=95.0, joined=True), OPEN, 105.9, Freshness.LIVE),
        (KindFacts(proved=95.0, joined=True), OPEN, 106, Freshness.STALE),
        (KindFacts(proved=105.0, joined=True), OPEN, 105.9, Freshness.LIVE),
        # A list confirms nothing about a silent channel.
        (KindFacts(proved=105.0, joined=True), OPEN, 106, Freshness.STALE),
        (KindFacts(proved=100.0, joined=False), OPEN, 101, Freshness.POLLING),
        (KindFacts(proved=100.0, joined=True), SHUT, 101, Freshness.POLLING),
        (KindFacts(proved=100.0), SHUT, 111, Freshness.STALE),
        (KindFacts(proved=100.0, error="broken"), SHUT, 101, Freshness.STALE),
        (KindFacts(proved=100.0, error="gone", unreachable=True), SHUT, 101, Freshness.OFFLINE),
        (KindFacts(proved=100.0, error="no", refused=True), OPEN, 101, Freshness.REFUSED),
    ],
)
def test_the_state_of_a_kind(facts: KindFacts, channel: ChannelFacts, now: float, state: Freshness) -> None:
    health = kind_health(facts, channel, now)
    assert health.state is state
    assert health.age is None or health.age >= 0


async def test_the_extent_of_a_kind_is_that_of_its_health() -> None:
    async with Rig() as rig:
        follower = rig.engine.followers["calls"]
        for admitted, proved, refused, cut in product((True, False), (None, 95.0), (False, True), ("", "first 5")):
            rig.engine.logged_in = admitted
            follower.facts = KindFacts(proved=proved, refused=refused, cut=cut)
            health = rig.engine.health("calls")
            assert rig.engine.extent("calls") is health.extent, (admitted, proved, refused, cut, health)


async def test_it_is_not_called_polling_before_the_event_channel_was_tried() -> None:
    rig = Rig()
    opened = rig.service.silence = asyncio.Event()
    async with rig:
        assert rig.engine.me is not None
        assert rig.engine.link() == Health(Freshness.LOADING)
        rig.clock.advance(CHANNEL_SECONDS / 2)
        await settled()
        assert rig.engine.link() == Health(Freshness.LOADING)
        rig.clock.advance(CHANNEL_SECONDS / 2)
        await settled()
        assert rig.engine.link().state is Freshness.POLLING, "the lists do not wait any longer"
        opened.set()
        await settled()
        assert rig.engine.link().state is Freshness.LIVE


@pytest.mark.parametrize(
    ("channel", "contact", "broken", "state"),
    [
        (ChannelFacts(wanted=True), None, None, Freshness.LOADING),
        (OPEN, 100.0, None, Freshness.LIVE),
        (ChannelFacts(wanted=False, reason="none here"), 100.0, None, Freshness.POLLING),
        (SHUT, 101.0, None, Freshness.POLLING),
        (SHUT, 99.0, None, Freshness.OFFLINE),
        (SHUT, 101.0, KindFacts(error="gone", unreachable=True, retry_at=102.0), Freshness.OFFLINE),
    ],
)
def test_the_state_of_the_connection(
    channel: ChannelFacts, contact: float | None, broken: KindFacts | None, state: Freshness
) -> None:
    assert link_health(channel, contact, [broken] if broken else [], 101.5).state is state


def test_the_next_attempt_is_the_earliest_one() -> None:
    broken = [KindFacts(error="gone", unreachable=True, retry_at=at) for at in (140.0, 102.0, 120.0)]
    assert link_health(SHUT, 99.0, broken, 101.5).retry_in == 0.5


def test_delays_double_up_to_a_limit_and_half_of_each_is_random() -> None:
    longest, shortest = Backoff(lot=lambda: 1.0), Backoff(lot=lambda: 0.0)
    assert [longest.failed() for _ in range(7)] == [0.25, 0.5, 1.0, 2.0, 3.0, 3.0, 3.0]
    assert [shortest.failed() for _ in range(5)] == [0.125, 0.25, 0.5, 1.0, 1.5]


def test_only_a_lasting_connection_resets_the_delay() -> None:
    backoff = Backoff(lot=lambda: 1.0)
    for _ in range(9):
        backoff.failed()
    assert backoff.failed(healthy_for=29.0) == CAP
    assert backoff.failed(healthy_for=30.0) == 0.25


def test_a_service_that_accepts_and_closes_is_retried_less_often() -> None:
    backoff = Backoff(lot=lambda: 1.0)
    waits = [backoff.failed(accepted=True) for _ in range(6)]
    assert waits[0] == 0.25
    assert waits[-1] == SHORT_LIVED_CAP


def test_a_service_that_fails_again_later_is_retried_as_soon_as_the_first_time() -> None:
    backoff = Backoff(lot=lambda: 1.0)
    waits = [backoff.failed(healthy_for=5.0, accepted=True) for _ in range(6)]
    assert max(waits) == CAP


def test_a_service_restarted_twice_in_a_row_is_retried_as_soon_as_the_first_time() -> None:
    backoff = Backoff(lot=lambda: 1.0)
    assert backoff.failed(healthy_for=60.0, accepted=True) == 0.25
    for _ in range(4):
        backoff.failed()
    assert backoff.failed(healthy_for=1.0, accepted=True) == CAP


def test_an_unavailable_service_is_retried_by_each_console_at_another_time() -> None:
    early, late = Backoff(lot=lambda: 0.0), Backoff(lot=lambda: 1.0)
    assert [early.failed(away=True), late.failed(away=True)] == [FIRST, FIRST + AWAY]
    assert [early.failed(away=True), late.failed(away=True)] == [AWAY, AWAY]
    assert late.failed(healthy_for=60.0, accepted=True) == FIRST
    assert early.failed(healthy_for=60.0, accepted=True, away=True) == FIRST


def test_a_delay_requested_by_the_service_is_respected() -> None:
    assert Backoff().failed(at_least=17.0) == 17.0


LINK = "the connection"


class Sampled:
    """The shown time of the next attempt, sampled every quarter of a second, and the real attempts."""

    def __init__(self, rig: Rig, *scopes: str) -> None:
        """`scopes` are kinds, and `LINK` for all of them with the channel."""
        self._rig = rig
        self._scopes = scopes
        self._tries = dict.fromkeys(scopes, 0)
        self.seen = 0
        """The number of times that a shown time was checked."""

    def tried(self, kind: str) -> None:
        """Record a request of a kind or the channel."""
        for scope in (LINK, kind):
            if scope in self._tries:
                self._tries[scope] += 1

    async def watch(self, seconds: float) -> None:
        """Fail if the remaining time jumps, or if an attempt is not made when it is over or is made before."""
        before: dict[str, float] = {}
        tries = dict(self._tries)
        for _ in range(round(seconds * 4)):
            now = self._said()
            for of, left in now.items():
                if of not in before or left is None:
                    continue
                self.seen += 1
                if tries[of] == self._tries[of]:
                    assert abs(left - before[of] + 0.25) < 1e-6, f"{of}: {before[of]} s were left, now {left} s"
                else:
                    assert before[of] <= 0.25, f"{of}: {before[of]} s were left when it was tried"
            before = {of: left for of, left in now.items() if left is not None}
            tries = dict(self._tries)
            await self._rig.pass_time(0.25, step=0.25)

    def _said(self) -> dict[str, float | None]:
        engine = self._rig.engine
        return {each: (engine.link() if each == LINK else engine.health(each)).retry_in for each in self._scopes}


KIND_OF = {"/calls": "calls", "/users/page": "users", "/groups/page": "groups"}


@pytest.mark.parametrize("waits", [{}, {"calls": "49", "users": "33", "groups": "17"}], ids=["gone", "busy"])
async def test_the_time_until_the_next_attempt_counts_down_evenly_and_is_correct(waits: dict[str, str]) -> None:
    kinds = ("calls", "users", "groups")
    async with Rig(*kinds) as rig:
        # A busy service is still reachable: its lists wait, the connection does not.
        sampled = Sampled(rig, *kinds, *(() if waits else (LINK,)))
        rig.service.answer = lambda request: rig.service.stamped([]) if request.url.path in KIND_OF else None
        for kind in kinds:
            rig.engine.followers[kind].want(shown=True)
        await settled()

        def refuse() -> Exception:
            sampled.tried("events")
            return Away("nobody is there")

        def answer(request: httpx.Request) -> httpx.Response | None:
            kind = KIND_OF[request.url.path]
            sampled.tried(kind)
            if not waits:
                raise httpx.ConnectError("refused") from ConnectionRefusedError(errno.ECONNREFUSED, "refused")
            return httpx.Response(503, headers={"Retry-After": waits[kind]}, json={"message": "not now"})

        rig.service.refuse_stream, rig.service.answer = refuse, answer
        rig.service.hang_up()
        await settled()
        await sampled.watch(60)
        assert sampled.seen > 100


async def test_a_list_delayed_by_a_suspected_fault_is_reported_too() -> None:
    async with Rig() as rig:
        follower = rig.engine.followers["calls"]
        rig.service.answer = at("/calls", lambda _: httpx.Response(500))
        follower.want(shown=True)
        await settled()
        rig.service.beat()
        for _ in range(5):
            follower.doubt(rig.clock.monotonic())
        before = rig.engine.health("calls").retry_in
        assert before is not None
        asked = 0

        def count(request: httpx.Request) -> httpx.Response:
            nonlocal asked
            asked += request.url.path == "/calls"
            return httpx.Response(500)

        rig.service.answer = count
        await rig.pass_time(before - 0.125, step=0.125)
        assert asked == 0
        await rig.pass_time(0.375, step=0.125)
        assert asked == 1


async def test_an_internal_error_while_logging_in_is_shown_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([RuntimeError("not foreseen")])

    def client() -> FakeClient:
        for failure in failures:
            raise failure
        return FakeClient(rig.service, rig.clock)

    rig = Rig("calls")
    monkeypatch.setattr(rig.engine, "_make_client", client)
    async with rig:
        assert (rig.engine.me, rig.engine.link().state) == (None, Freshness.OFFLINE)
        assert rig.engine.link().reason == "internal error: RuntimeError"
        await rig.pass_time(5.0)
        assert rig.engine.me is not None
        assert rig.engine.link().state is Freshness.LIVE


@pytest.mark.parametrize("events", [True, False])
async def test_the_offered_services_are_asked_for_until_there_is_an_answer(events: bool) -> None:
    rig = Rig("calls", events=events)
    answers = [httpx.Response(503), httpx.Response(200, json={"domain": ["login"]})]

    def answer(request: httpx.Request) -> httpx.Response | None:
        return answers.pop(0) if request.url.path == "/capabilities" else None

    rig.service.answer = answer
    async with rig:
        await rig.pass_time(1.0)
        assert (rig.engine.capabilities, len(answers)) == (None, 1)
        await rig.pass_time(10.0)
        assert rig.engine.capabilities is not None
        assert rig.engine.capabilities.domain == ("login",)
        assert not answers
