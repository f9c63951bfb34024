"""The lists of a console at a busy service, with a restart of it in between, are read again as they were."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from console.base.clock import SystemClock
from console.base.zone import zone_of
from console.client.endpoint import Endpoint
from console.config.paths import places
from console.kinds.catalogue import FEEDS, LIVE
from console.live.backend import Backend
from console.live.delta import Freshness, Health
from console.recording import kind_writer, writing
from console.recording.cutting import cut
from console.recording.observed import health_row
from console.recording.recorder import Recorder
from console.recording.recording import ListRecording
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.service.platform import Platform
from console.service.scenarios.fill import fill
from console.service.simulator.simulator import Simulator
from console.views.render_context import RenderContext
from tests.background import Running, start_background
from tests.live.until import until
from tests.recording.desk import Sampler, plan_of

SAMPLES = 300


@contextmanager
def busy(port: int = 0, seed: int = 1) -> Generator[Running]:
    """Run a service with a busy day at twenty times its speed."""
    spec: list[Any] = []

    def filled(platform: Platform) -> Any:
        spec.append(fill(platform, "busy"))
        return spec[0]

    async def play(platform: Platform) -> None:
        await Simulator(platform, spec[0], seed, 20.0).run(platform)

    with start_background(filled, jobs=(play,), port=port) as running:
        yield running


def test_the_rows_of_all_lists_at_random_moments_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kind_writer, "MOST_CHANGES", 200)
    monkeypatch.setattr(kind_writer, "CHANGES_PER_ROW", 0)
    noted: list[Freshness] = []

    def note(health: Health, now_ms: int) -> bytes:
        noted.append(health.state)
        return health_row(health, now_ms)

    monkeypatch.setattr(writing, "health_row", note)
    clock, plan = SystemClock(), plan_of(tmp_path)
    with ExitStack() as service_ended:
        service = service_ended.enter_context(busy())
        endpoint = Endpoint(service.core_url, events=service.events_url)
        backend = Backend(endpoint, FEEDS.values(), journal_path=plan.journal, login=lambda: ("eva", "demo"))

        def render() -> RenderContext:
            return RenderContext(clock.now_ms(), zone_of("UTC"), "", backend.records)

        watch_by(load_rules(places({"CONSOLE_HOME": str(tmp_path)})), backend, render)
        recorder = Recorder(backend, lambda: plan, clock, apart=False)
        backend.accompany(recorder)
        backend.show(frozenset(FEEDS))
        backend.start()
        try:
            until(recorder.records.is_set)
            sampler = Sampler(backend.collections())

            # The recorder notes the freshness of each list and of the connection, again and again in the same order.
            place, notes = list(backend.collections()).index("calls"), len(backend.collections()) + 1

            def sample_when(state: Freshness) -> None:
                """Take samples until one is taken while a state of the calls is the last that is noted."""
                sampler.take_until(lambda: noted[place::notes][-1:] == [state])
                taken = len(sampler.samples)
                sampler.take_until(lambda: len(sampler.samples) > taken)

            sample_when(Freshness.LIVE)
            sampler.take_until(lambda: len(sampler.samples) >= SAMPLES // 2)
            port = int(service.core_url.split(":")[2].split("/")[0])
            service_ended.close()
            sample_when(Freshness.OFFLINE)
            with busy(port, seed=2):
                backend.retry()
                sample_when(Freshness.LIVE)
                sampler.take_until(lambda: len(sampler.samples) >= SAMPLES)
        finally:
            backend.stop()
    with ListRecording.open(plan.file) as read:
        assert read.damage == ()
        assert {"calls", "agents", "queues", "episodes", "activities", "connection"} <= set(read.kinds) <= LIVE
        wrong = [(kind, at) for kind, at, rows in sampler.samples if dict(read.rows(kind, at)) != rows]
        assert wrong == []
        states = {read.health("calls", at).state for _, at, _ in sampler.samples}
        assert {Freshness.LIVE, Freshness.OFFLINE} <= states
        assert sum(1 for _ in read.changes("calls", 0, clock.now_ms())) > 100
        first, last = sampler.samples[len(sampler.samples) // 4][1], sampler.samples[-1][1]
        cut(read, first, last, tmp_path / "part.rec", None, force=False)
        with ListRecording.open(tmp_path / "part.rec", finished=True) as part:
            inside = [each for each in sampler.samples if first <= each[1] <= last]
            assert len(inside) >= SAMPLES // 2
            assert [(kind, at) for kind, at, rows in inside if dict(part.rows(kind, at)) != rows] == []
            assert [at for kind, at, _ in inside if part.health(kind, at) != read.health(kind, at)] == []
        known = read.me(clock.now_ms())
        assert known is not None
        assert known.user.username == "eva"
