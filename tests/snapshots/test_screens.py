"""Every screen with the scenario `busy`."""

from __future__ import annotations

import pytest

from tests.idle.backend import IdleBackend
from tests.idle.figures_of_queues import observed
from tests.idle.world import StillWorld, StillWorlds
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import (
    EVERY_SCREEN,
    FURTHER_THEMES,
    IN_LOOKS,
    LARGE,
    SIZES,
    USUAL,
    Sitter,
    Size,
    named,
    on_screens,
    pressed,
)


@IN_LOOKS
def test_screen(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), walk=on_screens(*EVERY_SCREEN), size=size, themes=[theme])


def test_screen_in_further_themes(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), walk=on_screens("home", "calls"), themes=FURTHER_THEMES)


@pytest.mark.parametrize("size", [(60, 16), *SIZES], ids=named)
def test_after_a_morning(picture: Picture, busy: StillWorld, size: Size):
    backend = IdleBackend(busy)
    observed(backend)
    picture(backend, walk={"home": pressed(), "queues": pressed("2", "tab")}, size=size)


def test_home_on_a_very_large_terminal(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy)
    observed(backend)
    picture(backend, size=(300, 80))


def test_home_with_a_day_and_the_cursor_on_a_queue(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy)
    observed(backend)
    picture(backend, "i", "tab", "down", size=LARGE, themes=["light"])


@pytest.mark.parametrize("size", [USUAL, LARGE, (300, 80)], ids=named)
def test_related_records_beside_a_list(picture: Picture, still_worlds: StillWorlds, size: Size):
    busy = still_worlds.of("busy")
    backend = IdleBackend(busy)

    async def stay(sitter: Sitter) -> None:
        await sitter.press("5")
        busy.clock.advance(1)

    picture(backend, walk={"agents": stay}, size=size)


@IN_LOOKS
def test_home_of_an_agent(picture: Picture, still_worlds: StillWorlds, size: Size, theme: str):
    picture(IdleBackend(still_worlds.of("busy", "ana")), size=size, themes=[theme])
