"""Home of a caller who sees only what is their own: chats, offers, calls, alerts, groups, and free colleagues."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio

from console.live.delta import Freshness, Health
from console.live.history import History
from console.records.support import Agent, Alert, SupportChat
from console.ui.screens.agents import AgentsScreen
from console.ui.screens.board import Charts, HomeList, Tile
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.home import HomeScreen, SectionTitle
from console.ui.widgets.concerns import ConcernList
from tests.behaviour.at_home import at_home, home_screen
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld, StillWorlds
from tests.snapshots.pictures import SMALL, USUAL, Size, named


@pytest.fixture(scope="module")
def at_anas(still_worlds: StillWorlds) -> StillWorld:
    """The scenario `busy` as an agent sees it."""
    return still_worlds.of("busy", "ana")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ana(at_anas: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    async with shared_console(IdleBackend(at_anas), tmp_path_factory.mktemp("ana"), USUAL, hold_seconds=0) as sitter:
        yield sitter


def rows(screen: HomeScreen, name: str) -> list[str]:
    """Return the names in the first column of text of a list."""
    pane = screen.query_one(f"#{name}", HomeList).pane
    assert pane is not None
    column = "people" if name == "queues" else "name"
    return [
        pane.table.column(column).cell(record, pane.view.render_context).text.strip() for record in pane.view.shown()
    ]


_THREE_AGENTS = {"Ana Belmonte", "Julia Domínguez", "Montserrat Etxeberria Kowalska"}


def tiles(screen: HomeScreen) -> list[list[str]]:
    return [each.said.splitlines() for each in screen.query(Tile) if each.display]


def head(screen: HomeScreen, name: str) -> str:
    pane = screen.query_one(f"#{name}", HomeList).pane
    assert pane is not None
    return pane.head.said


@pytest.mark.asyncio(loop_scope="module")
async def test_an_agent_sees_what_is_their_own_and_nobody_elses_figures(ana: SharedSitter) -> None:
    screen = await at_home(ana)
    assert tiles(screen) == [
        ["Your chats", "3  16:46", "since 10:25:30"],
        ["Offered to you", "3  7:56", "Queue overflow"],
        ["Your calls", "0", "no call"],
        ["Your alerts", "4  23:54", "Trunk down"],
        ["Your groups", "1", "≥ 3 of 12 online"],
        ["Free colleagues", "2", "of 30", "with your skills"],
    ]
    assert head(screen, "queues") == "Your 3 chats  oldest 16:46"
    assert rows(screen, "queues") == ["Andreu Rossi Rossi", "Zofia Navarro", "Julia Díaz"], "the oldest first"
    assert screen.query_one("#concerns-head", SectionTitle).said == "Needs attention  4"
    assert not any(each.display for each in (screen.query_one(Charts), screen.query_one("#service")))


@pytest.mark.asyncio(loop_scope="module")
async def test_colleagues_with_the_same_skills_are_listed_the_free_ones_first(ana: SharedSitter) -> None:
    screen = await at_home(ana)
    assert head(screen, "colleagues") == "24 reachable colleagues with your skills  2 free"
    assert rows(screen, "colleagues")[:2] == ["Montserrat Etxeberria Kowalska", "Julia Domínguez"]
    await ana.press("tab", "tab", "f")
    agents = ana.app.screen
    assert isinstance(agents, AgentsScreen)
    assert agents.pane.filter_text.startswith("reachable:yes skills:")
    await ana.press("escape", "escape")
    assert ana.app.screen is screen
    assert screen.kind_in_focus() == "agents"


async def test_colleagues_are_listed_from_the_first_minute_and_take_the_room_that_is_left(
    at_anas: StillWorld, tmp_path: Path
) -> None:
    without_samples = replace(at_anas, history=History(at_anas.clock))
    async with home_screen(IdleBackend(without_samples), tmp_path) as (_, screen):
        colleagues = screen.query_one("#colleagues", HomeList).pane
        assert colleagues is not None
        assert colleagues.live_table.size.height >= 10


@pytest.mark.asyncio(loop_scope="module")
async def test_few_things_that_need_attention_leave_their_lines_to_the_colleagues(ana: SharedSitter) -> None:
    screen = await at_home(ana)
    concerns = screen.query_one(ConcernList)
    assert concerns.total == 4
    assert concerns.size.height <= concerns.total + 2


@pytest.mark.parametrize("size", [(120, 40), (120, 60), (200, 30)], ids=named)
@pytest.mark.parametrize("many", [5, 12])
async def test_nothing_that_needs_attention_is_hidden_while_lines_of_the_colleagues_are_empty(
    at_anas: StillWorld, tmp_path: Path, size: Size, many: int
) -> None:
    backend = IdleBackend(at_anas)
    sent = [Alert(alert_id=f"a{each}", title=f"Line {each}", state="active", created_at=NOW_MS) for each in range(many)]
    for kind, kept in (("chats", ()), ("notifications", ()), ("calls", ()), ("alerts", sent)):
        backend.change(kind, *kept, removes=[*backend.records(kind)])
    colleagues = cast("dict[str, Agent]", backend.records("agents"))
    hidden = [key for key, agent in colleagues.items() if agent.display_name not in _THREE_AGENTS]
    backend.change("agents", removes=hidden)
    async with home_screen(backend, tmp_path, size) as (_, screen):
        concerns = screen.query_one(ConcernList)
        assert concerns.total >= many
        assert concerns.hidden == (0, 0)
        assert len(rows(screen, "colleagues")) == 2


async def test_keys_work_on_an_own_chat_and_back_returns_to_it(at_anas: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(at_anas)
    async with home_screen(backend, tmp_path) as (ana, screen):
        await ana.press("tab", "down", "enter")
        agents = ana.app.screen
        assert isinstance(agents, AgentsScreen)
        record = agents.pane.view.cursor_record
        assert isinstance(record, SupportChat)
        await ana.press("escape", "escape")
        assert ana.app.screen is screen
        assert (screen.kind_in_focus(), screen.cursor_key) == ("chats", record.chat_id)
        await ana.press("t")
        await ana.dialog()
        await ana.press("enter")
        await ana.until(lambda: bool(backend.commands.tickets()))
        (ticket,) = backend.commands.tickets()
        assert (ticket.command.kind, ticket.command.steps[0].key) == ("chats", record.chat_id)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_small_terminal_shows_own_chats_and_free_colleagues_and_every_tab_keeps_its_title(
    ana: SharedSitter,
) -> None:
    screen = await at_home(ana, SMALL)
    assert rows(screen, "queues") == ["Andreu Rossi Rossi", "Zofia Navarro", "Julia Díaz"]
    assert rows(screen, "colleagues")[:2] == ["Montserrat Etxeberria Kowalska", "Julia Domínguez"]
    await ana.press("tab", "tab", "tab")
    assert screen.kind_in_focus() in {"alerts", "notifications"}, "back at what needs attention"
    await ana.press("6")
    front = ana.app.screen
    assert isinstance(front, ConsoleScreen)
    tabs = " ".join(front.tabs.said.split())
    assert tabs == "1 Home 2 Calls 3 Conf 4 Presence 5 Agents 6 Alerts 7 Groups 8 Admin"


async def test_own_records_that_are_not_known_are_not_said_to_be_none(at_anas: StillWorld, tmp_path: Path) -> None:
    refused = Health(Freshness.REFUSED, None, "not for you")
    unknown = frozenset({"chats", "notifications", "calls", "alerts", "groups", "agents", "skills"})
    backend = IdleBackend(at_anas, healths=dict.fromkeys(unknown, refused), unknown=unknown)
    async with home_screen(backend, tmp_path) as (_, screen):
        assert [each[1:3] for each in tiles(screen)] == [["–", "not known"]] * 5, "no tile of offers"
        chats = screen.query_one("#queues", HomeList).pane
        assert chats is not None
        assert chats.live_table.empty.plain.strip() == "The service does not show this: not for you"


async def test_an_agent_without_work_is_told_so(at_anas: StillWorld, tmp_path: Path) -> None:
    for kind, why in (("agents", "No colleague with your skills can take work."), ("skills", "You have no skills.")):
        backend = IdleBackend(at_anas)
        for emptied in ("chats", kind):
            backend.change(emptied, removes=[*backend.records(emptied)])
        async with home_screen(backend, tmp_path) as (_, screen):
            lists = [screen.query_one(f"#{each}", HomeList).pane for each in ("queues", "colleagues")]
            empty = [each.live_table.empty.plain.strip() for each in lists if each is not None]
            assert empty == ["You have no chats.", why]
