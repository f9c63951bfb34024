"""The part of a kind's records that the caller may see (contract 4.5, 4.7).

A list of the caller's own records must not be presented as complete.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary
    from console.views.render_context import RenderContext

ADMIN = "admin"
_OWN_TO_OTHERS = frozenset({"calls", "conferences", "alerts", "groups", "sessions", "recordings", "missed-calls"})
"""Kinds of which callers other than admins see only their own."""


class Scope(StrEnum):
    """Part of the records in a list."""

    ALL = "all"
    OWN = "own"
    """Those in which the caller takes part, or which the caller owns or receives."""
    FOLLOWED = "followed"
    """Those that the caller follows: the presence list has no others."""
    DOMAIN = "domain"
    """Those of the caller's domain."""
    PART = "part"
    """An unknown part: the service counts more than it lists."""


def scope(kind: str, render: RenderContext) -> Scope:
    """Return the part of a kind's records that the caller sees, by role and by the service's counts.

    Everything, until the role is known.
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
    """Return the number of active calls that the service counts, or None if unknown."""
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    return None if status is None else len(status.active_calls)


def hidden_calls(render: RenderContext) -> bool:
    """Return whether the service counts more active calls than the list contains, including ended ones."""
    active = active_calls(render)
    return active is not None and active > len(render.lookup("calls"))
