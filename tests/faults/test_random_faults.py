"""Random sequences of events: a console shows only states of the service, and recovers."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Coroutine, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from console.api.errors import ApiError, Conflict, ServerFault, TimedOut, Unreachable
from console.api.events import Event
from console.live.command import Command, Stage
from console.live.delta import Freshness
from console.live.freshness import LIVE_SECONDS
from tests.faults.believed import Past
from tests.faults.figures import count, record
from tests.live.command_bench import Bench, accept
from tests.live.fake_service import Rig
from tests.live.until import settled, until_async

STORIES = count("FAULTS_STORIES", 25)
STEPS = count("FAULTS_STEPS", 30)
COMING_BACK = 25.0
HOW_TOLD = ("it is", "it is", "lost", "doubled", "late")
WHAT_IS_LATE = ("messages", "some messages", "lists", "lists there", "nothing")
CHANGES = st.tuples(st.sampled_from("abcde"), st.sampled_from(["1", "2", "3", "gone"]), st.sampled_from(HOW_TOLD))
told: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def figures() -> Generator[None]:
    yield
    claims, wrong = told["claims"], told["wrong"]
    # Another process may have run all stories that claim anything.
    assert not claims or told["live"] * 3 > claims, "the stories are hardly ever live"
    stories = f"{told['stories']} stories of up to {STEPS} steps"
    record("C7", not told["failed"], f"{told['failed']} violations in {stories}", "0")
    record("C4", not wrong, f"{wrong} of {claims:,} samples on a clock of the test", "0")
    record("C5", not wrong, f"{wrong} of {claims:,} ages wrong", "within 1 s, never negative")


def _told(event: Event, how: str) -> list[Event]:
    late = Event(max(0, event.offset - 3), event.after, event.topic, event.kind, event.key, event.body)
    return {"it is": [event], "lost": [], "doubled": [event, event], "late": [event, late]}[how]


class Watching(RuleBasedStateMachine):
    """A followed list, a changing service, and everything between them that can fail."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.rig: Rig = self.do(self.begin())
        self.past = Past(self.rig.service.rows, self.rig.clock.monotonic())
        self.seen: dict[str, Any] = {}
        self.version = 0
        self.rig.engine.followers["calls"].want(shown=True)
        self.let_happen()
        told["stories"] += 1

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    async def begin(self) -> Rig:
        return await Rig().__aenter__()

    def let_happen(self) -> None:
        self.do(settled())

    def note(self) -> None:
        self.past.became(self.rig.service.rows, self.rig.clock.monotonic())

    # -- actions -----------------------------------------------------------------------------------------------------

    @rule(changes=st.lists(CHANGES, min_size=1, max_size=6), at_once=st.booleans())
    def rows_change(self, changes: list[tuple[str, str, str]], at_once: bool) -> None:
        service = self.rig.service
        for key, state, how in changes:
            service.bend = lambda event, how=how: _told(event, how)
            if state == "gone":
                service.remove(key)
            else:
                service.put(key, state=state)
            self.note()
            if not at_once:
                self.let_happen()
                self.hold_claims()
        service.bend = lambda event: [event]
        self.let_happen()

    @rule(what=st.sampled_from(["channel", "service", "restart", "reset", "mended", "403", "429", "500"]))
    def something_breaks(self, what: str) -> None:
        service = self.rig.service
        service.reachable = what != "service"
        if what == "restart":
            service.begin_anew()
        if what == "reset":
            service.reset()
        if what in {"channel", "service", "restart"}:
            service.hang_up()
        if what == "mended":
            self.do(self.rig.pass_time(1.0))
        status = int(what) if what.isdigit() else 200
        service.answer = lambda request: (
            httpx.Response(status) if status != 200 and request.url.path == "/calls" else None
        )
        self.let_happen()

    @rule(what=st.sampled_from(WHAT_IS_LATE), most=st.integers(1, 5))
    def something_is_late(self, what: str, most: int) -> None:
        service = self.rig.service
        match what:
            case "messages":
                service.lagging = True
            case "some messages":
                service.flow(most)
            case "lists":
                service.gate.clear()
                self.rig.engine.followers["calls"].refresh()
            case "lists there":
                service.gate.set()
            case _:
                service.gate.set()
                service.flow()
        self.let_happen()

    @rule(seconds=st.sampled_from([0.3, 1.0, 3.0, 10.0]), beats=st.booleans())
    def time_passes(self, seconds: float, beats: bool) -> None:
        for _ in range(round(seconds * 10)):
            self.do(self.rig.pass_time(0.1, beats=False, step=0.1))
            self.hold_claims()
        if beats:
            self.rig.service.beat()
            self.let_happen()

    @rule(seconds=st.sampled_from([0, -86_400, 20]))
    def the_desk_is_touched(self, seconds: int) -> None:
        if seconds:
            self.rig.clock.jump(seconds * 1000)
        else:
            self.rig.engine.refresh()
        self.let_happen()

    # -- invariants --------------------------------------------------------------------------------------------------

    def hold_claims(self) -> None:
        health = self.rig.engine.health("calls")
        now = self.rig.clock.monotonic()
        told["claims"] += 1
        if health.age is None:
            assert not self.rig.shown()
            return
        live = health.state is Freshness.LIVE
        told["live"] += live
        wrong = self.past.claimed(self.rig.shown(), health.age, now, live=live)
        if live and health.age >= LIVE_SECONDS:
            wrong = f"live after {health.age} s"
        told["wrong"] += bool(wrong)
        assert not wrong, f"{health}: {wrong}"

    @invariant()
    def what_is_shown_was_once_and_is_as_old_as_it_says(self) -> None:
        self.hold_claims()

    @invariant()
    def who_takes_only_changes_has_the_same_rows(self) -> None:
        collection = self.rig.engine.followers["calls"].collection
        delta = collection.delta(self.version)
        if delta.whole:
            self.seen = {}
        for key in delta.removes:
            self.seen.pop(key, None)
        self.seen.update(delta.upserts)
        self.version = delta.version
        assert self.seen == dict(collection.snapshot())

    def teardown(self) -> None:
        service = self.rig.service
        try:
            service.reachable = True
            service.answer = lambda _request: None
            service.bend = lambda event: [event]
            service.gate.set()
            service.flow()
            self.do(self.rig.pass_time(COMING_BACK))
            assert self.rig.engine.health("calls").state is Freshness.LIVE, self.rig.engine.health("calls")
            assert self.rig.shown() == service.rows
        finally:
            self.do(self.rig.__aexit__())
            self.loop.close()


