"""Requests repeated while their answer is shown: paged or whole, again after an interval, and again after a refusal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from console.api.errors import ApiError, BadRequest, Forbidden, NotFound, ServerFault, TooMany, Unreachable
from console.api.operations.people import GetUser, PageUsers
from console.api.request import Request
from console.live.backend_api import BackendApi, CommandsApi, NoCommands
from console.live.delta import Freshness
from console.live.history import History
from console.live.paged_list import AGAIN_SECONDS, RETRY_SECONDS, PagedList
from console.live.paging import RESTARTS
from console.live.store import Asked, Store
from tests.manual_clock import ManualClock

Answer = Callable[[Any], Any]


class Service(BackendApi):
    """A backend whose service answers at once as instructed, and that records the requests."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.asked: list[Any] = []
        self.answer: Answer = lambda request: pages(request, 250)

    @property
    def history(self) -> History:
        return History(self.clock)

    async def change_password(self, username: str, password: str, new: str) -> None: ...

    def show(self, kinds: frozenset[str]) -> None: ...

    @property
    def commands(self) -> CommandsApi:
        return NoCommands("This only reads.")

    def ask(self, request: Request[Any]) -> Future[Any]:
        self.asked.append(request)
        future: Future[Any] = Future()
        try:
            future.set_result(self.answer(request))
        except ApiError as error:
            future.set_exception(error)
        return future


def pages(request: PageUsers, count: int) -> Any:
    """Answer with a page of users, whose cursor is the number of the first."""
    start, size = int(request.page_after or 0), request.page_size or 0
    rows = [{"id": f"u{number:05d}"} for number in range(start, min(count, start + size))]
    after = start + size if start + size < count else None
    meta = {"page": {"next": str(after) if after else None, "total": count}}
    return PageUsers.answer_adapter().validate_python({"data": rows, "meta": meta})


class Rig:
    """A store over such a service."""

    def __init__(self, most_rows: int = 50_000) -> None:
        self.clock = ManualClock()
        self.service = Service(self.clock)
        self.store = Store(self._backend, self.clock, most_rows)

    def _backend(self) -> BackendApi:
        return self.service

    def list(self, *, whole: bool = False) -> PagedList:
        return PagedList(self.store, "users", PageUsers, whole=whole)

    def fail(self, error: ApiError) -> None:
        def answer(_request: Any) -> Any:
            raise error

        self.service.answer = answer


def look(listed: PagedList, times: int = 1, *, further: bool = False) -> None:
    for _ in range(times):
        listed.delta(further=further)


def scroll(listed: PagedList) -> None:
    """Load one more page."""
    look(listed)
    look(listed, further=True)
    look(listed)


def test_only_the_displayed_pages_are_requested() -> None:
    rig = Rig()
    listed = rig.list()
    look(listed, 5)
    assert (len(listed.rows), listed.total, len(rig.service.asked)) == (100, 250, 1)
    assert listed.health.state is Freshness.POLLING
    look(listed, 2, further=True)
    assert len(listed.rows) == 200
    look(listed, 5, further=True)
    assert ([*listed.rows], listed.total) == ([f"u{number:05d}" for number in range(250)], 250)
    assert len(rig.service.asked) == 3


def test_a_further_page_is_a_difference_and_the_first_one_is_everything() -> None:
    listed = Rig().list()
    look(listed)
    first = listed.delta(further=True)
    second = listed.delta()
    assert first is not None
    assert second is not None
    assert (first.whole, len(first.upserts), second.whole, len(second.upserts)) == (True, 100, False, 100)


def test_a_complete_list_is_shown_only_at_its_end_and_requested_again_when_old() -> None:
    rig = Rig()
    rig.service.answer = lambda request: pages(request, 1200)
    listed = rig.list(whole=True)
    look(listed, 3)
    assert listed.rows == {}
    look(listed, 5)
    assert (len(listed.rows), [each.page_size for each in rig.service.asked]) == (1200, [500, 500, 500])
    rig.clock.advance(AGAIN_SECONDS + 1)
    look(listed, 5)
    assert (len(listed.rows), len(rig.service.asked)) == (1200, 6)


def test_a_list_is_requested_again_when_old_unless_it_was_scrolled() -> None:
    rig = Rig()
    listed = rig.list()
    look(listed, 2)
    rig.clock.advance(AGAIN_SECONDS + 1)
    look(listed, 2)
    assert len(rig.service.asked) == 2
    scroll(listed)
    rig.clock.advance(AGAIN_SECONDS + 1)
    look(listed, 2)
    assert (len(rig.service.asked), len(listed.rows)) == (3, 200)


