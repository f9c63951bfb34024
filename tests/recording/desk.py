"""A backend of plain lists, and a recorder of it that does not wait before it begins."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from console.base.clock import Clock, SystemClock
from console.base.frozen import replace
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.collection import Collection
from console.live.delta import Freshness, Health
from console.live.history import History
from console.recording import recorder, writing
from console.recording.messages import RecordingPlan
from console.recording.recorder import Recorder
from console.records.people import CurrentUser
from console.records.record import Record
from tests.live.until import until
from tests.patience import PATIENCE

LIVE = Health(Freshness.LIVE, 0.0)


class Desk:
    """The parts of a backend that are recorded."""

    def __init__(self, *kinds: str) -> None:
        self.lists: dict[str, Collection[Any]] = {kind: Collection() for kind in kinds}
        self.healths = dict.fromkeys(kinds, LIVE)
        self.link = LIVE
        self.me: CurrentUser | None = None
        self.history = History(SystemClock())
        self.recorded = False
        self.recording_fault = ""

    def collections(self) -> Mapping[str, Collection[Any]]:
        return self.lists

    def health(self, kind: str) -> Health:
        return self.healths[kind]

    def put(self, kind: str, **row: Any) -> None:
        """Add or replace a record."""
        text = json.dumps(row).encode()
        key = row["id"]
        self.lists[kind].change({key: FEEDS[kind].read(text, key)})

    def remove(self, kind: str, key: str) -> None:
        self.lists[kind].change({}, [key])


def plan_of(folder: Path, **changes: Any) -> RecordingPlan:
    plan = RecordingPlan(
        file=folder / "day.rec",
        profile="day",
        account="eva",
        zone="UTC",
        service="http://core",
        version="1",
        journal=folder / "journal.jsonl",
    )
    return replace(plan, **changes)


@contextmanager
def recorded(
    desk: Desk, plan: RecordingPlan, clock: Clock | None = None, *, apart: bool = False
) -> Generator[Recorder]:
    """Record within the block, from its beginning."""
    made = recorder_of(desk, plan, clock, apart=apart)
    made.start()
    try:
        until(made.records.is_set)
        yield made
    finally:
        made.stop()


def recorder_of(desk: Desk, plan: RecordingPlan, clock: Clock | None = None, *, apart: bool = False) -> Recorder:
    return Recorder(cast(Backend, desk), lambda: plan, clock or SystemClock(), apart=apart)


@contextmanager
def prompt() -> Generator[None]:
    """Let recorders begin, write and try again soon."""
    with (
        patch.object(recorder, "START_SECONDS", 0.0),
        patch.object(recorder, "RETRY_SECONDS", 0.05),
        patch.object(writing, "TICK_SECONDS", 0.02),
    ):
        yield


class Sampler:
    """The rows of lists at moments at which nothing changed."""

    def __init__(self, lists: Mapping[str, Collection[Any]]) -> None:
        self.lists = lists
        self.samples: list[tuple[str, int, dict[str, Record]]] = []
        self._kinds = itertools.cycle(lists)

    def take(self) -> None:
        """Note the rows of the next list, unless it changes in this moment."""
        clock, kind = SystemClock(), next(self._kinds)
        collection = self.lists[kind]
        version, at_ms, rows = collection.version, clock.now_ms(), collection.copy()
        while clock.now_ms() == at_ms:
            time.sleep(0.0002)
        if collection.version == version:
            self.samples.append((kind, at_ms, rows))

    def take_until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Take samples until a condition is true."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end
            self.take()
