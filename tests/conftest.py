"""Fixtures and hooks that several kinds of tests share."""

from __future__ import annotations

import gc
import os
import random
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from console.live import gc_tuning
from tests import postgresql, run_guards
from tests.examples import load_profile
from tests.idle.world import StillWorlds
from tests.markup import guarded_texts
from tests.quiesce import painting_every_frame, wait_with_care
from tests.services import Services

LIGHT = {"unit", "static", "mutants"}
"""Folders of fast files. They run last, so that all processes end at about the same time."""
TESTS = Path(__file__).parent
ORDER = "TESTS_ORDER"
"""Seeds a random order of the tests where it is set."""
SELDOM = (200_000, 50, 1_000)


def pytest_configure(config: pytest.Config) -> None:
    """Make keys return as soon as they have had their effect, and set no deadline for hypothesis examples."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell that starts this in the background ignores it, which processes of tests would inherit.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run_guards.register(config)
    gc.disable()  # until everything is imported, which stays
    wait_with_care()
    load_profile()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix waiting and computing files, in the same order each time; or shuffle files and their tests."""
    shuffled = random.Random(os.environ.get(ORDER, 0))
    places = {path: shuffled.random() for path in sorted({item.path for item in items})}
    if ORDER in os.environ:
        shuffled.shuffle(items)
        items.sort(key=lambda item: places[item.path])
    else:
        items.sort(key=lambda item: (item.path.relative_to(TESTS).parts[0] in LIGHT, places[item.path]))


def pytest_collection_finish() -> None:
    """Freeze the objects loaded so far, as the console does, and collect garbage less often.

    Collecting loaded objects took a fifth of the time of the tests. The frequent collections of the console keep its
    pauses short, which no test measures in this process, and took a sixth.
    """
    gc_tuning.prepare()
    gc.set_threshold(*SELDOM)


def pytest_sessionfinish() -> None:
    """Collect once more, so that warnings about unclosed resources appear; the hook of pytest collects five times."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def guarded() -> Generator[None]:
    """Fail every test in which the framework parses a text that is no literal, or an uncleaned one is copied."""
    with guarded_texts():
        yield


@pytest.fixture
def every_frame() -> Generator[None]:
    """Paint every change at once, as the program does: for tests of what is painted and when."""
    with painting_every_frame():
        yield


@pytest.fixture(scope="session")
def services() -> Generator[Services]:
    """Services that are reset for each test instead of being started."""
    found = Services()
    yield found
    found.close()


@pytest.fixture(scope="session")
def still_worlds() -> Generator[StillWorlds]:
    """Scenarios in which nothing changes, created once."""
    worlds = StillWorlds()
    yield worlds
    worlds.close()


@pytest.fixture(scope="session", autouse=True)
def stopped_server() -> Generator[None]:
    """Stop the PostgreSQL server at the end, if a test has started it."""
    yield
    postgresql.close_shared()
