"""Helpers for bound operations: queries of one kind, and inputs that are passed on together. See `bind`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa

from console.api.request import Request
from console.records.record import Record
from console.service.auth.caller import Caller
from console.service.handlers.handler import JoinedRecords, Stored
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

R = TypeVar("R", bound=Record)


def lists(documents: Documents[Any], *order: sa.ColumnElement[Any]) -> Callable[[Transaction, Caller], JoinedRecords]:
    """Return a function that lists the records of a kind that the caller may see, in this order, then by key."""

    def listed(tx: Transaction, caller: Caller) -> JoinedRecords:
        return JoinedRecords(documents, documents.listed(tx, caller=caller, order=order))

    return listed


def gets(documents: Documents[Any]) -> Callable[[Transaction, str], Stored]:
    """Return a function that returns one record as stored, and refuses with 404 an unknown one."""

    def stored(tx: Transaction, key: str) -> Stored:
        return Stored(documents, (documents.need_row(tx, key).body,), many=False)

    return stored


def given(*besides: str) -> Callable[[Request[Any], Caller], dict[str, Any]]:
    """Return a function that returns the given inputs by name, as records, without those in `besides`."""
    return lambda request, _: {name: getattr(request, name) for name in request.model_fields_set.difference(besides)}


def given_values(*besides: str) -> Callable[[Request[Any], Caller], dict[str, Any]]:
    """Return a function that returns the given inputs by name, as plain values, without those in `besides`."""
    return lambda request, _: request.model_dump(exclude=set(besides), exclude_unset=True)


def as_record(record: type[R]) -> Callable[[Request[Any], Caller], R]:
    """Return a function that builds a record from all inputs."""
    return lambda request, _: record(**{name: getattr(request, name) for name in request.declared_fields})
