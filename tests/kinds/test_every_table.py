"""Properties of every table with any records."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.base.frozen import replace
from console.base.text import SafeText
from console.kinds.catalogue import LIVE, RESOURCES
from console.kinds.tables import TABLES
from console.records.record import Record
from console.rules.reading import SHIPPED_FILE
from console.ui.widgets.styled_line import piece, width_of, within, words_of
from console.ui.widgets.table_layout import lay_out
from console.views import export
from console.views.cell import Cell, Tone
from console.views.filter import fields
from tests.examples import EXAMPLES
from tests.for_each import for_each
from tests.idle.world import StillWorlds
from tests.kinds.wild import KINDS, NOW, records, render_context, world

steady = settings(
    max_examples=max(1, EXAMPLES // 5), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


SMALLEST, BESIDE_THE_TREE = 60, 37
"""Width of a list on a screen of 60 cells, and of one beside the tree of Admin."""
NAME = 10
"""Cells in which a name can be recognized."""


def check(cells: tuple[Cell, ...]) -> None:
    for cell in cells:
        assert isinstance(cell.text, SafeText)
        assert all(character.isprintable() for character in cell.text)
        assert isinstance(cell.tone, Tone)


def test_every_watched_kind_has_a_table_that_is_tested_here() -> None:
    assert LIVE - {"status", "activities"} <= set(TABLES)
    assert set(TABLES) - {"members"} == set(KINDS)


@for_each("kind", KINDS)
@given(data=st.data())
@steady
def test_any_record_is_shown_and_exported_in_clean_text_and_changes_with_time_as_declared(
    kind: str, data: st.DataObject
) -> None:
    table = TABLES[kind]
    record = data.draw(records(kind))

    @cache
    def known(asked: str) -> Mapping[str, Record]:
        """Generate other kinds on request: generating all kinds each time is most of the work."""
        return data.draw(world((asked,)))[asked] if asked in KINDS else {}

    seen = replace(render_context(symbols=data.draw(st.sampled_from(["full", "ascii"]))), lookup=known)
    later = replace(seen, now_ms=NOW + data.draw(st.sampled_from([1_000, 3_600_000])))
    for column in table.columns:
        value, cell = column.value(record, seen), column.cell(record, seen)
        assert value is None or isinstance(value, str | int | float)
        check((cell,))
        if not column.ticks and not column.expires:
            assert cell == column.cell(record, later), column.id
    check((Cell(table.name(record, seen)),))
    for section in (*table.detail(record, seen), *table.related(record, seen)):
        for line in section.lines:
            check(line)
    check(table.totals([record, *known(kind).values()], seen))
    for link in table.links(record, seen):
        assert link.kind in TABLES
    if table.copies:
        assert isinstance(table.copies(record), str)
    for write in (export.to_csv, export.to_json, export.to_jsonl):
        text = write([record], table.columns, seen)
        assert all(character.isprintable() or character == "\n" for character in text)


@for_each("kind", KINDS)
def test_an_empty_record_is_shown(kind: str) -> None:
    empty: Mapping[str, object] = {}
    record: Record = KINDS[kind].model_validate(empty)
    table = TABLES[kind]
    first = table.columns[0].cell(record, render_context())
    assert first.text.startswith("! ")
    assert first.tone is Tone.NOTICE
    assert table.detail(record, render_context())[0].id == "faults"


@for_each("kind", KINDS)
def test_ids_are_unique_and_filter_names_do_not_clash(kind: str) -> None:
    table = TABLES[kind]
    names = [name for column in table.columns for name in (column.id, *column.aliases)]
    assert len(names) == len(set(names))
    assert set(fields(table)) == {name.lower() for name in names}
    assert table.order.removeprefix("-") in {column.id for column in table.columns}
    assert sum(column.grows for column in table.columns) >= 1


@for_each("kind", KINDS)
def test_columns_that_are_always_shown_fit_eighty_columns(kind: str) -> None:
    kept = [column for column in TABLES[kind].columns if column.priority == 0]
    assert sum(column.width + 2 for column in kept) <= 78
    assert kept
    assert kept[0] is TABLES[kind].columns[0]


@for_each("kind", sorted(TABLES))
def test_on_the_smallest_screen_a_list_loses_columns_but_cuts_none(kind: str) -> None:
    width = BESIDE_THE_TREE if kind in RESOURCES else SMALLEST
    layout = lay_out([column for column in TABLES[kind].columns if column.priority < 9], width)
    assert layout.width <= width
    assert all(placed.width >= min(placed.column.width, NAME) for placed in layout.placed if placed.column.grows)


def test_on_the_smallest_screen_users_have_their_role_beside_their_name() -> None:
    columns = [column for column in TABLES["users"].columns if column.priority < 9]
    assert [placed.column.id for placed in lay_out(columns, BESIDE_THE_TREE - 2).placed] == ["name", "role"]


def widths(kind: str, width: int) -> dict[str, int]:
    """Return the widths of the visible columns of a list that is as wide as this."""
    columns = [column for column in TABLES[kind].columns if column.priority < 9]
    return {placed.column.id: placed.width for placed in lay_out(columns, width).placed}


@for_each("kind", ["agents", "presence"])
def test_in_eighty_columns_names_of_people_are_whole(kind: str) -> None:
    # With a scroll bar and without: a list that becomes short does not change its columns.
    assert widths(kind, 79)["name"] >= 24
    assert [*widths(kind, 79)] == [*widths(kind, 80)]


def test_beside_the_record_on_a_usual_screen_agents_have_the_age_of_their_oldest_work() -> None:
    assert "oldest" in widths("agents", 3 * 120 // 5 - 2)


def test_in_eighty_columns_the_sentence_of_each_rule_that_names_nothing_is_whole() -> None:
    shipped = tomllib.loads(SHIPPED_FILE.read_text(encoding="utf-8"))["rules"]
    sentences = [rule["words"] for rule in shipped.values() if "{" not in rule.get("words", "{")]
    assert len(sentences) >= 2
    assert max(map(len, sentences)) <= widths("episodes", 79)["words"]


def test_on_a_very_wide_screen_nearly_all_texts_of_presence_are_whole() -> None:
    columns = [column for column in TABLES["presence"].columns if column.priority < 9]
    layout = lay_out(columns, 3 * 300 // 5)
    assert layout.hidden == 0
    assert min(placed.width for placed in layout.placed if placed.column.id in {"username", "domain"}) >= 17


def test_totals_without_room_count_no_more_others_than_there_are_records(still_worlds: StillWorlds) -> None:
    world = defaultdict[str, Mapping[str, Record]](dict, still_worlds.of("busy").records)
    seen = replace(render_context(), lookup=world.__getitem__)
    too_many: list[str] = []
    for kind in TABLES:
        line = [piece(cell.text, cell.tone) for cell in TABLES[kind].totals(list(world[kind].values()), seen)]
        for width in range(1, width_of(line)):
            text = words_of(within(line, width))
            others = re.search(r"  (\d+) others?\b", text)
            if others and int(others[1]) > len(world[kind]):
                too_many.append(f"{kind}: {text}")
    assert too_many == []
