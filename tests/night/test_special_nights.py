"""Parts of nights with a storm of alerts, with two consoles of one person, and in quiet hours."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from console.config.notice_settings import NoticeSettings
from console.service.domain import alerts
from tests.night.night import Seat, play
from tests.night.service import NightService

STORM = 200
BEGINS, LASTS = 120, 60
"""Seconds of the night: when the storm begins, and how long it lasts."""
MOST_RINGS = 6


@pytest.mark.parametrize("template", ["trunk-down", "callback-due"], ids=["offered", "not offered"])
async def test_a_storm_of_alerts_rings_a_few_times_and_all_are_accepted(template: str) -> None:
    def storm(service: NightService) -> None:
        since = service.seconds - BEGINS
        if 0 <= since < LASTS:
            for number in range(since * STORM // LASTS, (since + 1) * STORM // LASTS):
                alerts.send(service.platform, service.caller("ana"), template, f"storm-{number}")

    night = await play("incident", 9, 0.08, people=["eva"], happens=storm)
    (eva,) = night.seats
    titles = {"trunk-down": "Trunk down", "callback-due": "Call-back due"}
    told = [
        each.notice
        for at, each in eva.heard
        if BEGINS <= at < BEGINS + 2 * LASTS and titles[template] in each.notice.words and not each.notice.again
    ]
    # Alerts of the scenario join the same episode.
    storms = [{key for key in notice.keys if key.startswith("storm")} for notice in told]
    news = [now for before, now in itertools.pairwise([set[str](), *storms]) if now - before]
    assert 1 <= len(news) <= MOST_RINGS, told
    assert max(each.count for each in told) > 10, "one notice counts them"
    assert not {key for subject, key in eva.ledger.open if subject == "alert" and key.startswith("storm")}


def rings(seat: Seat) -> int:
    """Return how many notices rang."""
    return sum("bell" in each.ways for _, each in seat.heard)


async def test_two_consoles_of_one_person_ring_once(tmp_path: Path) -> None:
    (alone,) = (await play("incident", 9, 0.06, people=["eva"])).seats
    night = await play("incident", 9, 0.06, people=["eva", "eva"], shared=tmp_path)
    assert not night.missed
    one, other = night.seats
    assert rings(one) + rings(other) <= rings(alone) + 1 < 2 * rings(alone)


async def test_nothing_rings_in_quiet_hours_and_everything_is_shown() -> None:
    night = await play("incident", 9, 0.05, people=["eva"], settings=NoticeSettings(quiet=("22:00-06:00",)))
    (eva,) = night.seats
    assert not night.missed
    assert rings(eva) == 0
    assert {each.ways for _, each in eva.heard} == {("flash",)}
