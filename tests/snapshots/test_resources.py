"""Every list of the administrator's tree, and its operations."""

from __future__ import annotations

import pytest

from console.kinds.catalogue import RESOURCES
from console.ui.screens.admin import AdminScreen
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import SMALL, USUAL, Sitter, Size, Steps, apart, named


def to_list(name: str, *keys: str) -> Steps:
    async def go_there(sitter: Sitter) -> None:
        await sitter.press("8")
        screen = sitter.app.screen
        assert isinstance(screen, AdminScreen)
        screen.switch_pane(name)
        await sitter.hold_still()
        await sitter.press(*keys)

    return go_there


def test_resource(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), walk={name: to_list(name) for name in [*RESOURCES][::4]})


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=named)
def test_opened(picture: Picture, busy: StillWorld, size: Size):
    walk = {
        "actions on a user": to_list("users", "o"),
        "form for a domain": to_list("domains", "n"),
        "domain": to_list("domains", "down", "enter"),
    }
    picture(IdleBackend(busy), walk=apart(walk), size=size)


def test_the_end_of_the_tree(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), steps=to_list("caller-ids"), size=SMALL)
