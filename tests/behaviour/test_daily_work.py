"""Daily tasks by keys, checked in the service's database and at a second console."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from console.records.people import Group
from console.records.support import Alert, SupportChat
from console.service.documents import Documents
from console.service.domain.alerts import ALERTS
from console.service.domain.groups import GROUPS
from console.service.serve import Running
from console.widgets.dialogs import HelpDialog
from console.widgets.filter_bar import FilterBar
from console.widgets.textual_compat.testing import before_closing
from tests.behaviour.driver import Seat, seat

SIZES = pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])


def stored(service: Running, documents: Documents[Any], key: str) -> dict[str, Any]:
    """Return a record from the service's database."""
    with service.database.read() as tx:
        body = documents.body(tx, key)
    assert body is not None
    return dict(json.loads(body))


def alerts(seated: Seat, state: str) -> list[Alert]:
    return [
        each for each in seated.backend.records("alerts").values() if isinstance(each, Alert) and each.state == state
    ]


def group(seated: Seat, key: str) -> Group:
    found = seated.backend.records("groups")[key]
    assert isinstance(found, Group)
    return found


@SIZES
async def test_an_accepted_alert_is_accepted_in_all_consoles(
    service: Running, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seat(service, tmp_path, "eva", size) as eva, seat(service, tmp_path, "eva", size) as other:
        await eva.press("6")
        await eva.until(lambda: eva.cursor)
        chosen = eva.cursor
        await eva.press("a")
        await eva.until(lambda: chosen in {each.alert_id for each in alerts(eva, "accepted")})
        assert stored(service, ALERTS, chosen)["acceptedBy"] == "eva"
        await other.until(lambda: chosen in {each.alert_id for each in alerts(other, "accepted")})


async def test_all_visible_alerts_are_accepted_with_three_keys(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path) as eva:
        await eva.press("6")
        await eva.until(lambda: eva.cursor)
        await eva.press("slash")
        await eva.type("state:active")
        await eva.press("enter")
        await eva.sees("of 21")
        before = len(alerts(eva, "active"))
        assert before > 1
        await eva.press("asterisk", "a")
        await eva.until(lambda: len(eva.app.screen_stack) > 1 or len(alerts(eva, "active")) < before)
        if len(eva.app.screen_stack) > 1:
            await eva.dialog()
            await eva.press("enter")
        await eva.until(lambda: len(alerts(eva, "active")) < before)


async def test_a_filter_narrows_the_calls_and_shows_the_number_of_matches(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path) as eva:
        await eva.press("2", "slash")
        await eva.type("state:queued")
        await eva.sees("16 of 120")
        await eva.press("enter")
        await eva.press("enter")
        await eva.sees("Position")


async def test_members_are_added_reordered_removed_and_restored(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path) as eva, seat(service, tmp_path) as other:
        await eva.press("7", "slash")
        await eva.type("mine:yes")
        await eva.press("enter")
        await eva.until(lambda: eva.cursor)
        key = eva.cursor
        before = group(eva, key).participants
        await eva.press("plus")
        await eva.dialog()
        await eva.sees("Add to")
        await eva.press("enter")
        await eva.until(lambda: len(group(eva, key).participants) == len(before) + 1)
        assert len(stored(service, GROUPS, key)["participants"]) == len(before) + 1
        await other.until(lambda: len(group(other, key).participants) == len(before) + 1)
        await eva.until(lambda: eva.backend.tickets()[0].can_undo)
        await eva.press("u")
        await eva.until(lambda: group(eva, key).participants == before)

        await eva.press("tab", "shift+down", "enter")
        await eva.until(lambda: group(eva, key).participants == (before[1], before[0], *before[2:]))
        await eva.until(lambda: eva.backend.tickets()[0].can_undo)
        await eva.press("u")
        await eva.until(lambda: tuple(eva.shown) == before)

        await eva.press("minus")
        await eva.until(lambda: len(group(eva, key).participants) == len(before) - 1)
        await eva.until(lambda: eva.backend.tickets()[0].can_undo)
        await eva.press("u")
        await eva.until(lambda: group(eva, key).participants == before)
        assert tuple(stored(service, GROUPS, key)["participants"]) == before


async def test_a_chat_is_transferred_by_typing_a_few_letters(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path, "ana") as ana, seat(service, tmp_path, "bob") as bob:
        await ana.press("5", "tab", "tab")
        await ana.until(lambda: ana.backend.records("chats"))
        await ana.until(lambda: ana.cursor)
        await ana.press("c")
        await ana.until(lambda: ana.cursor in ana.backend.records("chats"))
        chosen = ana.cursor
        await ana.press("t")
        await ana.dialog()
        await ana.type("whi")
        await ana.press("enter")
        await ana.until(lambda: chosen not in ana.backend.records("chats"))

        def has() -> bool:
            return isinstance(bob.backend.records("chats").get(chosen), SupportChat)

        await bob.until(has)


async def test_without_an_event_channel_everything_works_and_polling_is_shown(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path, events=False) as eva:
        await eva.sees("POLLING")
        await eva.press("6")
        await eva.until(lambda: eva.cursor)
        chosen = eva.cursor
        await eva.press("a")
        await eva.until(lambda: chosen in {each.alert_id for each in alerts(eva, "accepted")})


@pytest.mark.parametrize("digit", list("12345678"))
async def test_every_screen_opens_by_its_digit_and_has_help(service: Running, tmp_path: Path, digit: str) -> None:
    async with seat(service, tmp_path, size=(80, 24)) as eva:
        await eva.press(digit)
        await eva.press("question_mark")
        await eva.dialog()
        assert isinstance(eva.app.screen, HelpDialog)
        await eva.sees("Close")
        await eva.press("escape")
        await eva.until(lambda: len(eva.app.screen_stack) == 1)


async def test_a_tick_after_the_screens_were_removed_draws_nothing(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path) as eva:
        app = eva.app
    cast("Any", app)._beat()


async def test_a_tick_while_the_screens_are_removed_draws_nothing(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path) as eva:
        await eva.look_at("calls")
        await eva.press("slash")

        async def beat() -> None:
            await eva.app.screen.query(FilterBar).first().remove_children()
            cast("Any", eva.app)._beat()

        before_closing(eva.app, beat)
        await eva.type("+34")
    assert not eva.app.is_running
