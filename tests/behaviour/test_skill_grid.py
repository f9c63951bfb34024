"""The grid of skills and agents: planned cell by cell, applied at once, with the guards of all actions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console.base.collation import collated
from console.config.schema import Config
from console.records.support import Agent
from console.service.domain import agents
from console.service.domain.agents import SKILLS
from console.ui.screens.skill_grid import Grid, SkillGridScreen
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def open_grid(who: Seat) -> None:
    await who.look_at("agents")
    await who.press("G")
    await who.until(lambda: isinstance(who.app.screen, SkillGridScreen))
    await who.sees("Skills of agents")
    await who.press("home")


def first_agent(who: Seat) -> Agent:
    """Return the agent in the first row."""
    agents = (each for each in who.backend.records("agents").values() if isinstance(each, Agent))
    return min(agents, key=lambda each: (collated(each.display_name or each.id), each.id))


@presses("skills.grid", undone=True)
async def test_a_plan_is_applied_and_undone_with_one_key_each(eva: Seat, base: Base) -> None:
    await open_grid(eva)
    agent = first_agent(eva)
    first, second = sorted(eva.backend.records("skills"), key=collated)[:2]
    before = base.skills_of(agent.id)
    await eva.press("space", "right", "space")
    await eva.sees("2 changes planned")
    assert base.skills_of(agent.id) == before, "nothing is sent before it is applied"
    await eva.press("enter")
    await eva.done("skills.grid")
    assert base.skills_of(agent.id) == before ^ {first, second}
    await eva.no_dialog()
    await eva.undo()
    assert base.skills_of(agent.id) == before


async def test_escape_discards_a_plan_and_an_empty_one_is_not_applied(eva: Seat, base: Base) -> None:
    await open_grid(eva)
    tickets = eva.backend.commands.tickets()
    await eva.press("down", "space", "space")
    await eva.sees("no changes planned")
    await eva.press("enter")
    await eva.sees("Nothing to change")
    await eva.press("space")
    await eva.sees("1 change planned")
    await eva.press("escape")
    await eva.sees("no changes planned")
    await eva.press("escape")
    await eva.no_dialog()
    assert eva.backend.commands.tickets() == tickets


async def test_a_cell_that_was_changed_by_others_meanwhile_is_not_sent(eva: Seat, base: Base) -> None:
    skill = base.skill().skill
    await eva.until(lambda: skill in eva.backend.records("skills"))
    await open_grid(eva)
    skills = sorted(eva.backend.records("skills"), key=collated)
    await eva.press(*["right"] * skills.index(skill), "space", "down", "space")
    await eva.sees("2 changes planned")
    first = first_agent(eva)
    agents.attach(base.service.platform, skill, [first.id])
    await eva.until(lambda: first.id in getattr(eva.backend.records("skills")[skill], "agents", ()))
    await eva.press("enter")
    ticket = await eva.done("skills.grid")
    assert len(ticket.command.steps) == 1
    assert len(base.stored(SKILLS, skill)["agents"]) == 2


async def test_the_cursor_of_the_grid_stays_on_its_agent_and_skill(eva: Seat, base: Base) -> None:
    await open_grid(eva)
    skills = sorted(eva.backend.records("skills"), key=collated)
    await eva.press("right", "down", "space")
    agents.create_skill(base.service.platform, "!first of all", ())
    await eva.until(lambda: "!first of all" in eva.backend.records("skills"))
    await eva.press("space")
    await eva.sees("no changes planned")
    assert skills[1] in eva.screen_text()
    await eva.press("escape")
    await eva.no_dialog()


async def test_skills_are_sorted_as_users_expect(eva: Seat, base: Base) -> None:
    for skill in ("Récit", "retro", "retrovirus"):
        agents.create_skill(base.service.platform, skill, ())
    await eva.until(lambda: {"Récit", "retro", "retrovirus"} <= eva.backend.records("skills").keys())
    await open_grid(eva)
    await eva.press("slash")
    await eva.type("#retro #récit")
    await eva.press("enter")
    await eva.until(lambda: "Récit      retro      retrovirus" in eva.screen_text())
    await eva.press("escape", "escape")
    await eva.no_dialog()


async def test_the_grid_opens_at_the_agent_under_the_cursor_and_shows_who_is_available(eva: Seat, base: Base) -> None:
    skill = base.skill("bob").skill
    await eva.until(lambda: "bob" in getattr(eva.backend.records("skills").get(skill), "agents", ()))
    await eva.look_at("agents", "bob")
    await eva.press("G")
    await eva.until(lambda: isinstance(eva.app.screen, SkillGridScreen))
    await eva.sees("LIVE")
    await eva.press("slash")
    await eva.type(f"#{skill}")
    await eva.press("enter")
    await eva.sees("1, ")
    row = next(each for each in eva.screen_text().splitlines() if "Bob Whitaker" in each)
    assert "[●" in row, "the cursor is on Bob, who has the skill"
    assert row.split()[0] != "Bob", "first comes the sign of the presence"
    await eva.press("slash", "ctrl+u")
    await eva.type("belmonte")
    await eva.press("enter")
    await eva.until(lambda: "Bob Whitaker" not in eva.screen_text())
    await eva.sees("Ana Belmonte")
    await eva.press("escape")
    await eva.sees("Bob Whitaker")
    await eva.press("escape")
    await eva.no_dialog()


async def test_configured_keys_work_in_the_grid_and_in_a_record(floor: Running, tmp_path: Path) -> None:
    keys = {"view.mark": "f5", "view.back": "f6", "agents.give-skill": "f7"}
    async with seat(floor, tmp_path, config=Config(hold_seconds=0, keys=keys)) as eva:
        await open_grid(eva)
        await eva.press("f5")
        await eva.sees("1 change planned")
        await eva.press("f6")
        await eva.sees("no changes planned")
        await eva.press("f6")
        await eva.no_dialog()
        await eva.press("enter")
        await eva.sees("f7 add skill")
        await eva.open_dialog("f7")
        await eva.press("escape")
        await eva.sees("f6 back")
        await eva.press("f6")
        await eva.no_dialog()


async def test_help_in_the_grid_lists_its_keys(eva: Seat) -> None:
    await open_grid(eva)
    await eva.press("question_mark")
    await eva.sees("All keys")
    await eva.sees("Plan to add or remove the skill.")
    await eva.confirm("q")
    await eva.until(lambda: isinstance(eva.app.screen, SkillGridScreen))
    await eva.press("q")
    await eva.no_dialog()


async def test_users_who_cannot_change_skills_see_the_grid_and_the_reason(ana: Seat) -> None:
    before = ana.backend.commands.tickets()
    await open_grid(ana)
    for keys in (("space",), ("right", "enter")):
        await ana.press(*keys)
        await ana.sees("Only admins can do this.")
    assert "no changes planned" in ana.screen_text()
    assert ana.backend.commands.tickets() == before


async def test_each_skill_shows_how_many_of_its_agents_are_free(eva: Seat) -> None:
    await open_grid(eva)
    screen = eva.app.screen
    assert isinstance(screen, SkillGridScreen)
    _, totals, *_ = screen.query_one(Grid).said.splitlines()
    assert totals.startswith("  Free agents ")
    counts = re.findall(r"\d+ of \d+", totals)
    assert re.split(r"\s{2,}", totals.strip()) == ["Free agents", *counts], "wider gaps between counts than within"
