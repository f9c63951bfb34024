"""Actions on groups. Members are changed by single additions and removals, each with its inverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.people import CreateGroup, CreateGroups, GetGroup, NewGroup, UpdateGroup
from console.base.collation import collated
from console.base.frozen import Frozen
from console.base.text import clean, of_number
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, FormAsk, Situation, TextAsk
from console.commands.csv_rows import csv_rows
from console.commands.inputs import build, form, text
from console.commands.lookup import group_name, lookup, person, why_not_owner
from console.kinds.inverses import step_of
from console.kinds.next_steps import NextStep, NextSteps
from console.live.command import Basis, Step
from console.records.people import Group, RingingStrategy
from console.views.cell import Cell, Line, Tone
from console.views.render_context import RenderContext
from console.views.wording import plural

DEFAULT_STRATEGY = "simultaneous"
"""The only strategy that the contract defines; others are accepted unchanged."""


def _owner(situation: Situation, records: Sequence[Group]) -> str | None:
    return why_not_owner(situation, records[0])


# -- create --------------------------------------------------------------------------------------------------------


def _ask_new(_situation: Situation, _records: Sequence[Group]) -> Asks:
    return (FormAsk("group", "New group", CreateGroup, only=("group_id", "name")),)


def _create(situation: Situation, _records: Sequence[Group], answers: Answers) -> list[Step]:
    request = build(CreateGroup, form(answers, "group"))
    if request.group_id and situation.render.find("groups", request.group_id) is not None:
        raise ValueError(f"Group {clean(request.group_id, 40)} already exists.")
    return [Step(request, request.group_id or "", f"created group {clean(request.name, 64)}")]


class GroupLine(Frozen):
    """One line of a pasted list of groups, with its error."""

    number: int
    group_id: str = ""
    name: str = ""
    strategy: str = ""
    fault: str = ""

    @property
    def line(self) -> Line:
        """The line in a list of results."""
        text = self.fault or f"{self.group_id}  {self.name}  {self.strategy or DEFAULT_STRATEGY}"
        return (Cell(clean(f"line {self.number}: ")), Cell(clean(text, 120), Tone.BAD if self.fault else Tone.GOOD))


def read_groups(typed: str, render: RenderContext) -> tuple[GroupLine, ...]:
    """Parse `groupId, name, strategy` lines; a name with a comma needs double quotes. Empty lines are skipped."""
    lines: list[GroupLine] = []
    seen: set[str] = set()
    for number, line in enumerate(typed.splitlines(), 1):
        if not line.strip():
            continue
        rows, unreadable = csv_rows(line, skip_spaces=True)
        parts = rows[0] if rows else []
        group_id, name, strategy = (*parts, "", "", "")[:3]
        fault = ""
        if unreadable:
            fault = unreadable
        elif len(parts) > 3:
            fault = "more than three values; put a name with a comma in double quotes"
        elif not group_id:
            fault = "no group id"
        elif not name:
            fault = "no name"
        elif group_id in seen:
            fault = f"{group_id} is listed twice"
        elif render.find("groups", group_id) is not None:
            fault = f"group {group_id} already exists"
        seen.add(group_id)
        lines.append(GroupLine(number, group_id, name, strategy, fault))
    return tuple(lines)


def _ask_several(situation: Situation, _records: Sequence[Group]) -> Asks:
    def check(typed: str) -> str | None:
        lines = read_groups(typed, situation.render)
        invalid = [line for line in lines if line.fault]
        if not lines:
            return "Write one group per line: id, name, strategy."
        return f"Line {invalid[0].number}: {clean(invalid[0].fault, 120)}." if invalid else None

    def preview(typed: str) -> tuple[Line, ...]:
        return tuple(group.line for group in read_groups(typed, situation.render))

    title = "New groups, one per line: id, name, strategy"
    return (TextAsk("groups", title, lines=True, check=check, preview=preview, verb="Create"),)


def _create_several(situation: Situation, _records: Sequence[Group], answers: Answers) -> list[Step]:
    lines = read_groups(text(answers, "groups", "The list of groups"), situation.render)
    invalid = [line for line in lines if line.fault]
    if invalid:
        more = (
            f" {plural(len(invalid) - 1, 'more line')} {of_number(len(invalid) - 1, 'is')} invalid."
            if invalid[1:]
            else ""
        )
        raise ValueError(f"Line {invalid[0].number}: {clean(invalid[0].fault, 120)}.{more}")
    groups = tuple(
        NewGroup(
            group_id=line.group_id,
            name=line.name,
            **({"ringing_strategy": RingingStrategy(type=line.strategy)} if line.strategy else {}),
        )
        for line in lines
    )
    message = (
        f"created {plural(len(groups), 'group')}" if len(groups) > 1 else f"created group {clean(lines[0].name, 64)}"
    )
    return [Step(CreateGroups(groups=groups), lines[0].group_id, message)]


# -- copy ------------------------------------------------------------------------------------------------------------


def _ask_copy_id(situation: Situation, records: Sequence[Group]) -> Asks:
    group, render = records[0], situation.render

    def check(typed: str) -> str | None:
        record = render.find("groups", typed.strip())
        return f"Group {clean(typed.strip(), 40)} already exists." if record is not None else None

    members = tuple(
        (Cell(clean(f"{place:>3}  "), Tone.QUIET), Cell(person(render, participant)))
        for place, participant in enumerate(group.participants, 1)
    )
    rings = (Cell(clean(f"{_copied_name(group)}, rings {_strategy(group).type}, owned by you"), Tone.QUIET),)
    title = f"Id of the copy of {group_name(group)}"
    return (TextAsk("group_id", title, check=check, preview=lambda _typed: (rings, *members), verb="Create"),)


def _copied_name(group: Group) -> str:
    return f"{group.name or group.group_id} (copy)"


def _copy(situation: Situation, records: Sequence[Group], answers: Answers) -> list[Step]:
    group = records[0]
    group_id = text(answers, "group_id", "The id of the copy")
    if situation.render.find("groups", group_id) is not None:
        raise ValueError(f"Group {clean(group_id, 40)} already exists.")
    values = {"group_id": group_id, "name": _copied_name(group), "ringing_strategy": _strategy(group)}
    called = f"{group_name(group)} as {clean(group_id, 40)}"
    steps = [Step(build(CreateGroup, values), group_id, f"copied {called}")]
    if group.participants:
        filled = UpdateGroup(group_id=group_id, participants=group.participants)
        members = plural(len(group.participants), "member")
        steps.append(Step(filled, group_id, f"added {members} to {clean(group_id, 40)}", follows=True))
    return steps


# -- name and strategy -----------------------------------------------------------------------------------------------


def _ask_name(_situation: Situation, records: Sequence[Group]) -> Asks:
    return (TextAsk("name", f"New name of {group_name(records[0])}", records[0].name or "", verb="Rename"),)


def _rename(situation: Situation, records: Sequence[Group], answers: Answers) -> list[Step]:
    group = records[0]
    name = text(answers, "name", "The name")
    if name == group.name:
        raise ValueError("The group already has this name.")
    request = build(UpdateGroup, {"group_id": group.group_id, "name": name})
    message = f"renamed {group_name(group)} to {clean(name, 64)}"
    basis = Basis(GetGroup(group_id=group.group_id), {"name": group.name})
    return [step_of(situation, request, group.key, message, basis, record=group)]


def strategies(render: RenderContext) -> tuple[str, ...]:
    """Return the available ringing strategies: the contract's own, then other strategies in use by groups."""
    seen = {group.ringing_strategy.type for group in lookup(render, "groups", Group) if group.ringing_strategy}
    return (
        DEFAULT_STRATEGY,
        *sorted(
            {value for value in seen if value} - {DEFAULT_STRATEGY}, key=lambda strategy: (collated(strategy), strategy)
        ),
    )


