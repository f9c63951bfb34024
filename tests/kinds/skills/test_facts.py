"""Which skills are understaffed."""

from __future__ import annotations

import pytest

from console.config.schema import ThresholdLevels
from console.kinds.catalogue import THRESHOLDS
from console.kinds.presence.states import STATES
from console.kinds.skills.facts import staffing, understaffed
from console.kinds.tables import TABLES
from console.records.support import Agent, Skill
from console.views.cell import Tone
from console.views.thresholds import configured
from tests.kinds.reading import text
from tests.kinds.sample_records import agent, render_context_of


def test_a_skill_is_understaffed_with_at_most_one_available_agent() -> None:
    away, off, busy = agent("a", activity="lunch"), agent("b", online=False), agent("c", activity="oncall")
    skill = Skill(skill="sales", agents=("a", "b", "c", "d"))
    one = render_context_of(agents=[away, off, busy])
    assert (staffing(skill, one).reachable, staffing(skill, one).severity) == (1, Tone.WARN)
    assert not understaffed(skill, render_context_of(agents=[away, off, busy, agent("d")]))
    nobody = render_context_of(agents=[away, off])
    assert staffing(skill, nobody).severity is Tone.BAD
    assert TABLES["skills"].column("understaffed").cell(skill, nobody).text == "▲ nobody"


def test_a_skill_with_mostly_unknown_agents_is_not_called_understaffed() -> None:
    skill = Skill(skill="sales", agents=("a", "b"))
    unheard = render_context_of(agents=[])
    assert (staffing(skill, unheard).unknown, understaffed(skill, unheard)) == (2, False)
    silent = render_context_of(agents=[agent("a"), agent("b", online=None, activity=None)])
    found = staffing(skill, silent)
    assert (found.free, found.offline, found.unknown, found.understaffed) == (1, 0, 1, False)
    assert TABLES["skills"].column("understaffed").cell(skill, unheard).text == "? unknown"


def test_a_skill_that_only_agents_of_unknown_state_may_cover_is_neither_covered_nor_understaffed() -> None:
    skill, silent = Skill(skill="sales", agents=("a", "b", "c")), agent("c", online=None, activity=None)
    doubtful = render_context_of(agents=[agent("a"), agent("b", activity="lunch"), silent])
    enough = render_context_of(agents=[agent("a"), agent("b"), silent])
    cover = TABLES["skills"].column("understaffed")
    assert (cover.cell(skill, doubtful).text, cover.value(skill, doubtful)) == ("? unknown", None)
    assert (cover.cell(skill, enough).text, cover.value(skill, enough)) == ("covered", False)
    totals = ["".join(cell.text for cell in TABLES["skills"].totals([skill], seen)) for seen in (doubtful, enough)]
    assert ["all covered" in total for total in totals] == [False, True]


def test_a_zero_beside_agents_of_unknown_state_is_not_known() -> None:
    skill = Skill(skill="sales", agents=("a", "b"))
    seen = render_context_of(agents=[agent("a"), agent("b", online=None, activity=None)])
    cells = {name: TABLES["skills"].column(name).cell(skill, seen).text for name in ("free", "busy", "online", "chats")}
    assert cells == {"free": "1", "busy": "–", "online": "1", "chats": "0"}


def test_agents_of_unknown_presence_are_counted_separately() -> None:
    silent = agent("b", online=None, activity=None)
    seen = render_context_of(agents=[agent("a"), silent])
    said = "".join(each.text for each in TABLES["agents"].totals([agent("a"), silent], seen))
    assert "1 free" in said
    assert "0 offline" in said
    assert "1 unknown" in said


def test_staffing_is_computed_from_the_known_agents() -> None:
    skill = Skill(skill="sales", agents=("a",))
    assert staffing(skill, render_context_of(agents=[agent("a")])).free == 1
    assert staffing(skill, render_context_of(agents=[agent("a", activity="lunch")])).free == 0


def test_counting_many_agents_does_not_compare_them_pairwise(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [agent(f"a{number}", activity="away" if number % 2 else "busy") for number in range(20)]
    skill = Skill(skill="sales", agents=tuple(each.id for each in agents))
    seen = render_context_of(agents=agents)

    def compared(_self: object, _other: object) -> bool:
        raise AssertionError("agents were compared field by field")

    monkeypatch.setattr(Agent, "__eq__", compared)
    assert (staffing(skill, seen).busy, staffing(skill, seen).away) == (10, 10)


def test_a_skill_is_understaffed_at_the_configured_thresholds() -> None:
    skill = Skill(skill="sales", agents=("a", "b", "c"))
    three = [agent("a"), agent("b"), agent("c")]
    assert not understaffed(skill, render_context_of(agents=three))
    seen = render_context_of(configured({"skills.online": ThresholdLevels(3, 1)}, THRESHOLDS), agents=three)
    assert understaffed(skill, seen)
    assert TABLES["skills"].column("understaffed").cell(skill, seen).text == "▲ only 3"


_STATES = {1: "free", 2: "busy", 3: "away", 6: "offline"}
"""The counts of a skill by the rank of the state in the row."""


@pytest.mark.parametrize("online", [True, False, None])
@pytest.mark.parametrize("chats", [0, 1])
def test_the_counts_of_a_skill_agree_with_the_rows_of_its_agents(online: bool | None, chats: int) -> None:
    skill = Skill(skill="sales", agents=("a",))
    activities = [*sorted(STATES.looks), "On-Call", "Do-not-disturb", "training", "", None]
    for activity in activities:
        member = agent("a", online=online, activity=activity, chats=chats)
        render = render_context_of(agents=[member])
        row = TABLES["agents"].column("state")
        look = STATES.look(str(row.value(member, render) or ""))
        counts = staffing(skill, render)
        counted = [name for name in (*_STATES.values(), "unknown") if getattr(counts, name)]
        assert counted == [_STATES.get(look.rank, "unknown")], (activity, row.cell(member, render).text)
        shown_in_skill = text(TABLES["skills"].detail(skill, render))
        assert row.cell(member, render).text.split(" ", 1)[1][:14] in shown_in_skill, activity


def test_an_agent_who_does_not_want_to_be_disturbed_is_busy_and_cannot_take_work() -> None:
    skill = Skill(skill="sales", agents=("a",))
    for activity in ("dnd", "Do-not-disturb"):
        counts = staffing(skill, render_context_of(agents=[agent("a", activity=activity)]))
        assert (counts.busy, counts.online, counts.reachable) == (1, 1, 0)
