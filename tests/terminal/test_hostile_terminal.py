"""Hostile texts in every field, on all screens of a console at a real terminal."""

from __future__ import annotations

import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.background import Running
from tests.faults.figures import record
from tests.services import Services, world
from tests.terminal.home import Home
from tests.terminal.tap import answers, tokens, unlawful

HOSTILE = Path(__file__).parents[1] / "data" / "hostile.toml"


@pytest.fixture(scope="module")
def hostile(services: Services) -> Generator[Running]:
    with services.anew(world(HOSTILE)) as running:
        yield running


def test_hostile_texts_neither_reach_the_terminal_nor_cause_input(home: Home, hostile: Running) -> None:
    home.configure(hostile.core_url)
    with home.seat() as eva:
        for key, title in (("2", "Caller "), ("3", "Room "), ("4", "Note "), ("5", "Chats "), ("6", "Title ")):
            eva.press(key)
            eva.until(lambda title=title: title in eva.screen and bool(eva.row))
            eva.press("enter")
            eva.until("esc back")
            eva.press("escape")
            eva.until("/ filter")
        eva.press("7")
        eva.until("≥ 2/3")
        eva.press("?")
        eva.until("Navigation")
        eva.signal(signal.SIGTERM)
        eva.ended()
        written = bytes(eva.written)
    strange = unlawful(written)
    asked = answers(written)
    record("T3", not strange, f"{len(strange)} of {sum(1 for _ in tokens(written)):,} tokens with hostile data", "0")
    record("T6", not asked, f"{len(asked)} bytes answered", "0")
    assert not strange
    assert not asked
