"""Episodes are marked as seen, snoozed and muted by key, from Home and from their list; nothing is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.records.record import Record
from console.records.support import Alert
from console.ui.screens.episodes import EpisodesScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.widgets.concerns import ConcernList
from tests.behaviour.at_home import home
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld


@pytest.fixture
def backend(empty: StillWorld) -> IdleBackend:
    made = IdleBackend(empty)
    alerts: list[Record] = [
        Alert(alert_id=title, title=title, state="active", created_at=NOW_MS - 60_000 * number)
        for number, title in enumerate(("Fire", "Flood"), 1)
    ]
    for kind in ("calls", "alerts", "skills", "notifications", "alarms", "chats", "conferences"):
        made.change(kind, *(alerts if kind == "alerts" else []), removes=[*made.records(kind)])
    return made


async def test_a_seen_episode_is_no_longer_new(backend: IdleBackend, tmp_path: Path) -> None:
    async with home(backend, tmp_path) as eva:
        rows = eva.app.screen.query_one(ConcernList)
        assert [row.endswith("new") for row in rows.said.splitlines()] == [True, True]
        await eva.press("K")
        await eva.until(lambda: "1 thing marked as seen" in eva.text())
        assert [row.rstrip().endswith("new") for row in rows.said.splitlines()] == [False, True]
        assert not backend.commands.tickets()


async def test_a_snoozed_episode_leaves_home_is_counted_there_and_comes_back(
    backend: IdleBackend, tmp_path: Path
) -> None:
    async with home(backend, tmp_path) as eva:
        await eva.press("Z")
        await eva.until(lambda: "Snooze for" in eva.text())
        await eva.settle()
        await eva.press(*"5m", "enter")
        await eva.until(lambda: "Reason" in eva.text())
        await eva.settle()
        await eva.press(*"known", "enter")
        await eva.until(lambda: "1 muted" in eva.text())
        assert "Flood" not in eva.text()
        backend.world.clock.advance(299)
        await eva.settle()
        assert "1 muted" in eva.text()
        backend.world.clock.advance(1)
        await eva.settle()
        assert "muted" not in eva.text().splitlines()[10:][0]
        assert "Flood" in eva.text()
        backend.world.clock.jump(-300_000)


async def test_a_rule_is_muted_in_the_list_and_unmuted_by_the_same_key(backend: IdleBackend, tmp_path: Path) -> None:
    async with home(backend, tmp_path) as eva:
        await eva.press("ctrl+e")
        await eva.until(lambda: isinstance(eva.app.screen, EpisodesScreen))
        await eva.settle()
        assert "2 things need attention" in eva.text()
        assert "pisode" not in eva.text()
        await eva.press("I")
        await eva.until(lambda: "Its rule" in eva.text())
        await eva.settle()
        assert "pisode" not in eva.text()
        await eva.press("2")
        await eva.until(lambda: "Mute for" in eva.text())
        await eva.settle()
        await eva.press(*"2h", "enter")
        await eva.until(lambda: "Reason" in eva.text())
        await eva.settle()
        await eva.press("enter")
        await eva.until(lambda: "║ 2 muted" in eva.text())
        assert "Needs attention 0" in eva.text(), "as on Home, what is muted or ended is not counted"
        assert "2:00:00" in eva.text() or "2h" in eva.text()
        await eva.press("*", "I")
        await eva.until(lambda: "Needs attention 2" in eva.text())


async def test_opening_an_episode_goes_to_its_rows_and_marks_it_as_seen(backend: IdleBackend, tmp_path: Path) -> None:
    async with home(backend, tmp_path) as eva:
        await eva.press("enter")
        await eva.until(lambda: "6 Alerts" in eva.text() and "open alerts" in eva.text())
        alerts = eva.app.screen
        assert isinstance(alerts, ListScreen)
        assert alerts.cursor_key == "Flood"
        await eva.press("1")
        await eva.settle()
        assert [row.rstrip().endswith("new") for row in eva.app.screen.query_one(ConcernList).said.splitlines()] == [
            False,
            True,
        ]
