"""The grid of skills and agents: planned cell by cell, applied at once, through the same gate as every action."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.records.desk import Agent
from console.screens.skill_grid import SkillGridScreen
from console.service.domain import agents
from console.service.domain.agents import SKILLS
from console.service.serve import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.ground import Ground
from tests.behaviour.pressing import presses

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def open_grid(who: Seat) -> None:
    await who.look_at("agents")
    await who.press("G")
    await who.until(lambda: isinstance(who.app.screen, SkillGridScreen))
    await who.sees("Skills of agents")


def first_agent(who: Seat) -> Agent:
    """Return the agent in the first row."""
    agents = (each for each in who.desk.records("agents").values() if isinstance(each, Agent))
    return min(agents, key=lambda each: ((each.display_name or each.id).casefold(), each.id))


@presses("skills.grid", undone=True)
async def test_a_plan_is_applied_with_one_key_and_taken_back_with_one(eva: Seat, ground: Ground) -> None:
    await open_grid(eva)
    agent = sorted(eva.desk.records("agents").values(), key=lambda each: (str(each.display_name).casefold(), each.id))[
        0
    ]
    first, second = sorted(eva.desk.records("skills"), key=str.casefold)[:2]
    before = ground.skills_of(agent.id)
    await eva.press("space", "right", "space")
    await eva.sees("2 changes planned")
    assert ground.skills_of(agent.id) == before, "nothing is sent before it is applied"
    await eva.press("enter")
    await eva.done("skills.grid")
    assert ground.skills_of(agent.id) == before ^ {first, second}
    await eva.no_dialog()
    await eva.undo()
    assert ground.skills_of(agent.id) == before


async def test_a_plan_is_dropped_with_escape_and_an_empty_one_is_not_applied(eva: Seat, ground: Ground) -> None:
    await open_grid(eva)
    tickets = eva.desk.tickets()
    await eva.press("down", "space", "space")
    await eva.sees("nothing planned")
    await eva.press("enter")
    await eva.sees("Nothing to change")
    await eva.press("space")
    await eva.sees("1 changes planned")
    await eva.press("escape")
    await eva.sees("nothing planned")
    await eva.press("escape")
    await eva.no_dialog()
    assert eva.desk.tickets() == tickets


async def test_a_cell_that_has_become_so_meanwhile_is_not_sent(eva: Seat, ground: Ground) -> None:
    skill = ground.skill().skill
    await eva.until(lambda: skill in eva.desk.records("skills"))
    await open_grid(eva)
    skills = sorted(eva.desk.records("skills"), key=str.casefold)
    await eva.press(*["right"] * skills.index(skill), "space", "down", "space")
    await eva.sees("2 changes planned")
    first = sorted(eva.desk.records("agents").values(), key=lambda each: (str(each.display_name).casefold(), each.id))[
        0
    ]
    agents.attach(ground.service.platform, skill, [first.id])
    await eva.until(lambda: first.id in getattr(eva.desk.records("skills")[skill], "agents", ()))
    await eva.press("enter")
    ticket = await eva.done("skills.grid")
    assert len(ticket.command.steps) == 1
    assert len(ground.stored(SKILLS, skill)["agents"]) == 2


async def test_the_cursor_of_the_grid_stays_on_its_agent_and_skill(eva: Seat, ground: Ground) -> None:
    await open_grid(eva)
    skills = sorted(eva.desk.records("skills"), key=str.casefold)
    await eva.press("right", "down", "space")
    agents.create_skill(ground.service.platform, "!first of all", ())
    await eva.until(lambda: "!first of all" in eva.desk.records("skills"))
    await eva.press("space")
    await eva.sees("nothing planned")
    assert skills[1] in eva.screen_text()
    await eva.press("escape")
    await eva.no_dialog()


@pytest.mark.parametrize(
    ("who", "read_only", "reason"),
    [("eva", True, "This profile is read-only."), ("ana", False, "Only an admin may do this.")],
)
async def test_who_may_not_change_skills_sees_the_grid_and_is_told_why_nothing_is_planned(
    floor: Running, tmp_path: Path, who: str, read_only: bool, reason: str
) -> None:
    async with seat(floor, tmp_path, who, (80, 24), read_only=read_only) as seated:
        await open_grid(seated)
        await seated.press("space")
        await seated.sees(reason)
        await seated.press("right", "enter")
        await seated.sees(reason)
        assert "nothing planned" in seated.screen_text()
        assert not seated.desk.tickets()
