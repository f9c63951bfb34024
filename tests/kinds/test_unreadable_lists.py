"""A list in a row that cannot be read is not shown as an empty one: nothing is known of it, which is not none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from console.commands.action import ChoiceAsk
from console.kinds.actions import by_id
from console.kinds.tables import TABLES
from console.records.fields import resolved_fields
from console.records.people import Group
from console.records.record import Record
from console.records.support import Skill
from tests.kinds.action_world import DAN_AGENT, HELP, asks_of, situation
from tests.kinds.reading import words
from tests.kinds.wild import KINDS, NOW, render_context

ODD = {"odd": True}


def lists_in(model: type[Record]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the paths of lists in a record by wire names, with one entry each."""
    for field in resolved_fields(model).values():
        if get_origin(field.annotation) is tuple:
            entry = get_args(field.annotation)[0]
            is_record = isinstance(entry, type) and issubclass(entry, Record)
            yield (field.wire,), {"id": "x", "name": "x"} if is_record else "x"
        elif isinstance(field.annotation, type) and issubclass(field.annotation, Record):
            for path, entry in lists_in(field.annotation):
                yield (field.wire, *path), entry


def row_with(key: str, path: tuple[str, ...], value: object) -> dict[str, Any]:
    for name in reversed(path):
        value = {name: value}
    assert isinstance(value, dict)
    return {"state": "active", "createdAt": NOW - 60_000, "online": True, "activity": "available", key: "k1", **value}


def shown(kind: str, row: Mapping[str, Any]) -> set[str]:
    """Return the texts and values of all cells of a row, and the lines of all sections."""
    record, table = KINDS[kind].model_validate(row), TABLES[kind]
    render = render_context({kind: {record.key: record}})
    cells = {f"column {column.id}: {column.cell(record, render).text}" for column in table.columns}
    values = {f"value {column.id}: {column.value(record, render)}" for column in table.columns}
    lines = {
        f"section {section.id}: {text}"
        for section in table.detail(record, render)
        if section.id not in {"raw", "faults"}
        for text in [str(section.title), *map(words, section.lines)]
    }
    return cells | values | lines


def test_an_unreadable_list_is_not_shown_as_an_empty_one() -> None:
    claims: list[str] = []
    for kind, model in KINDS.items():
        key = model.key_wire()
        for path, entry in lists_in(model):
            empty, one, odd = (shown(kind, row_with(key, path, value)) for value in ([], [entry], ODD))
            claimed = (text for text in (empty & odd) - one if not text.endswith(("–", ": None", ": ")))
            claims += [f"{kind}: {'.'.join(path)}: {text}" for text in claimed]
    assert not claims, "\n".join(sorted(claims))


def test_no_picker_says_that_an_unreadable_list_is_empty() -> None:
    skill, group = (
        Skill.model_validate({"skill": "fibre", "agents": ODD}),
        Group.model_validate({"groupId": "g", "participants": ODD}),
    )
    at = situation(skills=(skill,), groups=(group,))
    for name, record in (("agents.give-skill", DAN_AGENT), ("chats.start", None), ("templates.attach", HELP)):
        ask = asks_of(by_id(name), at, (record,) if record is not None else ())[0]
        assert isinstance(ask, ChoiceAsk)
        notes = {choice.note for choice in ask.choices if choice.value.endswith(("fibre", ":g"))}
        assert notes in ({"– agents"}, {"– people"}), name
