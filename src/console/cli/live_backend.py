"""A live backend without a screen, for commands that follow a service."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from console.base.clock import SystemClock
from console.cli.connection import SelectedProfile
from console.cli.exits import failure_of
from console.cli.lists.rows import render_context_of, with_learnt_addresses
from console.cli.profiles.login_store import store_of
from console.client.client import Client, Timed
from console.kinds.catalogue import FEEDS, LIVE
from console.kinds.derived_kind import derived_lists
from console.live.backend import Backend
from console.live.bounds import bounds_for
from console.records.extent import Extent
from console.rules.watching import watch_by

if TYPE_CHECKING:
    from console.rules.reading import RuleSet
    from console.rules.watch import Watch
    from console.views.render_context import RenderContext


class Followed:
    """A running backend and its profile."""

    def __init__(self, chosen: SelectedProfile, backend: Backend) -> None:
        self.chosen = chosen
        self.backend = backend
        self.watch: Watch | None = None
        """The rules, if they are evaluated."""

    def render(self) -> RenderContext:
        """Return the render context of this moment, with the caller and the form of addresses as far as known."""
        me, records = self.backend.me, self.backend.records

        def extent(kind: str) -> Extent:
            return self.backend.health(kind).extent if kind in LIVE else Extent.WHOLE

        render = render_context_of(self.chosen.profile, self.chosen.config, me.user if me else None, records, extent)
        return with_learnt_addresses(render, records)

    def check(self) -> None:
        """Raise Failure after a fatal error of the engine."""
        fatal = self.backend.fatal
        if fatal is not None:
            raise failure_of(fatal)


@contextmanager
def followed(
    chosen: SelectedProfile,
    answered: Timed | None = None,
    rules: RuleSet | None = None,
    prepare: Callable[[Backend], object] = lambda _: None,
) -> Generator[Followed]:
    """Run the live engine as the console does. It makes no changes, so its journal is temporary.

    `answered` is called after each request, in the engine's thread; `rules` are evaluated. `prepare`
    is called before the start.
    """
    credentials = chosen.credentials
    login = None if credentials.kept is not None else credentials.source()
    source: Callable[[], tuple[str, str]] = credentials.source if login is None else lambda: login
    endpoint, clock = chosen.endpoint, SystemClock()
    with tempfile.TemporaryDirectory(prefix="console-watch-") as directory:
        backend = Backend(
            endpoint,
            FEEDS.values(),
            journal_path=Path(directory) / "journal.jsonl",
            login=source,
            token=store_of(chosen.name, chosen.profile, credentials.kept),
            clock=clock,
            bounds=bounds_for(chosen.profile.max_rows),
            make_client=lambda: Client(endpoint, clock, login=source, answered=answered),
        )
        followed = Followed(chosen, backend)
        if rules is not None:
            followed.watch = watch_by(rules, backend, followed.render)
        else:
            backend.derive(lambda: derived_lists(backend, followed.render))
        prepare(backend)
        backend.start()
        try:
            yield followed
        finally:
            backend.stop()
