"""The text of agents and their details."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.tables import TABLES
from console.records.people import Group
from console.records.support import (
    Agent,
    Skill,
)
from console.records.traffic import (
    Call,
)
from tests.kinds.reading import known, part, said
from tests.kinds.wild import NOW, render_context

BESIDE_A_LIST = 44
"""Width of a detail beside a list in 120 columns."""


def test_an_understaffed_skill_is_named_in_the_agents_totals() -> None:
    ana = Agent(id="ana", online=True, activity="available")
    seen = render_context(known(agents=[ana], skills=[Skill(skill="billing", agents=("ana", "bob"))]))
    total = said((TABLES["agents"].totals([ana], seen),))[0]
    assert "● 1 free" in total
    assert "understaffed: billing" in total


def test_understaffed_skills_whose_names_do_not_fit_are_counted_in_the_agents_totals() -> None:
    several = ("billing", "claims", "english", "français", "português")
    for names, counted in ((several, "5 skills understaffed"), (("a" * 60,), "1 skill understaffed")):
        seen = render_context(known(skills=[Skill(skill=name, agents=("ana",)) for name in names]))
        total = said((TABLES["agents"].totals([], seen),))[0]
        assert counted in total
        assert "understaffed:" not in total


def test_an_understaffed_skill_of_an_agent_takes_one_row_beside_the_list() -> None:
    ana = Agent(id="ana", online=True, activity="available")
    seen = render_context(known(agents=[ana], skills=[Skill(skill="português", agents=("ana",))]))
    (line,) = part(ana, "agents", "skills", seen)
    assert line == "português    1 free, 1 of 1 online  ▲ only 1"
    assert len(line) <= BESIDE_A_LIST


def test_the_columns_of_channels_show_one_number_and_the_age_has_a_column_of_its_own() -> None:
    agent = Agent.model_validate(
        {"id": "ana", "channels": {"chat": [{"chatId": "k1", "timestamp": NOW - 90_000}, {"chatId": "k2"}]}}
    )
    shown = {
        column: str(TABLES["agents"].column(column).cell(agent, render_context()).text)
        for column in ("chats", "voice", "oldest")
    }
    assert shown == {"chats": "2", "voice": "–", "oldest": "≥ 1:30"}
    assert TABLES["agents"].column("oldest").priority == 1


def test_the_oldest_chat_is_at_least_as_old_if_another_may_be_older() -> None:
    dated, undated = {"chatId": "k1", "timestamp": NOW - 4_000_000}, {"chatId": "k2"}
    columns = [TABLES[kind].column("oldest") for kind in ("agents", "skills")]
    for chats, mark in (((dated,), ""), ((dated, undated), "≥ ")):
        agent = Agent.model_validate({"id": "ana", "channels": {"chat": chats}})
        skill = Skill(skill="billing", agents=("ana",))
        seen = render_context(known(agents=[agent], skills=[skill]))
        cells = [str(columns[place].cell(record, seen).text) for place, record in enumerate((agent, skill))]
        assert cells == ["≥ 1h" if mark else "1h 06m", f"{mark}1h 06m"]
        assert all(len(cell) <= column.width for column, cell in zip(columns, cells, strict=True))
        assert f"oldest chat {mark}1h 06m" in said((TABLES["agents"].totals([agent], seen),))[0]
        assert f"Oldest       {cells[0]}" in part(agent, "agents", "summary", seen)


def test_a_voice_item_of_an_agent_leads_to_its_call() -> None:
    agent = Agent.model_validate({"id": "ana", "channels": {"voice": [{"conferenceId": "c1"}, {"conferenceId": "k1"}]}})
    links = TABLES["agents"].links(agent, render_context(known(calls=[Call(id="c1")])))
    assert {(link.kind, link.key) for link in links} >= {("calls", "c1"), ("conferences", "k1")}


def test_an_opened_agent_shows_calls_groups_and_who_could_take_over() -> None:
    busy = {"voice": [{"conferenceId": "c1"}]}
    ana, bob, dan, eva = (
        Agent.model_validate({"id": name, "displayName": name.title(), "online": True, **more})
        for name, more in (
            ("ana", {"activity": "available"}),
            ("bob", {"activity": "oncall", "channels": busy}),
            ("dan", {"activity": "available"}),
            ("eva", {"activity": "away"}),
        )
    )
    seen = render_context(
        known(
            agents=[ana, bob, dan, eva],
            skills=[Skill(skill="billing", agents=("ana", "bob", "dan", "eva"))],
            calls=[Call(id="c1", caller="+34600", users=("ana",), state="connected")],
            groups=[Group(group_id="g1", name="Night shift", participants=("ana",))],
        )
    )
    sections = {section.title: said(section.lines) for section in TABLES["agents"].related(ana, seen)}
    assert [*sections] == ["Calls 1", "Could take over 2", "Groups 1"]
    assert [line.split()[-1] for line in sections["Could take over 2"]] == ["Dan", "Bob"]
    assert sections["Groups 1"] == ["Night shift"]


def test_a_long_name_of_a_colleague_is_whole_where_there_is_room() -> None:
    name = "Montserrat Etxeberria Kowalska"
    ana, maria = Agent(id="ana", online=True), Agent(id="m", display_name=name, online=True, activity="available")
    skill = Skill(skill="billing", agents=("ana", "m"))
    seen = render_context(known(agents=[ana, maria], skills=[skill]))
    (narrow,) = said(TABLES["agents"].related(ana, seen)[0].lines)
    assert narrow == "● available      ────── 0  Montserrat Etxeb…"
    seen = replace(seen, opened=True, roomy=True)
    (colleague,) = said(TABLES["agents"].related(ana, seen)[0].lines)
    assert colleague == f"● available      ────── 0  {name}"
    head, _, member = part(skill, "skills", "agents", seen)
    assert member == colleague
    assert (head.index("Load"), head.index("Name")) == (member.index("─"), member.index(name))
