"""Facts about groups: ownership, online and free members (contract 2.18)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from console.base.frozen import Frozen
from console.kinds.agents.facts import person_is_free
from console.kinds.presence.facts import is_online, presence_of
from console.records.extent import Extent
from console.views.index import Index, every_list_readable

if TYPE_CHECKING:
    from console.records.people import Group
    from console.views.render_context import RenderContext


class Attendance(Frozen):
    """Number of people online, as far as known."""

    online: int
    known: int
    """Number of people with known presence."""
    total: int
    is_listed: bool = True
    """Whether it is known who the people are."""

    @property
    def complete(self) -> bool:
        """Whether the presence of all is known."""
        return self.is_listed and self.known == self.total

    @property
    def empty(self) -> bool:
        """Whether there are people, and all are known to be offline."""
        return self.total > 0 and self.complete and not self.online


def attendance(user_ids: Iterable[str], render: RenderContext) -> Attendance:
    """Count the online users. Users with unknown presence count as neither online nor offline."""
    are_online = [is_online(presence_of(value, render)) for value in user_ids]
    return Attendance(
        online=are_online.count(True), known=len(are_online) - are_online.count(None), total=len(are_online)
    )


def free_members(group: Group, render: RenderContext) -> int | None:
    """Count the members known to be free; None for none, if others may be."""
    are_free = [person_is_free(participant, render) for participant in group.participants]
    return are_free.count(True) or (None if None in are_free or group.unread("participants") else 0)


_OF_PARTICIPANT: Index[Group] = Index("groups", lambda group: group.participants)


def groups_of(user_id: str, render: RenderContext) -> list[Group]:
    """Return the known groups of a user, by id."""
    return sorted(_OF_PARTICIPANT.any_of(render, user_id), key=lambda group: group.group_id)


_MEMBERS_READABLE = every_list_readable("groups", "participants")


def members_exact(render: RenderContext) -> bool:
    """Return whether all groups and their members are known."""
    return render.extent("groups") is Extent.WHOLE and _MEMBERS_READABLE.of(render)


def mine(group: Group, render: RenderContext) -> bool:
    """Return whether the caller owns the group, and so may change it."""
    return bool(group.owner and render.me and group.owner.id == render.me)
