"""Charts tell a scale, gaps, thresholds and restarts, and nothing that was not measured."""

from __future__ import annotations

from typing import Any

import pytest

from console.views.cell import Tone
from console.views.chart import Level, falls, plot, rates, scale_top, slope


def calm(_value: float) -> Tone:
    return Tone.NOTICE


def drawn(*values: float | None, top: float = 4, height: int = 2, **more: Any) -> list[str]:
    lines = plot(values, top, height, calm, **more)
    return ["".join(cell.text for cell in line) for line in lines]


def test_a_column_has_two_levels_a_line_and_a_gap_is_empty() -> None:
    assert drawn(0, 1, 2, 3, 4, None, 0.01) == [
        "   ▄█  ",
        "─▄█░░ ▄",
    ]


def test_ascii_terminals_get_a_chart_too() -> None:
    assert all(line.isascii() for line in drawn(0, 1, 2, 3, 4, None, symbols="ascii", marks={5}))


def test_a_threshold_is_a_line_through_the_area_and_above_it() -> None:
    lines = plot(
        [4, 1, None], 4, 4, lambda value: Tone.BAD if value >= 3 else Tone.NOTICE, levels=[Level(2, Tone.WARN)]
    )
    assert ["".join(cell.text for cell in line) for line in lines] == ["█  ", "░  ", "───", "░█ "]
    assert [line[0].tone for line in lines] == [Tone.BAD, Tone.BAD, Tone.WARN, Tone.QUIET]
    assert drawn(1, top=2, levels=[Level(9, Tone.WARN)]) == [" ", "█"], "a line far above would flatten the chart"


def test_a_restart_is_a_vertical_line_where_nothing_was_known() -> None:
    assert drawn(4, None, 1, marks=falls([50, None, 3])) == ["█ │", "░ ▄"]


@pytest.mark.parametrize(
    ("most", "top"), [(0, 4), (3, 4), (5, 5), (7, 8), (11, 20), (23, 30), (73, 80), (412e6, 500e6)], ids=str
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
