"""Texts name the keys that do what they say, and the filter is typed anew."""

from __future__ import annotations

import pytest

from console.ui.screens.list_screen import ListScreen
from tests.behaviour.driver import Seat
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_typing_after_the_key_of_the_filter_replaces_it(eva: Seat) -> None:
    await eva.look_at("calls", filter_text="zzz")
    await eva.press("slash")
    await eva.type("queued")
    await eva.press("enter")
    screen = eva.app.screen
    assert isinstance(screen, ListScreen)
    await eva.until(lambda: screen.filter_text == "queued")
    await eva.press("slash", "end")
    await eva.type(" calling")
    await eva.press("enter")
    await eva.until(lambda: screen.filter_text == "queued calling")


async def test_a_key_of_another_resource_names_the_way_there(eva: Seat) -> None:
    await eva.look_at("permissions")
    await eva.press("d")
    await eva.sees("press : and type ")


async def test_an_empty_group_names_the_key_that_adds_a_member(eva: Seat, base: Base) -> None:
    await eva.look_at("groups", base.group([], name=fresh("Empty")).group_id)
    await eva.sees("Press + to add a member.")
