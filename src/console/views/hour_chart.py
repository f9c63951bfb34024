"""Chart of the waiting calls of the last hour as a section of a detail, with the own changes of that time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from console.base.signs import drawn
from console.base.text import clean, fit
from console.views.cell import Cell, Line, Section, Tone
from console.views.chart import CHANGE, plot, scale_top, values_in
from console.views.render_context import RenderContext
from console.views.wording import amount, minute, plural

_COLUMNS = 36
"""Width of the curve: it fits beside a list in 120 columns."""
_HEIGHT = 5
_SCALE = 4
_MOST_WORDS = 34
"""Most cells of the words about an own change."""
_HOUR_MS = 3_600_000


def hour_chart(values: Sequence[int | None], render: RenderContext) -> tuple[Section, ...]:
    """Return the section with the waiting calls in equal parts of the last hour, the current one last.

    There is none without a value.
    """
    values = tuple(None if value is None else max(0, value) for value in values)
    known = [value for value in values if value is not None]
    if not known:
        return ()
    changes = [(at, said) for at, said in render.changes() if 0 <= _place(at, render) < _COLUMNS]
    lines = list(_curve(values, tuple({_place(at, render) for at, _ in changes}), render.symbols))
    begin = minute(render.now_ms - _HOUR_MS, render)
    end = minute(render.now_ms, render) if render.past else clean("now")
    lines.append((Cell(clean(" " * (_SCALE + 1) + begin + end.rjust(_COLUMNS - len(begin))), Tone.QUIET),))
    none = "no call has waited" if len(known) == len(values) else "no call is known to have waited"
    peak = f"at most {plural(max(known), 'waiting call')} at a time" if max(known) else f"{none} in this hour"
    lines.append((Cell(clean(peak), Tone.QUIET),))
    if changes:
        at, said = changes[-1]
        sign = drawn(CHANGE, render.symbols)
        lines.append((Cell(clean(f"{sign} {clean(said, _MOST_WORDS)} {minute(at, render)}"), Tone.NOTICE),))
    return (Section("hour", "Last hour", tuple(lines)),)


def _place(at_ms: float, render: RenderContext) -> int:
    """Return the column of a moment."""
    return int(_COLUMNS - 1 - (render.now_ms - at_ms) * _COLUMNS // _HOUR_MS)


@lru_cache(maxsize=64)
def _curve(values: tuple[int | None, ...], changes: tuple[int, ...], symbols: str) -> tuple[Line, ...]:
    """Return the lines of the curve with its scale. It changes every five minutes, and is drawn each second."""
    room = values_in(_COLUMNS, symbols)
    spread = [values[place * len(values) // room] for place in range(room)]
    top = scale_top([value for value in values if value is not None])
    labels = {0: amount(top), _HEIGHT // 2: amount(top / 2), _HEIGHT - 1: "0"}
    scale = [
        fit(clean(labels.get(row, "")), _SCALE, right=True) + (drawn("┤", symbols) if row in labels else " ")
        for row in range(_HEIGHT)
    ]
    places = [column * room // _COLUMNS for column in changes]
    curve = plot(spread, top, _HEIGHT, lambda _value: Tone.NOTICE, changes=places, symbols=symbols)
    return tuple((Cell(clean(label), Tone.QUIET), *line) for label, line in zip(scale, curve, strict=True))
