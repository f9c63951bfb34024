"""Offered alerts and chats on Home and Agents: accepted and rejected by key, and then gone."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from console.kinds.notifications.actions import GONE
from console.live.delta import Freshness, Health
from console.records.episodes import Episode
from console.records.notifications import Notification
from console.service.domain import agents, appearing, chats
from console.service.domain.chats import CHATS
from console.service.domain.notifications import NOTIFICATIONS
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, fresh
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld, StillWorlds
from tests.snapshots.pictures import Sitter

LEAST, SMALL = (60, 16), (80, 24)


def offered_chat(base: Base) -> str:
    """Request a chat as pat, for a skill whose only agents ana and bob are busy."""
    skill, key = fresh("skill"), fresh("chat")
    platform = base.service.platform
    agents.create_skill(platform, skill, ("ana", "bob"))
    for each in ("ana", "bob"):
        appearing.set_activity(platform, each, "busy")
    chats.start(platform, base.caller("pat"), key, {"skill": skill})
    return key


def agent_of(base: Base, chat: str) -> str | None:
    """Return the id of the agent of a chat."""
    return base.stored(CHATS, chat).get("agent", {}).get("id")


@pytest.mark.asyncio(loop_scope="module")
@presses("notifications.accept")
async def test_an_offered_chat_is_accepted_from_any_list_of_agents_and_becomes_an_own_one(
    ana: Seat, base: Base
) -> None:
    await ana.look_at("skills")
    key = offered_chat(base)
    await ana.sees("Offered to you")
    await ana.press("a")
    await ana.done("notifications.accept")
    await ana.sees("now one of your chats")
    assert agent_of(base, key) == "ana"
    await ana.until(lambda: "Offered to you" not in ana.screen_text())
    await ana.look_at("chats", key)

    def new_chat() -> Episode | None:
        found = cast("Iterable[Episode]", ana.app.context.backend.records("episodes").values())
        return next((each for each in found if (each.rule, each.about) == ("own-chat-new", key)), None)

    assert (await ana.until(new_chat)).seen_by == "ana", "nobody is told of the chat that she took"


@pytest.mark.asyncio(loop_scope="module")
@presses("notifications.reject")
async def test_an_offered_chat_is_rejected_on_home_and_stays_offered_to_the_others(ana: Seat, base: Base) -> None:
    await ana.go_to("home")
    key = offered_chat(base)
    await ana.sees("for you   chat about")
    await ana.press("home", "x")
    await ana.done("notifications.reject")
    await ana.until(lambda: "for you   chat" not in ana.screen_text())
    assert agent_of(base, key) is None
    with base.service.platform.read() as tx:
        assert key in {each.id for each in NOTIFICATIONS.records(tx, caller=base.caller("bob"))}
    chats.finish(base.service.platform, key)


@pytest.mark.asyncio(loop_scope="module")
async def test_an_offer_accepted_by_somebody_else_disappears(ana: Seat, base: Base) -> None:
    await ana.look_at("agents")
    key = offered_chat(base)
    await ana.sees("Offered to you")
    chats.take(base.service.platform, base.caller("bob"), key)
    await ana.until(lambda: "Offered to you" not in ana.screen_text())
    await ana.press("a")
    assert agent_of(base, key) == "bob"


# -- without a service -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def at_anas(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy", "ana")


@asynccontextmanager
async def seat(backend: IdleBackend, folder: Path, size: tuple[int, int] = SMALL) -> AsyncGenerator[Sitter]:
    app = still_console(backend, folder, hold_seconds=0)
    async with app.run_test(size=size) as pilot:
        yield Sitter(pilot)


def chat(key: str = "c", seconds: float = 42) -> Notification:
    created = NOW_MS - seconds * 1000
    return Notification(id=key, kind="chat", subject=key, title="billing", from_user="pat", created_at=created)


def draws_nothing(_fresh: bool, /) -> None:
    """The screen still shows an offer that has disappeared. Every second it would look for itself."""


async def test_the_key_of_a_withdrawn_offer_reports_that_it_was_withdrawn(at_anas: StillWorld, tmp_path: Path) -> None:
    for screen, words in (("1", "for you   chat"), ("5", "Offered to you")):
        backend = IdleBackend(at_anas)
        backend.change("notifications", chat(), removes=[*backend.records("notifications")])
        async with seat(backend, tmp_path) as ana:
            await ana.press(screen)
            await ana.until(lambda words=words: words in ana.text())
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(ana.app.screen, "beat", draws_nothing)
                backend.change("notifications", removes=["c"])
                await ana.press("a")
            await ana.until(lambda: GONE[:40] in ana.text())
            assert backend.commands.tickets() == ()


async def test_the_smallest_terminal_shows_the_offer_its_keys_and_the_list(at_anas: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(at_anas)
    backend.change("notifications", chat("old"), chat("new", 1), removes=[*backend.records("notifications")])
    async with seat(backend, tmp_path, LEAST) as ana:
        await ana.press("5")
        await ana.until(lambda: "Offered to you" in ana.text())
        (line,) = (each for each in ana.text().splitlines() if "Offered to you" in each)
        assert ("a  accept" in line, "x  reject" in line) == (True, True), line
        await ana.press("tab", "tab", "tab")
        await ana.until(lambda: "Your offers 2" in ana.text())
        assert "Offered to you" not in ana.text(), "the list says it"


async def test_a_backend_without_offers_shows_none(at_anas: StillWorld, tmp_path: Path) -> None:
    refused = Health(Freshness.REFUSED, None, "nothing here")
    backend = IdleBackend(at_anas, healths={"notifications": refused}, unknown=frozenset({"notifications"}))
    async with seat(backend, tmp_path) as ana:
        await ana.until(lambda: "Needs attention" in ana.text())
        seen = ana.text()
        await ana.press("5")
        await ana.until(lambda: "Support chats" in ana.text())
        seen += ana.text()
        for words in ("offer", "Offer", "REFUSED", "nothing here", "not shown"):
            assert words not in seen, words
