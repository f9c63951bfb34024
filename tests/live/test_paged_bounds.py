"""Lists that are read page by page on demand take limited memory, also with long texts."""

from __future__ import annotations

import tracemalloc

from console.api.operations.people import PageGroups
from console.live.bounds import Bounds
from console.live.paging import PagedRows
from tests.live.test_list_bounds import Pages


async def test_long_texts_on_pages_without_end_take_limited_memory() -> None:
    pages = Pages(40, 200_000)
    tracemalloc.start()
    try:
        paging = PagedRows(PageGroups(page_size=40), Bounds())
        while paging.next is not None:
            paging.take(PageGroups.read_answer((await pages.fetch(paging.next)).body))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert paging.cut
    assert held < 64 * 1024 * 1024
