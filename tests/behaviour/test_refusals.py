"""Unavailable actions are grey in the footer and show the reason when their key is pressed; nothing is sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from typing import Any

import pytest
import pytest_asyncio

from console.api.annotations import Access
from console.commands.action import Action
from console.commands.guards import blocked
from console.kinds.actions import ACTIONS, by_id
from console.kinds.catalogue import FEEDS
from console.screens.console_screen import ConsoleScreen
from console.screens.list_screen import ListScreen
from console.service.documents import Documents
from console.service.domain import alerts, phonebooks
from console.service.domain.alerts import ALERTS
from console.service.domain.calls import CALLS
from console.service.domain.sip import SIP_IDENTITIES
from console.service.serve import Running
from console.views.cell import Tone
from console.widgets.theme import themes_of
from tests.behaviour.driver import Seat, seat
from tests.behaviour.pressing import default_of, press_for
from tests.behaviour.service_base import Base, fresh
from tests.services import Services, world

pytestmark = pytest.mark.asyncio(loop_scope="module")

Found = tuple[str, str]
"""A list and the key of a record in it; empty if the action needs none."""
Draw = Callable[[Base], Found]

ADMIN = "Only admins can do this."
OWNER = "Only the owner, Bob Whitaker, can change this group."
NOTHING = "No record selected."


def at(kind: str, key: str = "") -> Draw:
    return lambda _ground: (kind, key)


def group(of: str, *members: str) -> Draw:
    return lambda base: ("groups", base.group(members, owner=of).group_id)


def alert(sender: str = "bob", ended_by: str = "") -> Draw:
    def draw(base: Base) -> Found:
        made = base.alert(sender=sender, receivers=("eva", "ana", "bob"))
        if ended_by == sender:
            alerts.cancel(base.service.platform, made)
        elif ended_by:
            base.end_alert(made, ended_by)
        return ("alerts", made)

    return draw


def empty_book(base: Base) -> Found:
    return ("phonebooks", phonebooks.create(base.service.platform, fresh("Book")).id)


def identity(*, free: bool) -> Draw:
    def draw(base: Base) -> Found:
        with base.service.database.read() as tx:
            return ("sip-identities", next(each.id for each in SIP_IDENTITIES.records(tx) if each.available is free))

    return draw


def over(base: Base) -> Found:
    call = base.call()
    base.end_call(call)
    return ("calls", call)


FULL: tuple[tuple[str, str, Draw, str], ...] = (
    ("calls.record", "eva", over, "The call has ended."),
    ("alerts.accept", "eva", alert(ended_by="ana"), "Already accepted by Ana Belmonte at "),
    ("alerts.accept", "eva", alert(ended_by="bob"), "Already cancelled by Bob Whitaker at "),
    ("alerts.cancel", "eva", alert(), "Only the sender can cancel an alert: Bob Whitaker sent "),
    ("alerts.cancel", "eva", alert("eva", "ana"), "Already accepted by Ana Belmonte at "),
    ("groups.rename", "eva", group("bob", "pat"), OWNER),
    ("groups.strategy", "eva", group("bob", "pat"), OWNER),
    ("groups.add", "ana", group("bob", "ana"), OWNER),
    ("groups.add-many", "ana", group("bob", "ana"), OWNER),
    ("groups.reorder", "eva", group("bob", "pat", "ana"), OWNER),
    ("groups.reorder", "eva", group("eva", "pat"), "There is nothing to reorder."),
    ("groups.clear", "eva", group("bob", "pat"), OWNER),
    ("groups.clear", "eva", group("eva"), "has no members."),
    ("groups.follow", "ana", group("ana"), "has no members."),
    ("members.remove", "eva", group("bob", "pat"), OWNER),
    ("users.leave-groups", "eva", lambda base: ("users", base.newcomer()), "is not in any group."),
    ("users.leave-groups", "ana", at("users", "pat"), "Only admins can remove others from their groups."),
    ("users.follow", "ana", at("users", "bob"), "You already follow Bob Whitaker."),
    ("users.make-agent", "eva", at("users", "bob"), "Bob Whitaker is already an agent."),
    ("users.make-agent", "ana", at("users", "pat"), ADMIN),
    ("users.make-plain", "eva", at("users", "pat"), "Pat Llorente is not an agent."),
    ("users.make-plain", "ana", at("users", "bob"), ADMIN),
    ("users.unfollow", "ana", lambda base: ("users", base.newcomer()), "You do not follow"),
    ("groups.unfollow", "ana", group("ana"), "has no members."),
    ("agents.give-skill", "ana", at("agents", "bob"), ADMIN),
    ("agents.take-skill", "ana", at("agents", "bob"), ADMIN),
    ("agents.take-skill", "eva", lambda base: ("agents", base.new_agent()), "These agents have no skill."),
    ("agents.transfer", "ana", at("agents", "bob"), "Only the agent and admins can transfer these chats."),
    ("agents.transfer", "eva", lambda base: ("agents", base.new_agent()), "has no chats."),
    ("skills.attach", "ana", at("skills", "support"), ADMIN),
    ("skills.detach", "ana", at("skills", "support"), ADMIN),
    ("skills.detach", "eva", lambda base: ("skills", base.skill().skill), "No agent has this skill."),
    ("skills.create", "ana", at("skills"), ADMIN),
    (
        "chats.transfer",
        "ana",
        lambda base: ("chats", base.chat("bob")),
        "Only its agent, Bob Whitaker",
    ),
    ("templates.create", "ana", at("templates"), ADMIN),
    *((f"templates.{each}", "ana", at("templates", "trunk-down"), ADMIN) for each in ("edit", "delete", "attach")),
    ("templates.detach", "ana", at("templates", "trunk-down"), ADMIN),
    *((f"phonebooks.{each}", "ana", at("phonebooks"), ADMIN) for each in ("add", "subscribe")),
    ("phonebooks.take-out", "eva", empty_book, "This phonebook has no contacts."),
    ("phonebooks.unsubscribe", "eva", empty_book, "Nobody is subscribed."),
    ("sip.assign", "ana", at("sip-identities"), ADMIN),
    ("sip.assign", "eva", identity(free=False), "unassign it first."),
    ("sip.take-back", "eva", identity(free=True), "It is not assigned."),
)
"""In the scenario `busy`."""

BARE: tuple[tuple[str, str, Draw, str], ...] = (
    ("alerts.send", "eva", at("alerts"), "There are no alert templates to send."),
    ("groups.leave-all", "eva", at("groups"), "You are not in any group."),
    ("agents.give-skill", "eva", at("agents", "ana"), "There are no skills yet."),
)
"""In the scenario `empty`."""

STATES: Mapping[str, Documents[Any]] = {"alerts": ALERTS, "calls": CALLS}
"""Records created in two steps, of which the second arrives after the first."""

NEVER_SEEN = {
    "notifications.accept": "an offer that is gone is tried where offers are",
    "notifications.reject": "the same",
    "calls.edit": "whoever sees a call takes part in it, or is an admin",
    "calls.statistics": "whoever sees a call takes part in it, or is an admin",
    "missed.mark-read": "the own ones are seen only; that it is read is tried where it is planned",
    "sessions.revoke": "whoever is no admin sees the own sessions only",
    "sessions.revoke-all": "the same; that there is no other session is tried where it is planned",
    "skills.grid": "its refusals are tried in the grid",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """A supervisor with a read-only profile."""
    folder = tmp_path_factory.mktemp("reader")
    async with seat(floor, folder, size=(80, 24), read_only=True) as seated:
        yield seated


@pytest.fixture(scope="module")
def empty(services: Services) -> Generator[Running]:
    with services.anew(world("empty")) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def alone(empty: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor of a scenario without data."""
    async with seat(empty, tmp_path_factory.mktemp("alone"), size=(80, 24)) as seated:
        yield seated


