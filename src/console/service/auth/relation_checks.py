"""Checks for the relation of a caller to the records in a request.

`Access` (in `api/annotations.py`) declares that an operation requires a relation; the handler names the check:

  bind(GetCall, CALLS.need, key="id", related=sees(CALLS))
  @handles(UpdateGroup, related=owns(GROUPS, "owner", "group_id"))

`Access` also declares whether admins are exempt. Unknown records are refused with 404, as the handler would.
"""

from __future__ import annotations

from typing import Any

from console.service.auth.caller import Caller
from console.service.handlers.handler import RelationCheck
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction


def sees(documents: Documents[Any], field: str = "id") -> RelationCheck:
    """Return the check that the caller may see the record whose key is in a field, by the rule of its kind."""

    def related(tx: Transaction, caller: Caller, request: Any) -> bool:
        key = getattr(request, field)
        documents.need_row(tx, key)
        return documents.may_see(tx, caller, key)

    return related


def owns(documents: Documents[Any], column: str, field: str = "id") -> RelationCheck:
    """Return the check that a column of the record, whose key is in a field, equals the caller's id."""

    def related(tx: Transaction, caller: Caller, request: Any) -> bool:
        return getattr(documents.need_row(tx, getattr(request, field)), column) == caller.id

    return related


def is_self(field: str) -> RelationCheck:
    """Return the check that a field contains the caller's id, or is omitted."""

    def related(caller: Caller, request: Any) -> bool:
        return getattr(request, field) in {None, caller.id}

    return related
