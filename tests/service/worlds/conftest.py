"""Fixtures: a service with a scenario and a clock that stands still, and clients that are logged in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from console.api.annotations import Variant
from console.service.auth.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from tests.background import Running
from tests.manual_clock import ManualClock
from tests.service.jobs import run_jobs
from tests.service.over_http import log_in
from tests.services import Services, world


class Filled:
    """Platforms by scenario, read only: filling one takes a while."""

    def __init__(self) -> None:
        self.platforms: dict[tuple[str | Path, Variant], Platform] = {}

    def __call__(self, world: str | Path, variant: Variant = Variant.LATER) -> Platform:
        """Return a platform with a scenario, which is filled once."""
        if (world, variant) not in self.platforms:
            settings = ServiceSettings(password_cost=Cost.cheap(), variant=variant)
            self.platforms[world, variant] = platform = Platform(None, ManualClock(), settings)
            fill(platform, world)
        return self.platforms[world, variant]


@pytest.fixture(scope="module")
def filled() -> Generator[Filled]:
    platforms = Filled()
    yield platforms
    for platform in platforms.platforms.values():
        platform.close()


@dataclass
class World:
    """A running service, its clock, and its users."""

    service: Running
    clock: ManualClock
    stack: ExitStack
    callers: dict[str, httpx.Client] = field(default_factory=dict[str, httpx.Client])

    @property
    def platform(self) -> Platform:
        return self.service.platform

    def __getitem__(self, name: str) -> httpx.Client:
        if name not in self.callers:
            self.callers[name] = self.stack.enter_context(log_in(self.service, name))
        return self.callers[name]

    def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        run_jobs(self.platform)

    def head(self) -> int:
        with self.platform.read() as tx:
            return tx.head

    def events(self, topic: str, after: int) -> list[Any]:
        with self.platform.read() as tx:
            return [each for each in self.platform.database.events_after(tx, after, 1000) if each.topic == topic]


def start(stack: ExitStack, services: Services, name: str, variant: Variant = Variant.LATER) -> World:
    clock = ManualClock()
    settings = ServiceSettings(variant=variant, password_cost=Cost.cheap())
    service = stack.enter_context(services.anew(world(name), settings=settings, clock=clock))
    return World(service, clock, stack)


@pytest.fixture
def busy(services: Services) -> Generator[World]:
    with ExitStack() as stack:
        yield start(stack, services, "busy")


@pytest.fixture
def earlier(services: Services) -> Generator[World]:
    with ExitStack() as stack:
        yield start(stack, services, "quiet", Variant.EARLIER)


@pytest.fixture(name="world")
def quiet(services: Services) -> Generator[World]:
    with ExitStack() as stack:
        yield start(stack, services, "quiet")
