"""Only the cells of a line that differ are painted again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.base.text import cells
from console.ui.widgets.styled_line import Piece, differing, piece
from console.views.cell import Tone

LOOKS = (Tone.PLAIN, Tone.BAD)


@pytest.mark.parametrize(
    ("before", "after", "spans"),
    [
        (["wait ", "2:38", "  10:42:17"], ["wait ", "2:39", "  10:42:18"], [(8, 9), (18, 19)]),
        (["wait ", "2:59"], ["wait ", "3:00"], [(5, 9)]),
        (["wait ", "9:59", " end"], ["wait ", "10:00", " end"], [(5, 14)]),
        (["one ", "two ", "end"], ["one ", "six  ", "en"], [(4, 11)]),
        ([], ["new"], [(0, 3)]),
        (["gone"], [], [(0, 4)]),
        (["日本", "a"], ["日木", "a"], [(0, 4)]),
        (["same"], ["same"], []),
    ],
)
def test_which_cells_differ(before: list[str], after: list[str], spans: list[tuple[int, int]]) -> None:
    assert list(differing([piece(each) for each in before], [piece(each) for each in after])) == spans


def test_another_style_is_a_difference() -> None:
    assert list(differing([piece("2:38")], [piece("2:38", Tone.BAD)])) == [(0, 4)]


rows = st.lists(
    st.tuples(st.sampled_from(["a", "ab", "1:07", "12", "日", " ", "x日"]), st.sampled_from(LOOKS)), max_size=6
)


def painted(row: list[Piece]) -> list[tuple[str, Tone]]:
    """Return the contents of each cell."""
    found: list[tuple[str, Tone]] = []
    for each in row:
        assert isinstance(each.look, Tone)
        for character in each.text:
            found += [(character, each.look)] * cells(each.text.__class__(character))
    return found


@given(rows, rows)
def test_every_differing_cell_is_painted_exactly_once(
    before: list[tuple[str, Tone]], after: list[tuple[str, Tone]]
) -> None:
    was, now = ([piece(text, look) for text, look in row] for row in (before, after))
    spans = list(differing(was, now))
    named = [cell for left, right in spans for cell in range(left, right)]
    assert len(named) == len(set(named))
    blank = (" ", None)
    width = max(len(painted(was)), len(painted(now)))
    old, new = ([*painted(row), *[blank] * (width - len(painted(row)))] for row in (was, now))
    assert {at for at in range(width) if old[at] != new[at]} <= set(named)
