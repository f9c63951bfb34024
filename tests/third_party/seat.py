"""Open a console from a configuration file alone, as `console` does."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from console.base.clock import SystemClock
from console.base.frozen import replace
from console.base.zone import zone_of
from console.cli.connection import Where, choose, endpoint_of
from console.config.paths import places, resource_dir
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.delta import Freshness
from console.recording.identities import CurrentIdentity
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.ui.app import ConsoleApp
from console.ui.screens.app_context import AppContext
from tests.behaviour.driver import Seat
from tests.surroundings import SILENT

READY = {Freshness.LIVE, Freshness.POLLING}


@asynccontextmanager
async def seat_at(
    config: Path, password: str, who: str = "eva", size: tuple[int, int] = (120, 40)
) -> AsyncGenerator[Seat]:
    """Open the console on the profile of a configuration, and wait until it has listed everything."""
    chosen = choose(Where(config=config))
    settings = replace(chosen.config, hold_seconds=0, notices=SILENT)
    endpoint = endpoint_of(chosen.profile)
    where = places({**os.environ, "CONSOLE_HOME": str(config.parent)})
    backend = Backend(
        endpoint, FEEDS.values(), journal_path=where.journal, login=lambda: (who, password), hold_seconds=0
    )
    context = AppContext(
        backend=backend,
        config=settings,
        profile_name=chosen.name,
        profile=chosen.profile,
        clock=SystemClock(),
        zone=zone_of("UTC"),
        places=where,
        endpoint=endpoint,
    )
    context.identity = CurrentIdentity(context.places, chosen.name, backend, lambda: who).last
    context.watch = watch_by(load_rules(where), backend, context.render_context)
    backend.start()
    try:
        app = ConsoleApp(context, resource_dir("themes"))
        async with app.run_test(size=size) as pilot:
            found = Seat(app, backend, context, pilot, where.journal)
            for kind in ("calls", "alerts", "groups", "users"):
                backend.records(kind)
                await found.until(lambda kind=kind: backend.health(kind).state in READY and backend.me is not None)
            yield found
    finally:
        backend.stop()
