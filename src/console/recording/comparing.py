"""Compares two moments of a recording: added, removed and changed records, field by field."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from console.base.frozen import Frozen
from console.base.text import clean, of_number
from console.kinds.tables import TABLES
from console.live.delta import CURRENT
from console.recording.recording import NOT_RECORDED, ListRecording
from console.records.differences import ChangedField, ChangedList, Difference
from console.records.record import Record
from console.views.differences import FieldWords, state_column
from console.views.render_context import RenderContext
from console.views.wording import clock, in_sentence, known_count

MOST = 5_000
"""Most records of a comparison; counts are of all. A list with many leaves room for the other lists."""
_MOST_FIELDS = 8
_LONGEST = 100


class Comparison(Frozen):
    """Differences between two moments, in ms since the epoch."""

    from_ms: int
    to_ms: int
    lists: tuple[ChangedList, ...]
    """The lists that differ, were not current or cannot be compared, in the order of all lists."""
    rows: tuple[Difference, ...]
    left_out: int = 0
    """Number of further rows."""


def compare(
    recording: ListRecording, kinds: Sequence[str], moments: tuple[int, int], render_at: Callable[[int], RenderContext]
) -> Comparison:
    """Compare the lists of a recording at two moments, in any order. `render_at` returns the context of a moment.

    It takes as long as it takes to open both moments: not on the thread of the screen.
    """
    first, last = sorted(moments)
    then, now = render_at(first), render_at(last)
    lists: list[ChangedList] = []
    rows: dict[str, list[Difference]] = {}
    total, numbers = 0, itertools.count(1)
    for kind in kinds:
        why = _unknown(recording, kind, (then, now))
        if why:
            lists.append(ChangedList(list=kind, title=TABLES[kind].title, unknown=why))
            continue
        counts: Counter[str] = Counter()
        fields: Counter[str] = Counter()
        kept = rows[kind] = []
        for difference in _differences(kind, recording, (then, now), numbers):
            counts[difference.change or ""] += 1
            fields.update(changed.label or "" for changed in difference.fields)
            total += 1
            if len(kept) < MOST:
                kept.append(difference)
        outdated = _outdated(recording, kind, (then, now))
        if counts or outdated:
            join = ", ".join(f"{name} {many}" for name, many in fields.most_common(_MOST_FIELDS))
            lists.append(
                ChangedList(
                    list=kind,
                    title=TABLES[kind].title,
                    fields=join or None,
                    came=counts["came"],
                    went=counts["went"],
                    changed=counts["changed"],
                    outdated=outdated or None,
                )
            )
    shares = _shares({kind: len(row) for kind, row in rows.items()})
    differences = tuple(itertools.chain.from_iterable(row[: shares[kind]] for kind, row in rows.items()))
    return Comparison(first, last, tuple(lists), differences, total - len(differences))


def _shares(sizes: Mapping[str, int]) -> dict[str, int]:
    """Return how many rows of each list are kept: all of the short ones, and as many of each long one."""
    left, shares = MOST, dict[str, int]()
    for place, (kind, size) in enumerate(sorted(sizes.items(), key=lambda entry: entry[1])):
        shares[kind] = min(size, left // (len(sizes) - place))
        left -= shares[kind]
    return shares


def _unknown(recording: ListRecording, kind: str, moments: Iterable[RenderContext]) -> str:
    """Return why a list cannot be compared, empty if it can."""
    if kind not in recording.kinds:
        return NOT_RECORDED
    for render in moments:
        health = recording.health(kind, render.now_ms)
        if health.age is None:
            return f"{health.reason or NOT_RECORDED} at {clock(render.now_ms, render)}"
        if health.cut:
            # A row that is not among the first ones may have been there.
            return f"only its first rows were listed at {clock(render.now_ms, render)}"
    return ""


def _outdated(recording: ListRecording, kind: str, moments: Iterable[RenderContext]) -> str:
    """Return at which moments the rows of a list were older ones, and from when; empty if it was current."""
    texts: list[str] = []
    for render in moments:
        health = recording.health(kind, render.now_ms)
        if health.state not in CURRENT and health.age is not None:
            known = clock(render.now_ms - 1000 * health.age, render)
            texts.append(f"not current at {clock(render.now_ms, render)}, rows of {known}")
    return "; ".join(texts)


def _differences(
    kind: str, recording: ListRecording, renders: tuple[RenderContext, RenderContext], numbers: Iterator[int]
) -> Iterator[Difference]:
    """Yield records that changed, then those that came, then those that went, with the next numbers as ids."""
    table, (then, now) = TABLES[kind], renders
    before, after = recording.rows(kind, then.now_ms), recording.rows(kind, now.now_ms)
    words, state = FieldWords(table), state_column(table)

    def row(record: Record, render: RenderContext, key: str, change: str, **more: Any) -> Difference:
        name = clean(table.name(record, render), _LONGEST)
        id = f"{next(numbers):06}"
        return Difference(id=id, list=kind, list_title=table.title, subject=key, name=name, change=change, **more)

    def seen(record: Record, render: RenderContext) -> str:
        return "" if state is None else state.cell(record, render).text

    for key, record in after.items():
        old = before.get(key)
        if old is None or old is record or old == record:
            continue
        fields = tuple(ChangedField(**difference._asdict()) for difference in words.differences(old, record, then, now))
        if fields:
            states = seen(old, then), seen(record, now)
            before_and_after = {} if states[0] == states[1] else {"before": states[0], "after": states[1]}
            yield row(record, now, key, "changed", fields=fields, **before_and_after)
    for key, record in after.items():
        if key not in before:
            yield row(record, now, key, "came", after=seen(record, now))
    for key, record in before.items():
        if key not in after:
            yield row(record, then, key, "went", before=seen(record, then))


def summary(comparison: Comparison, render: RenderContext) -> str:
    """Return the total of a comparison in words; the least that it is if lists cannot be compared.

    Lists that were not current are named after it.
    """
    exact = not any(changed_list.unknown for changed_list in comparison.lists)
    came, went, changed = (
        sum(getattr(changed_list, name) or 0 for changed_list in comparison.lists)
        for name in ("came", "went", "changed")
    )
    new, gone, other = (known_count(many, render, exact=exact) for many in (came, went, changed))
    outdated = ", ".join(in_sentence(each.title or each.list) for each in comparison.lists if each.outdated)
    known = f"; last known: {outdated}" if outdated else ""
    return f"{new} {of_number(came, 'record')} came, {gone} went, {other} changed{known}"
