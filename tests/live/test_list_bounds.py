"""Lists are loaded up to a limit and say that there is more; an endless list is an error, not a wait."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from console.api.errors import ApiError, BadAnswer
from console.api.events import Point
from console.api.operations.people import PageGroups
from console.api.request import Request
from console.client.fetched import Fetched
from console.kinds.catalogue import FEEDS
from console.live import listing
from console.live.bounds import CUT_SECONDS, MOST_ROWS, Bounds, bounds_for
from console.live.collection import KnownRows
from console.live.delta import Freshness
from console.live.listing import Listed, Lister
from console.live.paging import PagedRows
from console.records.bounded import LARGEST_TEXT
from console.records.traffic import Call
from tests.live.fake_service import FakeClient, FakeService, Rig, at, live
from tests.live.until import settled

PAGES = "/groups/page"
Given = tuple[list[dict[str, Any]], str | None]
Page = Callable[[str | None], Given]


def paging(service: FakeService, page: Page) -> list[str | None]:
    """Answer groups page by page; return the list of requested cursors, which grows."""
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response | None:
        cursor = request.url.params.get("page[after]")
        asked.append(cursor)
        rows, following = page(cursor)
        return service.stamped({"data": rows, "meta": {"page": {"next": following}}})

    service.answer = at(PAGES, answer)
    return asked


def endless(size: int = 10, width: int = 0) -> Page:
    """Return pages of new rows without end."""
    numbers = count()

    def page(cursor: str | None) -> Given:
        rows = [{"groupId": f"g{next(numbers)}", "name": "x" * width} for _ in range(size)]
        return rows, f"after-{rows[-1]['groupId']}"

    return page


async def listed(service: FakeService, bounds: Bounds | None = None, kind: str = "groups") -> Listed:
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    rig = Rig()
    client = FakeClient(service, rig.clock)
    try:
        return await Lister(FEEDS[kind], client, bounds, pause=pause).list()
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("bounds", "rows", "pages"),
    [
        (Bounds(rows=35), 35, 4),
        (Bounds(rows=40), 40, 4),
        (Bounds(pages=3), 30, 3),
        (Bounds(memory=20_000), 34, 4),
    ],
    ids=["rows", "rows of whole pages", "pages", "memory"],
)
async def test_an_endless_list_is_cut_and_reported(bounds: Bounds, rows: int, pages: int) -> None:
    service = FakeService()
    asked = paging(service, endless())
    found = await listed(service, bounds)
    assert found.rows is not None
    assert (len(found.rows), len(asked)) == (rows, pages)
    assert found.cut == f"first {rows} of more rows shown"


@pytest.mark.parametrize(
    ("total", "words"), [(250, "250"), (20, "more"), (True, "more"), ("250", "more"), (None, "more")]
)
async def test_a_cut_list_names_the_total_that_the_service_tells(total: object, words: str) -> None:
    service = FakeService()
    rows = [{"groupId": f"g{number}"} for number in range(30)]
    answer = {"data": rows, "meta": {"page": {"next": "1", "total": total}}}
    service.answer = lambda _request: httpx.Response(200, json=answer)
    assert (await listed(service, Bounds(rows=20))).cut == f"first 20 of {words} rows shown"


async def test_a_list_within_the_limits_is_complete() -> None:
    service = FakeService()
    pages: list[Given] = [([{"groupId": "a"}], "1"), ([], "2"), ([{"groupId": "b"}], None)]
    paging(service, lambda _cursor: pages.pop(0))
    found = await listed(service, Bounds(rows=2))
    assert found.rows is not None
    assert ([*found.rows], found.cut) == (["a", "b"], "")


def circle() -> Iterator[Given]:
    while True:
        yield [{"groupId": "a"}], "1"
        yield [{"groupId": "b"}], "2"


def the_same_rows() -> Iterator[Given]:
    for number in count():
        yield [{"groupId": "a"}], f"{number}"


def a_long_cursor() -> Iterator[Given]:
    yield [], "x" * 100_000


def nothing() -> Iterator[Given]:
    for number in count():
        yield [], f"{number}"


@pytest.mark.parametrize(
    ("pages", "most", "words"),
    [
        (circle, 4, "repeats an earlier cursor"),
        (the_same_rows, 12, "bring no new row"),
        (nothing, 12, "bring no new row"),
        (a_long_cursor, 1, "too long"),
    ],
    ids=["pages in a circle", "the same rows again", "empty pages", "an endless cursor"],
)
async def test_a_page_cursor_that_makes_no_progress_is_an_error(
    pages: Callable[[], Iterator[Given]], most: int, words: str
) -> None:
    service = FakeService()
    each = pages()
    asked = paging(service, lambda _cursor: next(each))
    with pytest.raises(BadAnswer, match=words):
        await listed(service)
    assert len(asked) <= most


async def test_one_answer_with_too_many_rows_is_cut_as_well() -> None:
    service = FakeService()
    service.rows = {f"c{number}": {"id": f"c{number}"} for number in range(50)}
    found = await listed(service, Bounds(rows=20), "calls")
    assert found.rows is not None
    assert [*found.rows] == [f"c{number}" for number in range(20)]
    assert found.cut == "first 20 of more rows shown"
    assert (await listed(service, Bounds(rows=50), "calls")).cut == ""


@pytest.mark.parametrize("row", [b"{}", b"[]", b"null"])
async def test_rows_without_distinct_keys_count_towards_the_limit(row: bytes) -> None:
    service = FakeService()
    service.answer = lambda _request: httpx.Response(200, content=b"[" + b",".join([row] * 50) + b"]")
    assert (await listed(service, Bounds(rows=20), "calls")).cut == "first 1 of more rows shown"


def test_fifty_thousand_rows_are_within_the_limits() -> None:
    assert Bounds().rows >= MOST_ROWS >= 50_000
    assert Bounds().memory >= KnownRows({str(number): b"x" * 400 for number in range(50_000)}).memory
    more = bounds_for(200_000)
    assert (more.rows, more.memory, more.pages) == (200_000, 4 * Bounds().memory, 4 * Bounds().pages)


async def test_a_cut_list_is_marked_on_the_screen_and_never_live() -> None:
    async with Rig("groups", bounds=Bounds(rows=35)) as rig:
        asked = paging(rig.service, endless())
        rig.show("groups")
        await settled(200)
        health = rig.engine.health("groups")
        assert (health.state, health.cut) == (Freshness.POLLING, "first 35 of more rows shown")
        assert len(rig.shown("groups")) == 35
        before = len(asked)
        await rig.pass_time(CUT_SECONDS - 2)
        assert len(asked) == before, "it is not asked for again and again"


async def test_events_do_not_extend_a_list_beyond_its_limit() -> None:
    async with Rig("calls", bounds=Bounds(rows=20)) as rig:
        rig.show()
        for number in range(20):
            rig.service.put(f"c{number}")
        await settled(200)
        assert rig.engine.health("calls").state is Freshness.LIVE
        for number in range(20, 500):
            rig.service.put(f"c{number}")
            await settled(2)
        await settled(200)
        assert len(rig.shown()) <= 30
        assert rig.engine.health("calls").cut == "first 20 of more rows shown"
        rig.service.rows = {"c0": {"id": "c0"}}
        await rig.pass_time(2 * CUT_SECONDS)
        assert rig.shown() == rig.service.rows
        assert (rig.engine.health("calls").state, rig.engine.health("calls").cut) == (Freshness.LIVE, "")


@pytest.mark.parametrize("limit", ["MOST_BUFFERED", "MOST_BUFFERED_BYTES"])
async def test_when_too_many_events_wait_for_a_list_none_is_applied(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(listing, limit, 1)
    async with Rig() as rig:
        rig.service.put("a", state="1")
        await live(rig)
        rig.service.gate.clear()
        rig.engine.followers["calls"].refresh()
        await settled()
        rig.service.put("a", state="2")
        rig.service.put("b", state="1")
        await settled()
        # The reverting change is among the lost ones.
        rig.service.rows["a"] = {"id": "a", "state": "1"}
        rig.service.let_lists_through()
        await rig.pass_time(10)
        assert rig.shown() == rig.service.rows
        assert rig.engine.health("calls").state is Freshness.LIVE


async def test_a_row_that_is_too_large_is_truncated_and_marked() -> None:
    service = FakeService()
    lines = "line\n" * 500_000
    service.rows = {
        "a": {"id": "a", "state": "ringing", "caller": lines},
        "b": {"id": "b", "context": {f"k{number}": number for number in range(100_000)}},
        "c": {"id": "c", "state": "queued"},
    }
    found = await listed(service, kind="calls")
    assert found.rows is not None
    records = {key: Call.model_validate_json(row) for key, row in found.rows.items()}
    assert [*records] == ["a", "b", "c"]
    assert max(map(len, found.rows.values())) < 1024 * 1024
    assert records["a"].caller == lines[:LARGEST_TEXT]
    assert records["a"].identified
    assert "of 2,500,000 characters" in records["a"].faults["caller"]
    assert not records["b"].identified, "an action could take what is missing for empty"
    assert "MiB" in records["b"].faults[""]
    assert not records["c"].faults
    again = await listed(service, kind="calls")
    assert again.rows == found.rows, "a row that was made smaller is known again"


async def test_a_large_row_of_an_event_is_truncated_as_well() -> None:
    async with Rig("calls") as rig:
        await live(rig)
        rig.service.put("a", caller="x" * 1_000_000)
        await settled()
        record = rig.engine.followers["calls"].collection.get("a")
        assert isinstance(record, Call)
        assert len(record.caller or "") == LARGEST_TEXT
        assert "caller" in record.faults


class Pages:
    """Answers with rows of new texts without end, in pages of a size."""

    def __init__(self, rows: int, width: int) -> None:
        self._numbers, self._rows, self._text = count(), rows, b"x" * width

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        del request, etag
        numbers = [next(self._numbers) for _ in range(self._rows)]
        rows = [b'{"groupId":"g%d","name":"%s"}' % (number, self._text) for number in numbers]
        page = b'{"data":[%s],"meta":{"page":{"next":"p%d"}}}' % (b",".join(rows), numbers[-1])
        return Fetched(body=page, point=None, etag=None)


@pytest.mark.parametrize(("rows", "width"), [(40, 200_000), (9_000, 900)])
async def test_large_pages_without_end_take_limited_memory(rows: int, width: int) -> None:
    lister = Lister(FEEDS["groups"], Pages(rows, width))
    tracemalloc.start()
    try:
        found = await lister.list()
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.cut
    assert held < 64 * 1024 * 1024
    assert most < 96 * 1024 * 1024


async def test_long_texts_on_pages_without_end_take_limited_memory() -> None:
    pages = Pages(40, 200_000)
    tracemalloc.start()
    try:
        paging = PagedRows(PageGroups(page_size=40), Bounds())
        while paging.next is not None:
            paging.take(PageGroups.read_answer((await pages.fetch(paging.next)).body))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert paging.cut
    assert held < 64 * 1024 * 1024


async def test_a_list_cut_by_its_memory_is_the_same_when_it_is_listed_again() -> None:
    bounds = Bounds(memory=100_000)
    first = await Lister(FEEDS["groups"], Pages(10, 2_000), bounds).list()
    assert first.rows is not None
    again = await Lister(FEEDS["groups"], Pages(10, 2_000), bounds).list(KnownRows(first.rows))
    assert again.rows is not None
    assert again.cut
    assert len(first.rows) <= len(again.rows) <= len(first.rows) + 10


# -- cursors ---------------------------------------------------------------------------------------------------------


async def listed_at(*points: tuple[str, int]) -> Listed:
    """List as many pages as points, each of which was read at its point of the event stream."""
    service, pages = FakeService(), iter(enumerate(points, 1))

    def page(_cursor: str | None) -> Given:
        number, (service.epoch, service.offset) = next(pages)
        return [{"groupId": f"g{number}"}], f"{number}" if number < len(points) else None

    paging(service, page)
    return await listed(service)


async def test_a_list_of_several_pages_stands_at_the_earliest_point_of_a_page() -> None:
    """Otherwise an event between two pages, about a row that was read before it, would not be applied."""
    assert (await listed_at(("one", 5), ("one", 3), ("one", 7))).point == Point("one", 3)


async def test_pages_from_before_and_after_a_restart_are_not_combined() -> None:
    with pytest.raises(BadAnswer, match="restarted between two pages"):
        await listed_at(("one", 5), ("two", 5))


class Expiring:
    """Three pages whose cursors are refused a given number of times."""

    def __init__(self, service: FakeService, status: int = 400) -> None:
        self._service = service
        self._status = status
        self.refusals = 0
        self.firsts = 0

    def __call__(self, request: httpx.Request) -> httpx.Response | None:
        if request.url.path != PAGES:
            return None
        cursor = request.url.params.get("page[after]")
        if cursor is None:
            self.firsts += 1
        elif self.refusals > 0:
            self.refusals -= 1
            return httpx.Response(self._status, json={"error": "the cursor has expired"})
        number = int(cursor or 0)
        following = f"{number + 1}" if number < 2 else None
        return self._service.stamped({"data": [{"groupId": f"g{number}"}], "meta": {"page": {"next": following}}})


@pytest.mark.parametrize("status", [400, 404, 410])
async def test_a_list_whose_cursor_expires_starts_again_from_its_first_page(status: int) -> None:
    async with Rig("groups") as rig:
        expiring = rig.service.answer = Expiring(rig.service, status)
        expiring.refusals = 1
        rig.show("groups")
        await settled()
        await rig.pass_time(1)
        assert [*rig.shown("groups")] == ["g0", "g1", "g2"]
        assert rig.engine.health("groups").state is Freshness.LIVE
        assert expiring.firsts == 2


async def test_a_cursor_that_expires_repeatedly_is_reported_and_retried() -> None:
    async with Rig("groups") as rig:
        expiring = rig.service.answer = Expiring(rig.service, 410)
        rig.show("groups")
        await settled()
        assert [*rig.shown("groups")] == ["g0", "g1", "g2"]
        expiring.refusals, expiring.firsts = 1000, 0
        rig.engine.followers["groups"].refresh()
        await rig.pass_time(60)
        health = rig.engine.health("groups")
        assert health.state is not Freshness.REFUSED
        assert [*rig.shown("groups")] == ["g0", "g1", "g2"]
        reason = rig.engine.followers["groups"].facts.error
        assert reason == "page 2 of the list was refused (the cursor has expired); starting again from the first page"
        assert 10 <= expiring.firsts <= 60, "with backoff, and for ever"
        expiring.refusals = 0
        await rig.pass_time(10)
        assert rig.engine.health("groups").state is Freshness.LIVE


async def test_a_login_ending_between_two_pages_is_not_mistaken_for_an_expired_cursor() -> None:
    service = FakeService()

    def answer(request: httpx.Request) -> httpx.Response | None:
        if request.url.params.get("page[after]"):
            return httpx.Response(429, headers={"Retry-After": "7"}, json={"message": "slow down"})
        return httpx.Response(200, json={"data": [{"groupId": "a"}], "meta": {"page": {"next": "1"}}})

    service.answer = answer
    with pytest.raises(ApiError, match="slow down") as caught:
        await listed(service)
    assert getattr(caught.value, "retry_after", None) == 7.0


# -- other formats ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (200, b"", "the answer is empty"),
        (200, b" \n", "the answer is empty"),
        (204, b"", "the answer is empty"),
        (200, b"null", "the answer is not a list"),
        (200, b'{"data": null}', "the answer is an object without a list"),
        (200, b'{"total": 0}', "the answer is an object without a list"),
        (200, b"<html>", "the answer was not from the service"),
    ],
)
async def test_an_answer_that_is_not_a_list_is_never_taken_for_an_empty_list(
    status: int, body: bytes, words: str
) -> None:
    async with Rig("calls", events=False) as rig:
        rig.service.put("a")
        rig.show()
        await settled(200)
        rig.service.answer = at("/calls", lambda _: httpx.Response(status, content=body))
        await rig.pass_time(20)
        assert rig.shown() == rig.service.rows
        health = rig.engine.health("calls")
        assert health.state is Freshness.STALE
        assert health.reason.startswith(words)
        assert "from fake, GET /calls" in health.reason


@pytest.mark.parametrize("body", [b"[]", b" [ ] ", b'{"data": []}'])
async def test_an_empty_list_is_valid(body: bytes) -> None:
    async with Rig("calls", events=False) as rig:
        rig.service.put("a")
        rig.show()
        await settled(200)
        rig.service.answer = at("/calls", lambda _: httpx.Response(200, content=body))
        await rig.pass_time(20)
        assert not rig.shown()
        assert rig.engine.health("calls").state is Freshness.POLLING


async def test_alerts_without_a_state_are_not_a_list() -> None:
    service = FakeService()
    service.answer = lambda _request: httpx.Response(200, content=json.dumps({"alerts": []}).encode())
    with pytest.raises(BadAnswer, match="without any list of alerts"):
        await listed(service, kind="alerts")
    service.answer = lambda _request: httpx.Response(200, content=b'{"active": []}')
    assert (await listed(service, kind="alerts")).rows == {}
