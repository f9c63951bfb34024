"""A refused page size is replaced by one that the deployment accepts, in the same way for every list."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import httpx
import pytest

from console.api.errors import BadRequest
from console.api.listed import PAGE, first_page
from console.api.operations.people import PageUsers
from console.api.operations.phonebooks import PagePhonebooks
from console.api.operations.provisioning import ListCallerIds, ListProvisionedUsers
from console.cli.checks.examination import examine
from console.cli.lists.resources import all_rows
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.bounds import Bounds
from console.live.listing import Lister
from tests.client.canned import Canned


class Service:
    """A service with 7 rows in each list, which refuses pages of more than `most` rows."""

    def __init__(self, most: int, refusal: str = "", status: int = 400) -> None:
        self.most = most
        self.sizes: list[int] = []
        self.has_pages = True
        self._refusal = refusal
        self._status = status
        self.clients: list[Client] = []

    def client(self, page_size: int | None = None) -> Client:
        """Return a client of a profile with this page size."""
        base = "http://desk.example"
        endpoint = Endpoint(f"{base}/core", provisioning=f"{base}/provisioning", page_size=page_size)
        self.clients.append(Client(endpoint, transport=Canned(self._answer)))
        return self.clients[-1]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        values = request.url.params
        numbered = "paginate[max]" in values
        size = int(values.get("paginate[max]" if numbered else "page[size]", "7"))
        self.sizes.append(size)
        if size > self.most:
            return httpx.Response(self._status, json={"code": 1, "message": self._refusal + "!" * len(self.sizes)})
        if not self.has_pages:
            values = values.remove("paginate[page]")
        start = (int(values.get("paginate[page]", "1")) - 1) * size if numbered else int(values.get("page[after]", "0"))
        rows = [{"id": str(each), "username": str(each)} for each in range(7)][start : start + size]
        if numbered:
            return httpx.Response(200, json={"users": rows})
        meta = {"page": {"next": str(start + size) if start + size < 7 else None}}
        return httpx.Response(200, json={"data": rows, "meta": meta})


Serving = Callable[..., Service]


@pytest.fixture
async def serving() -> AsyncGenerator[Serving]:
    made: list[Service] = []

    def make(most: int, refusal: str = "", status: int = 400) -> Service:
        made.append(Service(most, refusal, status))
        return made[-1]

    yield make
    for client in [each for service in made for each in service.clients]:
        await client.close()


@pytest.mark.parametrize(
    ("refusal", "most", "sizes"),
    [
        ("limit must not be greater than 100", 100, [500, 100]),
        ("page[size] must be between 1 and 200", 200, [500, 200]),
        ("4001: page size 500 exceeds the maximum of 50", 50, [500, 50]),
        ("expected at most 25 rows, got 500", 25, [500, 25]),
        ("size must be less than 100", 99, [500, 100, 20]),
        ("pageSize too large (7)", 100, [500, 100]),
        ("the page size is not supported", 20, [500, 100, 20]),
        ("Bad Request", 100, [500, 100]),
    ],
)
async def test_a_refused_page_size_is_replaced_once_and_remembered(
    serving: Serving, refusal: str, most: int, sizes: list[int]
) -> None:
    service = serving(most, refusal, 422 if "between" in refusal else 400)
    client = service.client()
    first = first_page(PagePhonebooks, {}, PAGE)
    assert len((await all_rows(client, first, Bounds())).rows) == 7
    assert service.sizes == sizes
    assert len((await all_rows(client, first, Bounds())).rows) == 7
    assert service.sizes == [*sizes, sizes[-1]]


async def test_lists_that_are_followed_use_the_same_page_size(serving: Serving) -> None:
    service = serving(3, "limit: maximum 3")
    lister = Lister(FEEDS["users"], service.client())
    assert len((await lister.list()).fresh) == 7
    assert len((await lister.list()).fresh) == 7
    assert service.sizes == [500, 3, 3, 3, 3, 3, 3]


async def test_a_list_by_page_number_is_complete_with_smaller_pages(serving: Serving) -> None:
    service = serving(3, "max must be at most 3")
    first = first_page(ListProvisionedUsers, {}, PAGE)
    assert len((await all_rows(service.client(), first, Bounds())).rows) == 7


async def test_a_service_that_has_no_pages_sends_its_list_once_more(serving: Serving) -> None:
    service = serving(500)
    service.has_pages = False
    first = first_page(ListProvisionedUsers, {}, PAGE)
    assert len((await all_rows(service.client(), first, Bounds())).rows) == 7
    assert len(service.sizes) == 2


async def test_another_refusal_is_reported_without_further_requests(serving: Serving) -> None:
    service = serving(0, "the filter is invalid")
    with pytest.raises(BadRequest, match="filter"):
        await service.client().send(PageUsers(page_size=PAGE))
    assert service.sizes == [500]


async def test_if_no_page_size_is_accepted_the_first_refusal_is_reported(serving: Serving) -> None:
    service = serving(0, "limit must be at most 300")
    with pytest.raises(BadRequest, match=r"at most 300!$"):
        await service.client().send(PageUsers(page_size=PAGE))
    assert service.sizes == [500, 300, 100, 20]


async def test_the_doctor_asks_for_pages_like_the_console(serving: Serving) -> None:
    async def said(service: Service) -> tuple[str, str]:
        found = {each.name: each for each in await examine(service.client(), 20.0)}
        page = found["phonebooks.page"]
        return page.state.value, "; ".join(part for part in page.reason.split("; ") if "page" in part)

    assert await said(serving(100, "limit must be at most 100")) == (
        "works",
        "in pages of 100: larger ones were refused",
    )
    assert await said(serving(500)) == ("works", "")
    assert (await said(serving(0, "size: must be at most 300")))[0] == "refused"


async def test_a_size_that_a_person_typed_is_sent_as_it_is(serving: Serving) -> None:
    service = serving(100, "limit must be at most 100")
    with pytest.raises(BadRequest):
        await service.client(page_size=50).fetch(PageUsers(page_size=200), exact=True)
    assert service.sizes == [200]


@pytest.mark.parametrize(("configured", "sizes"), [(1000, [1000, 100]), (50, [50, 50]), (None, [500, 100])])
async def test_the_page_size_of_the_profile_is_used(serving: Serving, configured: int | None, sizes: list[int]) -> None:
    service = serving(1000)
    client = service.client(configured)
    await client.send(first_page(PageUsers, {}, PAGE))
    await client.send(first_page(PageUsers, {}))
    assert service.sizes == sizes


@pytest.mark.parametrize(
    ("changes", "rows", "cut"),
    [
        (1, ["b", "c", "d", "e"], ""),
        (9, ["a", "b", "d", "e"], "4 of 5 rows shown: the list changed while it was read"),
    ],
    ids=["once", "again and again"],
)
async def test_a_list_by_page_number_that_loses_a_row_between_two_pages_is_not_complete(
    changes: int, rows: list[str], cut: str
) -> None:
    readings = 0

    def answer(request: httpx.Request) -> httpx.Response:
        nonlocal readings
        number = int(request.url.params.get("paginate[page]", "1"))
        readings += number == 1
        names = "abcde" if number == 1 and readings <= changes else "bcde"
        entries = [{"name": name} for name in names[2 * number - 2 : 2 * number]]
        return httpx.Response(200, json={"entries": entries, "total": len(names)})

    base = "http://desk.example"
    client = Client(Endpoint(f"{base}/core", provisioning=f"{base}/provisioning"), transport=Canned(answer))
    try:
        found = await all_rows(client, first_page(ListCallerIds, {}, 2), Bounds())
    finally:
        await client.close()
    assert ([*found.rows], found.cut) == (rows, cut)
