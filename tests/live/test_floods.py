"""During a flood of events the screen still gets the interpreter while somebody types."""

from __future__ import annotations

import time

import pytest

from console.live import gc_tuning
from console.live.channel import FLOOD
from console.live.gc_tuning import TYPED_SECONDS, WAY_SECONDS
from tests.live.fake_service import Rig, live
from tests.live.until import settled


def test_the_engine_pauses_for_a_moment_after_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    gc_tuning.typed()
    assert gc_tuning.way() == WAY_SECONDS
    now += TYPED_SECONDS
    assert gc_tuning.way() == 0.0


@pytest.mark.parametrize(("events", "rests"), [(1, 0), (FLOOD - 1, 0), (FLOOD, 1)])
async def test_only_floods_of_events_are_processed_with_pauses(
    monkeypatch: pytest.MonkeyPatch, events: int, rests: int
) -> None:
    rested: list[float] = []

    def way() -> float:
        rested.append(WAY_SECONDS)
        return 0.001

    async with Rig() as rig:
        await live(rig)
        monkeypatch.setattr(gc_tuning, "way", way)
        for number in range(events):
            rig.service.put(f"c{number}")
        await settled(200)
        assert len(rested) == rests
        assert rig.shown() == rig.service.rows
