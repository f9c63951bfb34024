"""After a sleep of the machine, rows from before it say nothing until their list was proven again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from console.kinds.episodes.facts import unseen
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


AT_ONCE = '[rules.wait]\nlist = "calls"\nfilter = "waiting:yes"\ncondition = "any"\nhold = "30s"\n'


@pytest.mark.parametrize("restarts", [False, True])
def test_what_begins_long_after_the_clock_was_set_back_is_a_new_episode(tmp_path: Path, restarts: bool) -> None:
    rules, file = rules_of(tmp_path, AT_ONCE), tmp_path / "episodes.json"
    desk = Desk(rules, file=file)
    desk.put("calls", Call(id="a", state="queued", target="support", date=desk.now_ms))
    (first,) = desk.after(10)
    desk.put("calls", removes=["a"])
    assert not desk.after(10)
    desk.watch.close()
    if restarts:
        now_ms = desk.now_ms
        desk = Desk(rules, file=file)
        desk.clock.jump(now_ms - desk.now_ms)
    desk.clock.jump(-3_600_000)
    desk.after(1)
    desk.after(1)
    assert not desk.after(1_200)
    desk.put("calls", Call(id="a", state="queued", target="support", date=desk.now_ms))
    (second,) = desk.after(1)
    assert second.id != first.id


def test_an_own_action_before_the_clock_was_set_back_does_not_silence_for_an_hour(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, AT_ONCE.replace("any", 'any"\neach = "record')))
    desk.after(1)
    desk.watch.expect(["a"])
    desk.clock.jump(-3_600_000)
    desk.after(1)
    desk.after(120)
    desk.put("calls", Call(id="a", state="queued", target="support", date=desk.now_ms))
    (episode,) = desk.after(1)
    assert episode.seen_at is None


def test_a_worse_episode_is_unseen_although_it_was_seen_before_the_clock_was_set_back(tmp_path: Path) -> None:
    rule = AT_ONCE + 'critical = "count > 1"\n'
    desk = Desk(rules_of(tmp_path, rule))
    desk.put("calls", Call(id="a", state="queued", target="support", date=desk.now_ms))
    (begun,) = desk.after(10)
    desk.watch.see([begun.id])
    desk.clock.jump(-3_600_000)
    desk.after(1)
    (same,) = desk.after(1)
    assert not unseen(same)
    desk.put("calls", Call(id="b", state="queued", target="support", date=desk.now_ms))
    (worse,) = desk.after(1)
    assert (worse.id, worse.severity, unseen(worse)) == (begun.id, "critical", True)
    desk.watch.see([worse.id])
    assert [unseen(episode) for episode in desk.after(1)] == [False]
