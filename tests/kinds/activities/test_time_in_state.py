"""The time in a state is counted from what was seen, and says `at least` where the beginning was not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.kinds.activities.derived import ActivityList
from console.kinds.activities.time_in_state import in_state
from console.live.backend_api import ListsApi
from console.live.collection import Collection
from console.live.delta import Delta, Freshness, Health
from console.records.record import Record
from console.records.support import Agent, Presence
from console.views.render_context import RenderContext

START = 1_800_000_000_000
MINUTE = 60_000


class Lists(ListsApi):
    """Two lists and their freshness."""

    def __init__(self) -> None:
        self.lists: dict[str, Collection[Any]] = {"presence": Collection(), "agents": Collection()}
        self.state = dict.fromkeys(self.lists, Freshness.LIVE)

    def delta(self, kind: str, since: int) -> Delta[Any]:
        return self.lists[kind].delta(since)

    def records(self, kind: str) -> Mapping[str, Record]:
        return self.lists[kind].snapshot()

    def health(self, kind: str) -> Health:
        return Health(self.state[kind])


class Watch:
    """The observed states of these lists."""

    def __init__(self) -> None:
        self.lists, self.now_ms = Lists(), START
        self.observed = ActivityList("activities", self.lists, self.render)

    def render(self) -> RenderContext:
        return RenderContext(self.now_ms, ZoneInfo("UTC"), lookup=self.lookup)

    def lookup(self, kind: str) -> Mapping[str, Record]:
        if kind == "activities":
            return self.observed.collection.snapshot()
        return self.lists.records(kind) if kind in self.lists.lists else {}

    def is_now(self, activity: str, after: int = 0) -> None:
        """Eva's presence has this activity, and some time has passed."""
        self.now_ms += after
        self.lists.lists["presence"].change({"svc-user:eva": Presence(address="svc-user:eva", activity=activity)})
        self.observed.update()

    def agent_is(self, activity: str) -> None:
        self.lists.lists["agents"].change({"eva": Agent(id="eva", activity=activity)})
        self.observed.update()

    def says(self, after: int = 0) -> str:
        self.now_ms += after
        self.observed.update()
        return in_state("eva", self.render()).text


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_a_state_whose_beginning_was_not_seen_lasts_at_least_that_long(watch: Watch) -> None:
    assert watch.says() == "–"
    watch.is_now("available")
    assert watch.says(after=12 * MINUTE) == "≥ 12:00"


def test_the_time_is_known_to_grow_from_the_first_second(watch: Watch) -> None:
    watch.is_now("available")
    assert watch.says() == "–"
    assert watch.says(after=1000) == "≥ 0:01"
    assert watch.says(after=9000) == "≥ 0:10"


def test_a_change_that_was_seen_is_counted_exactly(watch: Watch) -> None:
    watch.is_now("available")
    watch.is_now("busy", after=MINUTE)
    assert watch.says(after=MINUTE) == "1:00"
    watch.is_now("busy", after=MINUTE)
    assert watch.says() == "2:00", "another change of the same record is no change of state"


@pytest.mark.parametrize("state", [Freshness.OFFLINE, Freshness.REFUSED])
def test_after_a_gap_nobody_knows_how_long_it_has_lasted(watch: Watch, state: Freshness) -> None:
    watch.is_now("available")
    watch.is_now("busy", after=MINUTE)
    watch.lists.state["presence"] = state
    assert watch.says(after=30 * MINUTE) == "30:00", "the last known state is shown with its age"
    watch.lists.state["presence"] = Freshness.LIVE
    assert watch.says(after=MINUTE) == "–"
    assert watch.says(after=MINUTE) == "≥ 1:00"
    watch.is_now("away", after=MINUTE)
    assert watch.says(after=MINUTE) == "1:00"


def test_a_moment_without_proof_is_no_gap(watch: Watch) -> None:
    watch.is_now("available")
    watch.is_now("busy", after=MINUTE)
    watch.lists.state["presence"] = Freshness.STALE
    watch.says(after=MINUTE)
    watch.lists.state["presence"] = Freshness.LIVE
    assert watch.says() == "1:00"


def test_the_first_word_of_another_list_is_no_change_of_state(watch: Watch) -> None:
    watch.agent_is("available")
    assert watch.says(after=MINUTE) == "≥ 1:00"
    watch.is_now("busy")
    assert watch.says(after=MINUTE) == "≥ 1:00", "presence says busy, but for how long is unknown"
    watch.agent_is("away")
    assert watch.says() == "≥ 1:00", "presence has precedence"


def test_people_who_are_gone_are_forgotten(watch: Watch) -> None:
    watch.is_now("available")
    watch.lists.lists["presence"].change({}, ["svc-user:eva"])
    assert watch.says() == "–"
    watch.is_now("available", after=MINUTE)
    assert watch.says(after=MINUTE) == "≥ 1:00"
