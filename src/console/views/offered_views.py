"""Predefined views of lists, for common questions of administrators."""

from __future__ import annotations

from collections.abc import Mapping

from console.frozen import Frozen


class OfferedView(Frozen):
    """Filter, order and columns of a list."""

    name: str
    filter: str
    sort: str
    """Id of the column, with the prefix `-` for descending order."""
    columns: tuple[str, ...] = ()
    """Ids of the columns, in order; empty means unchanged."""


OFFERED: Mapping[str, tuple[OfferedView, ...]] = {
    "calls": (
        OfferedView("Waiting, longest first", "waiting:yes", "-age"),
        OfferedView("Ended with a server error", "failed:yes", "-age"),
    ),
    "agents": (
        OfferedView("Free", "cover:free", "name"),
        OfferedView("Can take work, lowest load first", "reachable:yes", "load"),
    ),
    "skills": (OfferedView("Understaffed", "understaffed:yes", "understaffed"),),
    "users": (
        OfferedView("Not logged in for a year", "login>365d", "login"),
        OfferedView("Never logged in", 'login:""', "created"),
        OfferedView("New this week", "created<7d", "-created"),
    ),
    "sessions": (
        OfferedView(
            "Several of one user",
            "state:active many>1",
            "many",
            ("user", "many", "age", "left", "source", "client"),
        ),
        OfferedView("Ending within the hour", "state:active left<1h", "left"),
        OfferedView("Oldest first", "state:active", "-age"),
    ),
    "sip-identities": (
        OfferedView("Free", "state:free", "username"),
        OfferedView("Shared", "state:shared", "username"),
    ),
    "phonebooks": (OfferedView("Without subscribers", 'subscribers:""', "name"),),
}
"""By the list's name."""
