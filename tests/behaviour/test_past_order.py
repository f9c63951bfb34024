"""Lists of the past have the order and the columns that a person chose now, and the other way round."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from console.kinds.catalogue import RESOURCES
from console.screens.list_screen import ListScreen
from console.screens.specs import SCREENS
from tests.behaviour.past import go_back, record, screen_of, seat
from tests.idle.world import StillWorld, still_world
from tests.snapshots.pictures import Sitter

Arranged = tuple[tuple[str, bool], tuple[str, ...]]
SCREENS_WITH_LISTS = [each for each in SCREENS if each.kinds]
EACH_SCREEN = pytest.mark.parametrize("digit", [each.digit for each in SCREENS_WITH_LISTS])


@pytest.fixture(scope="module")
def empty() -> Generator[StillWorld]:
    found = still_world("empty")
    yield found
    found.platform.close()


def list_screen(sitter: Sitter) -> ListScreen:
    screen = screen_of(sitter)
    assert isinstance(screen, ListScreen)
    return screen


def kinds(screen: ListScreen) -> list[str]:
    """Return the lists of the screen; of the administrator's, which all work alike, some of both services."""
    return [*RESOURCES][::6] if screen.spec.name == "admin" else [each.kind for each in screen.panes]


async def arranged(sitter: Sitter) -> dict[str, Arranged]:
    """Return the order and the columns of each list of the screen that is shown."""
    found: dict[str, Arranged] = {}
    screen = list_screen(sitter)
    for kind in kinds(screen):
        screen.switch_pane(kind)
        await sitter.settle()
        screen.beat(True)
        view = screen.pane.view
        found[kind] = view.sort, tuple(each.id for each in view.columns)
    return found


async def sort_otherwise(sitter: Sitter) -> dict[str, Arranged]:
    """Sort each list of the screen by the next column, in the other direction. Return how they are arranged then."""
    screen = list_screen(sitter)
    for kind in kinds(screen):
        screen.switch_pane(kind)
        await sitter.settle()
        screen.pane.live_table.focus()
        await sitter.press("greater_than_sign", "z")
    return await arranged(sitter)


@EACH_SCREEN
async def test_each_list_is_sorted_in_the_past_as_it_is_now_and_back_again(
    empty: StillWorld, tmp_path: Path, digit: str
):
    record(tmp_path)
    async with seat(empty, tmp_path, digit) as eva:
        usual = await arranged(eva)
        chosen = await sort_otherwise(eva)
        assert all(chosen[kind] != usual[kind] for kind in usual if usual[kind][1])
        await go_back(eva, "-50s")
        assert await arranged(eva) == chosen
        chosen_there = await sort_otherwise(eva)
        assert all(chosen_there[kind] != chosen[kind] for kind in usual if usual[kind][1])
        await eva.press("T")
        assert await arranged(eva) == chosen_there


async def test_columns_and_a_view_chosen_now_are_those_of_the_past(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-50s")
        await eva.press("T")
        list_screen(eva).pane.set_order(("state", True), ("state", "caller"))
        chosen = (await arranged(eva))["calls"]
        assert chosen == (("state", True), ("state", "caller"))
        await go_back(eva, "-50s")
        assert (await arranged(eva))["calls"] == chosen
