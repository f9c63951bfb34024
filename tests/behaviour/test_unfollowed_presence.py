"""The presence of everybody on the screen is loaded, followed or not; a paused list is marked as such."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from console.api.operations.presence import GetPresence, ListPresences
from console.api.request import Request
from console.kinds.groups.facts import Attendance, attendance
from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.records.people import Group
from console.records.record import Record
from console.service.domain.presence import PRESENCE
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.groups import GroupsScreen
from console.ui.screens.list_screen import ListScreen
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds
from tests.snapshots.pictures import Sitter


class Followed(IdleBackend):
    """A backend whose presence list contains only followed users, and that records the requests."""

    def __init__(self, world: StillWorld, followed: int = 0, **more: Any) -> None:
        super().__init__(world, **more)
        self.asked: list[Request[Any]] = []
        self.change("presence", removes=[*self.records("presence")][followed:])

    def ask(self, request: Request[Any]) -> Future[Any]:
        self.asked.append(request)
        return super().ask(request)


@pytest.fixture(scope="module")
def evas(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy")


@pytest.fixture(scope="module")
def pats(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy", "pat")


@asynccontextmanager
async def sitting(backend: IdleBackend, folder: Path) -> AsyncGenerator[Sitter]:
    app = still_console(backend, folder, hold_seconds=0)
    async with app.run_test(size=(120, 40)) as pilot:
        sitter = Sitter(pilot)
        await sitter.settle()
        yield sitter


def list_of(sitter: Sitter) -> ListScreen:
    screen = sitter.app.screen
    assert isinstance(screen, ListScreen)
    return screen


def top_of(sitter: Sitter) -> str:
    screen = sitter.app.screen
    return screen.top_line.said if isinstance(screen, ConsoleScreen) else ""


async def groups(sitter: Sitter, backend: IdleBackend) -> GroupsScreen:
    await sitter.press("7")
    screen = sitter.app.screen
    assert isinstance(screen, GroupsScreen)
    # Visible presences are requested once a second.
    backend.world.clock.advance(1)
    return screen


def online_of(screen: GroupsScreen, group: Record | None) -> str:
    assert isinstance(group, Group)
    return screen.groups_pane.table.column("online").cell(group, screen.context.render_context()).text


# -- members of groups -----------------------------------------------------------------------------------------------


async def test_an_admin_queries_the_members_of_the_visible_groups_in_batches(evas: StillWorld, tmp_path: Path) -> None:
    backend = Followed(evas)
    async with sitting(backend, tmp_path) as eva:
        screen = await groups(eva, backend)
        shown = [each for each in screen.groups_pane.visible_records if isinstance(each, Group)]
        people = {each for group in shown for each in group.participants}
        await eva.until(lambda: all(online_of(screen, group)[0].isdigit() for group in shown))
        asked = [each for each in backend.asked if isinstance(each, ListPresences)]
        assert len(asked) <= 2 + len(people) // 40
        with evas.platform.read() as tx:
            there = {each.id for each in PRESENCE.records(tx) if each.online}
        for group in shown:
            online = sum(each in there for each in group.participants)
            assert online_of(screen, group) == f"{online}/{len(group.participants)}"


async def test_other_users_query_them_one_by_one_and_hidden_ones_stay_unknown(pats: StillWorld, tmp_path: Path) -> None:
    backend = Followed(pats)
    async with sitting(backend, tmp_path) as pat:
        screen = await groups(pat, backend)
        group = screen.group
        assert group is not None
        with pats.platform.read() as tx:
            own = pats.me.user.domain
            there = {each.id: bool(each.online) for each in PRESENCE.records(tx) if each.domain == own}
        expected = Attendance(
            online=sum(there.get(each, False) for each in group.participants),
            known=sum(each in there for each in group.participants),
            total=len(group.participants),
        )
        assert expected.online
        assert not expected.complete
        await pat.until(lambda: attendance(group.participants, screen.context.render_context()) == expected)
        assert not any(isinstance(each, ListPresences) for each in backend.asked)
        asked = [each.address for each in backend.asked if isinstance(each, GetPresence)]
        assert len(asked) == len(set(asked)), "none is asked for twice within its time"
        pats.clock.advance(1)
        words = f"{expected.online} online, {expected.total - expected.known} unknown"
        await pat.until(lambda: words in screen.members_pane.head.said)


async def test_followed_presence_is_not_queried(evas: StillWorld, tmp_path: Path) -> None:
    backend = Followed(evas, followed=1000)
    async with sitting(backend, tmp_path) as eva:
        await groups(eva, backend)
        backend.world.clock.advance(30)
        await eva.settle()
        assert not [each for each in backend.asked if isinstance(each, ListPresences | GetPresence)]


async def test_presence_is_queried_again_when_it_is_old_and_only_while_visible(
    evas: StillWorld, tmp_path: Path
) -> None:
    backend = Followed(evas)
    async with sitting(backend, tmp_path) as eva:
        screen = await groups(eva, backend)
        assert screen.group is not None
        await eva.until(lambda: online_of(screen, screen.group)[0].isdigit())
        await eva.press("1")
        backend.asked.clear()
        backend.world.clock.advance(60)
        await eva.until(lambda: bool(backend.asked))
        assert [each.addresses for each in backend.asked if isinstance(each, ListPresences)] == [("svc-user:eva",)]


# -- own presence ----------------------------------------------------------------------------------------------------


async def test_the_own_presence_is_in_the_top_line_whether_or_not_it_is_followed(
    pats: StillWorld, tmp_path: Path
) -> None:
    for backend in (IdleBackend(pats), Followed(pats)):
        async with sitting(backend, tmp_path) as pat:
            await pat.until(lambda pat=pat: "▬ do not disturb" in top_of(pat))
            await pat.press("2")
            assert "▬ do not disturb" in list_of(pat).top_line.said


async def test_the_own_presence_is_queried_again_right_after_an_own_change(evas: StillWorld, tmp_path: Path) -> None:
    backend = Followed(evas)
    async with sitting(backend, tmp_path) as eva:
        await eva.until(lambda: bool(backend.asked))
        await eva.settle()
        backend.asked.clear()
        await eva.press("m")
        await eva.until(lambda: getattr(eva.app.screen, "listening", False))
        await eva.press("3")
        await eva.until(lambda: bool(backend.commands.tickets()))
        assert backend.commands.tickets()[0].stage is Stage.DONE
        backend.world.clock.advance(1)
        await eva.until(lambda: bool(backend.asked))


# -- paused lists ----------------------------------------------------------------------------------------------------


async def test_a_paused_list_shows_the_time_and_the_number_of_changes_instead_of_live(
    evas: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(evas)
    async with sitting(backend, tmp_path) as eva:
        await eva.press("2")
        top = list_of(eva).top_line
        assert "LIVE" in top.said
        await eva.press("p")
        backend.world.clock.advance(75)
        backend.change("calls", removes=[*evas.records["calls"]][:3])
        await eva.settle()
        assert "PAUSED 1:15, 3 behind" in top.said
        assert "LIVE" not in top.said
        backend.healths = {"calls": Health(Freshness.OFFLINE, 42.0, "connection refused", retry_in=8.0)}
        await eva.settle()
        assert "PAUSED 1:15, 3 behind   OFFLINE 42s" in top.said
        backend.healths = {}
        await eva.press("p")
        assert "LIVE" in top.said
        assert "PAUSED" not in top.said


async def test_both_lists_of_the_groups_screen_can_be_paused(evas: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(evas)
    async with sitting(backend, tmp_path) as eva:
        screen = await groups(eva, backend)
        await eva.press("p", "tab")
        assert "PAUSED" in screen.top_line.said, "the groups stand still also while the keys go to the members"
