"""Unavailable actions are grey in the footer and show the reason when their key is pressed; nothing is sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
import pytest_asyncio

from console.commands.action import Action
from console.commands.guards import blocked
from console.kinds.actions import ACTIONS, by_id
from console.kinds.catalogue import FEEDS
from console.service.domain import phonebooks
from console.service.domain.sip import SIP_IDENTITIES
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.widgets.theme import themes_of
from console.views.cell import Tone
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.pressing import press_for
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")

Found = tuple[str, str]
"""A list and the key of a record in it; empty if the action needs none."""
Draw = Callable[[Base], Found]

OWNER = "Only the owner, Bob Whitaker, can change this group."
NOTHING = "No record selected."


def at(kind: str, key: str = "") -> Draw:
    return lambda _ground: (kind, key)


def group(of: str, *members: str) -> Draw:
    return lambda base: ("groups", base.group(members, owner=of).group_id)


def empty_book(base: Base) -> Found:
    return ("phonebooks", phonebooks.create(base.service.platform, fresh("Book")).id)


def free_identity(base: Base) -> Found:
    with base.service.database.read() as tx:
        return ("sip-identities", next(each.id for each in SIP_IDENTITIES.records(tx) if each.available))


FULL: tuple[tuple[str, str, Draw, str], ...] = (
    ("groups.add", "ana", group("bob", "ana"), OWNER),
    ("members.remove", "eva", group("bob", "pat"), OWNER),
    ("users.leave-groups", "ana", at("users", "pat"), "Only admins can remove others from their groups."),
    ("skills.create", "ana", at("skills"), "Only admins can do this."),
    ("phonebooks.take-out", "eva", empty_book, "This phonebook has no contacts."),
    ("phonebooks.unsubscribe", "eva", empty_book, "Nobody is subscribed."),
    ("sip.take-back", "eva", free_identity, "It is not assigned."),
)
"""Some of each sort of list, and the reasons that no test of `tests/kinds` covers."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """A supervisor with a read-only profile."""
    folder = tmp_path_factory.mktemp("reader")
    async with seat(floor, folder, size=(80, 24), read_only=True) as seated:
        yield seated


async def press_and_read(who: Seat, action: Action[Any], words: str) -> None:
    """Press an action's key; assert that it shows these words and sends nothing, and is grey if the footer shows it."""
    screen = who.app.screen
    assert isinstance(screen, ConsoleScreen)
    before = who.backend.commands.tickets()
    await press_for(who, action)
    try:
        await who.until(lambda: words in who.screen_text(), seconds=2)
    except AssertionError:
        # The previous test may have pressed the same key so recently that it counts as held down.
        await press_for(who, action)
    await who.sees(words)
    assert isinstance(who.app.screen, ConsoleScreen), "no dialog opens"
    assert who.backend.commands.tickets() == before
    words_of_footer = [key for key in screen.footer_keys() if key.words == (action.short or action.title.lower())]
    assert all(key.why_not for key in words_of_footer)


@pytest.mark.parametrize(("action_id", "who", "draw", "words"), FULL, ids=[f"{row[0]}-{row[1]}" for row in FULL])
async def test_a_refused_action_shows_the_reason(
    action_id: str, who: str, draw: Draw, words: str, eva: Seat, ana: Seat, base: Base
) -> None:
    seated, action = {"eva": eva, "ana": ana}[who], by_id(action_id)
    kind, key = draw(base)
    if key and kind in FEEDS:
        await seated.until(lambda: key in seated.backend.records(kind) or kind == "chats")
    await seated.look_at(kind, key)
    if action.kind == "members":
        await seated.press("tab")
    await press_and_read(seated, action, words)


async def test_a_read_only_profile_refuses_every_action(reader: Seat) -> None:
    words = "This profile is read-only."
    situation = reader.context.situation()
    assert {action.id for action in ACTIONS if words not in (blocked(action, situation, ()) or "")} == set()
    for kind, action_id in (("calls", "calls.record"), ("groups", "alerts.send"), ("phonebooks", "phonebooks.add")):
        await reader.look_at(kind)
        await press_and_read(reader, by_id(action_id), words)
    assert not reader.backend.commands.tickets()


async def test_without_a_cursor_an_action_is_refused_with_a_reason(eva: Seat) -> None:
    acting = [action for action in ACTIONS if action.needs != "none"]
    situation = eva.context.situation()
    assert {action.id for action in acting if blocked(action, situation, ()) != NOTHING} == set()
    for kind, action_id in (("calls", "calls.record"), ("groups", "members.remove"), ("sip-identities", "sip.assign")):
        await eva.look_at(kind, filter_text="~")
        if kind == "groups":
            await eva.press("tab")
        await press_and_read(eva, by_id(action_id), NOTHING)


async def test_refused_actions_are_grey(ana: Seat) -> None:
    await ana.look_at("templates", "trunk-down")
    screen = ana.app.screen
    assert isinstance(screen, ConsoleScreen)
    quiet = themes_of(ana.app).by_name[ana.app.theme].tones[Tone.QUIET].rich.color
    await ana.until(lambda: "e edit" in screen.footer.said)
    painted = screen.footer.render_line(0)
    colours = {segment.text.strip(): segment.style.color for segment in painted if segment.style}
    refused = [text for text in colours if text.startswith(("n new template", "e edit"))]
    assert refused
    assert all(colours[text] == quiet for text in refused)
