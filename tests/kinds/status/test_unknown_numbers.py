"""Numbers that need a list are not shown while the list is not known."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.kinds.scope import active_calls
from console.kinds.skills.columns import TABLE
from console.kinds.status.charts import CHARTS, curve
from console.kinds.status.summary import numbers, service_line
from console.live.history import status_values
from console.records.record import Record
from console.records.support import Agent, Skill
from console.records.traffic import StatusSummary
from console.ui.screens.wall_boards import BoardLook, figures, skills
from console.views.render_context import RenderContext


def context(**records: Record) -> RenderContext:
    known = {kind: {record.key: record} for kind, record in records.items()}
    return RenderContext(1_800_000_000_000, ZoneInfo("UTC"), role="admin", lookup=lambda kind: known.get(kind, {}))


def service_words(render: RenderContext) -> str:
    return "".join(cell.text for cell in service_line(None, render))


@pytest.mark.parametrize("answer", [{}, {"activeCalls": None}, {"activeCalls": 48}, {"activeCalls": "x"}])
def test_a_status_without_its_lists_has_no_numbers_of_them(answer: dict[str, Any]) -> None:
    status = StatusSummary.model_validate({**answer, "uptime": 60})
    render = context(status=status)
    assert numbers((), render)["calls"].value == "–"
    assert "user" not in service_words(render)
    board = {str(title.text): value.text for title, value in figures(render, BoardLook())}
    assert board["calls"] == "-"
    assert active_calls(render) is None
    assert status_values(status)["active_calls"] is None


def test_a_status_with_empty_lists_has_zeros() -> None:
    render = context(status=StatusSummary(active_calls=(), active_users=()))
    assert numbers((), render)["calls"].value == "0"
    assert "0 active users" in service_words(render)


def cells(skill: Skill, render: RenderContext) -> dict[str, Any]:
    return {column.id: column.value(skill, render) for column in TABLE.columns}


def test_skills_have_no_numbers_of_agents_that_cannot_be_listed() -> None:
    skill = Skill(skill="english", agents=("ana", "bob"))
    shown = cells(skill, context(skills=skill))
    names = ("free", "busy", "away", "online", "reachable", "offline", "chats", "understaffed")
    assert {name: shown[name] for name in names} == dict.fromkeys(names)
    assert (shown["agents"], shown["possible"]) == (2, 2)
    (heading, row) = skills(context(skills=skill), BoardLook())
    assert heading[0].text == "unknown", "not enough, nor too few"
    assert [part.text for part in row[1:]] == ["-", "-", "-"]


def test_skills_with_known_agents_have_numbers() -> None:
    skill, agent = Skill(skill="english", agents=("ana",)), Agent(id="ana", online=True, activity="available")
    shown = cells(skill, context(skills=skill, agents=agent))
    assert (shown["free"], shown["busy"], shown["online"]) == (1, 0, 1)


def test_a_chart_has_its_current_number_before_the_new_interval_has_a_sample() -> None:
    (chart,) = [chart for chart in CHARTS if chart.name == "active"]
    assert curve(chart, [40.0, 41.0, None], [None, None, None], 41.0, 3, 180.0).now == 41.0
    assert curve(chart, [40.0, None, None], [None, None, None], 40.0, 3, 180.0).now is None
