"""Bad answers of a service: other lists keep working, a bad row affects only itself, no other host is contacted."""

from __future__ import annotations

import logging
import tracemalloc

import httpx
import pytest

from console.api.errors import BadAnswer
from console.api.operations.traffic import ListCalls
from console.live.delta import Freshness
from tests.faults.bad_answers import BAD_ANSWERS, BAD_PAGES, BAD_ROWS, with_row
from tests.faults.figures import record
from tests.live.fake_service import FakeClient, FakeService, Rig
from tests.live.until import settled, until_async

LIST, PAGES = "/calls", "/groups/page"


class Instead:
    """Answers one path badly until it is stopped."""

    def __init__(self, service: FakeService, path: str, name: str, hosts: set[str]) -> None:
        self._service = service
        self._path = path
        self._name = name
        self._hosts = hosts
        self.bad = True

    def __call__(self, request: httpx.Request) -> httpx.Response | None:
        """Answer a request, or forward it to the service."""
        self._hosts.add(request.url.host)
        if self.bad and request.url.path == self._path:
            if self._path == LIST:
                return BAD_ANSWERS[self._name].made()
            return httpx.Response(200, content=BAD_PAGES[self._name])
        if request.url.path == PAGES:
            return self._service.stamped({"data": [{"groupId": "g1"}], "meta": {}})
        return None


async def test_other_lists_stay_live_and_the_faulty_one_recovers(caplog: pytest.LogCaptureFixture) -> None:
    kinds = [*((LIST, name) for name in BAD_ANSWERS), *((PAGES, name) for name in BAD_PAGES)]
    failed: list[str] = []
    hosts: set[str] = set()
    slowest = 0.0
    for path, name in kinds:
        async with Rig("calls", "groups") as rig:
            service = rig.service
            instead = Instead(service, path, name, hosts)
            service.answer = instead
            service.put("c1", state="ringing")
            for follower in rig.engine.followers.values():
                follower.want(shown=True)
            await rig.pass_time(1)
            other = "groups" if path == LIST else "calls"
            if rig.engine.health(other).state is not Freshness.LIVE:
                failed.append(f"{name}: {other} is {rig.engine.health(other)}")
            instead.bad = False
            seconds = 0.0
            rig.engine.followers["calls" if path == LIST else "groups"].refresh()
            while rig.engine.health("calls").state is not Freshness.LIVE and seconds < 20:
                await rig.pass_time(0.5)
                seconds += 0.5
            slowest = max(slowest, seconds)
            if rig.shown() != service.rows:
                failed.append(f"{name}: shows {len(rig.shown())} rows")
    crashed = [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.ERROR]
    record("T8", not failed, f"{len(failed)} of {len(kinds)} kinds, back after {slowest:.1f} s at the latest", "0, 5 s")
    record("T9", hosts == {"fake"}, f"{len(hosts - {'fake'})} other origins in {len(kinds)} kinds", "0")
    assert len(kinds) >= 150
    assert not failed
    assert not crashed
    assert hosts == {"fake"}
    assert slowest <= 5.0


async def test_one_bad_row_among_fifty_is_marked_and_affects_no_other() -> None:
    lost: list[str] = []
    for name, row in BAD_ROWS.items():
        async with Rig() as rig:
            rig.service.answer = lambda request, row=row: (
                httpx.Response(200, content=with_row(row)) if request.url.path == LIST else None
            )
            rig.engine.followers["calls"].want(shown=True)
            await until_async(lambda: rig.engine.health("calls").state not in {Freshness.LOADING, Freshness.OFFLINE})
            shown = rig.shown()
            if sum(key.startswith("c") and key[1:].isdigit() for key in shown) != 49:
                lost.append(f"listed, {name}: {len(shown)} rows, {rig.engine.health('calls').reason}")
            client = FakeClient(rig.service, rig.clock)
            try:
                answered = await client.send(ListCalls())
            except BadAnswer as error:
                lost.append(f"asked, {name}: {error.reason}")
            else:
                if len(answered) != 50:
                    lost.append(f"asked, {name}: {len(answered)} rows")
            await client.close()
    record("T11", not lost, f"{len(lost)} of {len(BAD_ROWS)} kinds cost other rows", "0")
    assert not lost, "\n".join(lost)


async def test_an_answer_takes_no_more_memory_than_allowed() -> None:
    worst = 0
    for name in ("encoding: a bomb", "encoding: a bomb in a bomb", "body: a megabyte of brackets"):
        async with Rig() as rig:
            rig.service.answer = Instead(rig.service, LIST, name, set())
            tracemalloc.start()
            try:
                rig.engine.followers["calls"].want(shown=True)
                await settled(300)
                worst = max(worst, tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
    mib = worst / 1024 / 1024
    record("T10", mib <= 64, f"{mib:.0f} MiB at most", "64 MiB")
    assert mib <= 64
