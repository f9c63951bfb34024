"""An undetected change of a byte in transit is eventually corrected."""

from __future__ import annotations

import json

import httpx
import pytest

from console.api.errors import BadAnswer
from console.api.events import DAMAGED, Event
from console.live.delta import Freshness
from console.live.resync import ListRequests, Resync
from console.records.raw import Json
from tests.live.fake_service import Rig, at, live

LONGEST = 40.0
"""Seconds until a visible kind has been listed in full again without any sign of damage."""
SHOWN_INTERVAL = 3.0
"""Seconds in which a polled list that is shown is listed again."""
SOON = 6.0
"""Seconds until it has after a sign of damage."""


def damaged(event: Event) -> list[Event]:
    """Change one letter of a row in transit; the event is still valid JSON and in sequence."""
    body = bytes(event.body).replace(b"ringing", b"rimging")
    return [Event(event.offset, event.after, event.topic, event.kind, event.key, Json(body))]


class Tagged:
    """Answers lists with ETags as services do, and damages some rows in transit."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.damages = False
        self.full = self.unchanged = 0
        """Number of lists that were sent, and of those that the caller had already."""
        rig.service.answer = self.answer

    def answer(self, request: httpx.Request) -> httpx.Response | None:
        if request.url.path != "/calls":
            return None
        rows = json.dumps(list(self._rig.service.rows.values()))
        tag = f'"{hash(rows)}"'
        made = self._rig.service.stamped([])
        made.headers["ETag"] = tag
        if request.headers.get("if-none-match") == tag:
            self.unchanged += 1
            return httpx.Response(304, headers=made.headers)
        self.full += 1
        body = rows.replace("ringing", "rimging") if self.damages else rows
        del made.headers["content-length"]
        return httpx.Response(200, headers=made.headers, content=body.encode())


@pytest.mark.parametrize("events", [True, False], ids=["live", "polled"])
async def test_a_list_changed_in_transit_is_corrected_later(events: bool) -> None:
    rig = Rig(events=events)
    tagged = Tagged(rig)
    rig.service.put("a", state="ringing")
    tagged.damages = True
    async with rig.show():
        tagged.damages = False
        assert rig.shown() != rig.service.rows
        await rig.pass_time(LONGEST)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is (Freshness.LIVE if events else Freshness.POLLING)
        assert tagged.full == 2


async def test_a_row_without_a_readable_id_is_corrected_like_a_polled_one() -> None:
    rig = Rig()
    rig.service.put("a", state="ringing")
    rig.service.put("b", state="ringing")
    rig.service.rows["a"]["id"] = ["a"]
    async with rig.show():
        await live(rig)
        assert [key.startswith("unreadable-") for key in rig.shown()] == [True, False]
        rig.service.remove("a")
        await rig.pass_time(SHOWN_INTERVAL)
        assert [*rig.shown()] == ["b"]
        lists = rig.service.lists
        await rig.pass_time(SHOWN_INTERVAL)
        assert rig.service.lists == lists, "without such rows, events suffice"


@pytest.mark.parametrize("tag", ['"\ufffd"', '"\x01"', "x" * 5_000], ids=["not ASCII", "control", "long"])
async def test_an_etag_changed_in_transit_does_not_stop_the_polling(tag: str) -> None:
    rig = Rig(events=False)
    rig.service.put("a", state="ringing")
    sent: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response | None:
        sent.append(request.headers.get("if-none-match"))
        return httpx.Response(200, headers=[(b"etag", tag.encode())], json=list(rig.service.rows.values()))

    rig.service.answer = at("/calls", answer)
    async with rig.show():
        rig.service.put("a", state="connected")
        await rig.pass_time(3)
        assert sent == [None, None]
        assert rig.shown() == rig.service.rows


async def test_a_list_that_failed_is_requested_in_full_next_time() -> None:
    rig = Rig(events=False)
    tagged = Tagged(rig)
    rig.service.put("a", state="ringing")
    sent: list[str | None] = []

    def refuse_tags(request: httpx.Request) -> httpx.Response | None:
        sent.append(request.headers.get("if-none-match"))
        return httpx.Response(400, json={"message": "bad header"}) if sent[-1] else tagged.answer(request)

    rig.service.answer = at("/calls", refuse_tags)
    async with rig.show():
        await rig.pass_time(8)
        assert rig.engine.health("calls").state is Freshness.POLLING
        assert sent[:3] == [None, sent[1], None]
        assert sent[1] is not None


async def test_an_event_changed_in_transit_is_corrected_later() -> None:
    rig = Rig()
    async with rig.show():
        rig.service.bend = damaged
        rig.service.put("a", state="ringing")
        rig.service.bend = lambda event: [event]
        await rig.pass_time(1)
        assert rig.shown() != rig.service.rows
        await rig.pass_time(LONGEST)
        assert rig.shown() == rig.service.rows
        assert rig.service.lists == 2
        assert rig.service.connects == 1


async def test_an_event_changed_in_transit_is_corrected_soon_after_a_sign_of_damage() -> None:
    rig = Rig()
    async with rig.show():
        rig.service.bend = damaged
        rig.service.put("a", state="ringing")
        rig.service.bend = lambda event: [event]
        rig.service.channels[0].queue.put_nowait(DAMAGED)
        await rig.pass_time(SOON)
        assert rig.shown() == rig.service.rows
        assert rig.service.lists == 2
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_broken_channel_is_a_sign_of_damage() -> None:
    rig = Rig()
    tagged = Tagged(rig)
    rig.service.put("a", state="ringing")
    tagged.damages = True
    async with rig.show():
        tagged.damages = False
        rig.service.hang_up(BadAnswer("no WebSocket", operation="events"))
        await rig.pass_time(SOON)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE


@pytest.mark.parametrize("fault", [httpx.Response(404), httpx.RemoteProtocolError("not HTTP")], ids=["404", "broken"])
@pytest.mark.parametrize("kind", ["calls", "groups"])
async def test_a_failing_list_is_a_sign_of_damage_for_all_lists(
    kind: str, fault: httpx.Response | httpx.RemoteProtocolError
) -> None:
    rig = Rig("calls", "groups")
    refuses: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response | None:
        if request.url.path == f"/{refuses[0]}" if refuses else False:
            refuses.clear()
            if isinstance(fault, httpx.RemoteProtocolError):
                raise fault
            return fault
        return rig.service.stamped([{"id": "g"}]) if request.url.path == "/groups" else None

    rig.service.answer = answer
    for follower in rig.engine.followers.values():
        follower.want(shown=True)
    async with rig:
        rig.service.bend = damaged
        rig.service.put("a", state="ringing")
        rig.service.bend = lambda event: [event]
        refuses.append(kind)
        rig.engine.followers[kind].refresh()
        await rig.pass_time(SOON + 6)
        assert not refuses
        assert rig.shown() == rig.service.rows
        assert rig.engine.health(kind).state is Freshness.LIVE


async def test_one_refusal_does_not_leave_a_partial_list_forever() -> None:
    rig = Rig("presence")
    refused: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response | None:
        if "allUsers" in request.url.params:
            if not refused:
                refused.append(request.url.query.decode())
                return httpx.Response(404, json={"message": "no such thing"})
            return rig.service.stamped([{"address": "ana"}, {"address": "eva"}])
        return rig.service.stamped([{"address": "ana"}])

    rig.service.answer = at("/presence", answer)
    rig.service.topics = ("presence",)
    rig.show("presence")
    async with rig:
        assert [*rig.shown("presence")] == ["ana"]
        await rig.pass_time(SOON)
        assert [*rig.shown("presence")] == ["ana", "eva"]
        assert rig.engine.health("presence").state is Freshness.LIVE


def test_a_permanently_refused_request_is_retried_less_and_less_often() -> None:
    ways = ListRequests()
    tried: list[int] = []
    for number in range(200):
        ways.begin(full=True)
        if ways.way == 0:
            tried.append(number)
            ways.way = 1
        assert ways.listed() == (number == 0)
    assert tried == [0, 1, 3, 7, 15, 31, 63, 127, 191]


async def test_topics_that_a_service_omits_are_requested_once_more() -> None:
    rig = Rig("calls", "groups")
    for follower in rig.engine.followers.values():
        follower.want(shown=True)
    rig.service.answer = at("/groups", lambda _: rig.service.stamped([]))
    async with rig:
        assert rig.engine.health("groups").state is Freshness.LIVE
        rig.service.topics = ("calls",)
        rig.service.hang_up()
        await rig.pass_time(1)
        assert rig.engine.health("groups").state is Freshness.POLLING
        rig.service.topics = ("calls", "groups")
        await rig.pass_time(SOON)
        assert rig.engine.health("groups").state is Freshness.LIVE
        rig.service.topics = ("calls",)
        connects = rig.service.connects
        rig.service.hang_up()
        await rig.pass_time(60)
        assert rig.service.connects == connects + 2, "topics that stay away are asked for once"
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.engine.health("groups").state is Freshness.POLLING


def test_full_lists_follow_the_last_sign_of_damage_and_are_never_later_than_without() -> None:
    resync = Resync(lot=lambda: 0.5)
    resync.listed(0.0, 1.0, shown=True)
    regular = resync.due
    assert regular == 31.0
    for second in range(2, 30):
        resync.suspect(float(second))
        assert resync.due == min(regular, second + 3.0)
    resync.listed(28.0, 28.5, shown=True)
    assert resync.due == 32.0, "what was begun before the last sign may be damaged as well"
    resync.listed(32.0, 32.5, shown=True)
    assert resync.due == 62.5
    resync.pace(shown=False)
    assert resync.due == 332.5


def test_full_lists_do_not_occupy_a_slow_connection() -> None:
    resync = Resync(lot=lambda: 0.5)
    resync.listed(0.0, 10.0, shown=True)
    assert resync.due == 210.0
