"""A value that goes up and down across its threshold calls a person once, not each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.live.delta import Freshness, Health
from console.records.notifications import Notification
from console.records.support import Alert
from console.records.traffic import Call
from tests.rules.desk import Desk, rules_of

RULE = '[rules.many]\nlist = "calls"\nfilter = "waiting:yes"\ncondition = "count > 0"\n'
WAITS = Call(id="a", state="queued", target="support")
TALKS = Call(id="a", state="connected", target="support")


def crossings(folder: Path, seconds: float, extra: str = "") -> Desk:
    """Drive a value over its threshold and back 1,000 times, each after some seconds."""
    desk = Desk(rules_of(folder, RULE + extra))
    for _ in range(1_000):
        desk.put("calls", WAITS)
        assert [each.state for each in desk.after(seconds)] == ["active"], "what is true is shown at once"
        desk.put("calls", TALKS)
        assert not desk.after(seconds), "and what is over is gone at once"
    return desk


@pytest.mark.parametrize(("seconds", "most"), [(0.1, 1), (5, 1), (29, 1), (45, 2), (100, 3), (119, 3)])
def test_a_thousand_crossings_are_a_few_episodes(tmp_path: Path, seconds: float, most: int) -> None:
    desk = crossings(tmp_path, seconds)
    assert len(desk.episodes) <= most
    renewals = {each.renewed_at for each in desk.episodes}
    assert len(renewals) <= most, "one notice for each"


def test_a_cause_that_returns_after_a_calm_time_is_a_new_episode(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, RULE))
    for _ in range(3):
        desk.put("calls", WAITS)
        desk.after(1)
        desk.put("calls", TALKS)
        desk.after(1)
        desk.after(600)
    assert len(desk.episodes) == 3
    assert {each.cause for each in desk.episodes} == {"no longer applies"}


def test_the_hold_is_configurable(tmp_path: Path) -> None:
    assert len(crossings(tmp_path, 45, 'hold = "1m"\n').episodes) == 1


def test_a_severity_that_goes_up_and_down_renews_once(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, RULE + 'critical = "count > 1"\n'))
    desk.put("calls", WAITS)
    desk.after(1)
    for _ in range(100):
        desk.put("calls", Call(id="b", state="queued"))
        (worse,) = desk.after(1)
        assert worse.severity == "critical"
        desk.put("calls", removes=["b"])
        (better,) = desk.after(1)
        assert (better.severity, better.worst) == ("warning", "critical")
    (found,) = desk.episodes
    assert found.renewed_at == (found.began_at or 0) + 1_000


def test_a_severity_that_returns_after_a_while_renews(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, RULE + 'critical = "count > 1"\n'))
    desk.put("calls", WAITS)
    desk.after(1)
    worse = Call(id="b", state="queued")
    desk.put("calls", worse)
    (first,) = desk.after(1)
    desk.put("calls", removes=["b"])
    desk.after(1)
    desk.put("calls", worse)
    (second,) = desk.after(29)
    assert second.renewed_at == first.renewed_at, "within the hold"
    desk.put("calls", removes=["b"])
    desk.after(1)
    desk.put("calls", worse)
    (third,) = desk.after(31)
    assert (third.id, third.renewed_at) == (first.id, desk.now_ms)


def test_a_cause_renews_after_five_minutes_however_often_it_came_and_went(tmp_path: Path) -> None:
    desk = crossings(tmp_path, 100)
    desk.after(301)
    before = len(desk.episodes)
    desk.put("calls", WAITS)
    desk.after(1)
    assert len(desk.episodes) == before + 1


OWN = '[rules.own]\nlist = "calls"\neach = "record"\nmine = true\nhold = "1s"\n'


def test_what_a_person_has_just_taken_does_not_ring(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, OWN))
    desk.watch.expect(["a"], "eva")
    desk.put("calls", WAITS, Call(id="b", state="queued"))
    found = {each.about: (each.seen_at, each.seen_by) for each in desk.after(1)}
    assert found == {"a": (desk.now_ms, "eva"), "b": (None, None)}
    desk.put("calls", removes=["a"])
    desk.after(1)
    desk.after(70)
    desk.put("calls", WAITS)
    assert [each.seen_at for each in desk.after(1)] == [None, None], "a minute later it rings"


def test_what_follows_from_a_record_that_a_person_took_does_not_ring_by_any_rule(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, OWN.replace("mine = true\n", "")))
    desk.watch.expect(["a"], "eva")
    desk.put("calls", WAITS, Call(id="b", state="queued"))
    assert {each.about: each.seen_by for each in desk.after(1)} == {"a": "eva", "b": None}


def test_nothing_begins_or_ends_while_a_list_is_not_known(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, RULE + '[rules.nobody]\nlist = "calls"\ncondition = "none"\n'))
    desk.healths["calls"] = Health(Freshness.LOADING)
    assert not desk.after(1), "an empty list that was never listed is not empty"
    desk.healths = {}
    desk.put("calls", WAITS)
    assert [each.rule for each in desk.after(1)] == ["many"]
    desk.healths["calls"] = Health(Freshness.OFFLINE, 60.0)
    desk.put("calls", removes=["a"])
    assert [each.rule for each in desk.after(60)] == ["many"]
    desk.healths = {}
    assert [each.rule for each in desk.after(1)] == ["nobody"]


def test_a_rule_about_each_row_of_a_long_list_is_bounded(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, '[rules.each]\nlist = "calls"\neach = "record"\n'))
    desk.put("calls", *(Call(id=str(number), state="queued") for number in range(2_000)))
    assert len(desk.after(1)) == 500


def test_rules_are_switched_while_they_run(tmp_path: Path) -> None:
    found = rules_of(tmp_path, RULE)
    desk = Desk(found)
    desk.put("calls", WAITS)
    assert desk.after(1)
    desk.watch.use(())
    assert not desk.after(1)
    assert [each.cause for each in desk.episodes] == ["the rule was switched off"]
    desk.watch.use(found.rules)
    assert desk.after(1)


def test_the_first_rows_wait_for_the_lists_that_they_depend_on(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, '[rules.alert]\nlist = "alerts"\nfilter = "open:yes offered:no"\n'))
    desk.put("alerts", Alert(alert_id="a", title="Fire", state="active"))
    desk.healths["notifications"] = Health(Freshness.LOADING)
    assert not desk.after(1), "whether it is offered is not known"
    desk.put("notifications", Notification(id="n", kind="alert", subject="a"))
    desk.healths = {}
    assert not desk.after(1)
    desk.put("notifications", removes=["n"])
    assert desk.after(2)
    assert len(desk.episodes) == 1


def test_a_list_that_never_comes_delays_nothing_for_long(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, '[rules.alert]\nlist = "alerts"\nfilter = "open:yes offered:no"\n'))
    desk.put("alerts", Alert(alert_id="a", title="Fire", state="active"))
    desk.healths["notifications"] = Health(Freshness.LOADING)
    assert [bool(desk.after(1)) for _ in range(4)] == [False, False, False, True]


def test_it_is_loading_until_every_list_that_can_be_listed_was_evaluated(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, '[rules.one]\nlist = "calls"\n[rules.two]\nlist = "chats"\n'))
    assert desk.watch.is_loading
    desk.healths = {"calls": Health(Freshness.LOADING), "chats": Health(Freshness.REFUSED)}
    desk.after()
    assert desk.watch.is_loading
    desk.healths["calls"] = Health(Freshness.LIVE, 0.1)
    assert desk.watch.is_loading
    desk.after()
    assert not desk.watch.is_loading
