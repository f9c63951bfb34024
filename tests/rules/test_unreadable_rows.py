"""No episode ends because of what cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from console.base.frozen import replace
from console.live.delta import Freshness, Health
from console.records.extent import Extent
from console.records.support import Agent, Alert, Skill
from console.records.traffic import Call
from console.views.render_context import RenderContext
from tests.for_each import for_each
from tests.rules.desk import Desk, rules_of

ODD = {"odd": True}


def waiting(desk: Desk, **fields: object) -> Call:
    row: dict[str, Any] = {"id": "a", "state": "queued", "target": "sales", "date": desk.now_ms - 3_600_000}
    return Call.model_validate(row | fields)


@for_each("field", ["state", "date", "target"])
def test_an_episode_goes_on_while_its_cause_cannot_be_read(field: str) -> None:
    desk = Desk()
    desk.put("calls", waiting(desk))
    (begun,) = desk.after(1)
    desk.put("calls", waiting(desk, **{field: ODD}))
    (going_on,) = desk.after(1)
    assert (going_on.id, going_on.about, going_on.severity) == (begun.id, "sales", begun.severity)
    desk.put("calls", waiting(desk, state="connected"))
    assert not desk.after(1)


def test_a_sum_keeps_a_number_that_cannot_be_read_any_more(tmp_path: Path) -> None:
    rule = '[rules.far]\nlist = "calls"\ncondition = "sum(queue) > 20"\neach = ""\n'
    desk = Desk(rules_of(tmp_path, rule))
    desk.put("calls", waiting(desk, queueposition=25))
    assert desk.after(1)
    desk.put("calls", waiting(desk, queueposition=ODD))
    assert desk.after(1)
    desk.put("calls", waiting(desk, queueposition=2))
    assert not desk.after(1)


def test_an_alert_calls_although_its_state_cannot_be_read() -> None:
    desk = Desk()
    desk.put("alerts", Alert.model_validate({"alertId": "a", "title": "Fire", "state": ODD}))
    assert desk.after(1)
    desk.put("alerts", Alert.model_validate({"alertId": "a", "title": "Fire", "state": "accepted"}))
    assert not desk.after(1)


def test_an_episode_goes_on_when_the_list_that_it_needs_is_refused() -> None:
    desk = Desk(me="ana")
    rendered = desk.render

    def extent(kind: str) -> Extent:
        return Extent.UNKNOWN if kind == "agents" else Extent.WHOLE

    def refused() -> RenderContext:
        return replace(rendered(), extent=extent)

    desk.put("agents", Agent(id="ana", online=False))
    desk.put("skills", Skill(skill="french", agents=("ana",)))
    assert desk.after(5)
    desk.watch._render = refused  # pyright: ignore[reportPrivateUsage] - the list is refused in the middle
    desk.put("agents", removes=["ana"])
    assert desk.after(5)


CUT = Health(Freshness.POLLING, 0.1, cut="10 of 20 rows shown")


def test_an_episode_goes_on_while_its_row_is_not_among_the_listed_ones() -> None:
    desk = Desk()
    desk.put("calls", waiting(desk), waiting(desk, id="b", target="support"))
    begun = {episode.id for episode in desk.after(1)}
    assert len(begun) == 2
    desk.healths["calls"] = CUT
    desk.put("calls", waiting(desk, id="b", target="support", state="connected"), removes=["a"])
    (going_on,) = desk.after(1)
    assert (going_on.about, going_on.id in begun) == ("sales", True)
    assert desk.after(600)
    del desk.healths["calls"]
    assert not desk.after(1), "the whole list is known again, without it"


def test_an_alert_calls_on_while_it_is_not_among_the_listed_ones() -> None:
    desk = Desk()
    desk.put("alerts", Alert.model_validate({"alertId": "a", "title": "Fire", "state": "active"}))
    (begun,) = desk.after(1)
    desk.healths["alerts"] = CUT
    desk.put("alerts", removes=["a"])
    assert [episode.id for episode in desk.after(1)] == [begun.id]
    desk.put("alerts", Alert.model_validate({"alertId": "a", "title": "Fire", "state": "accepted"}))
    assert not desk.after(1)


@for_each("field", ["state", "date", "target"])
def test_an_episode_goes_on_after_a_restart_while_its_row_cannot_be_read(field: str, tmp_path: Path) -> None:
    file = tmp_path / f"{field}.json"
    before = Desk(file=file)
    before.put("calls", waiting(before))
    (begun,) = before.after(10)
    before.watch.close()
    desk = Desk(file=file)
    desk.clock.jump(before.now_ms - desk.now_ms)
    desk.put("calls", waiting(before, **{field: ODD}))
    assert begun.id in [episode.id for episode in desk.after(1)]
    desk.put("calls", waiting(before, state="connected"))
    assert not desk.after(1)


@for_each("online", [True, False])
def test_staffing_is_known_of_a_cut_list_of_agents_once_the_listed_ones_decide(online: bool) -> None:
    desk = Desk(me="a")
    desk.put("agents", *(Agent(id=each, online=False) for each in "abcd"))
    desk.put("skills", Skill(skill="french", agents=tuple("abcd")))
    assert desk.after(5)
    desk.healths["agents"] = CUT
    desk.put("agents", *(Agent(id=each, online=online) for each in "abc"), removes=["d"])
    assert bool(desk.after(600)) is not online


def test_a_skill_is_short_whoever_of_its_few_agents_is_listed() -> None:
    desk = Desk(me="a")
    desk.healths["agents"] = CUT
    desk.put("agents", Agent(id="b", online=True))
    desk.put("skills", Skill(skill="french", agents=("a",)))
    (short,) = desk.after(5)
    assert (short.words, short.severity) == ("french: only 1 at work", "warning")


MANY = """
[rules.many]
list = "calls"
filter = "state:queued"
condition = "any"
critical = "{critical}"
each = ""
"""


@for_each("critical", ["count > 2", "longest > 30m", "sum(queue) > 10"])
def test_an_episode_stays_critical_until_the_rows_of_it_are_known_to_be_over(critical: str, tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, MANY.format(critical=critical)))
    calls = [waiting(desk, id=each, queueposition=4) for each in "abc"]
    desk.put("calls", *calls, waiting(desk, id="d", date=desk.now_ms))
    (begun,) = desk.after(1)
    assert begun.severity == "critical"
    desk.healths["calls"] = CUT
    desk.put("calls", removes="abc")
    for _ in range(3):
        (cut,) = desk.after(1)
        assert (cut.id, cut.severity, set(cut.keys)) == (begun.id, "critical", set("abcd"))
    del desk.healths["calls"]
    (whole,) = desk.after(1)
    assert (whole.id, whole.severity, whole.keys) == (begun.id, "warning", ("d",))


def test_an_episode_stays_critical_after_a_restart_beside_a_row_that_cannot_be_read(tmp_path: Path) -> None:
    rules, file = rules_of(tmp_path, MANY.format(critical="longest > 30m")), tmp_path / "episodes.json"
    before = Desk(rules, file=file)
    recent = waiting(before, id="b", date=before.now_ms)
    before.put("calls", waiting(before), recent)
    assert [episode.severity for episode in before.after(1)] == ["critical"]
    before.watch.close()
    desk = Desk(rules, file=file)
    desk.clock.jump(before.now_ms - desk.now_ms)
    desk.put("calls", waiting(before, date=ODD), recent)
    assert [episode.severity for episode in desk.after(1)] == ["critical"]
    desk.put("calls", waiting(before, state="connected"))
    assert [episode.severity for episode in desk.after(1)] == ["warning"]


def test_a_row_that_is_not_listed_any_more_keeps_an_episode_whose_other_rows_end() -> None:
    desk = Desk()
    desk.put("calls", waiting(desk), waiting(desk, id="b"))
    (begun,) = desk.after(1)
    desk.healths["calls"] = CUT
    desk.put("calls", removes=["a"])
    desk.after(1)
    desk.put("calls", waiting(desk, id="b", state="connected"))
    assert [episode.id for episode in desk.after(1)] == [begun.id]
    del desk.healths["calls"]
    assert not desk.after(1)
