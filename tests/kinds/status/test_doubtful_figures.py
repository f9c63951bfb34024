"""A figure that rests on rows of unknown meaning is a least one, and none is not known, on Home and beyond."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.cli.checks.status import FIGURES
from console.kinds.agents.columns import COLLEAGUES
from console.kinds.queues.columns import TABLE as QUEUES
from console.kinds.queues.facts import Outcomes
from console.kinds.status import summary
from console.kinds.status.own import own_numbers
from console.kinds.status.summary import Figure, numbers
from console.records.extent import Extent
from console.records.people import Group
from console.records.queues import Queue
from console.records.record import Record
from console.records.support import Agent, Skill
from console.records.traffic import Call
from console.ui.screens.wall_boards import BoardLook, queues
from console.views.render_context import RenderContext
from tests.kinds.sample_records import NOW, agent, presence

ODD_CALL = Call(id="o", state="hyperspace", date=NOW - 60_000)
TALKS = Call(id="t", state="connected", date=NOW - 60_000)
WAITS = Call(id="w", state="queued", date=NOW - 60_000, target="sales")
ODD_LIST: dict[str, Any] = {"odd": True}


def context(me: str = "", extents: Mapping[str, Extent] | None = None, **kinds: tuple[Record, ...]) -> RenderContext:
    known = {kind: {each.key: each for each in records} for kind, records in kinds.items()}
    return RenderContext(
        NOW,
        ZoneInfo("UTC"),
        me=me,
        lookup=lambda kind: known.get(kind, {}),
        extent=lambda kind: (extents or {}).get(kind, Extent.WHOLE),
    )


def own(render: RenderContext, short: str) -> tuple[str, str]:
    tile = next(tile for tile in own_numbers(render) if tile is not None and tile.short == short)
    return tile.value, tile.note


@pytest.mark.parametrize(
    ("calls", "shown"),
    [
        ((TALKS,), ("1", "none waits")),
        ((TALKS, ODD_CALL), ("≥ 2", "– waiting")),
        ((WAITS, ODD_CALL), ("≥ 2", "≥ 1 waiting")),
    ],
    ids=["exact", "none known", "one known"],
)
def test_none_of_the_own_calls_waits_only_if_all_states_are_known(
    calls: tuple[Call, ...], shown: tuple[str, str]
) -> None:
    assert own(context(calls=calls), "Calls") == shown


def test_own_groups_are_at_least_so_many_beside_a_group_whose_members_cannot_be_read() -> None:
    night = Group(group_id="night", participants=("me", "ana"))
    odd = Group.model_validate({"groupId": "odd", "participants": ODD_LIST})
    there = (presence("ana", True, "available"),)
    shown = [own(context("me", groups=groups, presence=there), "Groups") for groups in ((night,), (night, odd), (odd,))]
    assert shown == [("1", "1 of 1 online"), ("≥ 1", "≥ 1 of ≥ 1 online"), ("–", "not known")]


@pytest.mark.parametrize(
    ("skills", "extent", "tile", "line"),
    [
        ((), Extent.WHOLE, ("1", "of 2"), "2 reachable colleagues with your skills  1 free"),
        ((), Extent.PART, ("≥ 1", "of ≥ 2"), "≥ 2 reachable colleagues with your skills  ≥ 1 free"),
        (
            (Skill.model_validate({"skill": "odd", "agents": ODD_LIST}),),
            Extent.WHOLE,
            ("≥ 1", "of ≥ 2"),
            "≥ 2 reachable colleagues with your skills  ≥ 1 free",
        ),
    ],
    ids=["exact", "only some agents listed", "a skill without readable agents"],
)
def test_colleagues_are_at_least_so_many_if_others_may_be_unknown(
    skills: tuple[Skill, ...], extent: Extent, tile: tuple[str, str], line: str
) -> None:
    agents: tuple[Agent, ...] = (agent("ana"), agent("bob", chats=1))
    sales = Skill(skill="sales", agents=("me", "ana", "bob"))
    render = context("me", {"agents": extent}, agents=agents, skills=(sales, *skills))
    assert own(render, "Free") == tile
    assert "".join(cell.text for cell in COLLEAGUES.totals(agents, render)) == line


def test_colleagues_of_unknown_state_may_be_reachable() -> None:
    agents = (agent("ana", online=None, activity=None),)
    render = context("me", agents=agents, skills=(Skill(skill="sales", agents=("me", "ana")),))
    line = "".join(cell.text for cell in COLLEAGUES.totals((), render))
    assert line == "– reachable colleagues with your skills  – free"


def test_busy_and_away_agents_are_not_counted_as_none_beside_unknown_ones() -> None:
    known, odd = agent("ana", chats=1), agent("bob", activity="training")
    notes = [numbers([], context(agents=agents))["free"].note for agents in ((known,), (known, odd))]
    assert notes == ["1 busy, 0 away", "≥ 1 busy, – away"]


def test_calls_abandoned_today_are_at_least_so_many_beside_a_state_of_unknown_meaning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = Outcomes(served=4, in_time=4, abandoned=1, abandoned_today=3, since_ms=NOW - 86_400_000)

    def known(_render: RenderContext) -> Outcomes:
        return left

    monkeypatch.setattr(summary, "outcomes", known)

    def abandoned(*calls: Call) -> Figure:
        return numbers([], context(calls=calls))["abandoned"]

    shown = [(tile.value, tile.note, tile.more) for tile in (abandoned(TALKS), abandoned(TALKS, ODD_CALL))]
    assert shown == [("1", "of 5", "3 today"), ("≥ 1", "of ≥ 5", "≥ 3 today")]


@pytest.mark.parametrize(
    ("times", "exact"),
    [
        ({"date": NOW - 3_600_000, "to": NOW - 3_500_000}, True),
        ({"date": NOW - 60_000}, True),
        ({"date": NOW - 3_600_000}, False),
        ({}, False),
    ],
    ids=["ended before", "began lately", "end unknown", "no time"],
)
def test_a_failed_call_of_unknown_end_may_have_failed_lately(times: dict[str, Any], exact: bool) -> None:
    render = context(calls=(Call(id="f", state="server_error", **times),))
    many, is_exact = FIGURES["failures"].value(render)
    assert is_exact is exact
    assert numbers([], render)["failed"].value == (str(many) if exact else "–")


def test_the_waiting_calls_of_a_queue_are_at_least_so_many_beside_a_state_of_unknown_meaning() -> None:
    queue = Queue(queue="sales", waiting=1, longest_at=NOW - 60_000, untimed=0)
    shown: list[tuple[str, str]] = []
    for calls in ((WAITS,), (WAITS, ODD_CALL)):
        render = context(queues=(queue,), calls=calls)
        titles = [section.title for section in QUEUES.detail(queue, render) if section.id == "waiting"]
        shown.append((str(queues(render, BoardLook())[-1][-2].text), str(titles[0])))
    assert shown == [("1", "Waiting 1"), ("≥1", "Waiting ≥ 1")]


DOUBTED = ("≈ 75 %", "≥ 3 of ≥ 4", "≈ 75 %", "≈75%", "≥ 4")


@pytest.mark.parametrize(
    ("others", "extent", "unknown", "shown"),
    [
        ((), Extent.WHOLE, 0, ("75 %", "3 of 4", "75 %", "75%", "4")),
        ((ODD_CALL,), Extent.WHOLE, 0, DOUBTED),
        ((), Extent.PART, 0, DOUBTED),
        ((), Extent.WHOLE, 1, DOUBTED),
    ],
    ids=["exact", "odd state", "part", "left unseen"],
)
def test_a_share_in_time_is_an_approximate_one_if_not_all_calls_are_known(
    others: tuple[Call, ...], extent: Extent, unknown: int, shown: tuple[str, ...]
) -> None:
    began = NOW - 3_600_000
    counts = {"served": 4, "in_time": 3, "unknown": unknown}
    figures = {f"{figure}_{span}": count for figure, count in counts.items() for span in ("15", "60")}
    sales = Queue(queue="sales", waiting=0, since_at=began).model_copy(update=figures)
    render = context(extents={"calls": extent}, calls=others, queues=(sales,))
    tile = numbers((), render)["in-time"]
    share, served = (QUEUES.column(column).cell(sales, render).text for column in ("in-time-60", "served-60"))
    wall = str(queues(render, BoardLook())[-1][-1].text)
    assert (tile.value, tile.more, share, wall, served) == shown
