"""Following a link to another record, and going back."""

from __future__ import annotations

import pytest

from tests.behaviour.driver import Seat
from tests.behaviour.service_base import Base

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_opening_a_related_record_shows_where_escape_goes_back_to(eva: Seat, base: Base) -> None:
    group = base.group(["ana"])
    await eva.until(lambda: group.group_id in eva.backend.records("groups"))
    await eva.look_at("users", "ana")
    assert "back to" not in eva.screen_text()
    await eva.open_dialog("g")
    await eva.type(f"group {group.group_id}")
    await eva.confirm("enter")
    await eva.until(lambda: eva.cursor == group.group_id)
    await eva.sees("esc back to users")
    await eva.press("space")
    await eva.until(lambda: "back to users" not in eva.screen_text())
    await eva.press("escape")
    await eva.sees("esc back to users")
    await eva.press("escape")
    await eva.until(lambda: eva.cursor == "ana")
    await eva.until(lambda: "back to" not in eva.screen_text())


async def test_escape_goes_back_through_every_record_that_led_here(eva: Seat, base: Base) -> None:
    group = base.group(["bob"])
    await eva.until(lambda: group.group_id in eva.backend.records("groups"))
    await eva.look_at("users", "bob")
    for typed, key in ((f"group {group.group_id}", group.group_id), ("owner", "eva")):
        await eva.open_dialog("g")
        await eva.type(typed)
        await eva.confirm("enter")
        await eva.until(lambda key=key: eva.cursor == key)
    await eva.sees("esc back to groups")
    await eva.press("escape")
    await eva.until(lambda: eva.cursor == group.group_id)
    await eva.press("escape")
    await eva.until(lambda: eva.cursor == "bob")
    await eva.until(lambda: "back to" not in eva.screen_text())


async def test_moving_within_a_list_shows_no_way_back(eva: Seat, base: Base) -> None:
    base.chat("bob")
    await eva.look_at("chats")
    await eva.press("c")
    await eva.until(lambda: bool(eva.context.jumps) and eva.context.jumps[-1][1] == "chats")
    await eva.until(lambda: "back to" not in eva.screen_text())


async def test_opening_a_screen_by_its_digit_shows_no_way_back(eva: Seat) -> None:
    await eva.look_at("calls")
    await eva.press("7")
    await eva.sees("8 Admin")
    await eva.until(lambda: "back to" not in eva.screen_text())
