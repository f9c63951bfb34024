"""The cost of polling a list depends on what is new, and an unchanged list changes nothing on the screen."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence

import httpx
import pytest

from console.live import gc_tuning, list_differ
from console.live.feeds import Feed
from console.live.freshness import Freshness
from console.records.record import Record, read_all
from tests.live.fake_service import Rig, at
from tests.live.test_silent_changes import Tagged
from tests.live.until import until_async


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The rows from which records were created."""
    made_from: list[bytes] = []
    read = Feed.read

    def counted(feed: Feed, row: bytes, key: str | None = None) -> Record:
        made_from.append(row)
        return read(feed, row, key)

    def all_counted(kind: type[Record], rows: Sequence[bytes], keys: Iterable[str] | None = None) -> list[Record]:
        made_from.extend(rows)
        return read_all(kind, rows, keys)

    monkeypatch.setattr(Feed, "read", counted)
    monkeypatch.setattr(list_differ, "read_all", all_counted)
    return made_from


async def test_of_a_repeated_list_only_the_differing_rows_are_parsed(made: list[bytes]) -> None:
    rig = Rig("calls", events=False)
    for number in range(50):
        rig.service.put(f"c{number}", state="queued")
    async with rig.show():
        assert len(made) == 50
        made.clear()
        rig.service.put("c7", state="answered")
        rig.service.rows = {"new": {"id": "new"}, **rig.service.rows}
        rig.service.remove("c20")
        await rig.pass_time(3)
        assert sorted(made) == [b'{"id": "c7", "state": "answered"}', b'{"id": "new"}']
        assert rig.shown() == rig.service.rows


async def test_reordered_rows_are_recognized(made: list[bytes]) -> None:
    rig = Rig("calls", events=False)
    for number in range(50):
        rig.service.put(f"c{number}", state="queued")
    async with rig.show():
        made.clear()
        version = rig.engine.followers["calls"].collection.version
        rig.service.rows = dict(sorted(rig.service.rows.items(), reverse=True))
        await rig.pass_time(3)
        assert not made
        assert rig.engine.followers["calls"].collection.version == version


async def test_nobody_looking_leaves_records_sealed() -> None:
    rig = Rig("calls")
    rig.service.put("c1", state="queued", users=["u1"])
    async with rig.show():
        rig.service.put("c2", state="queued", users=["u1"])
        await rig.pass_time(1)
        records = rig.engine.followers["calls"].collection.snapshot().values()
        assert len(records) == 2
        assert all(record.is_lazy for record in records)


async def test_an_unchanged_list_is_not_transferred_again(made: list[bytes]) -> None:
    rig = Rig("calls", events=False)
    tagged = Tagged(rig)
    rig.service.put("c1", state="queued")
    async with rig.show():
        await rig.pass_time(3)
        assert (tagged.full, tagged.unchanged, len(made)) == (1, 1, 1)
        assert rig.shown() == rig.service.rows
        rig.service.put("c2", state="queued")
        await rig.pass_time(3)
        assert len(made) == 2
        assert rig.shown() == rig.service.rows


async def test_after_events_the_complete_list_is_requested_even_if_the_service_knows_the_old_one() -> None:
    rig = Rig("calls")
    rig.service.put("c1", state="queued")
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response | None:
        if request.url.path == "/calls":
            asked.append(request.headers.get("if-none-match"))
            full = rig.service.stamped(list(rig.service.rows.values()))
            full.headers["ETag"] = '"never changes"'
            return full
        return None

    rig.service.answer = answer
    async with rig.show():
        rig.service.put("c1", state="answered")
        await rig.pass_time(1)
        rig.engine.refresh()
        await rig.pass_time(1)
        assert asked[-1] is None
        assert rig.shown() == rig.service.rows


async def test_records_of_a_large_list_are_excluded_from_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_tuning, "_settled", -gc_tuning.SETTLED_SECONDS)
    gc.enable()  # Nothing is frozen before the first rows, while collection is off.
    before = gc.get_freeze_count()
    rig = Rig("calls")
    for number in range(300):
        rig.service.put(f"c{number}", state="queued")
    async with rig.show():
        await until_async(lambda: len(rig.shown()) == 300)
        assert gc.get_freeze_count() > before + 300


@pytest.mark.parametrize(("kind", "status"), [("deliveries", 404), ("notifications", 405), ("missed-calls", 501)])
async def test_a_missing_extension_is_requested_once_and_then_on_demand(kind: str, status: int) -> None:
    async with Rig(kind, events=False) as rig:
        asked = 0

        def answer(request: httpx.Request) -> httpx.Response | None:
            nonlocal asked
            if request.url.path != f"/{kind}":
                return None
            asked += 1
            return httpx.Response(status, json={"message": "nothing here"})

        rig.service.answer = answer
        rig.engine.followers[kind].want(shown=True)
        await rig.pass_time(150, beats=False, step=5)
        health = rig.engine.health(kind)
        assert (health.state, health.reason, health.retry_in) == (Freshness.REFUSED, "nothing here", None)
        assert asked == 1
        rig.engine.refresh()
        await rig.pass_time(150, beats=False, step=5)
        assert asked == 2


async def test_a_forbidden_extension_is_requested_again_since_permissions_can_change() -> None:
    async with Rig("deliveries", events=False) as rig:
        rig.service.answer = at("/deliveries", lambda _: httpx.Response(403, json={"message": "admins only"}))
        rig.show("deliveries")
        await rig.pass_time(5)
        retry = rig.engine.health("deliveries").retry_in
        assert retry is not None
        assert 50 < retry <= 60
