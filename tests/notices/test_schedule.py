"""When a person is told: at once, again until seen, many as one, and never about what is muted."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from console.notices.notice import Notice
from console.notices.schedule import HEARD_SECONDS, LONGEST_REPEAT_SECONDS
from console.records.episodes import Episode
from tests.notices.played import BEGAN_MS, Played, episode


def test_an_episode_is_told_at_once_and_again_after_growing_intervals() -> None:
    played = Played()
    played.take(episode("a"))
    assert [each.title for each in played.run(0.1)] == ["Long wait"]
    played.run(200)
    assert played.times == [0, 10, 30, 70, 150]
    assert [each.again for _, each in played.heard] == [0, 1, 2, 3, 4]


def test_the_interval_is_bounded() -> None:
    played = Played()
    played.take(episode("a"))
    played.run(5_000)
    gaps = [b - a for a, b in pairwise(played.times)]
    assert max(gaps) <= LONGEST_REPEAT_SECONDS + 1
    assert len(gaps) > 10


def test_a_key_after_it_was_visible_ends_the_repetition_and_a_key_at_the_same_moment_does_not() -> None:
    played = Played()
    played.take(episode("a"))
    played.run(0.5)
    assert played.schedule.key_pressed(played.now) == []
    played.run(1)
    assert played.schedule.key_pressed(played.now) == ["a"]
    assert played.run(100) == []


def test_a_key_does_not_count_while_the_notice_is_not_visible() -> None:
    played = Played()
    played.take(episode("a"))
    played.run(5, shown=False)
    assert played.schedule.key_pressed(played.now) == []
    assert played.run(10, shown=False)


@pytest.mark.parametrize("keys", [{"a"}, {"x", "a2"}])
def test_focus_on_one_of_its_records_ends_the_repetition(keys: set[str]) -> None:
    played = Played()
    played.take(episode("a", keys=("a", "a2")))
    played.run(1, shown=False)
    assert played.schedule.looked_at("alerts", keys) == []
    assert played.schedule.looked_at("calls", keys) == ["a"]
    assert played.run(100) == []


@pytest.mark.parametrize("how", ["ended", "removed", "muted", "seen elsewhere"])
def test_an_episode_that_ended_or_is_muted_or_was_seen_is_not_repeated(how: str) -> None:
    played = Played()
    played.take(episode("a"))
    played.run(1)
    match how:
        case "ended":
            played.take(episode("a", state="ended"))
        case "removed":
            played.take(removes=frozenset({"a"}))
        case "muted":
            played.take(episode("a", state="muted"))
        case _:
            played.take(episode("a", seen_at=BEGAN_MS))
    assert played.run(100) == []
    assert played.schedule.unseen == []


def test_a_muted_episode_is_never_told_and_one_renewed_after_its_mute_is() -> None:
    played = Played()
    played.take(episode("a"))
    played.run(2)
    played.schedule.key_pressed(played.now)
    played.take(episode("a", state="muted"))
    played.take(episode("b", state="muted"))
    assert played.run(100) == []
    played.take(episode("a"))
    assert played.run(100) == [], "a person ended the mute"
    played.take(episode("a", renewed_at=BEGAN_MS + 1))
    assert len(played.run(1)) == 1


def test_episodes_from_before_the_console_are_one_summary_without_a_ring() -> None:
    played = Played(episode("a"), episode("b", "warning"), episode("m", state="muted"))
    first = played.run(60)
    assert [(each.count, each.silent, each.severity) for each in first] == [(2, True, "critical")]


def test_what_ended_before_the_summary_is_not_counted_in_it() -> None:
    played = Played(episode("a"), episode("b"))
    played.take(episode("b", state="ended"))
    assert [each.line for each in played.run(60)] == ["desk: 1 thing needs attention: Long wait"]
    two = Played(episode("a"), episode("b"))
    (notice,) = two.run(60)
    two.take(episode("b", state="muted"))
    now = two.schedule.as_now(notice)
    assert now is not None
    assert now.line == "desk: 1 thing needs attention: Long wait"
    nothing = Played(episode("a"))
    nothing.take(episode("a", state="ended"))
    assert nothing.run(60) == []


def test_episodes_of_a_list_that_arrives_late_were_there_before() -> None:
    played = Played()
    played.take(known=("calls", "skills"))
    played.take(episode("s", list="skills"), known=("calls", "skills"))
    played.run(1)
    played.take(episode("t", list="skills"))
    assert [(each.count, each.silent) for each in played.run(5)] == [(2, True)]
    played.take(episode("u", list="skills"))
    assert [each.silent for each in played.run(5)] == [False]


def test_an_episode_that_ends_and_goes_on_is_not_told_again_unless_it_is_renewed() -> None:
    played = Played()
    played.take(episode("a", renewed_at=BEGAN_MS + 5))
    played.run(3)
    played.schedule.key_pressed(played.now)
    for _ in range(20):
        played.take(episode("a", state="ended", renewed_at=BEGAN_MS + 5))
        assert played.run(5) == []
        played.take(episode("a", renewed_at=BEGAN_MS + 5))
        assert played.run(5) == []
    played.take(episode("a", renewed_at=BEGAN_MS + 6))
    assert len(played.run(1)) == 1


@pytest.mark.parametrize("many", [4, 200])
def test_many_at_once_are_one_notice_that_counts(many: int) -> None:
    played = Played()
    played.take(*(episode(str(each), title="Line down") for each in range(many)))
    found = played.run(5)
    assert [(each.count, each.words) for each in found] == [(many, f"Line down ×{many}")]


def test_a_storm_over_a_minute_is_few_notices_that_count_all() -> None:
    played = Played(repeat=0)
    for number in range(600):
        played.take(episode(str(number)))
        played.run(0.1)
    played.run(60)
    assert sum(each.count for _, each in played.heard) == 600
    assert len(played.heard) <= 7


def test_a_critical_episode_does_not_wait_for_a_storm_of_warnings() -> None:
    played = Played()
    played.take(*(episode(str(each), "warning") for each in range(200)))
    played.run(0.5)
    played.take(episode("fire"))
    assert [each.severity for each in played.run(0.2)] == ["critical"]


def test_unseen_episodes_are_repeated_together_and_at_most_every_ten_seconds() -> None:
    played = Played()
    for number in range(4):
        played.take(episode(str(number)))
        played.run(5)
    played.run(40)
    again = [(at, each) for at, each in played.heard if each.again]
    assert all(b - a >= 10 for (a, _), (b, _) in pairwise(again))
    assert again[-1][1].count == 4


def test_notices_are_told_once_and_those_for_the_caller_in_person_like_warnings() -> None:
    played = Played()
    played.take(episode("a", "notice"))
    played.run(60)
    assert played.times == [0]
    played.take(episode("b", "notice", mine=True))
    assert [each.severity for each in played.run(15)] == ["warning", "warning"]


def test_a_renewed_episode_is_told_anew_and_one_with_other_numbers_is_not() -> None:
    played = Played()
    played.take(episode("a", "warning", renewed_at=BEGAN_MS + 5))
    played.run(2)
    played.schedule.key_pressed(played.now)
    played.take(episode("a", "warning", count=9, renewed_at=BEGAN_MS + 5))
    assert played.run(30) == []
    played.take(episode("a", "critical", renewed_at=BEGAN_MS + 6))
    assert [each.severity for each in played.run(1)] == ["critical"]


def test_without_repetition_it_is_told_once() -> None:
    played = Played(repeat=0)
    played.take(episode("a"))
    played.run(1_000)
    assert played.times == [0]


def test_renewals_of_one_episode_that_come_fast_are_gathered_and_others_are_told_at_once() -> None:
    played = Played(repeat=0)
    for second in range(60):
        played.take(episode("storm", renewed_at=BEGAN_MS + 1_000 * second, count=second))
        if second == 40:
            played.take(episode("other"))
        played.run(1)
    *storm, other = played.times
    assert storm == [0, 2, 6, 14, 30]
    assert 40 <= other <= 42
    played.run(60)
    assert [each.count for _, each in played.heard[-1:]] == [59], "the last ones are told after a while"
    played.run(300)
    played.take(episode("storm", renewed_at=BEGAN_MS + 999_000))
    assert played.run(1), "after a calm time at once"


def test_a_value_that_crosses_a_threshold_a_thousand_times_is_heard_as_often_as_the_gathering_allows() -> None:
    """The hysteresis of a rule is elsewhere; this bounds what a rule without one could do."""
    played = Played(repeat=0)
    for turn in range(1_000):
        played.take(episode(f"a{turn}"))
        played.run(0.1)
        played.take(episode(f"a{turn}", state="ended"))
        played.run(0.1)
    assert len(played.heard) <= 101


def test_one_notice_has_the_fields_of_its_episode() -> None:
    played = Played()
    played.take(Episode(id="x", state="active"))
    (found,) = played.run(0.1)
    assert found.to_object() == {
        "profile": "desk",
        "severity": "notice",
        "title": "",
        "words": "",
        "count": 1,
        "list": None,
        "keys": [],
        "began_at": None,
        "again": 0,
    }


def about(key: str, title: str = "Door open", **fields: Any) -> Episode:
    return episode(key, about=title, subject="alert", **fields)


def rings(found: list[Notice]) -> list[bool]:
    return [not each.silent for each in found]


@pytest.mark.parametrize("gone", [False, True])
def test_what_another_rule_has_just_told_is_shown_without_a_ring(gone: bool) -> None:
    played = Played()
    played.take(about("open"))
    assert rings(played.run(1)) == [True]
    played.take(about("offered"), *([about("open", state="ended")] if gone else []))
    assert rings(played.run(1)) == [False]
    played.run(2)
    assert "offered" in played.schedule.key_pressed(played.now), "and one key is enough for both"
    assert played.run(100) == []


def test_what_nobody_has_seen_is_repeated_under_its_new_name() -> None:
    played = Played()
    played.take(about("open"))
    played.run(1)
    played.take(about("offered"), about("open", state="ended"))
    assert [(each.again, each.episodes) for each in played.run(60) if not each.silent][:1] == [(1, ("offered",))]


@pytest.mark.parametrize(
    "later",
    [
        about("offered", "Flood"),
        about("offered", severity="critical"),
        episode("offered", about="Door open"),
        episode("offered", about="Door open", subject="chat"),
    ],
    ids=["another matter", "more serious", "no subject", "another subject"],
)
def test_anything_else_rings(later: Episode) -> None:
    played = Played()
    played.take(about("open", severity="warning"))
    played.run(3)
    played.take(later)
    assert rings(played.run(3)) == [True]


def test_after_some_seconds_it_rings_again() -> None:
    played = Played(repeat=0)
    played.take(about("open"))
    played.run(HEARD_SECONDS + 1)
    played.take(about("offered"))
    assert rings(played.run(1)) == [True]


def test_a_further_record_rings_although_the_subject_was_told() -> None:
    played = Played(repeat=0)
    played.take(about("open"))
    played.run(1)
    played.take(about("offered"))
    assert rings(played.run(1)) == [False]
    played.take(about("offered", renewed_at=BEGAN_MS + 1))
    assert rings(played.run(2)) == [True]


def test_texts_that_lists_cut_differently_are_the_same_matter() -> None:
    played = Played()
    played.take(about("open", "Line " * 40))
    played.run(1)
    played.take(about("offered", ("Line " * 40)[:59] + "…"))
    assert rings(played.run(1)) == [False]
