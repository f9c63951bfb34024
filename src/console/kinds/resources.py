"""The resources of both services in the administration: their lists and operations.

Kinds register them. Lists and filters, forms, guards, permissions and variants follow from the operations whose names
start with the resource's name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from console.api.catalogue import catalogue, find
from console.api.errors import NotOffered
from console.api.listed import record_type
from console.api.operation import Operation
from console.api.request import Request
from console.kinds.resource import Resource
from console.records.record import Record


@cache
def operations_of(wanted: Resource) -> tuple[type[Request[Any]], ...]:
    """Return the operations of a resource except its lists, in the order of the contract, its own first."""
    matching_requests = [
        request
        for name, request in catalogue().items()
        if (is_own(wanted, request) or name in wanted.more) and name not in wanted.lists
    ]
    return tuple(sorted(matching_requests, key=lambda request: not is_own(wanted, request)))


def is_own(wanted: Resource, request: type[Request[Any]]) -> bool:
    """Return whether an operation is about the resource itself, not about a part of its rows."""
    return request.operation.name.rpartition(".")[0] == wanted.name


def list_of(wanted: Resource, lacks: Callable[[Operation], str | None]) -> type[Request[Any]]:
    """Return the preferred operation that lists a resource. Raise NotOffered with the reasons if there is none."""
    reasons: list[str] = []
    for name in wanted.lists:
        reason = lacks(find(name).operation)
        if reason is None:
            return find(name)
        reasons.append(reason)
    raise NotOffered("; ".join(dict.fromkeys(reasons)), operation=wanted.name)


def bound(wanted: Resource, request: type[Request[Any]], row: Record) -> dict[str, Any]:
    """Return the inputs that a row fills: those in `binds`, its id, and the fields that identify it."""
    values: dict[str, Any] = {}
    for input_ in request.inputs():
        path = (
            wanted.binds.get(input_.field)
            if input_.required
            else input_.field
            if input_.field in wanted.selects
            else None
        )
        value = _along(row, path) if path else None
        if value is None and input_.field in {"id", f"{wanted.one.replace(' ', '_')}_id"}:
            value = _id_of(row)
        if value is None and input_.required and input_.field == type(row).key_field:
            value = _id_of(row)
        if value is not None:
            values[input_.field] = value
    return values


def _id_of(row: Record) -> str:
    """Return the service's id of a row; the key may contain more."""
    return str(getattr(row, type(row).key_field, "") or row.key)


def _along(row: object, path: str) -> object:
    for name in path.split("."):
        row = getattr(row, name, None)
    return row


def acts_on_row(wanted: Resource, request: type[Request[Any]]) -> bool:
    """Return whether an operation is about one row: whether a row fills a required input."""
    names = {*wanted.binds, "id", f"{wanted.one.replace(' ', '_')}_id"}
    listed = next((catalogue()[name] for name in wanted.lists if name in catalogue()), None)
    key = record_type(listed).key_field if listed else ""
    verb = request.operation.name.rpartition(".")[2]
    required = {input_.field for input_ in request.inputs() if input_.required}
    name = request.operation.name
    if name in wanted.apart or (verb.startswith("create") and name not in wanted.more):
        return False
    return bool(required & (names | {key} - {""}))
