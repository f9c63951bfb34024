"""An array that comes again, cut beside the rows that it had before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from console.records.raw import ALL, Json, rows

_AHEAD = 8
"""Known rows that are looked for behind one that is not what it was."""
_NEAR = 32 * 1024
"""Bytes within which they are looked for: what is farther away takes longer to find than to cut."""
_TOGETHER = 32
"""Rows compared at once."""
_COMMA = ord(",")


def split_incrementally(array: bytes, known: Sequence[bytes], most: int = ALL) -> Iterator[range | list[Json]]:
    """Cut an array of which most rows are known already, in the same order, to the byte.

    Of what is not known, no more than `most + 1` rows are cut at once.

    Yields, in order, which of the known rows come again, and between them the others, cut. Bytes that are what they
    were need not be taken apart to know where they end: that takes half the time of cutting all of it where one row in
    a hundred has changed, and a sixth where none has. What is between two known rows is cut as a list of its own, which
    shows that the second one begins where a row may begin. Raises ValueError as `cut` does.
    """
    at, here = 1, 0
    while True:
        begin = here
        at, here = _as_before(array, at, known, here)
        if here > begin:
            yield range(begin, here)
        if here < len(known) and array.startswith(known[here], at) and array[at + len(known[here]) :] == b"]":
            yield range(here, here + 1)
            return
        found = _next_known(array, at, known, here)
        others = None if found is None else _between(array, at, found[0])
        if found is None or others is None:
            rest = rows(b"[" + array[at:], most)
            if not rest and at > 1:
                raise ValueError("a comma has no row after it")
            yield rest
            return
        if others:
            yield others
        at, here = found


def _between(array: bytes, at: int, start: int) -> list[Json] | None:
    """Return the rows before one that seems to begin at `start`; None when they are not whole."""
    if start == at:
        return []
    try:
        return rows(b"[%s]" % array[at : start - 1]) or None
    except ValueError:
        return None


def _as_before(array: bytes, at: int, known: Sequence[bytes], here: int) -> tuple[int, int]:
    """Go on over known rows for as long as they come again; return where the next row begins, and which is due."""
    end = len(array)
    while here < len(known):
        # Some compared at once, and one by one only where they differ: a third of the time.
        due = known[here : here + _TOGETHER]
        joined = b",".join(due)
        after = at + len(joined)
        if after < end and array[after] == _COMMA and array.startswith(joined, at):
            at, here = after + 1, here + len(due)
            continue
        for row in due:
            after = at + len(row)
            if after >= end or array[after] != _COMMA or not array.startswith(row, at):
                return at, here
            at, here = after + 1, here + 1
    return at, here


def _next_known(array: bytes, at: int, known: Sequence[bytes], here: int) -> tuple[int, int] | None:
    """Return where one of the next known rows begins, and which one it is."""
    # Mostly one row has changed, so that the next one follows; or one went; or one came.
    for place in (here + 1, here, *range(here + 2, here + _AHEAD)):
        if place < len(known):
            if place > here and array.startswith(known[place], at):
                return at, place
            start = array.find(b"," + known[place], at + 1, at + _NEAR + len(known[place]))
            if start >= 0:
                return start + 1, place
    return None
