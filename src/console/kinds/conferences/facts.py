"""Facts about conferences (contract 2.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.kinds.conferences.states import INVITES, STATES
from console.views import wording

if TYPE_CHECKING:
    from console.records.traffic import Conference


def over(conference: Conference) -> bool:
    """Return whether it has ended."""
    return wording.at(conference.finished_at) is not None or STATES.look(conference.state).over


def inside(conference: Conference) -> int:
    """Return the number of current participants."""
    return (
        0
        if over(conference)
        else sum(wording.at(participant.finished_at) is None for participant in conference.participants)
    )


def failed(conference: Conference) -> int:
    """Return the number of failed invites."""
    looks = (INVITES.look(invite.state) for invite in conference.invites)
    return sum(look.rank == 6 for look in looks)
