"""Rows in chunks are one sorted list, and incremental totals equal those counted from scratch."""

from __future__ import annotations

import random

from console.views.columns import TotalsState
from console.views.rows import Place, Rows


def place(number: int) -> Place:
    return 0, number // 3, 0, 0, f"k{number:05}"


def test_after_small_changes_the_rows_are_one_sorted_list() -> None:
    chance = random.Random(3)
    there = {number: place(number) for number in chance.sample(range(20_000), 4_000)}
    rows = Rows(there.values())
    for _ in range(60):
        leaving = chance.sample(sorted(there), 90)
        # Sometimes whole ranges are removed, so that chunks become empty, and others are inserted in one place, so that
        # they grow.
        leaving = sorted(there)[:90] if chance.random() < 0.3 else leaving
        first = chance.randrange(20_000)
        fresh = [each for each in range(first, first + 100) if each not in there]
        places = {each[-1]: each for each in there.values()}
        rows.change({there[each][-1] for each in leaving}, map(place, fresh), places)
        for each in leaving:
            del there[each]
        there |= {each: place(each) for each in fresh}
        wanted = sorted(there.values())
        assert list(rows) == wanted
        assert len(rows) == len(wanted)
        at = chance.randrange(len(wanted))
        assert rows.window(at, 700) == wanted[at : at + 700]
        assert rows.number(wanted[at]) == at
    assert rows.window(len(rows), 1) == []
    assert rows.number(place(99_999)) == len(rows)


def test_a_copy_is_independent() -> None:
    rows = Rows(map(place, range(2_000)))
    copy = rows.copy()
    copy.change({"k00007"}, (), {"k00007": place(7)})
    assert (len(rows), len(copy)) == (2_000, 1_999)
    assert [each[-1] for each in rows.window(7, 1)] == ["k00007"]
    assert [each[-1] for each in copy.window(7, 1)] == ["k00008"]


def test_the_earliest_moment_is_that_of_the_remaining_rows() -> None:
    chance = random.Random(5)
    state, there = TotalsState(), list[tuple[str, float | None]]()
    for _ in range(3_000):
        if there and chance.random() < 0.5:
            state.add(there.pop(chance.randrange(len(there))), -1)
        else:
            share = chance.choice("abc"), chance.choice([None, *map(float, range(20))])
            there.append(share)
            state.add(share)
        assert state.counts == {sort: n for sort in "abc" if (n := sum(each[0] == sort for each in there))}
        assert state.earliest == min((each[1] for each in there if each[1] is not None), default=None)
