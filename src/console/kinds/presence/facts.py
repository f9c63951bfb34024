"""Facts about availability (contract 2.11, 2.16)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, cast

from console.records import state_words
from console.views.wording import user_address, user_id

if TYPE_CHECKING:
    from console.records.support import Agent, Presence
    from console.views.render_context import RenderContext


class Availability(StrEnum):
    """Availability of a user, by presence."""

    FREE = "free"
    BUSY = "busy"
    AWAY = "away"
    OFFLINE = "offline"
    UNKNOWN = "unknown"
    """No activity, or one that the console does not know."""

    # Agents are counted by it at every change; the hash of an enumeration is a function in Python.
    __hash__ = str.__hash__


_MEANINGS = {
    **dict.fromkeys(state_words.AVAILABLE, Availability.FREE),
    **dict.fromkeys(state_words.BUSY | state_words.DO_NOT_DISTURB, Availability.BUSY),
    **dict.fromkeys(state_words.AWAY, Availability.AWAY),
    **dict.fromkeys(state_words.OFFLINE, Availability.OFFLINE),
}


def user_of(presence: Presence, render: RenderContext) -> str:
    """Return the id of the presence's user; the address if it contains none."""
    return user_at(presence.address, render)


def user_at(address: str, render: RenderContext) -> str:
    """Return the id of the user at an address; the address if it contains none."""
    return user_id(address, render) or address


def availability(person: Presence | Agent) -> Availability:
    """Return the availability by presence; offline takes precedence over any activity.

    An unknown activity is `UNKNOWN`, also for an online user: `training` is not free.
    """
    activity = person.activity
    if person.online is False:
        return Availability.OFFLINE
    if not activity:
        return Availability.FREE if person.online else Availability.UNKNOWN
    return _MEANINGS.get(activity) or _MEANINGS.get(state_words.normalized(activity), Availability.UNKNOWN)


def activity_of(person: Presence | Agent | None) -> str | None:
    """Return the activity; offline takes precedence over any activity. None if unknown."""
    if person is None:
        return None
    return "offline" if person.online is False else person.activity or ("online" if person.online else None)


def is_online(person: Presence | Agent | None) -> bool | None:
    """Return whether a user is online, including away; None if unknown."""
    if person is None:
        return None
    person_availability = availability(person)
    return (
        person.online
        if person_availability is Availability.UNKNOWN
        else person_availability is not Availability.OFFLINE
    )


def is_free(person: Presence | Agent) -> bool | None:
    """Return whether a user is available by presence; None if unknown."""
    person_availability = availability(person)
    return None if person_availability is Availability.UNKNOWN else person_availability is Availability.FREE


ASKED = "asked-presence"
"""The kind of presences that the caller does not follow, read for a detail."""


def presence_of(identifier: str, render: RenderContext) -> Presence | None:
    """Return the known presence of a user: the followed one, otherwise the one read for a detail."""
    address = user_address(identifier, render)
    return cast("Presence | None", render.find("presence", address) or render.find(ASKED, address))


def presence_or_agent(identifier: str, render: RenderContext) -> Presence | Agent | None:
    """Return the known presence of a user, otherwise the agent's record, which has the activity too."""
    return presence_of(identifier, render) or cast("Agent | None", render.find("agents", identifier))
