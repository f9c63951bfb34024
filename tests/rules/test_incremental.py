"""Rules that follow changes find what rules that read everything find."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.records.episodes import Episode
from console.records.traffic import Call
from console.rules.reading import RuleSet
from tests.examples import EXAMPLES
from tests.rules.desk import Desk, rules_of

RULES = """
[rules.any]
list = "calls"
filter = "waiting:yes"
[rules.none]
list = "calls"
filter = "waiting:yes"
condition = "none"
[rules.old]
list = "calls"
filter = "waiting:yes"
condition = "longest > 40s"
critical = "count > 2"
each = "target"
[rules.long]
list = "calls"
filter = "waiting:yes age>20s age<90s"
each = "record"
[rules.sum]
list = "calls"
condition = "sum(queue) > 12"
each = "state"
[rules.burst]
list = "calls"
filter = "failed:yes"
condition = "rate >= 2/30s"
[rules.few]
list = "calls"
condition = "count <= 2"
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    return rules_of(tmp_path_factory.mktemp("rules"), RULES)


Change = tuple[str, str, str | None, int | None, int | None]
"""Key, state, target, age in seconds and position of a call."""
Step = tuple[float, list[Change], set[str]]
keys = st.sampled_from("abcdefg")
changes = st.lists(
    st.tuples(
        st.floats(0, 30),
        st.lists(
            st.tuples(
                keys,
                st.sampled_from(["queued", "connected", "servererror", ""]),
                st.sampled_from(["x", "y", None]),
                st.integers(0, 100) | st.none(),
                st.integers(0, 9) | st.none(),
            ),
            max_size=3,
        ),
        st.sets(keys, max_size=2),
    ),
    max_size=12,
)


def told(found: list[Episode]) -> list[tuple[object, ...]]:
    """Return what needs attention, without what depends on the past."""
    said = [
        (each.rule, each.about, each.severity, each.count, each.keys, each.since_at, each.words, each.filter)
        for each in found
    ]
    return sorted(said, key=str)


@settings(max_examples=2 * EXAMPLES)
@given(steps=changes)
def test_following_changes_equals_reading_everything(rules: RuleSet, steps: list[Step]) -> None:
    desk = Desk(rules)
    for seconds, upserts, removes in steps:
        now = desk.now_ms
        calls = [
            Call(
                id=key,
                state=state,
                target=target,
                date=None if age is None else now - age * 1_000,
                to=now - (age or 0) * 1_000 if state == "servererror" else None,
                queue_position=queue,
            )
            for key, state, target, age, queue in upserts
        ]
        desk.put("calls", *calls, removes=removes)
        followed = desk.after(seconds)
        fresh = Desk(rules)
        fresh.clock.jump(desk.now_ms - fresh.now_ms)
        fresh.put("calls", *desk.records("calls").values())
        assert told(followed) == told(fresh.after())
