"""The bell rings for a new alert and for a new own chat, and for nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio

from console.live.delta import Freshness, Health
from console.records.notifications import Notification
from console.records.support import Alert, SupportChat
from console.screens.app_context import AppContext
from console.screens.bell import Bell
from tests.idle.backend import LIVE, LOADING, IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld, still_world
from tests.snapshots.pictures import Sitter

OFFLINE = Health(Freshness.OFFLINE, 42.0, "connection refused")


class Rung:
    """The console of ana, an agent, and the number of rings since the last call."""

    def __init__(self, backend: IdleBackend, sitter: Sitter, rung: list[int], looked: list[int]) -> None:
        self.backend = backend
        self._looked = looked
        """The backend revisions at which the bell was checked."""
        self._sitter = sitter
        self._rung = rung

    async def times(self) -> int:
        """Wait for two refreshes and return how often the bell rang."""
        for _ in range(2):
            self.backend.revision += 1
            await self._sitter.until(lambda: self._looked[-1:] == [self.backend.revision])
        found = len(self._rung)
        self._rung.clear()
        return found


def alert(key: str, state: str = "active") -> Alert:
    return Alert(alert_id=key, title="Trunk down", state=state, created_at=NOW_MS)


def chat(key: str, agent: str = "ana") -> SupportChat:
    return SupportChat.model_validate({"chatId": key, "agent": {"id": agent}})


@pytest.fixture(scope="module")
def at_anas() -> Generator[StillWorld]:
    found = still_world("busy", "ana")
    yield found
    found.platform.close()


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The backend revisions at which the bell was checked."""
    found: list[int] = []
    rings = Bell.rings

    def noted(bell: Bell, context: AppContext) -> bool:
        found.append(context.backend.revision)
        return rings(bell, context)

    monkeypatch.setattr(Bell, "rings", noted)
    return found


@pytest_asyncio.fixture
async def ana(
    at_anas: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looked: list[int]
) -> AsyncGenerator[Rung]:
    backend = IdleBackend(at_anas)
    app = still_console(backend, tmp_path, bell=True)
    rung: list[int] = []
    monkeypatch.setattr(app, "bell", lambda: rung.append(1))
    async with app.run_test(size=(80, 24)) as pilot:
        yield Rung(backend, Sitter(pilot), rung, looked)


async def test_records_present_at_the_start_do_not_ring(ana: Rung) -> None:
    assert ana.backend.records("alerts")
    assert ana.backend.records("chats")
    assert await ana.times() == 0


async def test_a_new_alert_and_a_new_chat_ring_once_each(ana: Rung) -> None:
    assert await ana.times() == 0
    ana.backend.change("alerts", alert("new"))
    assert await ana.times() == 1
    ana.backend.change("chats", chat("new"))
    assert await ana.times() == 1
    assert await ana.times() == 0


async def test_the_offer_of_a_chat_rings_and_that_of_an_alert_does_not(ana: Rung) -> None:
    assert await ana.times() == 0
    ana.backend.change("notifications", Notification(id="c", kind="chat", subject="c", title="chess"))
    assert await ana.times() == 1
    ana.backend.change("notifications", Notification(id="a", kind="alert", subject="a", title="Fire"))
    assert await ana.times() == 0


async def test_several_changes_in_one_interval_ring_once(ana: Rung) -> None:
    assert await ana.times() == 0
    ana.backend.change("alerts", alert("one"), alert("two"))
    ana.backend.change("chats", chat("one"), chat("two"))
    assert await ana.times() == 1


async def test_chats_of_others_and_ended_alerts_do_not_ring(ana: Rung) -> None:
    assert await ana.times() == 0
    ana.backend.change("chats", chat("new", "bob"))
    ana.backend.change("alerts", alert("new", "accepted"))
    assert await ana.times() == 0


async def test_a_chat_transferred_to_the_user_rings(ana: Rung) -> None:
    ana.backend.change("chats", chat("new", "bob"))
    assert await ana.times() == 0
    ana.backend.change("chats", chat("new", "ana"))
    assert await ana.times() == 1


async def test_the_very_first_alert_and_chat_ring(ana: Rung) -> None:
    for kind in ("alerts", "chats"):
        ana.backend.change(kind, removes=[*ana.backend.records(kind)])
    assert await ana.times() == 0
    ana.backend.change("alerts", alert("first"))
    assert await ana.times() == 1
    ana.backend.change("chats", chat("first"))
    assert await ana.times() == 1


@pytest.mark.parametrize("state", [OFFLINE, LOADING], ids=["offline", "loading"])
async def test_known_records_do_not_ring_again_after_a_reconnect(ana: Rung, state: Health) -> None:
    assert await ana.times() == 0
    kept = {kind: [*ana.backend.records(kind).values()] for kind in ("alerts", "chats")}
    ana.backend.link = state
    for kind, records in kept.items():
        ana.backend.change(kind, removes=[each.key for each in records])
    assert await ana.times() == 0
    for kind, records in kept.items():
        ana.backend.change(kind, *records)
    ana.backend.link = LIVE
    assert await ana.times() == 0
    ana.backend.link = state
    assert await ana.times() == 0
    ana.backend.change("chats", chat("meanwhile"))
    ana.backend.link = LIVE
    assert await ana.times() == 1, "what came while the line was down is new"


async def test_nothing_rings_when_the_setting_is_off(
    at_anas: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looked: list[int]
) -> None:
    backend = IdleBackend(at_anas)
    app = still_console(backend, tmp_path, bell=False)
    rung: list[int] = []
    monkeypatch.setattr(app, "bell", lambda: rung.append(1))
    async with app.run_test(size=(80, 24)) as pilot:
        ana = Rung(backend, Sitter(pilot), rung, looked)
        assert await ana.times() == 0
        backend.change("alerts", alert("new"))
        assert await ana.times() == 0
