"""Changes of presence, and their effects on agents and waiting chats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.records.support import Presence
from console.service.auth.caller import Caller
from console.service.domain import avatars, chats
from console.service.domain.agents import AGENTS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE, find, followers_of, of_user
from console.service.platform import Platform


def update_own(platform: Platform, caller: Caller, address: str, changes: Mapping[str, Any]) -> Presence:
    """Change the caller's own presence. An empty avatar is ignored (contract 2.11).

    Refuse with 400 an avatar that is not base64.
    """
    with platform.write() as tx:
        presence = find(platform, tx, caller, address)
        known_changes = {name: value for name, value in changes.items() if value is not None}
        if not known_changes.get("avatar"):
            known_changes.pop("avatar", None)
        else:
            avatars.check(known_changes["avatar"])
        return show(platform, presence, known_changes)


def show(platform: Platform, presence: Presence, changes: Mapping[str, Any]) -> Presence:
    """Change a presence, keep `online` and `activity` consistent, and update the agent's record."""
    values = dict(changes)
    if "activity" in values and "online" not in values:
        values["online"] = values["activity"] != "offline"
    elif "online" in values and "activity" not in values:
        if not values["online"]:
            values["activity"] = "offline"
        elif presence.activity in {None, "offline"}:
            values["activity"] = "available"
    if values.get("avatar", presence.avatar) != presence.avatar:
        values["avatar_url"] = avatars.new_url(presence.id or "", values["avatar"])
    with platform.write() as tx:
        changed = presence.model_copy(update=values)
        PRESENCE.put(tx, changed, followers=followers_of(tx, changed.address))
        _tell_agent(platform, changed)
        return changed


def set_activity(platform: Platform, user_id: str, activity: str) -> None:
    """Set the activity of a user. Ignore unknown users."""
    with platform.write() as tx:
        user = USERS.get(tx, user_id)
        if user is not None:
            presence = PRESENCE.get(tx, user.address) or of_user(user)
            show(platform, presence, {"activity": activity, "online": activity != "offline"})


def _tell_agent(platform: Platform, presence: Presence) -> None:
    with platform.write() as tx:
        agent = AGENTS.get(tx, presence.id or "")
        if agent is None:
            return
        changed = agent.model_copy(
            update={
                "activity": presence.activity,
                "online": bool(presence.online),
                "display_name": presence.display_name or agent.display_name,
            }
        )
        AGENTS.put(tx, changed)
        if presence.activity == "available" and agent.activity != "available":
            chats.assign_waiting(platform)
