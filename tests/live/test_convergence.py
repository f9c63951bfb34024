"""Whatever the network does, the rows shown converge to those of the service, with a correct age."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.api.errors import BadCertificate, LoginNeeded, NotOffered, Unreachable
from console.api.events import Event
from console.live import list_differ
from console.live.delta import Freshness
from console.live.engine import DOUBT_SECONDS
from console.records.record import Record, read_all
from tests.examples import EXAMPLES
from tests.live.fake_service import Rig, at, live
from tests.live.until import settled, until_async
from tests.patience import PATIENCE


async def test_events_during_a_list_request_apply_only_after_its_offset() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="1")

        def while_listing(request: httpx.Request) -> httpx.Response | None:
            rig.service.answer = lambda _request: None
            rig.service.put("a", state="2")
            answer = rig.service.stamped([{"id": "a", "state": "2"}])
            rig.service.put("a", state="3")
            rig.service.put("b", state="1")
            return answer

        rig.service.answer = at("/calls", while_listing)
        await live(rig)
        assert rig.shown() == rig.service.rows
        assert rig.shown()["a"]["state"] == "3"


async def test_a_change_too_large_to_be_sent_is_loaded_by_a_list() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="1")
        await live(rig)
        rig.service.bend = as_relist
        rig.service.put("a", state="2")
        await settled()
        assert rig.engine.health("calls").state is Freshness.POLLING
        assert rig.engine.channel.facts.open
        await rig.pass_time(1.0)
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown()["a"]["state"] == "2"
        assert rig.service.connects == 1
        rig.service.bend = lambda event: [event]
        rig.service.put("a", state="3")
        await settled()
        assert rig.shown()["a"]["state"] == "3"


async def test_a_list_older_than_an_unsent_change_is_requested_again() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="1")

        def while_listing(request: httpx.Request) -> httpx.Response | None:
            rig.service.answer = lambda _request: None
            answer = rig.service.stamped([{"id": "a", "state": "1"}])
            rig.service.bend = as_relist
            rig.service.put("a", state="2")
            return answer

        rig.service.answer = at("/calls", while_listing)
        rig.show()
        await settled(200)
        assert rig.engine.health("calls").state is Freshness.POLLING
        await rig.pass_time(1.0)
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown()["a"]["state"] == "2"


async def test_many_unsent_changes_are_loaded_by_few_lists() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.bend = as_relist
        before = rig.service.lists
        for number in range(300):
            rig.service.put("a", state=str(number))
            await rig.pass_time(0.1, step=0.1)
        assert rig.service.lists - before < 30
        await rig.pass_time(5.0)
        assert rig.shown()["a"]["state"] == "299"
        assert rig.engine.health("calls").state is Freshness.LIVE


def as_relist(event: Event) -> list[Event]:
    """Replace a change by a request to list its kind again."""
    return [Event(offset=event.offset, after=event.after, topic=event.topic, key="", kind="relist")]


async def test_a_slow_list_and_a_slow_channel_combine_in_any_order() -> None:
    for flows in range(4):
        async with Rig() as rig:
            service = rig.service
            service.put("a", state="1")
            service.put("gone", state="1")
            await live(rig)
            service.lagging = True
            service.put("a", state="2")
            service.gate.clear()
            rig.engine.followers["calls"].refresh()
            await settled()
            service.put("a", state="1")
            service.put("a", state="3")
            service.put("b", state="1")
            service.remove("gone")
            service.flow(flows)
            await settled()
            service.let_lists_through()
            await settled(200)
            service.flow()
            await settled()
            assert rig.shown() == service.rows


async def test_equal_bytes_after_a_change_and_its_reversal_are_not_mistaken_for_no_change() -> None:
    async with Rig() as rig:
        service = rig.service
        service.put("a", state="1")
        await live(rig)
        service.lagging = True
        service.put("a", state="2")
        service.put("a", state="1")
        service.gate.clear()
        rig.engine.followers["calls"].refresh()
        await settled()
        service.flow(1)
        await settled()
        assert rig.shown()["a"]["state"] == "2"
        service.let_lists_through()
        await settled(200)
        assert rig.shown()["a"]["state"] == "1"
        service.flow()
        await settled()
        assert rig.shown() == service.rows


async def test_an_event_older_than_the_list_never_reverts_a_row() -> None:
    async with Rig() as rig:
        service = rig.service
        await live(rig)
        service.lagging = True
        for state in "123":
            service.put("a", state=state)
        rig.engine.followers["calls"].refresh()
        await settled(200)
        for _ in range(3):
            service.flow(1)
            await settled()
            assert rig.shown()["a"]["state"] == "3"


async def test_an_event_applied_while_a_list_is_parsed_is_superseded_by_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, go_on = threading.Event(), threading.Event()
    async with Rig() as rig:
        service = rig.service
        follower = rig.engine.followers["calls"]
        service.put("a", state="1")
        await live(rig)
        service.lagging = True
        service.put("a", state="2")
        service.put("a", state="1")
        for number in range(300):
            service.put(f"c{number}", target="x" * 1000)

        def slow(kind: type[Record], rows: Sequence[bytes], keys: Iterable[str] | None = None) -> list[Record]:
            if threading.current_thread() is not threading.main_thread():
                reading.set()
                assert go_on.wait(PATIENCE)
            return read_all(kind, rows, keys)

        monkeypatch.setattr(list_differ, "read_all", slow)
        follower.refresh()
        await until_async(reading.is_set)
        service.flow(1)
        await settled(seconds=0)
        assert rig.shown()["a"]["state"] == "2"
        go_on.set()
        await until_async(lambda: len(rig.shown()) == 301)
        assert rig.shown()["a"]["state"] == "1"


async def test_a_list_from_before_the_channel_opened_is_not_combined() -> None:
    async with Rig() as rig:
        service = rig.service
        service.put("a", state="1")
        rig.show()
        service.gate.clear()
        rig.engine.followers["calls"].refresh()
        await settled()
        service.hang_up()
        service.put("a", state="2")
        await rig.pass_time(1)
        service.let_lists_through()
        await rig.pass_time(1)
        assert rig.shown() == service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_list_of_another_epoch_is_not_combined() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.epoch = "two"
        rig.service.offset = 100
        rig.engine.followers["calls"].refresh()
        await settled(200)
        assert rig.engine.health("calls").state is Freshness.POLLING
        rig.service.put("a")
        await rig.pass_time(5)
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown() == rig.service.rows


async def test_a_list_older_than_the_channel_is_requested_again() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="1")
        rig.service.put("a", state="2")
        old = [True]

        def replica(request: httpx.Request) -> httpx.Response | None:
            if request.url.path == "/calls" and old[0]:
                old[0] = False
                return rig.service.stamped([{"id": "a", "state": "1"}], offset=1)
            return None

        rig.service.hang_up()
        await rig.pass_time(1)
        rig.service.answer = replica
        rig.show()
        await rig.pass_time(4)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_two_thousand_events_cause_a_few_changes_and_no_list() -> None:
    async with Rig() as rig:
        await live(rig)
        collection = rig.engine.followers["calls"].collection
        before = collection.version
        for number in range(2_000):
            rig.service.put(f"c{number % 500}", state=str(number))
        await settled()
        delta = collection.delta(before)
        assert len(delta.upserts) == 500
        assert rig.shown() == rig.service.rows
        assert collection.version - before < 50
        assert rig.service.lists == 1


def bent(fault: str) -> Callable[[Event], list[Event]]:
    """Return a function from an event to those that the channel sends under a fault."""
    held: list[Event] = []

    def bend(event: Event) -> list[Event]:
        if fault == "drop":
            return []
        if fault == "double":
            return [event, event]
        held.append(event)
        if len(held) < 2:
            return []
        swapped = held[::-1]
        held.clear()
        return swapped

    return bend


@pytest.mark.parametrize(("fault", "keys"), [("drop", "b"), ("double", "abcd"), ("swap", "abcd"), ("drop", "d")])
async def test_lost_repeated_and_reordered_events_are_detected(fault: str, keys: str) -> None:
    async with Rig() as rig:
        await live(rig)
        faulty = bent(fault)
        rig.service.bend = lambda event: faulty(event) if event.key in keys else [event]
        for key in "abcd":
            rig.service.put(key, state="ringing")
        await settled()
        rig.service.bend = lambda event: [event]
        await rig.pass_time(4)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_another_epoch_causes_a_new_list() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="1")
        await live(rig)
        rig.service.begin_anew()
        rig.service.rows = {"z": {"id": "z", "state": "9"}}
        await rig.pass_time(4)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_reset_causes_a_new_list() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.rows = {"z": {"id": "z"}}
        rig.service.reset()
        await settled(200)
        assert rig.shown() == rig.service.rows


async def test_live_is_shown_only_with_a_confirmation_at_most_six_seconds_old() -> None:
    async with Rig() as rig:
        await live(rig)
        for _ in range(12):
            rig.clock.advance(0.5)
            health = rig.engine.health("calls")
            assert health.age is not None
            assert (health.state is Freshness.LIVE) == (health.age < 6.0)
        assert rig.engine.health("calls").state is Freshness.STALE
        assert rig.engine.link().state is Freshness.STALE


async def test_a_dead_connection_is_closed_after_nine_seconds_and_replaced() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.put("a")
        await settled()
        await rig.pass_time(8, beats=False)
        assert rig.service.connects == 1
        await rig.pass_time(2, beats=False)
        assert rig.service.connects == 2
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_heartbeats_with_old_offsets_do_not_keep_a_list_live() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.put("a")
        await settled()
        for channel in rig.service.channels:
            channel.after = 0
        await rig.pass_time(7)
        assert rig.engine.health("calls").state is not Freshness.LIVE


async def test_after_suspension_or_a_clock_jump_the_list_is_loaded_again() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.clock.jump(60_000)
        await rig.pass_time(2)
        assert rig.service.connects == 2


async def test_rows_stay_with_their_age_while_the_service_is_unavailable() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="1")
        await live(rig)
        rig.service.reachable = False
        rig.service.hang_up()
        await rig.pass_time(20)
        health = rig.engine.health("calls")
        assert health.state is Freshness.OFFLINE
        assert health.age is not None
        assert 19 <= health.age <= 21
        assert health.retry_in is not None
        assert health.retry_in <= 4.5
        assert rig.engine.link().state is Freshness.OFFLINE
        assert rig.shown() == rig.service.rows
        rig.service.rows = {"b": {"id": "b"}}
        rig.service.reachable = True
        await rig.pass_time(5)
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown() == rig.service.rows


async def test_a_service_that_accepts_and_closes_is_not_flooded() -> None:
    async with Rig() as rig:
        rig.show()
        for _ in range(120):
            rig.service.hang_up()
            await rig.pass_time(0.5)
        assert rig.service.connects <= 12
        before = rig.service.connects
        for _ in range(120):
            rig.service.hang_up()
            await rig.pass_time(0.5)
        assert rig.service.connects - before <= 12


async def test_a_temporarily_refused_login_recovers_by_itself() -> None:
    rig = Rig()
    rig.service.refuse_stream = lambda: LoginNeeded("who are you")
    async with rig:
        rig.show()
        await settled(200)
        assert rig.engine.fatal_state is None
        health = rig.engine.link()
        assert (health.state, health.reason) == (Freshness.OFFLINE, "the login has ended")
        assert health.retry_in is not None
        rig.service.refuse_stream = lambda: None
        await rig.pass_time(health.retry_in + 0.5)
        assert rig.engine.fatal_state is None
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_channel_that_refuses_a_login_the_lists_accept_is_replaced_by_polling_without_a_flood() -> None:
    rig = Rig()
    rig.service.refuse_stream = lambda: LoginNeeded("who are you")
    async with rig:
        rig.show()
        await settled(200)
        await rig.pass_time(60)
        assert rig.service.connects == 2
        assert rig.engine.fatal_state is None
        assert rig.engine.health("calls").state is Freshness.POLLING
        rig.service.refuse_stream = lambda: None
        rig.engine.refresh()
        await settled(200)
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_login_refused_repeatedly_is_fatal_until_a_new_login() -> None:
    rig = Rig()
    async with rig:
        await live(rig)
        assert rig.engine.health("calls").state is Freshness.LIVE
        rig.service.answer = lambda _request: httpx.Response(401, json={"message": "who are you"})
        rig.engine.refresh()
        await settled()
        assert rig.engine.fatal_state is None
        await rig.pass_time(sum(DOUBT_SECONDS) + 0.5)
        assert rig.engine.fatal_state is not None
        assert rig.engine.fatal_state.kind == "login"
        assert rig.engine.link().state is Freshness.REFUSED
        rig.service.answer = lambda _request: None
        rig.engine.retry()
        await settled(200)
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_bad_certificate_on_the_channel_is_fatal_at_once() -> None:
    rig = Rig()
    rig.service.refuse_stream = lambda: BadCertificate("the service's certificate is not trusted: expired")
    async with rig:
        rig.show()
        await settled(200)
        await rig.pass_time(60)
        assert rig.service.connects == 1
        assert rig.engine.fatal_state is not None
        assert (rig.engine.fatal_state.kind, "expired" in rig.engine.fatal_state.reason) == ("certificate", True)


async def test_without_a_channel_it_polls_and_reports_so() -> None:
    rig = Rig()
    rig.service.refuse_stream = lambda: NotOffered("no events here")
    async with rig:
        rig.service.put("a", state="1")
        rig.show()
        await settled(200)
        await rig.pass_time(1)
        assert rig.engine.health("calls").state is Freshness.POLLING
        rig.service.put("a", state="2")
        await rig.pass_time(2.5)
        assert rig.shown() == rig.service.rows
        assert rig.service.connects == 1
        rig.engine.followers["calls"].want(shown=False)
        before = rig.service.lists
        await rig.pass_time(60)
        assert 3 <= rig.service.lists - before <= 5


async def test_lists_without_offsets_are_polled_and_never_live() -> None:
    async with Rig() as rig:
        rig.service.offsets = False
        rig.show()
        await settled(200)
        await rig.pass_time(10)
        assert rig.engine.health("calls").state is Freshness.POLLING
        assert rig.engine.link().state is Freshness.LIVE
        assert rig.service.lists >= 4


async def test_a_refused_kind_has_a_reason_and_the_others_continue() -> None:
    async with Rig("calls", "users") as rig:
        rig.service.answer = at("/calls", lambda _: httpx.Response(403, json={"message": "admins only"}))
        rig.service.topics = ("calls", "users")
        for kind in ("calls", "users"):
            rig.engine.followers[kind].want(shown=True)
        await settled(200)
        health = rig.engine.health("calls")
        assert (health.state, health.reason) == (Freshness.REFUSED, "admins only")
        assert rig.engine.link().state is Freshness.LIVE
        lists = rig.service.lists
        await rig.pass_time(30)
        assert rig.service.lists == lists


async def test_a_list_that_fails_on_a_later_page_keeps_the_known_rows() -> None:
    async with Rig("users") as rig:
        fail = [False]

        def pages(request: httpx.Request) -> httpx.Response | None:
            after = request.url.params.get("page[after]")
            if after is not None and fail[0]:
                return httpx.Response(500, json={"message": "broken"})
            if after is None:
                data: Any = {"data": [{"id": "u1"}, {"id": "u2"}], "meta": {"page": {"next": "cur"}}}
            else:
                data = {"data": [{"id": "u3"}], "meta": {"page": {"next": None}}}
            return rig.service.stamped(data)

        rig.service.answer = at("/users/page", pages)
        rig.show("users")
        await settled(200)
        assert set(rig.shown("users")) == {"u1", "u2", "u3"}
        fail[0] = True
        rig.engine.followers["users"].refresh()
        rig.service.hang_up()
        rig.service.refuse_stream = lambda: Unreachable("gone")
        await rig.pass_time(3)
        assert set(rig.shown("users")) == {"u1", "u2", "u3"}
        health = rig.engine.health("users")
        assert (health.state, health.reason) == (Freshness.STALE, "broken")


async def test_a_list_that_lost_most_rows_is_requested_twice() -> None:
    async with Rig(events=False) as rig:
        for number in range(20):
            rig.service.put(f"c{number}")
        rig.show()
        await settled(200)
        once = [True]

        def hiccup(request: httpx.Request) -> httpx.Response | None:
            if request.url.path == "/calls" and once[0]:
                once[0] = False
                return rig.service.stamped([])
            return None

        rig.service.answer = hiccup
        await rig.pass_time(3)
        assert len(rig.shown()) == 20
        rig.service.rows.clear()
        await rig.pass_time(3)
        assert rig.shown() == {}


async def test_an_invalid_row_affects_only_itself() -> None:
    async with Rig() as rig:
        await live(rig)
        rig.service.put("a", state=["not", "a", "state"], caller="ana")
        rig.service.rows["odd"] = {"id": "odd"}
        await settled()
        record = rig.engine.followers["calls"].collection.snapshot()["a"]
        assert "state" in record.faults
        rig.service.answer = at("/calls", lambda _: rig.service.stamped([{"id": "a"}, 17, {"nothing": 1}]))
        rig.engine.followers["calls"].refresh()
        await settled(200)
        assert len(rig.shown()) == 3


HAPPENINGS = (
    "put put put remove drop double swap hang_up away back reset epoch quiet time fail list lag flow trickle slow let"
)
STEPS = st.lists(st.sampled_from(HAPPENINGS.split(" ")), max_size=40)


@settings(max_examples=2 * EXAMPLES)
@given(STEPS, st.integers(0, 1000))
def test_the_list_is_correct_after_any_sequence_of_events(story: list[str], seed: int) -> None:
    asyncio.run(_tell(story, seed))


async def _tell(story: list[str], seed: int) -> None:
    lot = random.Random(seed)
    async with Rig() as rig:
        rig.show()
        service = rig.service
        for step in story:
            service.bend = lambda event: [event]
            match step:
                case "put":
                    service.put(f"c{lot.randrange(6)}", state=str(lot.random()))
                case "remove":
                    service.remove(f"c{lot.randrange(6)}")
                case "drop" | "double" | "swap":
                    service.bend = bent(step)
                    service.put(f"c{lot.randrange(6)}", state=str(lot.random()))
                    service.put(f"c{lot.randrange(6)}", state=str(lot.random()))
                case "hang_up":
                    service.hang_up()
                case "away":
                    service.reachable = False
                    service.hang_up()
                case "back":
                    service.reachable = True
                case "reset":
                    service.reset()
                case "epoch":
                    service.begin_anew()
                    service.rows.pop(f"c{lot.randrange(6)}", None)
                case "quiet":
                    await rig.pass_time(lot.choice([1, 7, 10]), beats=False)
                case "fail":
                    service.answer = lambda request: httpx.Response(lot.choice([500, 503, 200, 429]))
                case "lag":
                    service.lagging = True
                case "flow":
                    service.flow()
                case "trickle":
                    service.flow(1)
                case "slow":
                    service.gate.clear()
                    rig.engine.followers["calls"].refresh()
                    await settled(10)
                case "let":
                    service.let_lists_through()
                case "list":
                    rig.engine.followers["calls"].refresh()
                case _:
                    await rig.pass_time(lot.choice([0.5, 2, 5]))
            if lot.random() < 0.5:
                await settled(lot.randrange(5))
            health = rig.engine.health("calls")
            if health.state is Freshness.LIVE:
                assert health.age is not None
                assert health.age < 6.0
        service.bend = lambda event: [event]
        service.answer = lambda _request: None
        service.reachable = True
        service.flow()
        service.let_lists_through()
        await rig.pass_time(20)
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown() == service.rows


async def test_a_notice_changes_no_list_and_causes_no_gap() -> None:
    async with Rig() as rig:
        rig.service.put("a", state="ringing")
        await live(rig)
        rig.service.notify("a", {"id": "a", "state": "of then"})
        rig.service.notify("b", {"id": "b", "state": "of others"})
        rig.service.put("a", state="connected")
        await settled()
        assert rig.shown() == {"a": {"id": "a", "state": "connected"}}
        assert rig.service.lists == 1
