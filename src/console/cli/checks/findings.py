"""Results of the examination of a deployment."""

from __future__ import annotations

from enum import StrEnum

from console.api.shape import ShapeDifference
from console.base.frozen import Frozen

EVENTS = "events"
"""Name of the event channel in the results."""


class State(StrEnum):
    """Result of an operation."""

    WORKS = "works"
    NOT_OFFERED = "not offered"
    """Excluded by the profile, its variant or its routes file; not called."""
    UNPROVEN = "unproven"
    """Could not be called, or the answer proves nothing."""
    NOT_BOUND = "not bound"
    """The service has nothing at this method and path."""
    REFUSED = "refused"
    DIFFERS = "shape differs"
    FAILED = "failed"
    UNREACHABLE = "unreachable"


AS_IT_SHOULD_BE = frozenset({State.WORKS, State.UNPROVEN, State.NOT_OFFERED})


class Finding(Frozen):
    """Result of one operation."""

    name: str
    state: State
    reason: str = ""
    """Partly remote text: clean before printing."""
    differences: tuple[ShapeDifference, ...] = ()
    seconds: float | None = None
    """Duration of the request; None without one."""
    request: str = ""
    """Method and URL of a failed request, without a query."""
    answer: str = ""
    """Status, content type and first line of its answer: remote text."""
    advice: str = ""
    """The likeliest cause, and the key of the profile that mends it."""