def _ask_strategy(situation: Situation, records: Sequence[Group]) -> Asks:
    now = _strategy(records[0]).type
    choices = tuple(
        Choice(strategy, clean(strategy, 40), clean("current") if strategy == now else None)
        for strategy in strategies(situation.render)
    )
    return (ChoiceAsk("strategy", f"Ring strategy of {group_name(records[0])}", choices, digits=True, free=True),)


def _set_strategy(situation: Situation, records: Sequence[Group], answers: Answers) -> list[Step]:
    group, before = records[0], _strategy(records[0])
    wanted = text(answers, "strategy", "The strategy")
    if wanted == before.type:
        raise ValueError(f"The group already rings {clean(wanted, 40)}.")
    after = before.model_copy(update={"type": wanted})
    request = UpdateGroup(group_id=group.group_id, ringing_strategy=after)
    basis = Basis(GetGroup(group_id=group.group_id), {"ringing_strategy": group.ringing_strategy})
    message = f"set ring strategy of {group_name(group)} to {clean(wanted, 40)}"
    return [step_of(situation, request, group.key, message, basis, record=group)]


def _strategy(group: Group) -> RingingStrategy:
    ringing_strategy = group.ringing_strategy
    return (
        ringing_strategy
        if ringing_strategy is not None and ringing_strategy.type
        else RingingStrategy(type=DEFAULT_STRATEGY)
    )


NEXT_STEPS: NextSteps = {CreateGroup: (NextStep("groups.add"),)}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Group](
        id="groups.create",
        title="new group",
        key="n",
        verb="new",
        kind="groups",
        plan=_create,
        asks=_ask_new,
        needs="none",
        footer=4,
        about="Creates a group that you own.",
        sends=(CreateGroup,),
    ),
    Action[Group](
        id="groups.create-many",
        title="several new groups",
        key="ctrl+g",
        verb="new, several",
        kind="groups",
        plan=_create_several,
        asks=_ask_several,
        needs="none",
        footer=8,
        about="Creates all groups of a pasted list, or none.",
        sends=(CreateGroups,),
    ),
    Action[Group](
        id="groups.copy",
        title="copy group",
        key="C",
        kind="groups",
        plan=_copy,
        asks=_ask_copy_id,
        footer=8,
        about="Creates a group of your own with the same members in the same order.",
        sends=(CreateGroup, UpdateGroup),
    ),
    Action[Group](
        id="groups.rename",
        title="rename",
        key="e",
        verb="edit",
        kind="groups",
        plan=_rename,
        why_not=_owner,
        asks=_ask_name,
        footer=5,
        about="Renames the group; its id stays the same.",
        sends=(UpdateGroup,),
    ),
    Action[Group](
        id="groups.strategy",
        title="strategy",
        key="s",
        kind="groups",
        plan=_set_strategy,
        why_not=_owner,
        asks=_ask_strategy,
        footer=5,
        about="Changes the ring strategy of the group.",
        sends=(UpdateGroup,),
    ),
)
