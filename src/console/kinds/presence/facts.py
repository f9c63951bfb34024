"""Whether somebody can be reached (contract 2.11, 2.16)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, cast

from console.records import state_words
from console.views.words import USER_PREFIX

if TYPE_CHECKING:
    from console.records.support import Agent, Presence
    from console.views.render_context import RenderContext


class Availability(StrEnum):
    """What a person's presence says."""

    FREE = "free"
    BUSY = "busy"
    AWAY = "away"
    OFFLINE = "offline"
    UNKNOWN = "unknown"
    """Nothing is said, or a word that the console does not know."""


_MEANINGS = {
    **dict.fromkeys(state_words.AVAILABLE, Availability.FREE),
    **dict.fromkeys(state_words.BUSY | state_words.DO_NOT_DISTURB, Availability.BUSY),
    **dict.fromkeys(state_words.AWAY, Availability.AWAY),
    **dict.fromkeys(state_words.OFFLINE, Availability.OFFLINE),
}


def reach(online: bool | None, activity: str | None) -> Availability:
    """Return what presence says; being offline outweighs any activity.

    A word that the console does not know is `UNKNOWN`, also of somebody who is online: `training` is not free.
    """
    if online is False:
        return Availability.OFFLINE
    if not activity:
        return Availability.FREE if online else Availability.UNKNOWN
    return _MEANINGS.get(activity) or _MEANINGS.get(state_words.plain(activity), Availability.UNKNOWN)


def activity_word(online: bool | None, activity: str | None) -> str | None:
    """Return the one word for presence: being offline outweighs any activity. None when nothing is known."""
    if online is False:
        return "offline"
    return activity or ("online" if online else None)


def is_online(online: bool | None, activity: str | None) -> bool | None:
    """Return whether somebody is online, away or not; None when it is not known."""
    match reach(online, activity):
        case Availability.OFFLINE:
            return False
        case Availability.UNKNOWN:
            return online
        case _:
            return True


ASKED = "asked-presence"
"""The kind under which presences are known that the caller does not follow."""


def presence_of(user_id: str, render: RenderContext) -> Presence | None:
    """Return the presence of a user, if it is known: as followed, else as it was asked for."""
    address = USER_PREFIX + user_id
    return cast("Presence | None", render.find("presence", address) or render.find(ASKED, address))


def said_by(user_id: str, render: RenderContext) -> tuple[bool | None, str | None]:
    """Return whether a user is online and the activity, as the presence says, else as the list of agents does."""
    found = presence_of(user_id, render) or cast("Agent | None", render.find("agents", user_id))
    return (None, None) if found is None else (found.online, found.activity)


def user_online(user_id: str, render: RenderContext) -> bool | None:
    """Return whether a user is online; None when it is not known."""
    presence = presence_of(user_id, render)
    return None if presence is None else is_online(presence.online, presence.activity)
