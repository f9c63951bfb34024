"""The work for the detail of a record does not grow with the lists in which related records are looked up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast
from zoneinfo import ZoneInfo

from console.kinds.catalogue import FEEDS
from console.kinds.tables import TABLES
from console.live.collection import Collection
from console.records.record import Record
from console.views.render_context import RenderContext
from console.views.table import Table
from tests.budgets.counting import SCREEN, CallCounter
from tests.idle.world import NOW_MS, StillWorlds

STRANGERS = 1_000
SHOWN = 10
KEPT = frozenset({"state", "activity", "type"})
"""Fields whose texts are not names."""


def strange(value: Any, number: int) -> Any:
    """Return a JSON value with other texts, so that no other record has to do with it."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {name: part if name in KEPT else strange(part, number) for name, part in fields.items()}
    if isinstance(value, list):
        return [strange(part, number) for part in cast("list[Any]", value)]
    return f"{value}-{number}" if isinstance(value, str) else value


def strangers(records: Mapping[str, Record], numbers: Iterable[int]) -> dict[str, Record]:
    """Return records like the first of these that have nothing to do with any other."""
    model = next(iter(records.values()), None)
    if model is None:
        return {}
    row = json.loads(model.wire_json())
    others = (type(model).model_validate_json(json.dumps(strange(row, number))) for number in numbers)
    return {record.key: record for record in others}


def draw(table: Table[Any], records: Sequence[Record], render: RenderContext) -> None:
    """Make the cells of records, and everything in their details."""
    for record in records:
        table.detail(record, render)
        table.related(record, render)
        table.links(record, render)
        for column in table.columns:
            column.cell(record, render)


def detail_work(world: Mapping[str, Mapping[str, Record]], beside: int) -> dict[str, Counter[str]]:
    """Return the executed lines for some details of each kind, by function, after a record of each list changed."""
    lists: dict[str, Collection[Record]] = {}
    for kind, records in world.items():
        lists[kind] = Collection(FEEDS[kind].apart, FEEDS[kind].states) if kind in FEEDS else Collection()
        lists[kind].change({**records, **strangers(records, range(beside))})
    render = RenderContext(
        now_ms=NOW_MS,
        zone=ZoneInfo("Europe/Madrid"),
        lookup=lambda kind: lists[kind].snapshot() if kind in lists else {},
    )
    lines: dict[str, Counter[str]] = {}
    for kind, table in TABLES.items():
        shown = list(world.get(kind, {}).values())[:SHOWN]
        draw(table, shown, render)
        for other, records in world.items():
            lists[other].change(strangers(records, [0]))
        counter = CallCounter()
        counter.start()
        counter.begin()
        draw(table, shown, render)
        lines[kind] = counter.end()[SCREEN].lines
    return lines


def test_a_detail_costs_the_same_beside_a_thousand_other_records(still_worlds: StillWorlds) -> None:
    world = still_worlds.of("busy").records
    few, many = detail_work(world, 1), detail_work(world, STRANGERS)
    more = {kind: many[kind] - few[kind] for kind in TABLES}
    assert not {kind: grown.most_common(5) for kind, grown in more.items() if grown.total() > STRANGERS / 2}
