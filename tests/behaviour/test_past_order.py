"""Lists of the past have the order and the columns that a person chose now, and the other way round."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from console.kinds.catalogue import RESOURCES
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.specs import spec_of
from tests.behaviour.past import go_back, record, screen_of, seat
from tests.idle.world import StillWorld
from tests.snapshots.pictures import Sitter

pytestmark = pytest.mark.asyncio(loop_scope="module")

Arranged = tuple[tuple[str, bool], tuple[str, ...]]
EACH_SCREEN = pytest.mark.parametrize("name", ["groups", "admin"])
"""A screen of two lists beside each other, and one of lists that are read page by page."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(empty: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Sitter]:
    folder = tmp_path_factory.mktemp("eva")
    record(folder)
    async with seat(empty, folder) as sitter:
        yield sitter


def list_screen(sitter: Sitter) -> ListScreen:
    screen = screen_of(sitter)
    assert isinstance(screen, ListScreen)
    return screen


def kinds(screen: ListScreen) -> list[str]:
    """Return the lists of the screen; of the administrator's, which all work alike, one of each service."""
    return [*RESOURCES][::24] if screen.spec.name == "admin" else [each.kind for each in screen.panes]


async def arranged(sitter: Sitter, *keys: str) -> dict[str, Arranged]:
    """Press keys in each list of the screen. Return its order and its columns."""
    found: dict[str, Arranged] = {}
    screen = list_screen(sitter)
    for kind in kinds(screen):
        screen.switch_pane(kind)
        await sitter.settle()
        screen.beat(True)
        screen.pane.live_table.focus()
        await sitter.press(*keys)
        view = screen.pane.view
        found[kind] = view.sort, tuple(each.id for each in view.columns)
    return found


async def sort_otherwise(sitter: Sitter) -> dict[str, Arranged]:
    """Sort each list of the screen by the next column, in the other direction. Return how they are arranged then."""
    await arranged(sitter, "greater_than_sign", "z")
    return await arranged(sitter)


@EACH_SCREEN
async def test_each_list_is_sorted_in_the_past_as_it_is_now_and_back_again(eva: Sitter, name: str):
    await eva.press(spec_of(name).digit)
    usual = await arranged(eva)
    chosen = await sort_otherwise(eva)
    assert all(chosen[kind] != usual[kind] for kind in usual if usual[kind][1])
    await go_back(eva, "-50s")
    assert await arranged(eva) == chosen
    chosen_there = await sort_otherwise(eva)
    assert all(chosen_there[kind] != chosen[kind] for kind in usual if usual[kind][1])
    await eva.press("T")
    assert await arranged(eva) == chosen_there


async def test_columns_and_a_view_chosen_now_are_those_of_the_past(eva: Sitter):
    await eva.press("2")
    list_screen(eva).switch_pane("calls")
    await go_back(eva, "-50s")
    await eva.press("T")
    list_screen(eva).pane.set_order(("state", True), ("state", "caller"))
    chosen = (await arranged(eva))["calls"]
    assert chosen == (("state", True), ("state", "caller"))
    await go_back(eva, "-50s")
    assert (await arranged(eva))["calls"] == chosen
    await eva.press("T")
