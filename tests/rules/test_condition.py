"""Conditions say what they mean, and each mistake is named with the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.base.frozen import replace
from console.config.toml_source import ConfigFault
from console.records.traffic import Call
from console.rules.compiled import faults_of
from console.rules.condition import ConditionFault, parse_condition
from console.rules.reading import SHIPPED_FILE, load_rules, read_rules
from tests.for_each import for_each
from tests.rules.desk import LIVE, Desk, rules_of

SECOND = 1_000


@for_each(
    "text, words",
    [
        ("ani", '"ani" is not a measure; did you mean any?'),
        ("longst > 2m", '"longst" is not a measure; did you mean longest?'),
        ("any > 2", '"any" takes nothing but a duration: any for 30s'),
        ("count", '"count" needs a comparison, such as count > 5'),
        ("count > many", '"many" is not a number, or a threshold such as skills.online.warn'),
        ("count > calls.wait.warn", "calls.wait is an age"),
        ("longest > calls.wat.warn", 'there is no threshold "calls.wat"; did you mean calls.wait?'),
        ("longest > 5 cows", '"5 cows" is not a length such as 2m, or a threshold such as calls.wait.warn'),
        ("longest < 5m", 'longest takes > or >=, not "<"'),
        ("rate > 10", '"" is not a time such as min, h or 5m: rate > 10/min'),
        ("rate > 10/moon", '"moon" is not a time such as min, h or 5m: rate > 10/min'),
        ("sum > 10", "sum needs a column: sum(queue) > 20"),
        ("any for ever", '"ever" is not a length such as 30s, 2m or 1h'),
        ("??", '"??" is not a condition such as any, count > 5 or longest > 2m'),
    ],
)
def test_a_mistake_is_named(text: str, words: str) -> None:
    with pytest.raises(ConditionFault) as caught:
        parse_condition(text)
    assert str(caught.value) == words


def test_a_condition_may_be_written_with_or_without_blanks() -> None:
    assert parse_condition("count>5") == parse_condition("count  >  5")
    assert parse_condition("sum( queue )>=20 for 30s") == parse_condition("sum(queue) >= 20 for 30s")
    assert parse_condition("rate>10/min") == parse_condition("rate > 10/1m")
    assert parse_condition("longest > calls.wait.warn - 15s") == parse_condition("longest>calls.wait.warn-15s")


RULE = '[rules.mine]\nlist = "calls"\ntitle = "mine"\n'


def wait(key: str, seconds: float = 0, queue: int = 1, state: str = "queued", target: str = "a") -> Call:
    date = Desk().now_ms - seconds * SECOND
    return Call(id=key, state=state, date=date, queue_position=queue, target=target)


def applies(folder: Path, condition: str, *calls: Call) -> bool:
    desk = Desk(rules_of(folder, f'{RULE}filter = "waiting:yes"\ncondition = "{condition}"\n'))
    desk.put("calls", *calls)
    return bool(desk.after())


@for_each(
    "condition, true, false",
    [
        ("any", [wait("a")], []),
        ("none", [], [wait("a")]),
        ("count > 1", [wait("a"), wait("b")], [wait("a"), wait("b", state="ended")]),
        ("count = 1", [wait("a")], [wait("a"), wait("b")]),
        ("count < 2", [wait("a")], [wait("a"), wait("b")]),
        ("sum(queue) > 20", [wait("a", queue=10), wait("b", queue=11)], [wait("a", queue=20)]),
        ("longest > 2m", [wait("a", 121)], [wait("a", 120)]),
        ("longest >= 2m", [wait("a", 120)], [wait("a", 119)]),
        ("rate > 2/min", [wait(each, 59) for each in "abc"], [wait("a"), wait("b"), wait("c", 61)]),
    ],
)
def test_a_condition_is_true_or_false(tmp_path: Path, condition: str, true: list[Call], false: list[Call]) -> None:
    assert applies(tmp_path, condition, *true)
    assert not applies(tmp_path, condition, *false)


def test_a_condition_with_a_duration_must_last(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, f'{RULE}filter = "waiting:yes"\ncondition = "any for 30s"\n'))
    desk.put("calls", wait("a"))
    assert not desk.after()
    assert not desk.after(29)
    desk.put("calls", removes=["a"])
    desk.after(0.5)
    desk.put("calls", wait("b"))
    assert not desk.after(0.5), "it begins anew"
    assert not desk.after(29)
    assert desk.after(1)


def test_time_alone_makes_a_rule_apply_and_end(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, f'{RULE}filter = "waiting:yes age<3m"\ncondition = "longest >= 2m"\n'))
    desk.put("calls", wait("a"))
    assert [bool(desk.after(60)) for _ in range(4)] == [False, True, False, False]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('list = "cals"', "2: rules.mine.list: 'cals' is not a list that is kept up to date; did you mean calls?"),
        ('list = "calls"\nseverity = "bad"', "3: rules.mine.severity: must be 'critical', 'warning' or 'notice'"),
        ('list = "calls"\ncondtion = "any"', "3: rules.mine.condtion: is an unknown key; did you mean condition?"),
        ('list = "calls"\ncondition = "conut > 1"', '3: rules.mine.condition: "conut" is not a measure; did you mean'),
        ('list = "calls"\nunless = "ours"', "3: rules.mine.unless: 'ours' is not another rule"),
        ('list = "calls"\nhold = "long"', '3: rules.mine.hold: "long" is not a length such as'),
        ('title = "x"', "1: rules.mine.list: is missing"),
        ('list = "calls"\neach = "record"\ncondition = "none"', "4: rules.mine.condition: applies without a row"),
    ],
)
def test_a_mistake_in_a_file_is_reported_with_its_line(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(ConfigFault) as caught:
        rules_of(tmp_path, f"[rules.mine]\n{line}\n")
    assert f"rules.toml:{words}" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('filter = "stat:queued"', 'filter: No field "stat". Did you mean state? (at 1)'),
        ('each = "taget"', "each: 'taget' is not a column; did you mean target?"),
        ('each = "age"', "each: 'age' changes with time"),
        ('condition = "sum(quee) > 1"', "condition: 'quee' is not a column; did you mean queue?"),
        ('condition = "sum(caller) > 1"', "condition: 'caller' is not a number"),
        ('condition = "longest(totl) > 1m"', "condition: 'totl' is not a column of ages; did you mean total?"),
        ('words = "{calller} waits"', "words: {calller} is not known; did you mean caller?"),
        ('words = "since {age}"', "words: {age} changes with time; the age is shown beside the words"),
    ],
)
def test_a_rule_that_does_not_fit_its_list_is_switched_off_and_reported(tmp_path: Path, line: str, words: str) -> None:
    found = rules_of(tmp_path, f'{RULE}{line}\n[rules.other]\nlist = "calls"\n')
    assert [str(fault) for _, fault in faults_of(found.rules)] == [words]
    desk = Desk(found)
    desk.put("calls", wait("a"))
    assert [each.rule for each in desk.after()] == ["other"]
    assert str(desk.watch.faults["mine"]) == words


def test_the_shipped_rules_fit_their_lists() -> None:
    assert not list(faults_of(load_rules(None).rules))


def test_a_later_file_changes_the_keys_that_it_has(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('[rules.wait]\nenabled = false\n[rules.breach]\ncondition = "longest > 9m"\n')
    found = read_rules([SHIPPED_FILE, file])
    wait, breach = found.get("wait"), found.get("breach")
    assert wait is not None
    assert breach is not None
    assert (wait.enabled, wait.title, wait.origin) == (False, "long wait", str(file))
    assert (breach.condition_text, breach.severity) == ("longest > 9m", "notice")


def test_few_rows_are_no_episode_while_only_the_first_rows_are_listed(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, f'{RULE}filter = "waiting:yes"\ncondition = "count < 2"\n'))
    desk.healths["calls"] = replace(LIVE, cut="only the first 1 are shown")
    desk.put("calls", wait("a"))
    assert not desk.after()
    assert not desk.after(60)
    desk.healths["calls"] = LIVE
    assert desk.after(1), "the list is whole, and has one row"
    desk.healths["calls"] = replace(LIVE, cut="only the first 1 are shown")
    desk.put("calls", wait("a", 30))
    assert desk.after(1), "nothing says that there are more now"
    desk.put("calls", wait("b"))
    assert not desk.after(1), "there are two at least"
