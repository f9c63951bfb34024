"""In which relation a caller can stand to what a request names: the parts from which handlers say it.

`Access` (in `api/annotations.py`) says that an operation is for who is related; the handler says how that is looked up:

    bind(GetCall, CALLS.need, key="id", related=sees(CALLS))
    @handles(UpdateGroup, related=owns(GROUPS, "owner", "group_id"))

Whether admins need no relation is the access's business. What is not there is refused with 404, as the handler would.
"""

from __future__ import annotations

from typing import Any

from console.service.caller import Caller
from console.service.database import Transaction
from console.service.documents import Documents
from console.service.handler import RelationCheck
from console.service.platform import Platform


def sees(documents: Documents[Any], field: str = "id") -> RelationCheck[Any]:
    """Return the relation of who may see the record that a field names: what the kind's rule says."""

    def related(platform: Platform, tx: Transaction, caller: Caller, request: Any) -> bool:
        key = getattr(request, field)
        documents.need_row(tx, key)
        return documents.may_see(tx, caller, key)

    return related


def owns(documents: Documents[Any], column: str, field: str = "id") -> RelationCheck[Any]:
    """Return the relation of who stands, by id, in a column of the record that a field names."""

    def related(platform: Platform, tx: Transaction, caller: Caller, request: Any) -> bool:
        return getattr(documents.need_row(tx, getattr(request, field)), column) == caller.id

    return related


def is_self(field: str) -> RelationCheck[Any]:
    """Return the relation of who is named by id in a field; where it is left out, everybody means themselves."""

    def related(platform: Platform, tx: Transaction, caller: Caller, request: Any) -> bool:
        return getattr(request, field) in {None, caller.id}

    return related
