"""The resources of both services as an administrator browses them: where each is listed, and what is done to it.

Kinds register them. Everything else follows from the operations whose names begin with the resource's: lists and their
filters, forms, guards, who may, and what the variant lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast, get_args

from pydantic import BaseModel

from console.api.catalogue import catalogue
from console.api.operation import Operation
from console.api.request import Request
from console.kinds.catalogue import KINDS
from console.kinds.resource import Branch, Resource
from console.records.record import Record

PAGE_SIZE = 100
"""Rows asked for at once where the service pages."""


RESOURCES: tuple[Resource, ...] = tuple(
    sorted((each for kind in KINDS for each in kind.resources), key=lambda each: list(Branch).index(each.branch))
)
"""Every resource, in the order of the tree."""


def resource(name: str) -> Resource:
    """Return the resource of that name. Raises KeyError."""
    return by_name()[name]


@cache
def by_name() -> dict[str, Resource]:
    """Return every resource by its name."""
    return {each.name: each for each in RESOURCES}


@cache
def operations_of(wanted: Resource) -> tuple[type[Request[Any]], ...]:
    """Return what can be done with a resource besides listing it, in the order of the contract, its own first."""
    found = [
        request
        for name, request in catalogue().items()
        if (is_own(wanted, request) or name in wanted.more) and name not in wanted.lists
    ]
    return tuple(sorted(found, key=lambda request: not is_own(wanted, request)))


def is_own(wanted: Resource, request: type[Request[Any]]) -> bool:
    """Whether an operation is about the resource itself, not about something else that its rows have."""
    return request.operation.name.rpartition(".")[0] == wanted.name


def list_of(wanted: Resource, lacks: Callable[[Operation], str | None]) -> type[Request[Any]] | None:
    """Return the operation that lists a resource in a deployment that lacks some, or None where nothing does."""
    for name in wanted.lists:
        request = catalogue().get(name)
        if request is not None and lacks(request.operation) is None:
            return request
    return None


def first_page(request: type[Request[Any]], filters: Mapping[str, Any], size: int = PAGE_SIZE) -> Request[Any]:
    """Make the request for the first rows. Raises ValueError when the filters lack or spoil something."""
    values = dict(filters)
    if "page_size" in request.model_fields:
        values.setdefault("page_size", size)
    return request.model_validate(values)


def next_page(request: Request[Any], answer: object, rows: Sequence[Record]) -> Request[Any] | None:
    """Return the request for what comes after an answer, None at the end of the list.

    By cursor where the answer has one (contract 2.1), else by page number where the operation counts pages.
    """
    meta = getattr(answer, "meta", None)
    if meta is not None:
        after = getattr(getattr(meta, "page", None), "next", None)
        return request.model_copy(update={"page_after": after}) if after else None
    if "page" in type(request).model_fields and rows and len(rows) >= int(getattr(request, "page_size", 0) or 0) > 0:
        return request.model_copy(update={"page": int(getattr(request, "page", 0) or 0) + 1})
    return None


def cursor_of(request: Request[Any] | None) -> str | None:
    """Return what tells the request for one page from those for the others; None where there is no such page."""
    if request is None:
        return None
    return str(getattr(request, "page_after", None) or getattr(request, "page", "") or "")


def total_of(answer: object) -> int | None:
    """Return how many rows there are in all, where the service says so."""
    meta = getattr(answer, "meta", None)
    total = getattr(getattr(meta, "page", None), "total", None) if meta is not None else getattr(answer, "total", None)
    return int(total) if isinstance(total, int | float) else None


def rows_of(answer: object) -> tuple[Record, ...]:
    """Return the records that an answer lists, in its order: itself, its page, or its lists one after the other."""
    if isinstance(answer, tuple | list):
        return tuple(each for each in cast("Sequence[object]", answer) if isinstance(each, Record))
    if not isinstance(answer, BaseModel):
        return ()
    if getattr(answer, "meta", None) is not None:
        return rows_of(getattr(answer, "data", ()))
    held = [getattr(answer, name) for name in type(answer).model_fields]
    lists = [rows_of(cast(object, each)) for each in held if isinstance(each, tuple)]
    found = tuple(row for rows in lists for row in rows)
    return found or (
        (answer,) if isinstance(answer, Record) and not any(map(_lists_records, _annotations(answer))) else ()
    )


def record_type(request: type[Request[Any]]) -> type[Record]:
    """Return what kind of record an operation lists."""
    found = _records_in(request.answer_type())
    return found or Record


def _records_in(annotation: Any) -> type[Record] | None:
    if isinstance(annotation, type) and issubclass(annotation, Record) and annotation.key_field:
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        inner = [
            _records_in(each.annotation) for each in annotation.model_fields.values() if _lists_records(each.annotation)
        ]
        return next((each for each in inner if each), annotation if issubclass(annotation, Record) else None)
    return next((found for each in get_args(annotation) if (found := _records_in(each))), None)


def _annotations(record: BaseModel) -> list[Any]:
    return [each.annotation for each in type(record).model_fields.values()]


def _lists_records(annotation: Any) -> bool:
    """Whether a field holds several records that stand for themselves."""
    return any(
        isinstance(each, type) and issubclass(each, Record) and bool(each.key_field) for each in get_args(annotation)
    )


def bound(wanted: Resource, request: type[Request[Any]], row: Record) -> dict[str, Any]:
    """Return the inputs that a row fills: those named in `binds`, its id, and the fields that say which row it is."""
    found: dict[str, Any] = {}
    for each in request.inputs():
        path = wanted.binds.get(each.field) if each.required else each.field if each.field in wanted.selects else None
        value = _along(row, path) if path else None
        if value is None and each.field in {"id", f"{wanted.one.replace(' ', '_')}_id"}:
            value = _id_of(row)
        if value is None and each.required and each.field == type(row).key_field:
            value = _id_of(row)
        if value is not None:
            found[each.field] = value
    return found


def _id_of(row: Record) -> str:
    """Return what the service calls a row: its key tells it from all others, and may say more than the id."""
    return str(getattr(row, type(row).key_field, "") or row.key)


def _along(row: object, path: str) -> object:
    for name in path.split("."):
        row = getattr(row, name, None)
    return row


def acts_on_row(wanted: Resource, request: type[Request[Any]]) -> bool:
    """Say whether an operation is about one row of the list: whether a row fills something it must be given."""
    names = {*wanted.binds, "id", f"{wanted.one.replace(' ', '_')}_id"}
    listed = next((catalogue()[name] for name in wanted.lists if name in catalogue()), None)
    key = record_type(listed).key_field if listed else ""
    verb = request.operation.name.rpartition(".")[2]
    required = {each.field for each in request.inputs() if each.required}
    name = request.operation.name
    if name in wanted.apart or (verb.startswith("create") and name not in wanted.more):
        return False
    return bool(required & (names | {key} - {""}))
