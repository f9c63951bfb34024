"""One key tells when somebody is free, the same on all lists of people, groups, skills and queues; nothing is sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from console.config.notice_settings import NoticeSettings, Ways
from console.records.addresses import CONTRACT
from console.records.people import Group, User
from console.records.record import Record
from console.records.support import Agent, Presence, Skill
from console.rules.once import MOST, free_rule
from console.rules.watch import Watch
from console.ui.screens.detail import DetailScreen
from console.ui.screens.episodes import EpisodesScreen
from console.ui.widgets.concerns import ConcernList
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld
from tests.snapshots.pictures import Sitter

ANA = "Ana Ruiz"
HOSTILE = "Eve\x1b]0;x\x07 [bold] {name}"


@asynccontextmanager
async def desk(backend: IdleBackend, folder: Path, size: tuple[int, int] = (120, 40)) -> AsyncGenerator[Sitter]:
    told = NoticeSettings(ways=Ways(critical=("flash",), warning=("flash",), notice=()))
    app = still_console(backend, folder, hold_seconds=0, notices=told)
    async with app.run_test(size=size) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        yield sitter


def agent(key: str, activity: str, name: str) -> Agent:
    return Agent(id=key, activity=activity, online=True, display_name=name)


@pytest.fixture
def backend(empty: StillWorld) -> IdleBackend:
    made = IdleBackend(empty)
    address = CONTRACT.user.of
    records: dict[str, list[Record]] = {
        "agents": [agent("u1", "busy", ANA), agent("u2", "available", "Bob")],
        "skills": [Skill(skill="billing", agents=("u1",))],
        "groups": [Group(group_id="g1", name="Night desk", participants=("u1", "u3"))],
        "users": [User(id="u1", username="ana", alias=ANA), User(id="u3", username="pat", alias="Pat")],
        "presence": [Presence(address=address("u1"), display_name=ANA, activity="busy", online=True)],
    }
    for kind in ("calls", "alerts", "notifications", "alarms", "chats", "conferences", *records):
        made.change(kind, *records.get(kind, ()), removes=[*made.records(kind)])
    return made


def line(sitter: Sitter) -> str:
    """Return the outcome line and the notice."""
    return "\n".join(sitter.text().splitlines()[-3:])


async def test_pressed_once_it_waits_pressed_again_it_does_not(backend: IdleBackend, tmp_path: Path) -> None:
    async with desk(backend, tmp_path) as eva:
        await eva.press("5", "slash", *"ana", "enter", "ctrl+n")
        await eva.until(lambda: "You will be told when Ana Ruiz is free." in line(eva))
        await eva.press("down", "ctrl+n")
        await eva.until(lambda: "No longer waiting for Ana Ruiz." in line(eva))
        backend.change("agents", agent("u1", "available", ANA))
        await eva.press("down", "ctrl+n")
        await eva.until(lambda: "Ana Ruiz is free now." in line(eva))
        assert not backend.commands.tickets()


async def test_it_is_told_when_she_is_free_and_forgotten_when_it_was_seen(backend: IdleBackend, tmp_path: Path) -> None:
    backend.change("skills", removes=["billing"])
    async with desk(backend, tmp_path) as eva:
        await eva.press("5", "slash", *"ana", "enter", "ctrl+n", "1")
        assert ANA not in eva.app.screen.query_one(ConcernList).said
        backend.change("agents", agent("u1", "available", ANA))
        await eva.until(lambda: "free: Ana Ruiz" in line(eva))
        assert ANA in eva.app.screen.query_one(ConcernList).said
        await eva.press("K")
        await eva.settle()
        assert ANA not in eva.app.screen.query_one(ConcernList).said
        await eva.press("ctrl+e")
        await eva.until(lambda: isinstance(eva.app.screen, EpisodesScreen))
        assert "√ 1 ended" in eva.text()
        await eva.press("tab")
        assert "free-ana-ruiz" not in eva.text()


async def test_the_key_is_the_same_on_all_lists_and_needs_a_known_presence(
    backend: IdleBackend, tmp_path: Path
) -> None:
    async with desk(backend, tmp_path) as eva:
        for keys, name in (
            (("4",), ANA),
            (("5", "slash", *"ana", "enter"), ANA),
            (("5", "tab"), "billing"),
            (("8", "slash", *"ana", "enter"), ANA),
        ):
            await eva.press(*keys, "ctrl+n")
            await eva.until(lambda name=name: f"You will be told when {name} is free." in line(eva))
            await eva.press("enter")
            await eva.until(lambda: isinstance(eva.app.screen, DetailScreen))
            await eva.press("ctrl+n")
            await eva.until(lambda name=name: f"No longer waiting for {name}." in eva.text())
            await eva.press("escape")
        for keys, name in ((("7",), "Night desk"), (("tab",), ANA)):
            await eva.press(*keys, "ctrl+n")
            await eva.until(lambda name=name: f"You will be told when {name} is free." in line(eva))
        await eva.press("8", "slash", "ctrl+u", *"pat", "enter", "ctrl+n")
        await eva.until(lambda: "The presence of Pat is not known: follow it first." in line(eva))


async def test_lists_of_other_records_do_not_have_the_key(backend: IdleBackend, tmp_path: Path) -> None:
    async with desk(backend, tmp_path) as eva:
        for screen, there in (("2", False), ("5", True)):
            await eva.press(screen, "question_mark")
            await eva.until(lambda: "all keys" in eva.text())
            first = eva.text()
            await eva.press("pagedown")
            assert ("^n" in first + eva.text()) is there
            await eva.press("escape")


async def test_it_is_listed_with_the_rules_and_deleted_there(backend: IdleBackend, tmp_path: Path) -> None:
    async with desk(backend, tmp_path) as eva:
        await eva.press("5", "slash", *"ana", "enter", "ctrl+n", "ctrl+e", "tab", "slash", *"free-ana", "enter")
        await eva.until(lambda: "free-ana-ruiz" in eva.text() and "once" in eva.text())
        for key in ("B", "e"):
            await eva.press(key)
            await eva.until(lambda: "free-ana-ruiz is told once: it can only be deleted." in line(eva))
        await eva.press("d")
        await eva.until(lambda: "No longer waiting for Ana Ruiz." in line(eva))
        assert not (tmp_path / "rules.toml").exists()


async def test_no_more_than_fifty_are_waited_for(backend: IdleBackend, tmp_path: Path) -> None:
    busy = [agent(f"b{number:02}", "busy", f"Busy {number:02}") for number in range(MOST + 2)]
    backend.change("agents", *busy)
    async with desk(backend, tmp_path) as eva:
        assert isinstance(backend.watch, Watch)
        for each in busy[3:]:
            backend.watch.wait_for(free_rule(f"free-{each.id}", "agents", each.id))
        await eva.press("5", "slash", *"00", "enter", "ctrl+n")
        await eva.until(lambda: "You will be told when Busy 00 is free." in line(eva))
        await eva.press("slash", "ctrl+u", *"01", "enter", "ctrl+n")
        await eva.until(lambda: "You wait for 50 already" in line(eva))


async def test_a_hostile_name_is_shown_clean(backend: IdleBackend, tmp_path: Path) -> None:
    backend.change("agents", agent("e", "busy", HOSTILE), removes=["u1", "u2"])
    async with desk(backend, tmp_path) as eva:
        await eva.press("5", "ctrl+n")
        await eva.until(lambda: "You will be told when Eve" in line(eva))
        await eva.press("1")
        backend.change("agents", agent("e", "available", HOSTILE))
        await eva.until(lambda: "free: Eve" in line(eva) and "[bold] {name}" in line(eva))
