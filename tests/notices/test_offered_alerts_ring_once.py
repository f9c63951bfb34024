"""With a service whose lists arrive one after the other, an alert that is open and offered to the person rings once."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path

import pytest

from console.notice_settings import NoticeSettings
from console.notices.notice import Notice
from console.notices.ways.terminal import Bell
from console.records.episodes import Episode
from console.screens import notice_teller
from console.service.serve import Running
from tests.behaviour.driver import seat
from tests.behaviour.service_base import Base, fresh
from tests.services import Services, world


@pytest.fixture(scope="module")
def service(services: Services) -> Generator[Running]:
    with services.anew(world("busy")) as running:
        yield running


@pytest.mark.timeout(240)
async def test_an_alert_that_is_open_and_offered_rings_once(
    service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, rung = Base(service), list[str]()
    ahead, looked = 0.0, 0

    def seconds() -> float:
        nonlocal looked
        looked += 1
        return time.monotonic() + ahead

    monkeypatch.setattr(notice_teller, "seconds", seconds)
    async with seat(service, tmp_path, "ana", events=False, notices=NoticeSettings(repeat=0)) as ana:

        def tells(title: str) -> Episode | None:
            found = ana.backend.records("episodes").values()
            return next(
                (e for e in found if isinstance(e, Episode) and (e.rule, e.about) == ("alert-offered", title)), None
            )

        async def later(by: float) -> None:
            """Let the notices be looked at again, some seconds later."""
            nonlocal ahead
            for step in (0.0, by):
                ahead += step
                await ana.until(lambda since=looked: looked > since + 6)

        for kind in ("alerts", "notifications"):
            await ana.until(lambda kind=kind: ana.context.watch is not None and kind in ana.context.watch.judged)
        await later(60)

        def ring(_way: Bell, notice: Notice) -> None:
            rung.append(str(notice.line))

        monkeypatch.setattr(Bell, "tell", ring)
        title = fresh("Alert")
        base.alert("bob", ("ana",), title)
        await ana.until(lambda: tells(title))
        for _ in range(3):
            await later(1.5)
        assert len([each for each in rung if title in each]) == 1, rung