def test_a_refused_cursor_starts_again_without_showing_fewer_rows() -> None:
    rig = Rig()
    listed = rig.list()
    scroll(listed)
    refused = [True]

    def answer(request: PageUsers) -> Any:
        if request.page_after and refused:
            refused.clear()
            raise BadRequest("the cursor has expired")
        return pages(request, 260)

    rig.service.answer = answer
    look(listed, further=True)
    look(listed)
    assert listed.health.state is Freshness.STALE
    assert listed.health.reason == (
        "page 3 of the list was refused (the cursor has expired); starting again from the first page"
    )
    assert len(listed.rows) == 200
    look(listed, 4)
    assert (len(listed.rows), listed.total, listed.health.state) == (200, 260, Freshness.POLLING)


def test_a_cursor_that_is_always_refused_is_not_retried_forever() -> None:
    rig = Rig()
    listed = rig.list()
    scroll(listed)

    def answer(request: PageUsers) -> Any:
        if request.page_after:
            raise BadRequest("the cursor has expired")
        return pages(request, 250)

    rig.service.answer = answer
    look(listed, 50, further=True)
    tries = len([each for each in rig.service.asked if each.page_after]) - 1
    assert tries <= 1 + len(RESTARTS)
    assert (len(listed.rows), listed.health.state) == (200, Freshness.STALE)
    rig.service.answer = lambda request: pages(request, 250)
    rig.clock.advance(AGAIN_SECONDS + 1)
    look(listed, 5)
    assert (len(listed.rows), listed.health.state) == (200, Freshness.POLLING)


@pytest.mark.parametrize(
    ("error", "before", "after"),
    [
        (Unreachable("gone"), Freshness.OFFLINE, Freshness.OFFLINE),
        (TooMany("too many"), Freshness.OFFLINE, Freshness.OFFLINE),
        (ServerFault("broken"), Freshness.OFFLINE, Freshness.STALE),
        (Forbidden("no"), Freshness.REFUSED, Freshness.REFUSED),
    ],
)
def test_a_failure_is_reported_and_the_rows_stay(error: ApiError, before: Freshness, after: Freshness) -> None:
    rig = Rig()
    listed = rig.list()
    rig.fail(error)
    look(listed, 2)
    assert (listed.health.state, listed.health.reason) == (before, error.reason)
    rig.service.answer = lambda request: pages(request, 5)
    listed.again()
    look(listed, 2)
    rig.fail(error)
    listed.again()
    look(listed, 2)
    assert (listed.health.state, len(listed.rows)) == (after, 5)


def test_a_failing_service_is_not_queried_at_every_tick() -> None:
    rig = Rig()
    listed = rig.list()
    look(listed, 2)
    rig.fail(Unreachable("gone"))
    rig.clock.advance(AGAIN_SECONDS + 1)
    look(listed, 20, further=True)
    assert len(rig.service.asked) == 2
    rig.service.answer = lambda request: pages(request, 5)
    rig.clock.advance(RETRY_SECONDS)
    look(listed, 2)
    assert (len(listed.rows), listed.health.state) == (5, Freshness.POLLING)


def test_a_list_longer_than_the_configured_limit_is_cut_and_reported() -> None:
    rig = Rig(most_rows=150)
    listed = rig.list(whole=True)
    look(listed, 5)
    assert (len(listed.rows), listed.health.cut) == (150, "first 150 of 250 rows shown")


def test_a_single_record_is_requested_again_when_old_and_displayed() -> None:
    rig = Rig()
    rig.service.answer = lambda request: request.id
    asked = Asked(rig.store, GetUser(id="ana"), str.upper, seconds=10.0)
    assert rig.service.asked == []
    for _ in range(5):
        asked.look()
    assert (asked.answer, asked.value, asked.answered, len(rig.service.asked)) == ("ana", "ANA", True, 1)
    rig.clock.advance(10)
    rig.fail(NotFound("no such user"))
    for _ in range(2):
        asked.look()
    assert (asked.answer, asked.value, asked.answered, len(rig.service.asked)) == (None, None, True, 2)
    rig.fail(Unreachable("gone"))
    asked.again()
    for _ in range(2):
        asked.look()
    assert (asked.answered, asked.reason) == (False, "gone")
