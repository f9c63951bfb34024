"""Every dialog of every action fits small terminals and shows its keys; Escape closes it and nothing is sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import pytest
import pytest_asyncio

from console.api.annotations import Guard
from console.commands.guards import guards
from console.kinds.actions import ACTIONS, by_id
from console.kinds.catalogue import FEEDS
from console.service.domain.sessions import create
from console.service.domain.sip import SIP_IDENTITIES
from console.ui.dialogs.dialog import Dialog, KeyButton
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.widgets.pick_list import PickList
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.pressing import press_for
from tests.behaviour.service_base import Base

pytestmark = pytest.mark.asyncio(loop_scope="module")

Found = tuple[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cramped(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor at the smallest terminal that dialogs support."""
    async with seat(floor, tmp_path_factory.mktemp("cramped"), size=(60, 20)) as seated:
        yield seated


def own_group(base: Base) -> Found:
    return ("groups", base.group([f"u{number}" for number in range(1100, 1140)]).group_id)


def in_many_groups(base: Base) -> Found:
    user = base.newcomer()
    for number in range(25):
        base.group([user], owner="eva" if number % 2 else "bob")
    return ("users", user)


def own_alert(base: Base) -> Found:
    return ("alerts", base.alert(sender="eva"))


def agent_with_everything(base: Base) -> Found:
    base.chat("bob")
    base.chat("bob")
    return ("agents", "bob")


def leaver(base: Base) -> Found:
    return ("groups", base.group(["eva"]).group_id)


def somebody_logged_in(base: Base) -> Found:
    return ("sessions", create(base.service.platform, base.user("u1220"), None)[0].id)


def free_identity(base: Base) -> Found:
    with base.service.database.read() as tx:
        return ("sip-identities", next(each.id for each in SIP_IDENTITIES.records(tx) if each.available))


DRAWN: dict[str, Callable[[Base], Found]] = {
    "calls": lambda base: ("calls", base.call()),
    "alerts": own_alert,
    "templates": lambda base: ("templates", base.template().template_id),
    "groups": own_group,
    "users": in_many_groups,
    "agents": agent_with_everything,
    "skills": lambda base: ("skills", base.skill("ana", "bob").skill),
    "chats": lambda base: ("chats", base.chat("ana")),
    "presence": lambda _ground: ("presence", ""),
    "sessions": lambda _ground: ("sessions", ""),
    "phonebooks": lambda _ground: ("phonebooks", ""),
    "sip-identities": free_identity,
    "everywhere": lambda _ground: ("calls", ""),
    "groups.leave-all": leaver,
    "sessions.revoke-all": somebody_logged_in,
}
READS_ONLY = {"users.follow", "users.unfollow", "groups.follow", "groups.unfollow", "presence.unfollow"}
"""These query the service without asking the operator."""
ASKING = [
    action.id
    for action in ACTIONS
    if action.kind != "grid" and action.id not in READS_ONLY
    if action.asks is not None or guards(action)[-1] >= Guard.WIDE
]


def assert_fits(who: Seat) -> None:
    """Assert that the dialog fits: border, keys and their titles are visible."""
    front = who.app.screen
    assert isinstance(front, Dialog)
    assert front.region.contains_region(front.query_one("#box").region)
    buttons = list(front.query(KeyButton))
    assert buttons
    for button in buttons:
        assert front.region.contains_region(button.region)
        assert button.size.width == button.get_content_width(button.size, button.size), "its words are not cut"
    assert "esc" in who.screen_text()
    if who.app.focused is not None:
        assert front.region.contains_region(who.app.focused.region)


@pytest.mark.parametrize("drawn", DRAWN)
async def test_a_dialog_fits_and_escape_closes_it_without_sending(drawn: str, cramped: Seat, base: Base) -> None:
    kind, key = DRAWN[drawn](base)
    await cramped.until(lambda: not key or kind == "chats" or kind not in FEEDS or key in cramped.backend.records(kind))
    before = cramped.backend.commands.tickets()
    await cramped.look_at(kind, key)
    for action in map(by_id, ASKING):
        if drawn == action.id or (drawn == action.kind and action.id not in DRAWN):
            await press_for(cramped, action)
            await cramped.dialog()
            assert_fits(cramped)
            await cramped.press("escape")
            await cramped.until(lambda: isinstance(cramped.app.screen, ConsoleScreen))
            assert cramped.backend.commands.tickets() == before
            if key:
                await cramped.move_to(key)


async def test_every_action_that_asks_is_drawn() -> None:
    assert [each for each in ASKING if not {each, by_id(each).kind} & DRAWN.keys()] == []


async def test_the_second_dialog_of_an_action_fits_and_closes_without_sending(cramped: Seat, base: Base) -> None:
    agent_with_everything(base)
    for kind, key, pressed in (("calls", "", "exclamation_mark"), ("agents", "bob", "t"), ("chats", "", "n")):
        before = cramped.backend.commands.tickets()
        await cramped.look_at(kind, key)
        await cramped.press(pressed)
        await cramped.dialog()
        first = cramped.app.screen
        await cramped.press("enter")
        await cramped.until(lambda first=first: cramped.app.screen is not first)
        await cramped.dialog()
        assert_fits(cramped)
        await cramped.press("escape")
        await cramped.no_dialog()
        assert cramped.backend.commands.tickets() == before


async def test_a_long_picker_scrolls_by_pages_to_its_end(cramped: Seat, base: Base) -> None:
    kind, key = own_group(base)
    await cramped.look_at(kind, key)
    await cramped.open_dialog("plus")
    rows = cramped.app.screen.query_one(PickList)

    def in_sight() -> list[str]:
        left, top, width, height = rows.region
        return [line[left : left + width] for line in cramped.screen_text().splitlines()[top : top + height]]

    first = in_sight()
    await cramped.press("pagedown")
    assert in_sight() != first
    await cramped.press("end")
    assert not set(first) & set(in_sight())
    assert_fits(cramped)
    await cramped.press("home")
    assert in_sight() == first
    await cramped.press("escape")
    await cramped.no_dialog()


async def test_a_long_list_of_groups_is_shown_before_a_user_is_removed(cramped: Seat, base: Base) -> None:
    _, user = in_many_groups(base)
    names = [each.name for each in base.groups_of(user)]
    await cramped.until(lambda: user in cramped.backend.records("users"))
    await cramped.look_at("users", user)
    await cramped.open_dialog("L")
    await cramped.sees("leaves these 25 groups")
    seen: set[str] = set()
    for _ in range(12):
        text = cramped.screen_text()
        seen |= {name for name in names if name and f"{name} " in text}
        await cramped.press("pagedown")
    assert seen == set(names)
    assert_fits(cramped)
    await cramped.press("escape")
    await cramped.no_dialog()


async def test_an_open_dialog_fits_again_after_the_terminal_was_resized(cramped: Seat, base: Base) -> None:
    kind, record = own_group(base)
    await cramped.look_at(kind, record)
    for key in ("plus", "e", "question_mark", "f10"):
        try:
            await cramped.pilot.resize_terminal(120, 40)
            await cramped.press(key)
            await cramped.dialog()
            await cramped.pilot.resize_terminal(60, 20)
            await cramped.pilot.pause()
            assert_fits(cramped)
        finally:
            await cramped.pilot.resize_terminal(60, 20)
        await cramped.press("escape")
        await cramped.no_dialog()
