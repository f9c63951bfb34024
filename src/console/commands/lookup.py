"""Lookups for actions: names, addresses, and whether a name is the caller's."""

from __future__ import annotations

from typing import TypeVar

from console.base.collation import collated
from console.base.text import SafeText, clean
from console.commands.action import Situation
from console.records.people import Group, User, UserReference
from console.records.record import Record
from console.views import wording
from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)


def lookup(render: RenderContext, kind: str, record: type[R]) -> list[R]:
    """Return the known records of a kind, without unreadable rows."""
    return [row for row in render.lookup(kind).values() if isinstance(row, record) and "" not in row.faults]


def bare(render: RenderContext, name: str) -> str:
    """Return the id in a user's address; any other text unchanged."""
    return wording.user_id(name, render) or name


def find(render: RenderContext, kind: str, key: str, record: type[R]) -> R | None:
    """Return the record of a kind with a key, or None."""
    index = render.find(kind, key)
    return index if isinstance(index, record) else None


def user_of(render: RenderContext, name: str) -> User | None:
    """Return the user with an id or address, or None."""
    return find(render, "users", bare(render, name), User)


def user_id(render: RenderContext, typed: str) -> str:
    """Return the id of the user with this id, address, user name, alias or email.

    An unknown name is returned as an id. Raise ValueError if several users match.
    """
    name = bare(render, typed.strip())
    if render.find("users", name) is not None:
        return name
    sought = name.casefold()
    meant = [
        user.id
        for user in lookup(render, "users", User)
        if sought in {(called or "").casefold() for called in (user.username, user.alias, user.email)} - {""}
    ]
    if len(meant) > 1:
        raise ValueError(f"{len(meant)} users have this name: enter the id of one")
    return meant[0] if meant else name


def person(render: RenderContext, name: str) -> SafeText:
    """Return the name of an id or address as the lists show it, otherwise the number or id itself."""
    identifier = bare(render, name)
    if ":" not in identifier:
        return clean(wording.person(identifier, render), 64)
    return clean(wording.name(name, render) or name, 64)


def user_name(user: User | UserReference) -> SafeText:
    """Return the name of a user by the user's own fields."""
    return clean(user.alias or user.username or user.id, 64)


def group_name(group: Group) -> SafeText:
    """Return the name of a group."""
    return clean(group.name or group.group_id, 64)


def without_members(group: Group) -> str:
    """Return the refusal for a group of which no member is known."""
    name = group_name(group)
    return f"The members of {name} are not known." if group.unread("participants") else f"{name} has no members."


def groups_of(render: RenderContext, user_id: str) -> list[Group]:
    """Return the known groups of a user, by name."""
    groups = [group for group in lookup(render, "groups", Group) if user_id in group.participants]
    return sorted(groups, key=lambda group: (collated(group_name(group)), group.group_id))


def is_me(situation: Situation, name: str | None) -> bool:
    """Return whether an id, address or user name is the caller's."""
    if not name:
        return False
    meant = bare(situation.render, name)
    return meant == situation.user_id or meant.casefold().partition("@")[0] == situation.username.casefold() != ""


def owns(situation: Situation, group: Group) -> bool:
    """Return whether the caller owns a group."""
    owner = group.owner
    return owner is not None and (owner.id == situation.user_id or is_me(situation, owner.username))


def why_not_owner(situation: Situation, group: Group) -> str | None:
    """Return why the caller may not change a group, or None. If the owner is unknown, the service decides."""
    if group.owner is None or owns(situation, group):
        return None
    return f"Only the owner, {person_or(situation.render, group.owner)}, can change this group."


def person_or(render: RenderContext, owner: UserReference) -> SafeText:
    """Return the name of an embedded user: by its own fields, or from the list of users."""
    return user_name(owner) if owner.alias or owner.username else person(render, owner.id)
