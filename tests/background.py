"""The service in a thread, for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from console.base.clock import Clock
from console.base.frozen import Frozen
from console.service.auth.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.serve import LOOPBACK, ServeFault, base_url, listen, make_server
from console.service.store.database import Database
from console.service.store.duty import Job

_END_SECONDS = 60

Fill = Callable[[Platform], Any]
"""Fills a new platform, and returns data for the test."""


class Running(Frozen):
    """A service that runs in its own thread."""

    base_url: str
    """`http://127.0.0.1:<port>`, without the `/core` prefix."""
    platform: Platform
    world: Any
    """The result of `fill`."""
    under_way: Callable[[], int]
    """Returns the number of requests and event channels in progress, including abandoned ones."""

    @property
    def database(self) -> Database:
        """The database; other threads may use it, one transaction at a time."""
        return self.platform.database

    @property
    def core_url(self) -> str:
        """The base address of the core service."""
        return f"{self.base_url}/core"

    @property
    def provisioning_url(self) -> str:
        """The base address of the provisioning service."""
        return f"{self.base_url}/provisioning"

    @property
    def events_url(self) -> str:
        """The address of the event channel."""
        return f"ws{self.base_url.removeprefix('http')}/events"


@contextmanager
def start_background(
    fill: Fill | None = None,
    *,
    jobs: Sequence[Job] = (),
    settings: ServiceSettings | None = None,
    database: Database | None = None,
    clock: Clock | None = None,
    port: int = 0,
) -> Generator[Running]:
    """Run a service in a thread; by default in memory, with cheap password hashes, on a free port.

    Yield when it answers. On exit, stop everything and close the database.
    """
    platform = Platform(database, clock, settings or ServiceSettings(password_cost=Cost.cheap()))
    try:
        world = fill(platform) if fill is not None else None
        with listen(LOOPBACK, port) as listener:
            ready = threading.Event()

            async def started(_: Platform) -> None:
                ready.set()

            server = make_server(platform, (*jobs, started))
            thread = threading.Thread(
                target=lambda: server.run(sockets=[listener]), name="embedded service", daemon=True
            )
            thread.start()
            try:
                while not ready.wait(0.05):
                    if not thread.is_alive():
                        raise ServeFault("the service did not start")
                yield Running(base_url(listener), platform, world, lambda: len(server.server_state.tasks))
            finally:
                server.should_exit = True
                # Do not close its socket while it runs: on a busy machine it may take time to stop.
                thread.join(_END_SECONDS)
    finally:
        platform.close()
