"""Overlays of the whole screen, and the dialogs of fatal errors."""

from __future__ import annotations

import pytest

from console.live.authentication import Fatal
from tests.idle.backend import IdleBackend
from tests.idle.figures_of_queues import observed
from tests.idle.world import StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, LARGE, SMALL, USUAL, Sitter, Size, apart, pressed, typed

OPEN_ANSWERED = typed("2", "slash", text="id:c100027", then=["enter", "enter"])
"""Open a call from a queue that the second agent answered."""


@IN_LOOKS
def test_login(picture: Picture, busy: StillWorld, size: Size, theme: str):
    fatal = Fatal("login", "the user name or the password is wrong")
    picture(IdleBackend(busy, fatal=fatal), size=size, themes=[theme])


def test_an_untrusted_certificate(picture: Picture, busy: StillWorld):
    fatal = Fatal("certificate", "the certificate is for other.example, not for voice.desk.example")
    picture(IdleBackend(busy, fatal=fatal), size=SMALL)


@IN_LOOKS
def test_opened(picture: Picture, busy: StillWorld, size: Size, theme: str):
    backend = IdleBackend(busy)
    observed(backend)
    walk = {
        "call": OPEN_ANSWERED,
        "quality of a call": typed("2", "slash", text="id:c100020", then=["enter", "Q"]),
        "skill grid": pressed("5", "G", "down", "right", "space", "down", "space", "right"),
        "queue": pressed("2", "tab", "enter"),
    }
    picture(backend, walk=apart(walk), size=size, themes=[theme])


def test_opened_on_a_wide_screen(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy)
    observed(backend)
    walk = {
        "waiting call": pressed("2", "enter"),
        "agent": typed("5", "slash", text="id:bob", then=["enter", "enter"]),
        "alert": pressed("6", "enter"),
        "user": typed("8", "slash", text="id:bob", then=["enter", "enter"]),
    }
    picture(backend, walk=apart(walk), size=LARGE)


def test_failed_calls(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), steps=typed("2", "slash", text="failed:yes", then=["enter"]), size=USUAL)


def test_the_raw_record_of_an_open_call(picture: Picture, busy: StillWorld):
    async def open_it(sitter: Sitter) -> None:
        await OPEN_ANSWERED(sitter)
        await sitter.press("enter")

    picture(IdleBackend(busy), steps=open_it, size=SMALL)


def test_a_call_that_ended_while_it_was_open(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy)

    async def open_and_lose(sitter: Sitter) -> None:
        await OPEN_ANSWERED(sitter)
        backend.change("calls", removes=[*busy.records["calls"]])
        await sitter.settle()

    picture(backend, steps=open_and_lose, size=SMALL)


def test_a_temporary_password(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, fatal=Fatal("password", "the password is temporary")), size=SMALL)


@pytest.mark.parametrize(("size", "theme"), [(SMALL, "mono"), (LARGE, "dark")], ids=["80x24-mono", "200x60-dark"])
def test_wallboard(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def turn(sitter: Sitter) -> None:
        await sitter.press("right")
        await sitter.settle()

    async def begin(sitter: Sitter) -> None:
        await sitter.press("W")
        await sitter.settle()

    walk = {"figures": begin, "queues": turn, "skills": turn, "attention": turn, "charts": turn}
    picture(IdleBackend(busy), size=size, themes=[theme], walk=walk)
