"""Every dialog of every action: it fits small terminals, shows its keys, and Escape leaves with nothing sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import pytest
import pytest_asyncio

from console.actions.action import Action
from console.actions.catalogue import ACTIONS, by_id
from console.actions.gate import guards
from console.api.marks import Guard
from console.live.feeds import FEEDS
from console.screens.frame import ConsoleScreen
from console.service.domain.sessions import create
from console.service.domain.sip import SIP_IDENTITIES
from console.service.serve import Running
from console.widgets.dialogs import dialog
from console.widgets.dialogs.dialog import Dialog, KeyButton
from console.widgets.pick_list import PickList
from tests.behaviour.driver import Seat, seat
from tests.behaviour.ground import Ground
from tests.behaviour.pressing import default_of, press_for

pytestmark = pytest.mark.asyncio(loop_scope="module")

Found = tuple[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cramped(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor at the smallest terminal that dialogs promise to fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialog, "DEAF_SECONDS", 0.001)
        async with seat(floor, tmp_path_factory.mktemp("cramped"), size=(60, 20)) as seated:
            yield seated


def own_group(ground: Ground) -> Found:
    return ("groups", ground.group([f"u{number}" for number in range(1100, 1140)]).group_id)


def in_many_groups(ground: Ground) -> Found:
    user = ground.newcomer()
    for number in range(25):
        ground.group([user], owner="eva" if number % 2 else "bob")
    return ("users", user)


def own_alert(ground: Ground) -> Found:
    return ("alerts", ground.alert(sender="eva"))


def agent_with_everything(ground: Ground) -> Found:
    ground.chat("bob")
    ground.chat("bob")
    return ("agents", "bob")


def leaver(ground: Ground) -> Found:
    return ("groups", ground.group(["eva"]).group_id)


def somebody_logged_in(ground: Ground) -> Found:
    return ("sessions", create(ground.service.platform, ground.user("u1220"), None)[0].id)


def free_identity(ground: Ground) -> Found:
    with ground.service.database.read() as tx:
        return ("sip-identities", next(each.id for each in SIP_IDENTITIES.records(tx) if each.available))


DRAWN: dict[str, Callable[[Ground], Found]] = {
    "calls": lambda ground: ("calls", ground.call()),
    "alerts": own_alert,
    "templates": lambda ground: ("templates", ground.template().template_id),
    "groups": own_group,
    "users": in_many_groups,
    "agents": agent_with_everything,
    "skills": lambda ground: ("skills", ground.skill("ana", "bob").skill),
    "chats": lambda ground: ("chats", ground.chat("ana")),
    "presence": lambda _ground: ("presence", ""),
    "sessions": lambda _ground: ("sessions", ""),
    "phonebooks": lambda _ground: ("phonebooks", ""),
    "sip-identities": free_identity,
    "everywhere": lambda _ground: ("calls", ""),
    "groups.leave-all": leaver,
    "sessions.revoke-all": somebody_logged_in,
}
ASKS_NOTHING = default_of(Action, "asks")
READS_ONLY = {"users.follow", "users.unfollow", "groups.follow", "groups.unfollow", "presence.unfollow"}
"""They ask the service, and nobody else."""
ASKING = [
    action.id
    for action in ACTIONS
    if action.kind != "grid" and action.id not in READS_ONLY
    if action.asks is not ASKS_NOTHING or guards(action)[-1] >= Guard.WIDE
]


def assert_fits(who: Seat) -> None:
    """Hold the dialog to the room there is: frame, keys and what they do are in sight."""
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


@pytest.mark.parametrize("action_id", ASKING)
async def test_a_dialog_fits_and_escape_leaves_with_nothing_sent(action_id: str, cramped: Seat, ground: Ground) -> None:
    action = by_id(action_id)
    kind, key = DRAWN.get(action_id, DRAWN[action.kind])(ground)
    await cramped.until(lambda: not key or kind == "chats" or kind not in FEEDS or key in cramped.backend.records(kind))
    before = cramped.backend.tickets()
    await cramped.look_at(kind, key)
    await press_for(cramped, action)
    await cramped.dialog()
    assert_fits(cramped)
    await cramped.press("escape")
    await cramped.until(lambda: isinstance(cramped.app.screen, ConsoleScreen))
    assert cramped.backend.tickets() == before
    await cramped.press("down", "up")


async def test_the_second_question_of_an_action_fits_and_leaves_with_nothing_sent(
    cramped: Seat, ground: Ground
) -> None:
    agent_with_everything(ground)
    for kind, key, pressed in (("calls", "", "exclamation_mark"), ("agents", "bob", "t"), ("chats", "", "n")):
        before = cramped.backend.tickets()
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
        assert cramped.backend.tickets() == before


async def test_a_long_picker_scrolls_by_pages_to_its_end(cramped: Seat, ground: Ground) -> None:
    kind, key = own_group(ground)
    await cramped.look_at(kind, key)
    await cramped.press("plus")
    await cramped.dialog()
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


async def test_a_long_list_of_groups_is_read_before_somebody_is_taken_out(cramped: Seat, ground: Ground) -> None:
    _, user = in_many_groups(ground)
    names = [each.name for each in ground.groups_of(user)]
    await cramped.until(lambda: user in cramped.backend.records("users"))
    await cramped.look_at("users", user)
    await cramped.press("L")
    await cramped.dialog()
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


@pytest.mark.parametrize("key", ["plus", "n", "C", "e", "question_mark", "f10", "ctrl+t", "colon"])
async def test_a_dialog_that_is_open_while_the_terminal_is_resized_fits_again(
    key: str, cramped: Seat, ground: Ground
) -> None:
    kind, record = own_group(ground)
    await cramped.look_at(kind, record)
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