async def press_and_read(who: Seat, action: Action[Any], words: str) -> None:
    """Press an action's key; assert that it shows these words and sends nothing, and is grey if the footer shows it."""
    screen = who.app.screen
    assert isinstance(screen, ConsoleScreen)
    before = who.backend.tickets()
    await press_for(who, action)
    try:
        await who.until(lambda: words in who.screen_text(), seconds=2)
    except AssertionError:
        # The previous test may have pressed the same key so recently that it counts as held down.
        await press_for(who, action)
    await who.sees(words)
    assert isinstance(who.app.screen, ConsoleScreen), "no dialog opens"
    assert who.backend.tickets() == before
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
    if kind in STATES:
        # What an action may do is judged by the row that the operator sees.
        state = base.stored(STATES[kind], key)["state"]
        screen = seated.app.screen
        assert isinstance(screen, ListScreen)
        await seated.until(lambda: getattr(screen.pane.cursor_record, "state", "") == state)
    if action.kind == "members":
        await seated.press("tab")
    await press_and_read(seated, action, words)


@pytest.mark.parametrize(("action_id", "who", "draw", "words"), BARE, ids=[row[0] for row in BARE])
async def test_an_action_on_an_empty_list_shows_the_reason(
    action_id: str, who: str, draw: Draw, words: str, alone: Seat, empty: Running
) -> None:
    kind, key = draw(Base(empty))
    assert who == "eva"
    await alone.look_at(kind, key)
    await press_and_read(alone, by_id(action_id), words)


def _home_of(action: Action[Any]) -> str:
    return "groups" if action.kind == "everywhere" else action.kind


async def test_a_read_only_profile_refuses_every_action(reader: Seat) -> None:
    words = "This profile is read-only."
    situation = reader.context.situation()
    assert {action.id for action in ACTIONS if words not in (blocked(action, situation, ()) or "")} == set()
    for kind, action in {_home_of(action): action for action in ACTIONS if action.kind != "grid"}.items():
        await reader.look_at(kind)
        leads_there = action if action.key else by_id(action.via)
        await press_and_read(reader, leads_there, words)
    assert not reader.backend.tickets()


async def test_without_a_cursor_an_action_is_refused_with_a_reason(eva: Seat) -> None:
    acting = [action for action in ACTIONS if action.needs != "none"]
    situation = eva.context.situation()
    assert {action.id for action in acting if blocked(action, situation, ()) != NOTHING} == set()
    for kind, action in {action.kind: action for action in acting}.items():
        await eva.look_at("groups" if kind == "members" else kind, filter_text="~")
        if kind == "members":
            await eva.press("tab")
        await press_and_read(eva, action, NOTHING)


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


async def test_every_refusal_of_an_action_is_covered() -> None:
    tried = {row[0] for row in (*FULL, *BARE)} | NEVER_SEEN.keys()
    never = default_of(Action, "why_not")
    refusing = {
        action.id
        for action in ACTIONS
        if action.why_not is not never
        or any(request.operation.access is Access.ADMIN for request in action.sends)
    }  # fmt: skip
    assert refusing <= tried, sorted(refusing - tried)
