"""Charts tell a scale, gaps, thresholds and restarts, and nothing that was not measured."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest

from console.views.cell import Tone
from console.views.chart import ThresholdLine, falls, plot, rates, scale_top, slope, values_in
from tests.for_each import for_each

SHAPES: dict[str, tuple[float | None, ...]] = {
    "flat": (2,) * 16,
    "spike": (0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0),
    "gap": (1, 1, 2, 2, 3, None, None, None, None, None, 3, 2, 2, 2, 1, 1),
    "restart": (4, 4, 4, 3, 3, None, None, None, 0, 0, 1, 1, 2, 2, 2, 2),
    "above the threshold": (1, 1, 2, 2, 3, 3, 4, 4, 4, 3, 3, 2, 2, 1, 1, 1),
    "one sample": (None,) * 15 + (3,),
    "none": (None,) * 16,
    "falling": (4, 4, 4, 3.5, 3.5, 3, 3, 2.5, 2, 2, 1.5, 1, 1, 0.5, 0.1, 0),
}
"""Values of charts that end at 4."""


GOLDEN: dict[str, Sequence[list[str]]] = {
    "flat": (
        ["", "⠒⠒⠒⠒⠒⠒⠒⠒", "⠂⠂⠂⠂⠂⠂⠂⠂"],
        ["", "▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄", "░░░░░░░░░░░░░░░░"],
        ["", "################", "----------------"],
    ),
    "spike": (
        ["   ⢸", "   ⡜⡄", "⣀⣀⣀⡇⣇⣀⣀⣀"],
        ["       █", "       ░", "───────░────────"],
        ["       #", "       -", "----------------"],
    ),
    "gap": (
        ["  ⡀  ⡀", "⢀⠞   ⠘⠲⡀", "⠉⠂   ⠂⠂⠉"],
        ["", "  ▄▄█     █▄▄▄", "██░░░     ░░░░██"],
        ["", "  ###     ####", "##---     ----##"],
    ),
    "restart": (
        ["⠉⢣⡀ ┊", "⠂⠂  ┊⢀⠖⠒", "⠂⠂  ⣠⠋⠂⠂"],
        ["███     │", "░░░██   │   ▄▄▄▄", "░░░░░   │─██░░░░"],
        ["###     |", "---##   |   ####", "-----   |-##----"],
    ),
    "above the threshold": (
        ["──⣠⠋⢣⡀──", "⢀⠞⠂⠂⠂⠘⢆", "⠉⠂⠂⠂⠂⠂⠈⠉"],
        ["      ███", "──▄▄██───██▄▄───", "██░░░░░░░░░░░███"],
        ["      ###", "--####---####---", "##-----------###"],
    ),
    "one sample": (
        ["       ⢀", "", ""],
        ["", "               █", "               ░"],
        ["", "               #", "               -"],
    ),
    "none": (
        ["", "", ""],
        ["", "", ""],
        ["", "", ""],
    ),
    "falling": (
        ["⠉⠑⢢⡀", "⠂⠂⠂⠈⠒⡄", "⠂⠂⠂⠂⠂⠈⠱⢄"],
        ["███▄▄", "░░░░░███▄▄", "░░░░░░░░░░███▄▄─"],
        ["#####", "-----#####", "----------#####-"],
    ),
}
"""The lines of each shape in the sets `full`, `plain` and `ascii`."""


def calm(_value: float) -> Tone:
    return Tone.NOTICE


def drawn(*values: float | None, top: float = 4, height: int = 2, symbols: str = "plain", **more: Any) -> list[str]:
    lines = plot(values, top, height, calm, symbols=symbols, **more)
    return ["".join(cell.text for cell in line) for line in lines]


def shape(name: str, symbols: str) -> list[str]:
    """Draw a shape with a threshold line at 3; a restart is at the ninth value."""
    levels = [ThresholdLine(3, Tone.WARN)] if "threshold" in name else []
    marks = {8} if name == "restart" else ()
    return [line.rstrip() for line in drawn(*SHAPES[name], height=3, symbols=symbols, levels=levels, marks=marks)]


@for_each("name", SHAPES)
def test_each_shape_is_drawn_in_each_set_of_symbols(name: str) -> None:
    for symbols, lines in zip(("full", "plain", "ascii"), GOLDEN[name], strict=True):
        assert shape(name, symbols) == lines, symbols
        assert symbols != "ascii" or "".join(lines).isascii()


def test_an_hour_in_few_cells_has_as_many_points_as_dots() -> None:
    assert [values_in(24, symbols) for symbols in ("full", "plain", "ascii")] == [48, 24, 24]
    levels = {tuple(drawn(value / 20, top=1, height=5, symbols="full")) for value in range(21)}
    assert len(levels) == 20


def test_six_large_charts_take_few_calls() -> None:
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    values = [float(place * 7 % 50) for place in range(120)]
    sys.setprofile(count)
    try:
        for _ in range(6):
            plot(values, 50, 15, calm, levels=[ThresholdLine(30, Tone.WARN)])
    finally:
        sys.setprofile(None)
    assert calls < 6 * 60 * 15 * 20


def test_a_column_has_two_levels_a_line_and_a_gap_is_empty() -> None:
    assert drawn(0, 1, 2, 3, 4, None, 0.01) == [
        "   ▄█  ",
        "─▄█░░ ▄",
    ]


def test_a_threshold_is_a_line_through_the_area_and_above_it() -> None:
    def severe(value: float) -> Tone:
        return Tone.BAD if value >= 3 else Tone.NOTICE

    lines = plot([4, 1, None], 4, 4, severe, levels=[ThresholdLine(2, Tone.WARN)], symbols="plain")
    assert ["".join(cell.text for cell in line) for line in lines] == ["█  ", "░  ", "───", "░█ "]
    assert [line[0].tone for line in lines] == [Tone.BAD, Tone.BAD, Tone.WARN, Tone.QUIET]
    lines = plot([4, 4, 4, 1, 1, 1, None, None], 4, 4, severe, levels=[ThresholdLine(2, Tone.WARN)])
    assert ["".join(cell.text for cell in line) for line in lines] == ["⠉⡇  ", "─⢣──", "⠂⢸⣀ ", "⠂⠂⠂ "]
    assert [[cell.tone for cell in line] for line in lines] == [
        [Tone.BAD, Tone.QUIET],
        [Tone.WARN, Tone.BAD, Tone.WARN],
        [Tone.QUIET, Tone.NOTICE, Tone.QUIET],
        [Tone.QUIET],
    ]
    assert drawn(1, top=2, levels=[ThresholdLine(9, Tone.WARN)]) == [" ", "█"], (
        "a line far above would flatten the chart"
    )


def test_an_own_change_is_a_dot_above_the_curve_in_each_set_of_symbols() -> None:
    values = (1, 1, 2, 2, 4, 4, 4, 4, 3, 3, None, None, 0, 0, 0, 0)
    golden = {
        "full": ["•⢀⠏⠙⣄•  ", "⢀⠞⠂•⠂   ", "⠉⠂⠂⠂⠂ ⣀⣀"],
        "plain": ["•   ████   •    ", "  ▄▄░░░•██      ", "██░░░░░░░░  ────"],
        "ascii": ["*   ####   *    ", "  ##---*##      ", "##--------  ----"],
    }
    for symbols, lines in golden.items():
        assert drawn(*values, height=3, symbols=symbols, changes={0, 7, 11}) == lines, symbols


def test_a_restart_is_a_vertical_line_where_nothing_was_known() -> None:
    assert drawn(4, None, 1, marks=falls([50, None, 3])) == ["█ │", "░ ▄"]


@pytest.mark.parametrize(
    ("most", "top"), [(0, 4), (3, 4), (5, 6), (7, 8), (45, 50), (11, 20), (23, 30), (73, 80), (412e6, 500e6)], ids=str
)
def test_a_scale_ends_at_a_round_number(most: float, top: float) -> None:
    assert scale_top([None, most, 1 if most else None]) == top


def test_a_scale_of_times_ends_at_a_round_time() -> None:
    assert scale_top([158_000], times=True) == 180_000
    assert scale_top([None], times=True) == 10_000


def test_a_rate_is_unknown_after_a_gap_and_counts_from_zero_after_a_restart() -> None:
    assert rates([10, 12, None, 20, 23, 5], 60) == [2, None, None, 3, 5]
    assert rates([0, 0, 3, 3, 6], 30, over=2) == [3, 3, 3]


def test_a_slope_needs_enough_samples_over_enough_time() -> None:
    grows = [(float(second), 100.0 + 2 * second) for second in range(100)]
    assert round(slope(grows, least=60, span=90) or 0, 6) == 2
    assert slope(grows[:50], least=60, span=10) is None
    assert slope(grows, least=60, span=900) is None
