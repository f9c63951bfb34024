"""What an action can find out about the people and things around its record: names, addresses, who is meant by `me`."""

from __future__ import annotations

from typing import TypeVar

from console.collation import collated
from console.commands.action import Situation
from console.records.people import Group, User, UserReference
from console.records.record import Record
from console.text import SafeText, clean
from console.views import words
from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)

ADDRESS = words.USER_PREFIX


def lookup(render: RenderContext, kind: str, record: type[R]) -> list[R]:
    """Return what is known of a kind, without rows that could not be read at all."""
    return [each for each in render.lookup(kind).values() if isinstance(each, record) and "" not in each.faults]


def address_of(user_id: str) -> str:
    """Return the address by which presence and calls name a user (contract 1.5)."""
    return ADDRESS + user_id


def find(render: RenderContext, kind: str, key: str, record: type[R]) -> R | None:
    """Return the record of a kind that has a key, if it is known."""
    found = render.find(kind, key)
    return found if isinstance(found, record) else None


def user_of(render: RenderContext, name: str) -> User | None:
    """Return the user of an id or address, if known."""
    return find(render, "users", name.removeprefix(ADDRESS), User)


def user_id(render: RenderContext, typed: str) -> str:
    """Return the id of the user who is meant by an id, address, user name, alias or email.

    What nobody is known by is taken for an id. Raises ValueError when several are called so.
    """
    name = typed.strip().removeprefix(ADDRESS)
    if render.find("users", name) is not None:
        return name
    sought = name.casefold()
    meant = [
        each.id
        for each in lookup(render, "users", User)
        if sought in {(called or "").casefold() for called in (each.username, each.alias, each.email)} - {""}
    ]
    if len(meant) > 1:
        raise ValueError(f"{len(meant)} users have this name: enter the id of one")
    return meant[0] if meant else name


def person(render: RenderContext, name: str) -> SafeText:
    """Say whom an id or address stands for, by the name that the lists show; else the number or id itself."""
    if name.startswith(ADDRESS) or ":" not in name:
        return clean(words.person(name.removeprefix(ADDRESS), render), 64)
    return clean(words.name(name, render) or name, 64)


def user_name(user: User | UserReference) -> SafeText:
    """Say what a user is called by the user's own fields."""
    return clean(user.alias or user.username or user.id, 64)


def group_name(group: Group) -> SafeText:
    """Say what a group is called."""
    return clean(group.name or group.group_id, 64)


def groups_of(render: RenderContext, user_id: str) -> list[Group]:
    """Return the known groups that a user is a member of, by name."""
    groups = [each for each in lookup(render, "groups", Group) if user_id in each.participants]
    return sorted(groups, key=lambda each: (collated(group_name(each)), each.group_id))


def is_me(situation: Situation, name: str | None) -> bool:
    """Whether an id, address or user name means the caller."""
    if not name:
        return False
    bare = name.removeprefix(ADDRESS)
    return bare == situation.user_id or bare.casefold().partition("@")[0] == situation.username.casefold() != ""


def owns(situation: Situation, group: Group) -> bool:
    """Whether the caller owns a group."""
    owner = group.owner
    return owner is not None and (owner.id == situation.user_id or is_me(situation, owner.username))


def why_not_owner(situation: Situation, group: Group) -> str | None:
    """Say why the caller may not change a group. A group whose owner is not told is left to the service."""
    if group.owner is None or owns(situation, group):
        return None
    return f"Only the owner, {person_or(situation.render, group.owner)}, can change this group."


def person_or(render: RenderContext, owner: UserReference) -> SafeText:
    """Say what an embedded user is called: by its own fields, or as the list of users has it."""
    return user_name(owner) if owner.alias or owner.username else person(render, owner.id)
