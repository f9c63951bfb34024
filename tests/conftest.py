"""What tests of several kinds share."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from console.live import gc_tuning
from tests.quiesce import painting_every_frame, wait_with_care
from tests.services import Services

LIGHT = {"unit", "static", "mutants"}
"""Folders whose files take seconds at most. They come last, so that all processes end at about the same time."""
TESTS = Path(__file__).parent
ORDER = "TESTS_ORDER"
"""Seeds a random order of the tests where it is set."""
SELDOM = (200_000, 50, 1_000)


def pytest_configure() -> None:
    """Let keys take no longer than their effect, and found examples as long as a busy machine lets them take."""
    gc.disable()  # until everything is imported, which stays
    wait_with_care()
    settings.register_profile("console", deadline=None, suppress_health_check=(HealthCheck.too_slow,))
    settings.load_profile("console")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix files that wait with files that compute, always alike; or shuffle files, and the tests of each file."""
    shuffled = random.Random(os.environ.get(ORDER, 0))
    places = {path: shuffled.random() for path in sorted({item.path for item in items})}
    if ORDER in os.environ:
        shuffled.shuffle(items)
        items.sort(key=lambda item: places[item.path])
    else:
        items.sort(key=lambda item: (item.path.relative_to(TESTS).parts[0] in LIGHT, places[item.path]))


def pytest_collection_finish() -> None:
    """Let the collector not look through all that is loaded, as the console does, and seldom through what is left.

    The one took a fifth of the time. The other keeps pauses short, which no test measures in this process, and took a
    sixth: consoles that are closed again and again leave much to look through.
    """
    gc_tuning.prepare()
    gc.set_threshold(*SELDOM)


def pytest_sessionfinish() -> None:
    """Look through everything once more, which tells of what was never closed; five times would be what follows."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def every_frame() -> Generator[None]:
    """Paint what changed at once, as the program does: for tests of what is painted, and when."""
    with painting_every_frame():
        yield


@pytest.fixture(scope="session")
def services() -> Generator[Services]:
    """Services that are put back for each test instead of being started."""
    found = Services()
    yield found
    found.close()
