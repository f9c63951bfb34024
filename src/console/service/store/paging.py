"""Pagination by keyset: a page starts after a row, not at an offset, so inserted and deleted rows shift nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import sqlalchemy as sa

from console.api.operation import Operation
from console.service.auth.caller import Caller
from console.service.handlers.handler import StoredPage
from console.service.platform import Platform
from console.service.store.cursors import PageStart
from console.service.store.documents import Documents

MAX_SIZE = 500
DEFAULT_SIZE = 100


class PagedRequest(Protocol):
    """An operation that returns a list in pages."""

    operation: ClassVar[Operation]

    @property
    def page_size(self) -> int | None:
        """The requested number of rows."""
        ...

    @property
    def page_after(self) -> str | None:
        """The cursor of the previous page."""
        ...

    def model_dump(self, *, mode: str, exclude: set[str], exclude_none: bool) -> dict[str, Any]:
        """Return the inputs by name."""
        ...


def page_of(
    documents: Documents[Any],
    request: PagedRequest,
    caller: Caller,
    platform: Platform,
    *where: sa.ColumnElement[bool],
    sort: sa.ColumnElement[Any],
    descending: bool = False,
) -> StoredPage:
    """Return one page of the rows that match and the caller may see.

    `sort` must never be null (use `coalesce`); rows of equal value are sorted by key. The maximum size is 500. A cursor
    is valid only for the same operation, caller and inputs, except the page size; others are refused with 400.
    """
    size = min(request.page_size or DEFAULT_SIZE, MAX_SIZE)
    after, binding = request.page_after, _binding(request, caller)
    place = platform.cursors.read(after, binding) if after else None
    back = place is not None and place.back
    conditions = documents.conditions(where, caller)
    key = documents.c.key
    query = sa.select(sort.label("sort_value"), key, documents.c.body).where(*conditions)
    order_desc = descending != back
    if place is not None:
        ahead = sa.tuple_(sort, key) < sa.tuple_(place.value, place.key)
        query = query.where(ahead if order_desc else sa.tuple_(sort, key) > sa.tuple_(place.value, place.key))
    order = [sort.desc(), key.desc()] if order_desc else [sort.asc(), key.asc()]
    with platform.read() as tx:
        all_rows: Sequence[sa.Row[Any]] = tx.rows(query.order_by(*order).limit(size + 1))
        total = documents.count(tx, *where, caller=caller)
    more = len(all_rows) > size
    rows = list(all_rows[:size])
    if back:
        rows.reverse()

    def cursor(row: sa.Row[Any], backwards: bool) -> str:
        return platform.cursors.write(PageStart(row.sort_value, row.key, backwards), binding)

    has_next = bool(rows) and (more if not back else True)
    has_previous = bool(rows) and (place is not None if not back else more)
    return StoredPage(
        documents=documents,
        bodies=[row.body for row in rows],
        total=total,
        max_size=MAX_SIZE,
        next=cursor(rows[-1], False) if has_next else None,
        previous=cursor(rows[0], True) if has_previous else None,
    )


def _binding(request: PagedRequest, caller: Caller) -> str:
    asked = request.model_dump(mode="json", exclude={"page_after", "page_size"}, exclude_none=True)
    return json.dumps([request.operation.name, caller.id, asked], sort_keys=True)


def any_of(column: sa.ColumnElement[Any], wanted: str | Sequence[str] | None) -> list[sa.ColumnElement[bool]]:
    """Return the condition for a filter with one or several values; no condition without a filter."""
    if wanted is None:
        return []
    return [column == wanted] if isinstance(wanted, str) else [column.in_(list(wanted))]


def part_of(column: sa.ColumnElement[Any], wanted: str | None) -> list[sa.ColumnElement[bool]]:
    """Return the condition for a `[partial]` filter: contains, ignoring the case of ASCII letters."""
    return [] if wanted is None else [column.icontains(wanted, autoescape=True)]