class Deciding(RuleBasedStateMachine):
    """Changes that are decided, held, sent, lost and undone."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.bench: Bench = self.do(self.begin())
        self.decided: list[Command] = []
        told["stories"] += 1

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    async def begin(self) -> Bench:
        return Bench(Path(self.folder.name) / "journal")

    def let_happen(self) -> None:
        pending = {Stage.PENDING}
        self.do(until_async(lambda: all(each.stage not in pending for each in self.bench.commands.tickets())))
        self.do(self.bench.commands.settle() if not self.held() else settled())

    def held(self) -> list[Command]:
        return [each.command for each in self.bench.commands.tickets() if each.stage is Stage.HELD]

    @rule(hold=st.sampled_from([0.0, 3.0]), presses=st.integers(1, 3), fault=st.integers(0, 4))
    def somebody_decides(self, hold: float, presses: int, fault: int) -> None:
        number = len(self.decided)
        errors: list[ApiError | None] = [
            None,
            TimedOut("lost"),
            Conflict("taken", status=409),
            ServerFault("broken", status=500),
            Unreachable("gone"),
        ]
        command = accept(f"alert-{number}", hold=hold)
        self.decided.append(command)
        if not hold:
            self.bench.around.errors[:] = [errors[fault]]

        async def press() -> None:
            for _ in range(presses):
                self.bench.commands.submit(command)

        self.do(press())
        self.let_happen()

    @rule()
    def somebody_takes_back(self) -> None:
        async def undo() -> None:
            self.bench.commands.undo()

        self.do(undo())
        self.let_happen()

    @precondition(lambda self: bool(self.held()))
    @rule()
    def a_hold_is_over(self) -> None:
        self.bench.around.errors.clear()

        async def pass_time() -> None:
            self.bench.clock.advance(3.0)
            await settled()

        self.do(pass_time())
        self.let_happen()

    @rule(reason=st.sampled_from([None, "not connected"]))
    def the_connection_goes_or_comes(self, reason: str | None) -> None:
        self.bench.around.refusal = reason

    @invariant()
    def one_decision_is_sent_once_at_most(self) -> None:
        keys = self.bench.around.keys
        assert len(keys) == len(set(keys))
        sent = Counter(getattr(request, "alert_id", "") for request in self.bench.around.sent)
        assert all(times == 1 for times in sent.values()), sent

    @invariant()
    def what_is_said_of_it_is_what_became_of_it(self) -> None:
        sent = {getattr(request, "alert_id", "") for request in self.bench.around.sent}
        for ticket in self.bench.commands.tickets():
            alert = ticket.command.steps[0].key
            if ticket.stage in {Stage.DONE, Stage.UNKNOWN}:
                assert alert in sent
            if ticket.stage in {Stage.HELD, Stage.TAKEN_BACK}:
                assert alert not in sent

    @invariant()
    def nothing_is_sent_without_being_journaled(self) -> None:
        intents = {
            step["key"] for entry in self.bench.journal() if entry["what"] == "intent" for step in entry["steps"]
        }
        assert {getattr(request, "alert_id", "") for request in self.bench.around.sent} <= intents

    def teardown(self) -> None:
        self.bench.around.refusal = "the end"
        self.bench.clock.advance(10.0)
        self.let_happen()
        self.loop.close()
        self.folder.cleanup()


@pytest.mark.timeout(120 + STORIES * STEPS)
@pytest.mark.parametrize("stories", [Watching, Deciding])
def test_the_console_recovers_after_any_sequence_of_faults(stories: type[RuleBasedStateMachine]) -> None:
    told["failed"] += 1
    run_state_machine_as_test(
        stories,
        settings=settings(
            max_examples=STORIES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=STORIES == 25,
            print_blob=True,
            suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
        ),
    )
    told["failed"] -= 1
