"""Which part of the records of a kind the caller is shown (contract 4.5, 4.7).

A list that holds only the caller's own records must not be read as all there is.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary
    from console.views.render_context import RenderContext

ADMIN = "admin"
_OWN_TO_OTHERS = frozenset({"calls", "conferences", "alerts", "groups", "sessions", "recordings", "missed-calls"})
"""Kinds of which those who are no admins are shown their own."""


class Scope(StrEnum):
    """Which records a list holds."""

    ALL = "all"
    OWN = "own"
    """Those that the caller takes part in, owns or receives."""
    FOLLOWED = "followed"
    """Those that the caller follows: the presence list has no others."""
    DOMAIN = "domain"
    """Those of the caller's domain."""
    PART = "part"
    """Not all, for a reason that is not known: the service counts more than it lists."""


def scope(kind: str, render: RenderContext) -> Scope:
    """Return which records of a kind the caller is shown: by the role, and by what else the service says.

    Before the role is known, everything.
    """
    if kind == "presence":
        return Scope.FOLLOWED
    if kind == "notifications":
        return Scope.OWN
    if render.role and render.role != ADMIN:
        if kind in _OWN_TO_OTHERS:
            return Scope.OWN
        if kind == "users":
            return Scope.DOMAIN
    if kind == "calls" and hidden_calls(render):
        return Scope.PART
    return Scope.ALL


def active_calls(render: RenderContext) -> int | None:
    """Return how many calls the service counts as active, None while it has not said."""
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    return None if status is None else len(status.active_calls)


def hidden_calls(render: RenderContext) -> bool:
    """Return whether the service counts more active calls than the list has calls, ended ones included."""
    active = active_calls(render)
    return active is not None and active > len(render.lookup("calls"))
