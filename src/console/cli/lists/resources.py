"""The administrator's resources for `console list`: names, tables and rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from console.api.catalogue import find
from console.api.errors import NotOffered
from console.api.listed import PAGE, first_page, record_type
from console.api.request import Request
from console.cli.connection import SelectedProfile
from console.cli.exits import Exit, Failure
from console.cli.lists.typed_inputs import make_request
from console.client.client import Client
from console.kinds.catalogue import FEEDS, RESOURCES
from console.kinds.resources import list_of, operations_of
from console.kinds.tables import TABLES
from console.live.bounds import Bounds
from console.live.paging import CHANGED, PagedRows, from_the_first_page
from console.views.generated_table import generated_table
from console.views.table import Table


@cache
def listed() -> tuple[str, ...]:
    """Return the resources that are listed on request, in the order of the administrator's tree."""
    return tuple(resource.name for resource in RESOURCES.values() if resource.lists and resource.name not in FEEDS)


def without_list(name: str) -> Failure:
    """Return the failure for a resource without a list, with an alternative."""
    calls = ", ".join(operation.operation.name for operation in operations_of(RESOURCES[name]))
    return Failure(Exit.USAGE, f"{name} cannot be listed; use `console call` with {calls}")


def question(name: str, fields: Sequence[str], chosen: SelectedProfile) -> Request[Any]:
    """Return the request for the first page of a resource, with inputs `field=value`. Raise Failure.

    Uses the preferred request that the deployment offers.
    """
    resource = RESOURCES[name]
    endpoint = chosen.endpoint
    try:
        lists = list_of(resource, endpoint.lacks)
    except NotOffered as error:
        raise Failure(Exit.USAGE, f"{name}: {error.reason}") from None
    asked = make_request(lists, fields, None)
    return first_page(lists, asked.model_dump(exclude_unset=True) or resource.asks, PAGE)


def table_of(name: str, lists: type[Request[Any]] | None = None) -> Table[Any]:
    """Return the table of a resource, for the rows of `lists`."""
    table = TABLES.get(name)
    if table is not None:
        return table
    resource = RESOURCES[name]
    places: dict[str, int] = {}
    record = record_type(lists or find(resource.lists[0]))
    return generated_table(
        name,
        resource.title,
        resource.one,
        record,
        resource.shown,
        lambda record: places.setdefault(record.key, len(places)),
    )


async def all_rows(client: Client, first: Request[Any], bounds: Bounds) -> PagedRows:
    """Request all pages of a list, up to the limits; once more if it changed meanwhile. Raise `api.errors`."""

    async def read() -> PagedRows:
        paging = PagedRows(first, bounds)
        while paging.next is not None:
            with paging.asking():
                answer = await client.send(paging.next)
            paging.take(answer)
        return paging

    paging = await from_the_first_page(read)
    return await from_the_first_page(read) if paging.cut.endswith(CHANGED) else paging
