"""The state of this console, from its backend and the status of the service."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from console.kinds.connection.facts import noticeable
from console.kinds.derived_kind import DerivedKind
from console.kinds.status.facts import ServiceStart
from console.live.backend_api import ListsApi
from console.live.delta import Freshness, Health
from console.records.connection import Connection

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary
    from console.views.render_context import RenderContext

KEY = "console"


class LIST(DerivedKind[Connection]):
    """The only record: link, service, journal."""

    def __init__(self, kind: str, backend: ListsApi, render: Callable[[], RenderContext]) -> None:
        super().__init__(kind, backend, render)
        self._start = ServiceStart()
        self._started: float | None = None
        self._restarted: float | None = None

    def health(self, of: Callable[[str], Health]) -> Health:
        """Return that it is current: it is about this console."""
        del of
        return Health(Freshness.LIVE, 0.0)

    def update(self) -> None:
        """Note what changed."""
        now_ms, link, known = self.render().now_ms, self.backend.link, self.collection.get(KEY)
        self._note_start(now_ms)
        state = link.state.value
        same = known is not None and known.state == state
        clock_ahead = noticeable(self.backend.clock_difference)
        journal, recording = self.backend.journal_fault or None, self.backend.recording_fault or None
        connection = Connection(
            id=KEY,
            state=state,
            since_at=known.since_at if known is not None and same else now_ms,
            reason=link.reason or None,
            started_at=self._started,
            restarted_at=self._restarted,
            clock_ahead=clock_ahead,
            journal=journal,
            recording=recording,
            clock_since=_since(clock_ahead, known and known.clock_since, now_ms),
            journal_since=_since(journal, known and known.journal_since, now_ms),
            recording_since=_since(recording, known and known.recording_since, now_ms),
        )
        if connection != known:
            self.collection.change({KEY: connection})

    def _note_start(self, now_ms: float) -> None:
        status = cast("StatusSummary | None", self.backend.records("status").get("status"))
        started = self._start.ms(status, self.backend.health("status").age, now_ms)
        if started is None or started == self._started:
            return
        if self._started is not None and started > self._started:
            self._restarted = started
        self._started = started


def _since(fault: object, before: float | None, now_ms: float) -> float | None:
    """Return since when there is a fault, or None; `before` is since when it was there before."""
    return None if fault is None else now_ms if before is None else before
