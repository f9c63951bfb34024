"""Hints of a foreign channel: lists are asked again soon, but not often, and stay the only truth."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator

import httpx
import pytest

from console.api.errors import ApiError, LoginNeeded, NotOffered, Unreachable
from console.api.events import Event, Hint, Subscribed
from console.live.delta import Freshness
from console.records.raw import Json
from tests.live.fake_service import Rig
from tests.live.until import settled

QUIET = 30.0


def hinting() -> Rig:
    """Return an engine whose channel gives hints, with lists without points."""
    rig = Rig("calls", quiet=QUIET)
    rig.service.greets = rig.service.offsets = False
    rig.service.put("c1", state="queued")
    rig.show()
    return rig


@pytest.fixture
async def rig() -> AsyncGenerator[Rig]:
    async with hinting() as running:
        await running.pass_time(0.4, step=0.1)
        yield running


def badge(rig: Rig) -> Freshness:
    return rig.engine.health("calls").state


@pytest.mark.parametrize("shown", [True, False], ids=["shown", "hidden"])
async def test_a_change_is_known_within_a_second_of_its_hint(rig: Rig, shown: bool) -> None:
    rig.engine.followers["calls"].want(shown=shown)
    lists = rig.service.lists
    rig.service.rows["c2"] = {"id": "c2", "state": "queued"}
    rig.service.hint("calls")
    await rig.pass_time(0.4, step=0.1)
    assert rig.service.lists == lists + 1
    assert rig.shown() == rig.service.rows


async def test_the_state_stays_polling_whatever_is_hinted(rig: Rig) -> None:
    for _ in range(10):
        rig.service.hint("calls")
        await rig.pass_time(0.5)
        assert badge(rig) is rig.engine.link().state is Freshness.POLLING
    await rig.pass_time(0.5)
    rig.service.hang_up()
    await settled()
    assert badge(rig) is rig.engine.link().state is Freshness.POLLING


async def test_ten_thousand_hints_cause_at_most_four_lists_a_second(rig: Rig) -> None:
    before = rig.service.lists
    for _ in range(100):
        rig.service.hint("calls", times=100)
        await rig.pass_time(0.02, step=0.02)
    caused = rig.service.lists - before
    assert 4 <= caused <= 8


async def test_a_hint_during_a_list_is_not_followed_by_another_list_at_once(rig: Rig) -> None:
    rig.service.gate.clear()
    before = rig.service.lists
    rig.service.hint("calls")
    await settled()
    rig.service.hint("calls")
    await settled()
    rig.service.let_lists_through()
    await settled()
    assert rig.service.lists == before + 1
    await rig.pass_time(0.4, step=0.1)
    assert rig.service.lists == before + 2


async def test_the_last_hint_is_followed_by_a_list_that_began_after_it(rig: Rig) -> None:
    rig.service.gate.clear()
    rig.service.hint("calls")
    await rig.pass_time(0.5, step=0.1)
    before = rig.service.lists
    rig.service.rows["c2"] = {"id": "c2", "state": "queued"}
    rig.service.hint("calls")
    await settled()
    rig.service.let_lists_through()
    await rig.pass_time(1.5, step=0.1)
    assert rig.service.lists > before
    assert "c2" in rig.shown()


async def test_a_hint_does_not_shorten_the_delay_after_an_error(rig: Rig) -> None:
    rig.service.answer = lambda _request: httpx.Response(503, headers={"Retry-After": "20"})
    await rig.pass_time(3)
    assert rig.engine.health("calls").state is Freshness.STALE
    refused: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response | None:
        refused.append(request.url.path)
        return httpx.Response(503, headers={"Retry-After": "20"})

    rig.service.answer = answer
    rig.service.hint("calls", times=50)
    await rig.pass_time(5)
    assert not refused


async def test_hints_of_unknown_lists_and_lists_that_nobody_looks_at_do_nothing(rig: Rig) -> None:
    before = rig.service.lists
    rig.service.hint("nowhere", "users")
    await rig.pass_time(0.5, step=0.1)
    assert rig.service.lists == before


async def test_silence_reopens_the_channel(rig: Rig) -> None:
    opened = rig.service.connects
    await rig.pass_time(QUIET - 5, beats=False)
    assert rig.service.connects == opened
    rig.service.hint()
    await rig.pass_time(QUIET - 5, beats=False)
    assert rig.service.connects == opened
    await rig.pass_time(8, beats=False)
    assert rig.service.connects == opened + 1


async def test_hints_missed_while_the_channel_was_closed_are_made_up_for(rig: Rig) -> None:
    rig.engine.followers["calls"].want(shown=False)
    await rig.pass_time(3)
    rig.service.hang_up()
    rig.service.rows["c2"] = {"id": "c2", "state": "queued"}
    await rig.pass_time(1, step=0.1)
    assert "c2" in rig.shown()


async def test_a_channel_that_lasted_is_reopened_soon_whatever_was_before(rig: Rig) -> None:
    rig.service.refuse_stream = lambda: Unreachable("closed", operation="events")
    rig.service.hang_up()
    await rig.pass_time(30)
    rig.service.refuse_stream = lambda: None
    await rig.pass_time(40)
    opened = rig.service.connects
    rig.service.hang_up()
    await rig.pass_time(0.5, step=0.1)
    assert rig.service.connects == opened + 1


async def test_a_login_that_ended_is_renewed_and_the_channel_reopened(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed: list[str] = []

    async def renew() -> bool:
        renewed.append("renewed")
        return True

    monkeypatch.setattr(rig.engine, "renew_login", renew)
    opened = rig.service.connects
    rig.service.hang_up(LoginNeeded("who are you?", operation="events"))
    await rig.pass_time(2)
    assert (renewed, rig.service.connects) == (["renewed"], opened + 1)
    assert badge(rig) is Freshness.POLLING


@pytest.mark.parametrize("worked", [False, True])
async def test_a_channel_that_does_not_exist_is_not_tried_again_unless_it_worked(worked: bool) -> None:
    rig = hinting()
    missing = NotOffered("no event channel here", operation="events")
    rig.service.refuse_stream = lambda: None if worked else missing
    async with rig:
        await rig.pass_time(2)
        rig.service.refuse_stream = lambda: missing
        rig.service.hang_up(missing)
        await rig.pass_time(5)
        opened = rig.service.connects
        assert rig.engine.health("calls").reason == "no event channel here"
        await rig.pass_time(40)
        assert (rig.service.connects > opened) == worked
        assert badge(rig) is Freshness.POLLING


async def test_frames_that_are_not_understood_are_counted(rig: Rig) -> None:
    rig.service.channels[0].queue.put_nowait(Hint((), frames=7, skipped=5))
    rig.service.channels[0].queue.put_nowait(Hint(("calls",), frames=3, skipped=1))
    await rig.pass_time(0.5, step=0.1)
    assert rig.engine.health("calls").reason == "6 of 10 frames on the event channel not understood"


async def test_a_channel_that_breaks_again_and_again_is_reopened_ever_more_slowly() -> None:
    rig = hinting()
    rig.service.closes_with = lambda: Unreachable("closed", operation="events")
    async with rig:
        await rig.pass_time(60, step=0.25)
        assert 4 <= rig.service.connects <= 14
        assert badge(rig) is Freshness.POLLING


def told(key: str, state: str = "queued") -> Event:
    body = Json(json.dumps({"id": key, "state": state}).encode())
    return Event(offset=0, after=0, topic="calls", kind="upsert", key=key, body=body)


async def test_a_row_without_proof_is_shown_at_once_until_the_list_disagrees(rig: Rig) -> None:
    await rig.pass_time(2.1, step=0.1)
    lists = rig.service.lists
    rig.service.channels[0].queue.put_nowait(told("c2"))
    await settled()
    assert rig.service.lists == lists
    assert set(rig.shown()) == {"c1", "c2"}
    assert badge(rig) is Freshness.POLLING
    await rig.pass_time(3)
    assert set(rig.shown()) == {"c1"}


async def test_a_row_that_arrives_while_its_list_is_requested_is_kept(rig: Rig) -> None:
    rig.service.gate.clear()
    rig.service.hint("calls")
    await rig.pass_time(0.4, step=0.1)
    rig.service.channels[0].queue.put_nowait(told("c1", "answered"))
    rig.service.channels[0].queue.put_nowait(Event(offset=0, after=0, topic="calls", kind="remove", key="c0"))
    await settled()
    rig.service.let_lists_through()
    await settled()
    assert rig.shown()["c1"]["state"] == "answered"


@pytest.mark.parametrize("offset", [5, 0])
async def test_rows_of_a_channel_with_offsets_are_shown_if_lists_have_none(rig: Rig, offset: int) -> None:
    queue = rig.service.channels[0].queue
    queue.put_nowait(Subscribed(epoch="e", offset=4, topics=("calls",)))
    await rig.pass_time(1, step=0.1)
    body = Json(b'{"id": "c2", "state": "queued"}')
    queue.put_nowait(Event(offset=offset, after=4, topic="calls", kind="upsert", key="c2", body=body))
    await settled()
    assert set(rig.shown()) == {"c1", "c2"}
    assert badge(rig) is Freshness.POLLING


@pytest.mark.parametrize("error", [Unreachable("cut"), NotOffered("gone")])
async def test_lists_are_polled_while_the_channel_is_closed(rig: Rig, error: ApiError) -> None:
    rig.service.refuse_stream = lambda: error
    rig.service.hang_up(error)
    rig.service.rows["c9"] = {"id": "c9", "state": "queued"}
    await rig.pass_time(3)
    assert "c9" in rig.shown()
