"""Every screen with the scenario `busy`."""

from __future__ import annotations

import pytest

from console.screens.specs import spec_of
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import EVERY_SCREEN, FURTHER_THEMES, MAIN_THEMES, SIZES, Size, named


@pytest.mark.parametrize("size", SIZES, ids=named)
@pytest.mark.parametrize("name", EVERY_SCREEN)
def test_screen(picture: Picture, busy: StillWorld, name: str, size: Size):
    picture(IdleBackend(busy), spec_of(name).digit, size=size, themes=MAIN_THEMES)


@pytest.mark.parametrize("name", ["home", "calls"])
def test_screen_in_further_themes(picture: Picture, busy: StillWorld, name: str):
    picture(IdleBackend(busy), spec_of(name).digit, themes=FURTHER_THEMES)
