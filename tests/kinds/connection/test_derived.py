"""The state of this console: since when each of its faults is there."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from console.kinds.connection.derived import KEY, LIST
from console.records.connection import Connection
from console.views.render_context import RenderContext
from tests.idle.backend import IdleBackend
from tests.idle.world import still_world


def test_each_fault_is_as_old_as_itself_and_begins_anew_when_it_returns() -> None:
    backend, now = IdleBackend(still_world("empty")), [1_000_000]
    made = LIST("connection", backend, lambda: RenderContext(now[0], ZoneInfo("UTC")))

    def at(ms: int) -> Connection:
        now[0] = ms
        made.update()
        found = made.collection.get(KEY)
        assert found is not None
        return found

    at(1_000_000)
    backend.recording_fault = "disk full"
    at(1_060_000)
    backend.journal_fault = "disk full"
    both = at(1_090_000)
    assert (both.since_at, both.recording_since, both.journal_since) == (1_000_000, 1_060_000, 1_090_000)
    backend.recording_fault = ""
    assert at(1_100_000).recording_since is None
    backend.recording_fault = "disk full"
    assert at(1_110_000).recording_since == 1_110_000
