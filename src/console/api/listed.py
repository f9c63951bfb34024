"""List operations: the records in their answers, the total, and the request for the next page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from console.api.answer_check import AnswerForm, form_of
from console.api.outgoing import CURSOR
from console.api.request import Request
from console.records.fields import resolved_fields
from console.records.record import Record
from console.records.responses import Page

PAGE = 500
"""Rows per page of a list that is read to its end: the only page size in the contract's examples (8). The profile can
set another, and the client asks for fewer if a deployment refuses them."""
PAGE_SIZE = 100
"""Rows per page of a list that is read as the user scrolls."""


def first_page(request: type[Request[Any]], filters: Mapping[str, Any], size: int = PAGE_SIZE) -> Request[Any]:
    """Return the request for the first page. Raise ValueError for missing or invalid filters."""
    values = dict(filters)
    if "page_size" in request.declared_fields:
        values.setdefault("page_size", size)
    return request.model_validate(values)


def following(request: Request[Any], cursor: str | None) -> Request[Any] | None:
    """Return the request for the page at a cursor, if there is one."""
    return request.model_copy(update={CURSOR: cursor}) if cursor else None


def next_page(request: Request[Any], answer: object, rows: int) -> Request[Any] | None:
    """Return the request for the page after an answer with this number of rows; None at the end of the list.

    By cursor if the answer has one (contract 2.1), else by page number if the operation has that input: until a page
    has no rows, because a service may send fewer rows than requested.
    """
    meta = getattr(answer, "meta", None)
    if meta is not None:
        return following(request, getattr(getattr(meta, "page", None), "next", None))
    if "page" in request.declared_fields and rows and getattr(request, "page_size", None):
        return request.model_copy(update={"page": int(getattr(request, "page", 1) or 1) + 1})
    return None


def total_of(answer: object) -> int | None:
    """Return the total number of rows, if the service tells."""
    meta = getattr(answer, "meta", None)
    total = getattr(getattr(meta, "page", None), "total", None) if meta is not None else getattr(answer, "total", None)
    return int(total) if isinstance(total, int | float) else None


def rows_of(answer: object) -> tuple[Record, ...]:
    """Return the records of an answer, in its order: the answer itself, its page, or its lists in turn."""
    if isinstance(answer, tuple | list):
        return tuple(item for item in cast("Sequence[object]", answer) if isinstance(item, Record))
    if not isinstance(answer, Record):
        return ()
    if answer.key_field:  # A record by itself, whatever it holds: a conference has a list of invites.
        return (answer,)
    if getattr(answer, "meta", None) is not None:
        return rows_of(getattr(answer, "data", ()))
    held = [getattr(answer, name) for name in resolved_fields(type(answer))]
    lists = [rows_of(cast(object, item)) for item in held if isinstance(item, tuple)]
    records = tuple(row for rows in lists for row in rows)
    if records or any(map(_lists_records, _annotations(type(answer)))):
        return records
    return (answer,)


def is_list(request: type[Request[Any]]) -> bool:
    """Return whether an operation answers with a list or a page of one."""
    answer = request.answer_type()
    return form_of(answer) is AnswerForm.LIST or (isinstance(answer, type) and issubclass(answer, Page))


def record_type(request: type[Request[Any]]) -> type[Record]:
    """Return the class of the records that an operation lists."""
    return _records_in(request.answer_type()) or Record


def _records_in(annotation: Any) -> type[Record] | None:
    if isinstance(annotation, type) and issubclass(annotation, Record) and annotation.key_field:
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, Record):
        inner = [_records_in(part) for part in _annotations(annotation) if _lists_records(part)]
        return next((part for part in inner if part), annotation)
    return next((records for argument in get_args(annotation) if (records := _records_in(argument))), None)


def _annotations(record: type[Record]) -> list[Any]:
    return [field.annotation for field in resolved_fields(record).values()]


def _lists_records(annotation: Any) -> bool:
    """Return whether a field contains several records with keys."""
    return any(
        isinstance(argument, type) and issubclass(argument, Record) and bool(argument.key_field)
        for argument in get_args(annotation)
    )
