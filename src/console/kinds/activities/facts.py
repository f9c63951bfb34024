"""Facts about the time that people have spent in their state."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from console.views import wording

if TYPE_CHECKING:
    from console.records.activities import ObservedActivity
    from console.views.render_context import RenderContext


def observed(user_id: str, render: RenderContext) -> ObservedActivity | None:
    """Return what was observed of a user, or None."""
    return cast("ObservedActivity | None", render.find("activities", user_id))


def since(user_id: str, render: RenderContext) -> float | None:
    """Return since when a user is known to be in the current state, in ms since the epoch."""
    observed_activity = observed(user_id, render)
    return None if observed_activity is None else wording.at(observed_activity.since_at)
