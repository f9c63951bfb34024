"""A decision on out-of-date rows is confirmed or held before it is sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from console.kinds.catalogue import FEEDS
from console.live.authentication import Fatal
from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.records.people import Group
from console.rules.reading import load_rules
from console.ui.dialogs import ConfirmDialog, TypeNameDialog
from console.ui.dialogs.dialog import Words
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.groups import GroupsScreen
from console.ui.screens.home import SectionTitle
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld
from tests.snapshots.pictures import Sitter

OLD = Health(Freshness.STALE, 14.2)


@asynccontextmanager
async def sitting(backend: IdleBackend, folder: Path) -> AsyncGenerator[Sitter]:
    app = still_console(backend, folder)
    async with app.run_test(size=(100, 30)) as pilot:
        sitter = Sitter(pilot)
        await sitter.settle()
        yield sitter


async def look_at_own_group(eva: Sitter, backend: IdleBackend) -> None:
    """Move the cursor to a group with members that eva owns."""
    groups = [each for each in backend.records("groups").values() if isinstance(each, Group)]
    own = next(each for each in groups if each.owner and each.owner.id == "eva" and each.participants)
    await eva.press("7")
    await eva.until(lambda: isinstance(eva.app.screen, GroupsScreen))
    screen = eva.app.screen
    assert isinstance(screen, GroupsScreen)
    screen.groups_pane.live_table.move_to(own.key)
    await eva.settle()


@pytest.mark.parametrize("key", ["1", "2"])
async def test_after_a_fatal_error_only_the_top_line_tells_the_state(
    busy: StillWorld, tmp_path: Path, key: str
) -> None:
    backend, reason = IdleBackend(busy), "no such service"
    async with sitting(backend, tmp_path) as eva:
        await eva.press(key)
        backend.link = Health(Freshness.REFUSED, None, reason)
        backend.healths = dict.fromkeys([*FEEDS, "queues"], Health(Freshness.OFFLINE, None, reason))
        backend.fatal = Fatal("config", reason)
        backend.revision += 1
        await eva.until(lambda: "REFUSED" in eva.text().splitlines()[0])
        await eva.settle()
        assert "OFFLINE" not in eva.text()


async def test_accepting_an_alert_in_an_outdated_list_needs_a_confirmation_with_the_age(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy, healths={"alerts": OLD})
    async with sitting(backend, tmp_path) as eva:
        await eva.press("6", "a")
        await eva.until(lambda: isinstance(eva.app.screen, ConfirmDialog))
        assert any("The data shown is 14s old." in each.words for each in eva.app.screen.query(Words))
        assert not backend.commands.tickets()
        await eva.until(lambda: getattr(eva.app.screen, "listening", False))
        await eva.press("enter")
        await eva.until(lambda: isinstance(eva.app.screen, ConsoleScreen))
        assert not backend.commands.tickets(), "enter keeps it"


async def test_immediate_actions_are_held_in_an_outdated_list(busy: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(busy, healths={"groups": OLD})
    async with sitting(backend, tmp_path) as eva:
        await look_at_own_group(eva, backend)
        await eva.press("tab", "minus")
        await eva.until(lambda: bool(backend.commands.tickets()))
        assert backend.commands.tickets()[0].stage is Stage.HELD


async def test_wide_changes_in_an_outdated_list_need_the_name(busy: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(busy, healths={"groups": OLD})
    async with sitting(backend, tmp_path) as eva:
        await look_at_own_group(eva, backend)
        await eva.press("X")
        await eva.until(lambda: isinstance(eva.app.screen, TypeNameDialog))
        assert not backend.commands.tickets()


WATCHED = sorted({each.list for each in load_rules(None).rules} & FEEDS.keys())
"""The lists of the service that the shipped rules watch."""


async def test_everything_ok_is_shown_only_when_all_lists_are_known(busy: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(busy, unknown=frozenset({*WATCHED, "agents", "status"}))
    async with sitting(backend, tmp_path) as eva:
        for kind in WATCHED:
            backend.healths = {kind: Health(Freshness.LOADING)}
            backend.revision += 1
            await eva.settle()
            assert "loading" in words_of_home(eva), kind
            backend.healths = {}
            backend.revision += 1
            await eva.settle()
            assert "all is well" in words_of_home(eva), kind


def words_of_home(eva: Sitter) -> str:
    """Return the heading of the list of what needs attention."""
    return eva.app.screen.query_one("#concerns-head", SectionTitle).said
