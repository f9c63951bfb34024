"""The sparkline of recent events."""

from __future__ import annotations

from console.views.trend import EIGHTHS, lately, spark
from tests.for_each import for_each
from tests.kinds.wild import NOW, render_context


def test_moments_are_counted_by_their_age_and_those_outside_are_ignored() -> None:
    moments = [NOW, NOW - 9, NOW - 10, NOW - 29, NOW - 30, NOW + 5, None, float("-inf")]
    assert lately(moments, 10, 3, render_context()) == [1, 1, 2]


@for_each(
    "values, full, plain, text",
    [
        ([], "", "", ""),
        ([None], "", "", ""),
        ([0, 0], "··", "··", ".."),
        ([0, None, 7], "· █", "· █", ". #"),
        ([58, 71, 40, 35], "▇█▅▄", "▓█▒▒", "*#=="),
        ([0, 1, 80], "·▁█", "·░█", ".-#"),
        ([-1e15, -1, 4], "··█", "··█", "..#"),
    ],
)
def test_values_are_drawn_in_proportion_to_the_highest(
    values: list[float | None], full: str, plain: str, text: str
) -> None:
    assert [spark(values, symbols) for symbols in ("full", "plain", "ascii")] == [full, plain, text]


def test_small_counts_are_drawn_as_eighths() -> None:
    assert spark([*range(9)], "full", EIGHTHS) == "·▁▂▃▄▅▆▇█"
    assert spark([1, 2, None, 3], "full", EIGHTHS) == "▁▂ ▃"
    assert spark([2, 16], "full", EIGHTHS) == "▁█", "more than eight are drawn in proportion"
