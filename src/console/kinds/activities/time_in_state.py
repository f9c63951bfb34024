"""The column with the time in the current state, for lists of people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from console.base.frozen import replace
from console.base.signs import drawn
from console.base.text import clean
from console.records.record import Record
from console.views import columns, wording
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from console.views.table import Column

if TYPE_CHECKING:
    from console.records.activities import ObservedActivity

_SAYS_NOTHING_MS = 1000
"""A state whose beginning was not seen says nothing about its age before it was observed for this long."""

R = TypeVar("R", bound=Record)


def in_state(user_id: str, render: RenderContext) -> Cell:
    """Return the time in the current state: `12:40`, or `≥ 12:40` if its beginning was not seen; first a dash."""
    observed_activity, began = observed(user_id, render), since(user_id, render)
    age = wording.age(render.ms_since(began), render)
    if observed_activity is None or observed_activity.from_start:
        return Cell(age, Tone.QUIET if observed_activity is None else Tone.PLAIN)
    if began is not None and render.now_ms - began < _SAYS_NOTHING_MS:
        return Cell(wording.dash(render), Tone.QUIET)
    return Cell(clean(f"{drawn('≥', render.symbols)} {age}"), Tone.QUIET)


def time_in_state(user_of: Callable[[R, RenderContext], str], priority: int) -> Column[R]:
    """Return the column of a list of people; `user_of` returns the user's id."""

    def began(record: R, render: RenderContext) -> float | None:
        return since(user_of(record, render), render)

    def shown(record: R, render: RenderContext) -> Cell:
        return in_state(user_of(record, render), render)

    usual: Column[R] = columns.age("instate", "In state", began, width=9, priority=priority)
    return replace(usual, cell=shown, about="time in the activity; at least, if the beginning was not seen")


def observed(user_id: str, render: RenderContext) -> ObservedActivity | None:
    """Return what was observed of a user, or None."""
    return cast("ObservedActivity | None", render.find("activities", user_id))


def since(user_id: str, render: RenderContext) -> float | None:
    """Return since when a user is known to be in the current state, in ms since the epoch."""
    observed_activity = observed(user_id, render)
    return None if observed_activity is None else wording.at(observed_activity.since_at)
