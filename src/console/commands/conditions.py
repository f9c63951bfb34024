"""Relations that an operation requires, as far as the console can check them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.annotations import Access
from console.api.request import Operation, Request
from console.commands.action import Situation
from console.commands.lookup import is_me
from console.records.record import Record


def condition(operation: Operation, situation: Situation) -> str:
    """Return the condition of an operation that only the service can check.

    Empty if there is none, for example for admins, who are exempt from most relations.
    """
    terms = operation.access.value
    if not terms.related or (terms.but_admins and situation.is_admin):
        return ""
    return f"Only {terms.words} can do this: the service refuses others."


def related(request: type[Request[Any]], situation: Situation, record: Record) -> bool | None:
    """Return whether the caller has the required relation to a row; None if the row does not tell."""
    access = request.operation.access
    owner = getattr(record, "owner", None)
    if access is Access.NAMED and isinstance(owner, str) and owner:
        # Its id is unique for its owner, and the service takes the caller's: another record than the row.
        return is_me(situation, owner)
    if not condition(request.operation, situation):
        return True
    if access in {Access.PARTICIPANT, Access.PARTICIPANT_OR_ADMIN}:
        people = getattr(record, "participants", None)
        return any(is_me(situation, person) for person in people if isinstance(person, str)) if people else None
    if access in {Access.CREATOR_OR_ADMIN, Access.SELF_OR_ADMIN}:
        user = getattr(record, "user", None)
        owner = getattr(user, "id", user)
        return is_me(situation, owner) if isinstance(owner, str) and owner else None
    return None


def why_not_related(request: type[Request[Any]], situation: Situation, records: Sequence[Record]) -> str | None:
    """Return who may act on the rows, if one is known to be somebody else's, or None."""
    if all(related(request, situation, record) is not False for record in records):
        return None
    access = request.operation.access
    return f"Only {'the owner' if access is Access.NAMED else access.words} can do this."
