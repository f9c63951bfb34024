"""Who stands in what relation to a record: the checks that need the record itself (contract 5)."""

from __future__ import annotations

from typing import Any, TypeVar

from console.records.record import Record
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.documents import Documents
from console.service.refusal import forbidden, missing

R = TypeVar("R", bound=Record)

ADDRESS_PREFIX = "svc-user:"


def need_related(documents: Documents[R], tx: Transaction, caller: Caller, key: str) -> R:
    """Return a record that the caller has to do with; refuse with 404 when it is not there, with 403 otherwise."""
    if documents.row(tx, key) is None:
        raise missing(documents.singular, key)
    if not documents.may_see(tx, caller, key):
        raise forbidden(f"only those whom this {documents.singular} concerns may do this, and admins")
    return documents.need(tx, key)


def user_id_of(address: str | None) -> str | None:
    """Return the id in a user address (contract 1.5), or None for any other address."""
    return address.removeprefix(ADDRESS_PREFIX) if address and address.startswith(ADDRESS_PREFIX) else None


def address_of(user_id: str) -> str:
    """Return the address of a user (contract 1.5)."""
    return ADDRESS_PREFIX + user_id


def whole(value: Any) -> int | None:
    """Return a time as the whole number of milliseconds that columns hold."""
    return None if value is None else int(value)
