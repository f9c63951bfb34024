"""The costs of recording: of changes in processor time, of a file in bytes and times to read it, of a while in bytes.

python -m tests.bench.inside.recording FOLDER changes|file|played ROUNDS [--small]

ROUNDS is how often the times to read are measured.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any, cast

import msgspec

from console.base.clock import SystemClock
from console.base.zone import zone_of
from console.client.endpoint import Endpoint
from console.config.paths import places
from console.kinds.catalogue import FEEDS
from console.live import gc_tuning
from console.live.backend import Backend
from console.live.collection import Collection
from console.recording import writing
from console.recording.format import open_to_write, unpacked
from console.recording.kind_writer import KindWriter
from console.recording.limits import used_bytes
from console.recording.past import READ_AHEAD, Past
from console.recording.recorder import Recorder
from console.recording.recording import ListRecording
from console.records.changes_by_column import unfolded
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.service.platform import Platform
from console.service.scenarios.fill import fill
from console.service.simulator.simulator import Simulator
from console.views.render_context import RenderContext
from tests.background import start_background
from tests.live.until import until
from tests.recording.desk import Desk, plan_of

SMALL = "--small" in sys.argv
CALLS = 500 if SMALL else 10_000
ALONE_SECONDS, RECORDED_SECONDS = (0.5, 0.5) if SMALL else (3.0, 6.0)
"""Seconds of changes without and with a recorder, which does its larger work less often."""
A_SECOND = 250
A_DAY = 300 * 86_400
"""Changes of a day in which three of a hundred calls change each second."""
WRITES = 1_500
"""Of the file that is measured: three segments, of which any moment is read."""
STEP_MS = 10_000
MOMENTS, STARTS = 50, 10
"""Moments that are read in a round, and how many of them steps start from."""
STATES = ("queued", "ringing", "connected", "held", "ended")
SPEED = 60.0
PLAYED_MS = 20_000 if SMALL else 1_200_000


def row(number: int, lot: random.Random, now_ms: int) -> dict[str, Any]:
    """Return a call as the service sends it."""
    user = f"u{number % 400}"
    return {
        "id": f"{number:08x}-{lot.getrandbits(48):012x}",
        "caller": f"+3460{number:07}",
        "callee": f"svc-user:{user}",
        "target": f"svc-skill:{number % 12}",
        "users": [user],
        "sessions": [f"s{lot.getrandbits(40):x}"],
        "date": now_ms - lot.randrange(600_000),
        "from": None,
        "to": None,
        "state": lot.choice(STATES),
        "queuePosition": lot.randrange(20),
        "context": {"domain": "example.com", "language": "es"},
        "attempts": [{"user": user, "at": now_ms - lot.randrange(60_000), "result": "no answer"}],
    }


class Changes:
    """Calls that change as a service would: state, and often the time or the position in the queue."""

    def __init__(self) -> None:
        self.lot = random.Random(7)
        self.rows = [row(number, self.lot, 1_790_000_000_000) for number in range(CALLS)]

    def texts(self) -> dict[str, bytes]:
        return {each["id"]: json.dumps(each, separators=(",", ":")).encode() for each in self.rows}

    def next(self, now_ms: int) -> tuple[str, bytes]:
        found = self.lot.choice(self.rows)
        found["state"] = self.lot.choice(STATES)
        if self.lot.random() < 0.5:
            found["to"] = now_ms
        if self.lot.random() < 0.3:
            found["queuePosition"] = self.lot.randrange(20)
        return found["id"], json.dumps(found, separators=(",", ":")).encode()


def share(recorded: bool) -> float:
    """Return the share of a core that changes take, with or without a recorder."""
    changes, desk, clock = Changes(), Desk("calls"), SystemClock()
    seconds = RECORDED_SECONDS if recorded else ALONE_SECONDS
    read = FEEDS["calls"].read
    desk.lists["calls"].change({key: read(text, key) for key, text in changes.texts().items()})
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(cast(Backend, desk), lambda: plan_of(Path(folder)), clock, apart=False)
        if recorded:
            recorder.start()
            recorder.records.wait()
            time.sleep(1.0)
        began, spent = time.monotonic(), time.process_time()
        done = 0
        while (passed := time.monotonic() - began) < seconds:
            while done < passed * A_SECOND:
                done += 1
                key, text = changes.next(clock.now_ms())
                desk.lists["calls"].change({key: read(text, key)})
            time.sleep(0.02)
        found = (time.process_time() - spent) / (time.monotonic() - began)
        if recorded:
            recorder.stop()
        return found


TOLD = 500 if SMALL else 15_000


def told(on: bool) -> float:
    """Return the microseconds of a change of a list, with or without somebody who is told."""
    collection: Collection[Any] = Collection()
    queue: list[Any] = []
    now_ms = SystemClock().now_ms

    def hear(upserts: Any, gone: Any) -> None:
        if len(queue) < 20_000:
            queue.append((now_ms(), "calls", upserts, gone))

    if on:
        collection.set_listener(hear)
    changes = [{f"k{number % 100}": FEEDS["calls"].read(b'{"id":"k","state":"queued"}', "k")} for number in range(TOLD)]
    best = 1e9
    for _ in range(5):
        queue.clear()
        began = time.perf_counter()
        for each in changes:
            collection.change(each)
        best = min(best, time.perf_counter() - began)
    return best / len(changes) * 1e6


def change_costs() -> dict[str, float]:
    """Return the costs of a change, with and without a recorder."""
    return {"told": told(True), "untold": told(False), "share without": share(False), "share": share(True)}


def file_costs(rounds: int) -> dict[str, float]:
    """Return bytes per changed field, and the times to read moments of twelve minutes of changes."""
    changes, at = Changes(), 1_790_000_000_000
    began = at
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.rec"
        db, writer = open_to_write(file, {}), KindWriter("calls")
        writer.whole(at, changes.texts())
        for _ in range(4 if SMALL else WRITES):
            for _ in range(A_SECOND // 2):
                at += 2
                key, text = changes.next(at)
                writer.change(at, {key: text})
            at += 250
            with db:
                db.execute("BEGIN")
                writer.flush(db, at)
        fields, bytes_, plain = 0, 0, 0
        for table in ("block", "tail"):
            for (data,) in db.execute(f"SELECT changes FROM {table}"):
                entries = unfolded(unpacked(data) if table == "block" else data).entries()
                bytes_ += len(data)
                plain += len(msgspec.json.encode(entries))
                fields += sum(len(each.row or ()) for each in entries)
        frames = [start for (start,) in db.execute("SELECT start_ms FROM segment")]
        lot = random.Random(3)
        moments = [[lot.randrange(began, at) for _ in range(2 if SMALL else MOMENTS)] for _ in range(rounds)]
        opened = [p99_of([timed(file, moment) for moment in each]) for each in moments]
        at_frames = median(timed(file, lot.choice(frames)) for _ in range(5 if SMALL else 20))
        wrote = sum(
            size or 0
            for query in ("SELECT sum(length(frame)) FROM segment", "SELECT sum(length(changes)) FROM block")
            for (size,) in db.execute(query)
        )
        (many,) = db.execute("SELECT coalesce(sum(many), 0) FROM block").fetchone()
        db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (began, at))
        steps = [p99_of(steps_of(file, each[:STARTS])) for each in moments]
        db.close()
    return {
        "bytes": bytes_ / fields,
        "plain": plain / fields,
        "open": median(opened),
        "frame": at_frames,
        "step": median(steps),
        "day": wrote / max(1, many) * A_DAY / 1e6,
    }


def p99_of(values: list[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98]


def steps_of(file: Path, moments: list[int]) -> list[float]:
    """Return the milliseconds of steps of ten seconds back and forth, as a person makes them."""
    found: list[float] = []
    past = Past(ListRecording.open(file), moments[0])
    past.records("calls")
    for at_ms in moments:
        past.move(at_ms)
        for step in (1, 2, 1, 0):
            until(lambda: READ_AHEAD not in {each.name for each in threading.enumerate()})
            began = time.perf_counter()
            past.move(at_ms + step * STEP_MS)
            found.append(1000 * (time.perf_counter() - began))
    past.stop()
    return found


def timed(file: Path, at_ms: int) -> float:
    """Return the milliseconds to open a recording and read a list at a moment."""
    began = time.perf_counter()
    with ListRecording.open(file) as recording:
        recording.rows("calls", at_ms)
        recording.health("calls", at_ms)
    return 1000 * (time.perf_counter() - began)


class FastClock(SystemClock):
    """A wall clock that runs faster."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def now_ms(self) -> int:
        return 1_790_000_000_000 + round(1000 * SPEED * (time.monotonic() - self._began))


