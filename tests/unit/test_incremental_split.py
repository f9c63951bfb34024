"""A list split incrementally has the same rows as one split from scratch."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.live.list_differ import split_incrementally


def joined(rows: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(rows) + b"]"


def put_together(array: bytes, known: Sequence[bytes]) -> list[bytes]:
    """Return the rows of an array that is split with known rows."""
    rows: list[bytes] = []
    for piece in split_incrementally(array, known):
        rows += [known[place] for place in piece] if isinstance(piece, range) else [bytes(row) for row in piece]
    return rows


# Rows that contain each other, as text and as objects, and rows with common beginnings.
PLAIN = [b'{"id":"%d","text":"{},[%d]"}' % (number, number) for number in range(60)]
ROWS = [
    *PLAIN,
    *(b'{"in":[%b,%b]}' % (PLAIN[number], PLAIN[number + 1]) for number in range(20)),
    *(json.dumps({"text": f",{PLAIN[number].decode()},"}).encode() for number in range(20)),
    *(b"1", b"12", b"null", b'"a,b"', b"{}", b"[]"),
]


@given(
    known=st.lists(st.sampled_from(ROWS), max_size=120),
    changes=st.lists(st.tuples(st.integers(0, 120), st.integers(0, 3), st.sampled_from(ROWS)), max_size=12),
)
def test_an_array_is_split_with_known_rows_as_without(
    known: list[bytes], changes: list[tuple[int, int, bytes]]
) -> None:
    came = list(known)
    for place, lost, row in changes:
        came[place : place + lost] = [row]
    assert put_together(joined(came), known) == put_together(joined(came), ()) == came


@given(known=st.lists(st.sampled_from(ROWS), min_size=1, max_size=70), data=st.data())
def test_a_truncated_array_is_an_error_and_no_shorter_list(known: list[bytes], data: st.DataObject) -> None:
    whole = joined(known)
    broken = whole[: data.draw(st.integers(1, len(whole) - 1))]
    with pytest.raises(ValueError, match=r".*"):
        put_together(broken, known)


@pytest.mark.parametrize(
    "array", [b"[,]", b"[{},,{}]", b"[{},]", b"[{}]]", b'[{}]{"a":1}', b'[{},{"a":[}]', b"[{} {}]"]
)
def test_invalid_arrays_are_refused_with_known_rows_as_well(array: bytes) -> None:
    for known in ([], [b"{}"], [b"{}", b"{}"], [b"{}", b'{"a":1}']):
        with pytest.raises(ValueError, match=r".*"):
            put_together(array, known)


def test_a_list_with_whitespace_is_split_as_well() -> None:
    assert put_together(b'[ {"a":1} , {"b":2}\n]\n', [b'{"a":1}', b'{"b":2}']) == [b'{"a":1}', b'{"b":2}']


def test_a_long_list_with_few_changes_is_mostly_not_split() -> None:
    known = [b'{"id":%d,"text":"%d"}' % (number, number) for number in range(5_000)]
    came = list(known)
    came[17] = b'{"id":17,"text":"other"}'
    del came[2_000:2_003]
    came.insert(4_000, b'{"id":9999}')
    pieces = list(split_incrementally(joined(came), known))
    assert sum(len(each) for each in pieces if not isinstance(each, range)) <= 4
    assert put_together(joined(came), known) == came
