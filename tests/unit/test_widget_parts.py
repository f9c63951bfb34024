"""The pure parts of the widgets: layout, wrapping, narrowing, fields of forms."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.base.text import cells, clean
from console.commands.action import Choice, FormAsk
from console.records.record import Record
from console.ui.dialogs.choice import narrow
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_fields import fields_of
from console.ui.widgets.form_reading import read_form
from console.ui.widgets.styled_line import piece, within, words_of
from console.ui.widgets.table_layout import GAP, GUTTER, lay_out
from console.ui.widgets.wrapping import wrap
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from console.views.table import Column
from tests.for_each import for_each


def column(name: str, width: int, priority: int = 0, grows: bool = False) -> Column[Record]:
    def cell(_record: Record, _render: RenderContext) -> Cell:
        return Cell(clean(name))

    def value(_record: Record, _render: RenderContext) -> str:
        return name

    return Column(name, name.title(), width, value, cell, priority=priority, grows=grows)


COLUMNS = (
    column("state", 12),
    column("who", 20, grows=True),
    column("age", 6),
    column("more", 10, 3),
    column("last", 8, 1),
)


def test_the_highest_priority_is_removed_first_and_zero_never() -> None:
    def shown(width: int) -> list[str]:
        return [each.column.id for each in lay_out(COLUMNS, width).placed]

    assert shown(80) == ["state", "who", "age", "more", "last"]
    assert shown(64) == ["state", "who", "age", "last"]
    assert shown(50) == ["state", "who", "age"]
    assert shown(10) == ["state", "who", "age"]


def test_remaining_width_goes_to_growing_columns_and_missing_width_comes_from_them() -> None:
    assert lay_out(COLUMNS, 120).width == 120
    assert lay_out(COLUMNS, 37).width == 37
    assert lay_out(COLUMNS, 5).placed[1].width == 8
    assert lay_out(COLUMNS, 40, everything=True).hidden == 0
    assert lay_out(COLUMNS, 40, everything=True).width > 40


def test_on_a_wide_screen_other_texts_grow_before_a_wide_column_does() -> None:
    columns = (column("name", 18, grows=True), column("user", 14))
    for room, widths in ((36, (22, 14)), (40, (24, 16)), (60, (36, 24)), (66, (40, 26)), (90, (40, 40))):
        layout = lay_out(columns, GUTTER + GAP + room)
        assert tuple(each.width for each in layout.placed) == widths


def test_on_a_very_wide_screen_only_the_last_column_parts_from_the_others() -> None:
    columns = (column("name", 18, grows=True), column("flag", 1), column("count", 8), column("members", 20, grows=True))
    assert [each.width for each in lay_out(columns, 200).placed] == [40, 1, 40, 110]
    assert [each.width for each in lay_out(columns[:3], 200).placed] == [40, 1, 40]


@given(st.integers(1, 300))
def test_columns_never_overlap(width: int) -> None:
    layout = lay_out(COLUMNS, width)
    for before, after in zip(layout.placed, layout.placed[1:], strict=False):
        assert before.left + before.width < after.left
        assert layout.at(after.left) is after
        assert layout.at(after.left - 1) is before
    last = layout.placed[-1]
    assert layout.width == GUTTER + last.left + last.width


@given(st.lists(st.tuples(st.text(max_size=40), st.sampled_from(list(Tone))), max_size=6), st.integers(4, 40))
def test_wrapped_rows_fit_and_lose_no_word(parts: list[tuple[str, Tone]], width: int) -> None:
    line = tuple(Cell(clean(text), tone) for text, tone in parts)
    rows = wrap(line, width)
    assert all(sum(cells(cell.text) for cell in row) <= width for row in rows)
    assert "".join(c.text for row in rows for c in row).replace(" ", "") == "".join(c.text for c in line).replace(
        " ", ""
    )


def test_a_wrapped_value_does_not_move_its_label() -> None:
    line = (Cell(clean("note   "), Tone.QUIET), Cell(clean("one two three four")))
    assert ["".join(cell.text for cell in row).rstrip() for row in wrap(line, 16)] == [
        "note   one two",
        "       three",
        "       four",
    ]


def test_a_note_is_wrapped_below_itself() -> None:
    line = (Cell(clean("a"), Tone.NOTICE), Cell(clean("  accept  ")), Cell(clean("you take care of it"), Tone.QUIET))
    assert ["".join(cell.text for cell in row).rstrip() for row in wrap(line, 22)] == [
        "a  accept  you take",
        "           care of it",
    ]


def choices(*titles: str) -> list[Choice]:
    return [Choice(title, clean(title)) for title in titles]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ["Mariana", "Ana Ruiz", "Bob"]),
        ("ana", ["Ana Ruiz", "Mariana"]),
        ("ru ana", ["Ana Ruiz"]),
        ("arz", ["Ana Ruiz"]),
        ("b", ["Bob"]),
        ("x", []),
    ],
)
def test_matches_at_the_beginning_of_a_word_are_first(typed: str, found: list[str]) -> None:
    assert [each.value for each in narrow(typed, choices("Mariana", "Ana Ruiz", "Bob"))] == found


@for_each("request_class", [*catalogue().values()])
def test_every_operation_has_a_form_that_reads_back_its_own_values(request_class: Any) -> None:
    for variant in Variant:
        ask = FormAsk("f", "Form", request_class)
        fields = fields_of(ask, variant)
        wires = {each.field: each.wire for each in request_class.inputs()}
        assert {wires[each.path[0]] for each in fields}.isdisjoint(request_class.lacks(variant))
        reading = read_form(ask, fields, {})
        missing = {each.field for each in request_class.inputs() if each.required}
        assert set(reading.faults) <= missing | {""}
        for field in fields:
            if field.kind is FieldKind.CHOICE:
                assert field.offered
                assert all(field.read(field.write(value)) == value for _, value in field.offered)
            if field.kind is FieldKind.LINES:
                assert field.read("a\n\n b ") == ["a", "b"]
            if field.kind is FieldKind.JSON:
                with pytest.raises(ValueError, match="is not valid JSON"):
                    field.read("{")


TOTALS = [
    piece("24 agents", Tone.STRONG),
    piece("  "),
    piece("0 free", Tone.QUIET),
    piece("  "),
    piece("13 busy", Tone.NOTICE),
    piece("  "),
    piece("oldest "),
    piece("29:45", Tone.BAD),
]


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (45, "24 agents  0 free  13 busy  oldest 29:45"),
        (39, "24 agents  0 free  13 busy"),
        (26, "24 agents  0 free  13 busy"),
        (25, "24 agents  0 free"),
        (17, "24 agents  0 free"),
        (16, "24 agents"),
        (9, "24 agents"),
        (3, "24 agents …"),
    ],
)
def test_totals_drop_their_last_parts_and_no_number_is_cut(width: int, said: str) -> None:
    assert words_of(within(TOTALS, width)) == said
    assert within([], width - 50) == []


STATES = [
    piece("120 calls", Tone.STRONG),
    piece("  "),
    piece("≡ 16 queued"),
    piece(", longest "),
    piece("2:38", Tone.BAD),
    piece("  "),
    piece("● 37 connected"),
    piece("  "),
    piece("oldest 29:45"),
    piece("  "),
    piece("× 1 000 failed"),
    piece("  "),
    piece("○ 5 busy"),
]


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (92, "120 calls  ≡ 16 queued, longest 2:38  ● 37 connected  oldest 29:45  × 1 000 failed  ○ 5 busy"),
        (85, "120 calls  ≡ 16 queued, longest 2:38  ● 37 connected  1 005 others  oldest 29:45"),
        (70, "120 calls  ≡ 16 queued, longest 2:38  ● 37 connected  1 005 others"),
        (60, "120 calls  ≡ 16 queued, longest 2:38  1 042 others"),
        (40, "120 calls  ≡ 16 queued, longest 2:38"),
        (30, "120 calls"),
    ],
)
def test_totals_count_the_states_for_which_there_is_no_room_as_others(width: int, line: str) -> None:
    assert words_of(within(STATES, width)) == line


def test_the_best_match_is_first() -> None:
    def found(typed: str, *offered: tuple[str, str]) -> list[str]:
        return [str(each.title) for each in narrow(typed, [Choice(t, clean(t), clean(n)) for t, n in offered])]

    agents = [
        ("Diego Cano", "free #analysis"),
        ("Mariana Oro", "free"),
        ("Eva Anaya", "busy"),
        ("Ana Ruiz", "away"),
        ("Al Nasri A.", ""),
    ]
    assert found("ana", *agents) == ["Ana Ruiz", "Eva Anaya", "Diego Cano", "Mariana Oro", "Al Nasri A."]
    assert found("an ru", *agents) == ["Ana Ruiz"]
    assert found("malaga", ("Front desk Málaga", ""), ("Galicia", "")) == ["Front desk Málaga"]
    assert found("+3460", ("Ana", "ana +34600100200"), ("Bob", "bob +34911")) == ["Ana"]
    assert found("", *agents) == [name for name, _ in agents]
