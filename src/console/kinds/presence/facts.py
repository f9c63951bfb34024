"""Facts about availability (contract 2.11, 2.16)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, cast

from console.records import state_words
from console.views.words import USER_PREFIX

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


_MEANINGS = {
    **dict.fromkeys(state_words.AVAILABLE, Availability.FREE),
    **dict.fromkeys(state_words.BUSY | state_words.DO_NOT_DISTURB, Availability.BUSY),
    **dict.fromkeys(state_words.AWAY, Availability.AWAY),
    **dict.fromkeys(state_words.OFFLINE, Availability.OFFLINE),
}


def reach(online: bool | None, activity: str | None) -> Availability:
    """Return the availability by presence; offline takes precedence over any activity.

    An unknown activity is `UNKNOWN`, also for an online user: `training` is not free.
    """
    if online is False:
        return Availability.OFFLINE
    if not activity:
        return Availability.FREE if online else Availability.UNKNOWN
    return _MEANINGS.get(activity) or _MEANINGS.get(state_words.plain(activity), Availability.UNKNOWN)


def activity_word(online: bool | None, activity: str | None) -> str | None:
    """Return the activity; offline takes precedence over any activity. None if unknown."""
    if online is False:
        return "offline"
    return activity or ("online" if online else None)


def is_online(online: bool | None, activity: str | None) -> bool | None:
    """Return whether a user is online, including away; None if unknown."""
    match reach(online, activity):
        case Availability.OFFLINE:
            return False
        case Availability.UNKNOWN:
            return online
        case _:
            return True


ASKED = "asked-presence"
"""The kind of presences that the caller does not follow, read for a detail."""


def presence_of(user_id: str, render: RenderContext) -> Presence | None:
    """Return the known presence of a user: the followed one, otherwise the one read for a detail."""
    address = USER_PREFIX + user_id
    return cast("Presence | None", render.find("presence", address) or render.find(ASKED, address))


def said_by(user_id: str, render: RenderContext) -> tuple[bool | None, str | None]:
    """Return whether a user is online, and the activity, from presence or otherwise from the list of agents."""
    found = presence_of(user_id, render) or cast("Agent | None", render.find("agents", user_id))
    return (None, None) if found is None else (found.online, found.activity)


def user_online(user_id: str, render: RenderContext) -> bool | None:
    """Return whether a user is online; None if unknown."""
    presence = presence_of(user_id, render)
    return None if presence is None else is_online(presence.online, presence.activity)
