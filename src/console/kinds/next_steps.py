"""The steps that usually follow a change: a credential for a new user, members for a new group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from console.api.request import Request
from console.base.frozen import Frozen
from console.kinds.catalogue import KINDS
from console.live.command import Stage, Ticket


class NextStep(Frozen):
    """An action on the record of a change, or the form of an operation that names the record."""

    action: str
    """The id of the action, or the name of the operation."""
    draft: Callable[[Any, str], Mapping[str, Any]] | None = None
    """For an operation: returns what its form starts with, for the request and the record's key."""
    key: Callable[[Any], str] | None = None
    """Returns the record's key from the request, if it is not the changed record's key."""


NextSteps = Mapping[type[Request[Any]], tuple[NextStep, ...]]
"""`NEXT_STEPS` of a kind's `actions.py`: what follows a request. The first one that is available is offered."""


def next_steps(ticket: Ticket) -> tuple[tuple[NextStep, str], ...]:
    """Return what may follow a command, with the keys of the records; empty unless one request was done."""
    if ticket.stage is not Stage.DONE or len(ticket.outcomes) != 1 or ticket.command.takes_back or ticket.undone:
        return ()
    outcome = ticket.outcomes[0]
    request = outcome.step.request
    key = outcome.made[0] if outcome.made else outcome.step.key
    return tuple((step, step.key(request) if step.key else key) for step in _by_request().get(type(request), ()))


@cache
def _by_request() -> NextSteps:
    return {request: steps for kind in KINDS for request, steps in kind.load_effects("NEXT_STEPS").items()}
