"""After a sleep of the machine, rows from before it say nothing until their list was proven again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from console.live.delta import Freshness, Health
from console.records.traffic import Call
from tests.rules.desk import Desk, rules_of

RULE = '[rules.wait]\nlist = "calls"\nfilter = "waiting:yes"\ncondition = "longest > 2m"\n'
LASTING = '[rules.many]\nlist = "calls"\nfilter = "waiting:yes"\ncondition = "count > 0 for 30s"\n'
HOURS = 8 * 3_600


def waiting(folder: Path, rules: str = RULE) -> Desk:
    """Return a desk with a call that has waited for a second, and no episode."""
    desk = Desk(rules_of(folder, rules))
    desk.put("calls", Call(id="a", state="queued", target="support", date=desk.now_ms))
    assert not desk.after(1)
    return desk


def sleeps(desk: Desk) -> None:
    """The machine sleeps: steady time stands still, as on most systems."""
    desk.clock.jump(1_000 * HOURS)


def stops(desk: Desk) -> None:
    """The process is stopped: steady time goes on."""
    desk.clock.stop(HOURS)


def proven(desk: Desk, seconds_ago: float, state: Freshness = Freshness.LIVE) -> None:
    """The list was last proven this long ago."""
    desk.healths["calls"] = Health(state, seconds_ago)


@pytest.mark.parametrize("breaks", [sleeps, stops])
@pytest.mark.parametrize("state", [Freshness.LIVE, Freshness.POLLING, Freshness.STALE])
def test_a_wait_that_is_over_by_now_does_not_ring(
    tmp_path: Path, breaks: Callable[[Desk], None], state: Freshness
) -> None:
    desk = waiting(tmp_path)
    breaks(desk)
    proven(desk, 5, state)
    assert not desk.after()
    assert not desk.after(4), "its last proof is from before the sleep"
    desk.put("calls", removes=["a"])
    proven(desk, 0.1)
    assert not desk.after(1)
    assert not desk.episodes


def test_a_wait_that_goes_on_rings_once_it_is_proven(tmp_path: Path) -> None:
    desk = waiting(tmp_path)
    sleeps(desk)
    assert not desk.after()
    (episode,) = desk.after(1)
    assert episode.rule == "wait"


def test_an_episode_from_before_the_sleep_goes_on_meanwhile(tmp_path: Path) -> None:
    desk = waiting(tmp_path)
    (before,) = desk.after(180)
    sleeps(desk)
    proven(desk, 5)
    assert [each.id for each in desk.after(1)] == [before.id]
    desk.put("calls", removes=["a"])
    proven(desk, 0.1)
    assert not desk.after(1)


def test_a_lost_connection_is_told_after_the_sleep_as_before(tmp_path: Path) -> None:
    desk = waiting(tmp_path)
    sleeps(desk)
    proven(desk, 5, Freshness.OFFLINE)
    assert not desk.after(60)
    proven(desk, 0.1)
    assert len(desk.after(1)) == 1


def test_what_became_due_in_the_sleep_is_evaluated_once_it_is_proven(tmp_path: Path) -> None:
    desk = waiting(tmp_path, LASTING)
    sleeps(desk)
    proven(desk, 5)
    assert not desk.after(1)
    proven(desk, 0.1)
    assert len(desk.after(1)) == 1


FILTERED = '[rules.old]\nlist = "calls"\nfilter = "waiting:yes age>2m"\ncondition = "count > 0"\n'
NOBODY = '[rules.few]\nlist = "calls"\nfilter = "state:connected"\ncondition = "count < 1 for 30s"\n'


@pytest.mark.parametrize("rules", [RULE, FILTERED])
def test_an_episode_of_a_clock_that_was_ahead_ends_when_it_is_set_back(tmp_path: Path, rules: str) -> None:
    desk = waiting(tmp_path, rules)
    desk.clock.jump(3_600_000)
    desk.after()
    assert desk.after(1), "the list was proven after the jump"
    desk.clock.jump(-3_600_000)
    desk.after()
    assert not desk.after(1)
    assert not desk.after(60)
    assert desk.after(120)


@pytest.mark.parametrize("rules", [LASTING, NOBODY])
def test_what_lasts_long_enough_rings_although_the_clock_was_set_back(tmp_path: Path, rules: str) -> None:
    desk = waiting(tmp_path, rules)
    desk.clock.jump(-3_600_000)
    assert not desk.after()
    assert not desk.after(1)
    assert desk.after(31)
