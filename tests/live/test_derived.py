"""Lists that are computed from other lists are kept up to date, whatever happens to one of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.delta import Freshness, Health
from console.live.derived import DerivedList, Deriving
from console.records.own_changes import OwnChange
from console.service.domain.groups import GROUPS
from tests.background import Running
from tests.live.until import until
from tests.service.over_http import fill
from tests.services import Services

Open = Callable[..., Backend]


class Count(DerivedList[OwnChange]):
    """One row with the number of records of another list."""

    def __init__(self, kind: str, backend: Backend, source: str) -> None:
        super().__init__(kind, (source,))
        self._backend, self._source = backend, source

    def update(self) -> None:
        words = str(len(self._backend.records(self._source)))
        known = self.collection.get("count")
        if known is None or known.words != words:
            self.collection.change({"count": OwnChange(id="count", words=words)})


class Broken(Count):
    def update(self) -> None:
        raise ZeroDivisionError


@pytest.fixture
def service(services: Services) -> Generator[Running]:
    with services.anew(fill) as running:
        yield running


@pytest.fixture
def backend(service: Running, tmp_path: Path) -> Generator[Backend]:
    with ExitStack() as stack:
        endpoint = Endpoint(service.core_url, events=service.events_url)
        made = Backend(endpoint, FEEDS.values(), journal_path=tmp_path / "journal", login=lambda: ("ana", "demo"))
        made.derive(
            lambda: (Broken("broken", made, "groups"), Count("sum", made, "groups"), Count("sums", made, "sum"))
        )
        stack.callback(made.stop, 5.0)
        made.start()
        yield made


def words(backend: Backend, kind: str) -> str | None:
    row = backend.records(kind).get("count")
    return row.words if row is not None else None


def test_a_derived_list_follows_its_source_though_another_one_fails(backend: Backend, service: Running) -> None:
    many = until(lambda: len(backend.records("groups")))
    until(lambda: words(backend, "sum") == str(many))
    seen = backend.delta("sum", 0)
    with service.platform.write() as tx:
        GROUPS.remove(tx, "night")
    until(lambda: words(backend, "sum") == str(many - 1))
    assert list(backend.delta("sum", seen.version).upserts) == ["count"]
    assert not backend.delta("broken", 0).upserts


def test_a_list_derived_from_a_derived_one_follows_too(backend: Backend) -> None:
    until(lambda: words(backend, "sums") == "1")
    until(lambda: backend.health("sums").state is Freshness.LIVE)


def test_a_derived_list_is_as_fresh_as_its_least_fresh_source() -> None:
    class Two(DerivedList[OwnChange]):
        def update(self) -> None:
            pass

    two = Two("two", ("calls", "agents"))
    healths = {"calls": Health(Freshness.LIVE), "agents": Health(Freshness.STALE, 9.0)}
    assert two.health(healths.__getitem__).state is Freshness.STALE
    healths["agents"] = Health(Freshness.LOADING)
    assert two.health(healths.__getitem__).state is Freshness.LOADING


def test_a_change_of_a_derived_list_is_heard_by_the_screens(backend: Backend) -> None:
    until(lambda: words(backend, "sum"))
    before = backend.revision
    backend.refresh("sum")
    until(lambda: backend.revision > before)


def test_an_unknown_list_is_refused(backend: Backend) -> None:
    with pytest.raises(KeyError):
        backend.records("nothing")
    backend.show(frozenset({"nothing"}))


class Busy(DerivedList[OwnChange]):
    """Takes processor time, and counts its updates."""

    def __init__(self, kind: str, seconds: float) -> None:
        super().__init__(kind, ())
        self._seconds = seconds
        self.updates = 0

    def update(self) -> None:
        self.updates += 1
        end = time.thread_time() + self._seconds
        while time.thread_time() < end:
            pass


def test_an_expensive_list_does_not_delay_a_cheap_one() -> None:
    lists = Busy("expensive", 0.05), Busy("cheap", 0.0)
    deriving = Deriving(lambda: lists, threading.Event(), lambda: None)
    while lists[1].updates < 30:
        deriving.update()
    assert lists[0].updates <= 3


class Slow(Busy):
    """A list whose first rows are still to come."""

    loads = True

    @property
    def is_loading(self) -> bool:
        return self.loads


def test_the_first_updates_of_lists_wait_for_the_first_rows_of_one_before_them() -> None:
    before, slow, after = lists = Busy("before", 0.0), Slow("slow", 0.0), Busy("after", 0.0)
    deriving = Deriving(lambda: lists, threading.Event(), lambda: None)
    assert not deriving.update(first=True)
    assert [each.updates for each in lists] == [1, 1, 0]
    slow.loads = False
    until(lambda: deriving.update(first=True) and after.updates)
    slow.loads, many = True, after.updates
    until(lambda: deriving.update() and after.updates > many)
    assert before.updates >= after.updates
