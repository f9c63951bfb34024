"""Fixtures: a service with the scenario `busy`, in which only the operators change anything, and two consoles."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest
import pytest_asyncio

from console.ui.dialogs import dialog
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.behaviour.past import SIZE, record
from tests.behaviour.service_base import Base
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld, StillWorlds
from tests.services import Services, world


@pytest.fixture
def service(services: Services) -> Generator[Running]:
    with services.anew(world("busy")) as running:
        yield running


@pytest.fixture(scope="module")
def floor(services: Services) -> Generator[Running]:
    """A service shared by the tests of a module. They undo their changes or use records of their own."""
    with services.anew(world("busy")) as running:
        yield running


@pytest.fixture
def base(floor: Running) -> Base:
    return Base(floor)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The console of the supervisor, shared by the tests of a module."""
    async with seat(floor, tmp_path_factory.mktemp("eva"), size=(80, 24)) as seated:
        yield seated


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ana(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The console of an agent, shared by the tests of a module."""
    async with seat(floor, tmp_path_factory.mktemp("ana"), "ana", size=(80, 24)) as seated:
        yield seated


@pytest.fixture(scope="module")
def empty(still_worlds: StillWorlds) -> StillWorld:
    """The scenario without calls and people, shared by the tests of a module."""
    return still_worlds.of("empty")


@pytest.fixture(scope="module")
def busy(still_worlds: StillWorlds) -> StillWorld:
    """The scenario of a busy day, shared by the tests of a module."""
    return still_worlds.of("busy")


@pytest.fixture(scope="module", autouse=True)
def prompt_dialogs() -> Generator[None]:
    """Dialogs accept keys at once; `widgets/test_dialogs.py` tests that they ignore them at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialog, "DEAF_SECONDS", 0.001)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def still(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    """A console over records that do not change, shared by the tests of a module."""
    async with shared_console(IdleBackend(busy), tmp_path_factory.mktemp("still")) as sitter:
        yield sitter


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def recorded_console(empty: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    """A console with a recording, shared by the tests of a module."""
    folder = tmp_path_factory.mktemp("recorded")
    record(folder)
    async with shared_console(IdleBackend(empty), folder, SIZE) as sitter:
        yield sitter


@pytest_asyncio.fixture(loop_scope="module")
async def recorded_eva(recorded_console: SharedSitter) -> SharedSitter:
    """The console with a recording, at Home and now."""
    await recorded_console.restart()
    return recorded_console