def played() -> float:
    """Return the megabytes of twenty minutes of the busy world, played faster."""
    clock, spec = FastClock(), list[Any]()

    def filled(platform: Platform) -> Any:
        spec.append(fill(platform, "busy"))
        return spec[0]

    async def play(platform: Platform) -> None:
        await Simulator(platform, spec[0], 1, SPEED).run(platform)

    writing.TICK_SECONDS /= SPEED
    with tempfile.TemporaryDirectory() as folder, start_background(filled, jobs=(play,)) as service:
        plan = plan_of(Path(folder), service=service.core_url)
        endpoint = Endpoint(service.core_url, events=service.events_url)
        backend = Backend(endpoint, FEEDS.values(), journal_path=plan.journal, login=lambda: ("eva", "demo"))

        def render() -> RenderContext:
            return RenderContext(SystemClock().now_ms(), zone_of("UTC"), "", backend.records)

        watch_by(load_rules(places({"CONSOLE_HOME": folder})), backend, render)
        recorder = Recorder(backend, lambda: plan, clock, apart=False)
        backend.accompany(recorder)
        backend.show(frozenset(FEEDS))
        backend.start()
        recorder.records.wait()
        first = clock.now_ms()
        while clock.now_ms() - first < PLAYED_MS:
            time.sleep(0.1)
        backend.stop()
        db = open_to_write(plan.file, {})
        found = used_bytes(db) / 1e6
        sizes: list[Any] = db.execute(
            "SELECT kind, sum(length(frame)), count(*), (SELECT coalesce(sum(length(changes)), 0) FROM block "
            "JOIN segment AS s ON s.id = block.segment WHERE s.kind = segment.kind) FROM segment GROUP BY kind"
        ).fetchall()
        print(*sorted(sizes, key=lambda each: -each[1] - each[3])[:8], sep="\n", file=sys.stderr)
        db.close()
        return found


if __name__ == "__main__":
    gc_tuning.begin()
    gc_tuning.prepare()
    costs = {
        "changes": change_costs,
        "file": lambda: file_costs(int(sys.argv[3])),
        "played": lambda: {"played": played()},
    }
    print(json.dumps(costs[sys.argv[2]]()))
