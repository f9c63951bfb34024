"""With the rules that are shipped: what rings for an agent, and what does not."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from console.config.notice_settings import NoticeSettings
from console.live.delta import Freshness, Health
from console.records.notifications import Notification
from console.records.support import Alert, SupportChat
from console.ui.screens import notice_presenter
from console.ui.textual_compat.testing import painted
from tests.idle.backend import LIVE, LOADING, IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld, StillWorlds
from tests.snapshots.pictures import Sitter

Desk = tuple["Rung", Sitter]
OFFLINE = Health(Freshness.OFFLINE, 42.0, "connection refused")
PASS_SECONDS = 40.0
"""Longer than notices are gathered."""


class Rung:
    """The console of ana, an agent, with the rings since the last call. Nothing is repeated."""

    def __init__(self, backend: IdleBackend, world: StillWorld, times: list[float]) -> None:
        self.backend = backend
        self.rung: list[float] = []
        self._world = world
        self._times = times

    def rings(self) -> None:
        self.rung.append(self._times[0])

    async def times(self, sitter: Sitter, seconds: float = PASS_SECONDS) -> int:
        """Let time pass and wait for some refreshes; return how often the bell rang."""
        self._times[0] += seconds
        self._world.clock.advance(0.001)  # News are told apart by their time.
        for _ in range(3):
            self.backend.revision += 1
            looked = self.looked
            await sitter.until(lambda since=looked: self.looked >= since + 2)
        found = len(self.rung)
        self.rung.clear()
        return found

    looked = 0
    """How often the console asked for episodes."""


def alert(key: str, title: str = "Trunk down", state: str = "active") -> Alert:
    return Alert(alert_id=key, title=title, state=state, created_at=NOW_MS)


def chat(key: str, agent: str = "ana") -> SupportChat:
    return SupportChat.model_validate({"chatId": key, "agent": {"id": agent}, "created": NOW_MS, "timestamp": NOW_MS})


def text(sitter: Sitter) -> str:
    return "\n".join(strip.text for strip in painted(sitter.app.screen))


@pytest.fixture(scope="module")
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy", "ana")


@pytest_asyncio.fixture
async def ana(world: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Desk]:
    backend = IdleBackend(world)
    times = [0.0]
    found = Rung(backend, world, times)
    app = still_console(backend, tmp_path, notices=NoticeSettings(repeat=0))
    monkeypatch.setattr(app, "bell", found.rings)
    monkeypatch.setattr(notice_presenter, "seconds", lambda: times[0])
    delta = backend.delta

    def looked(kind: str, since: int) -> object:
        found.looked += kind == "episodes"
        return delta(kind, since)

    monkeypatch.setattr(backend, "delta", looked)
    async with app.run_test(size=(80, 24)) as pilot:
        sitter = Sitter(pilot)
        await sitter.until(lambda: found.looked > 2)
        assert await found.times(sitter) == 0, "records that were there before do not ring"
        yield found, sitter


def offered(key: str, title: str = "Trunk down") -> Notification:
    return Notification(id=f"n-{key}", kind="alert", subject=key, title=title, created_at=NOW_MS)


async def test_new_alerts_and_own_chats_ring_and_those_of_others_do_not(ana: Desk) -> None:
    desk, sitter = ana
    for kind, record, rings in (
        ("alerts", alert("ended", "Door open", "accepted"), 0),
        ("alerts", alert("one", "Flood"), 1),
        ("alerts", alert("two", "Flood"), 1),  # A further one of the same title.
        ("notifications", offered("one", "Flood"), 1),  # Much later than the alert itself.
        ("chats", chat("new", "bob"), 0),
        ("chats", chat("own"), 1),
        ("notifications", Notification(id="c", kind="chat", subject="c", title="chess"), 1),
    ):
        desk.backend.change(kind, record)
        assert await desk.times(sitter) == rings, record


async def test_an_alert_that_is_open_and_then_offered_rings_once_in_either_order(ana: Desk) -> None:
    desk, sitter = ana
    for title, kinds in (("Door open", ("alerts", "notifications")), ("Flood", ("notifications", "alerts"))):
        rung = 0
        for kind in kinds:
            desk.backend.change(kind, alert(title, title) if kind == "alerts" else offered(title, title))
            for _ in range(4):
                rung += await desk.times(sitter, 0.6)
        assert rung == 1, kinds
        assert f"alert {title}" in text(sitter)


async def test_known_records_do_not_ring_again_after_a_reconnect(ana: Desk) -> None:
    desk, sitter = ana
    kept = {kind: [*desk.backend.records(kind).values()] for kind in ("alerts", "chats")}
    for state in (OFFLINE, LOADING):
        desk.backend.healths = dict.fromkeys(("alerts", "chats", "calls", "agents", "skills"), state)
        for kind, records in kept.items():
            desk.backend.change(kind, removes=[each.key for each in records])
        assert await desk.times(sitter) == 0
        for kind, records in kept.items():
            desk.backend.change(kind, *records)
        desk.backend.healths = {}
        assert desk.backend.health("alerts") == LIVE
        assert await desk.times(sitter) == 0
