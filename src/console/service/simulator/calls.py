"""Simulation of calls: arriving, waiting in queues, connected or abandoned, and ending, and of their quality."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import sqlalchemy as sa

from console.records.traffic import Call
from console.service.domain import agents, calls, permissions, quality, recorded, recordings
from console.service.domain.agents import SKILLS
from console.service.domain.calls import CALLS, LIVE
from console.service.domain.presence import PRESENCE, activity_of
from console.service.domain.relations import user_id_of
from console.service.scenarios import names
from console.service.scenarios.support import counters
from console.service.scenarios.traffic import REASONS
from console.service.simulator.simulated_time import SimulatedTime

_REACTIONS = {
    "available": ("connected", "connected", "connected", "connected", "connected", "noanswer", "rejected", "cancelled"),
    "away": ("noanswer", "noanswer", "cancelled", "connected"),
    "busy": ("rejected", "connected", "noanswer"),
    "dnd": ("rejected",),
    "oncall": ("busy",),
    "offline": ("noanswer", "cancelled"),
}
"""Outcomes of calls to users, by the activity of the user; all entries are equally likely."""
_WAVE_SECONDS = 900.0
_SWING = 0.6
"""The rate of calls varies with this period in seconds, by this share of its mean."""
_OUTSIDE = ("connected", "connected", "connected", "noanswer", "busy", "cancelled")


class CallsPlay:
    """Simulates calls."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._platform = sim.platform
        self._plan = sim.spec.calls
        self._rng = sim.dice("calls")
        self._ringing: dict[str, str] = {}
        """Queued calls that ring, with their agents."""
        self._resting: dict[str, float] = {}
        """When agents are ready for the next queued call, in simulated seconds."""

    def begin(self) -> None:
        """Continue the current calls, and start to create new ones."""
        with self._platform.read() as tx:
            records = CALLS.records(tx, CALLS.c.state.in_(LIVE), order=(CALLS.c.date,))
        for call in records:
            self._adopt(call)
        self._sim.arriving(self._rng, self._plan.per_minute / 60 * (1 + _SWING), self._maybe_arrive)
        self._sim.regularly(1.0, self._serve_queues)
        self._sim.regularly(20.0, self._prune)

    def _adopt(self, call: Call) -> None:
        key = call.id
        if call.state == "connected":
            self._later(self._rng.expovariate(1 / self._plan.talk_seconds), key, "connected", self._hang_up)
        elif call.state == "queued":
            self._later(self._rng.expovariate(1 / self._plan.patience_seconds), key, "queued", self._give_up)
        else:
            self._later(self._rng.uniform(1, 15), key, "ringing", lambda key: self._react(key, call.callee or ""))

    def _later(self, seconds: float, key: str, state: str, then: Callable[[str], object]) -> None:
        """Run a step for a call later, if it still exists and is in this state."""

        def when_due() -> None:
            with self._platform.read() as tx:
                call = CALLS.get(tx, key)
            if call is not None and call.state == state:
                then(key)

        self._sim.after(seconds, when_due)

    # -- arriving -----------------------------------------------------------------------------------------------

    def _maybe_arrive(self) -> None:
        """Create a call with a probability that varies over time, so that queues grow and shrink."""
        wave = 1 + _SWING * math.sin(2 * math.pi * self._sim.now / _WAVE_SECONDS)
        if self._rng.random() < wave / (1 + _SWING):
            self._arrive()

    def _arrive(self) -> None:
        queues = [skill for skill in self._sim.spec.skills if skill.number]
        if queues and self._rng.random() < self._plan.through_queues:
            plan = self._rng.choices(queues, [queue.agents + 1 for queue in queues])[0]
            self._arrive_at(plan.skill, plan.number or "")
        else:
            self._between_people()

    def _arrive_at(self, skill: str, number: str) -> None:
        rng = self._rng
        from_web = rng.random() < 0.08
        call = calls.begin(
            self._platform,
            Call(
                id=self._sim.new_id(),
                caller=f"web-visitor-{rng.randrange(10**6)}" if from_web else names.outside_number(rng),
                callee=number,
                context={"skill": skill, "subject": rng.choice(names.SUBJECTS)},
                anonymous_session_id=f"anonymous-{rng.randrange(10**8)}" if from_web else None,
                data={"channel": "c2c"} if from_web else None,
            ),
        )
        if rng.random() < self._plan.failing:
            self._later(rng.uniform(0.5, 6), call.id, "ringing", lambda key: self._end(key, "servererror"))
        else:
            self._later(rng.uniform(1, 4), call.id, "ringing", lambda key: self._enqueue(key, skill))

    def _enqueue(self, key: str, skill: str) -> None:
        with self._platform.read() as tx:
            if SKILLS.row(tx, skill) is None:
                return
        calls.enqueue(self._platform, key, skill)
        patience = self._rng.expovariate(1 / self._plan.patience_seconds)
        self._later(3 + patience, key, "queued", self._give_up)

    def _between_people(self) -> None:
        rng = self._rng
        user = self._somebody(rng, "available")
        if user is None:
            return
        other = self._somebody(rng, None) if rng.random() < 0.5 else None
        address = f"svc-user:{user}"
        outside = names.outside_number(rng) if other in {None, user} else f"svc-user:{other}"
        caller, callee = (
            (outside, address) if user_id_of(outside) is None and rng.random() < 0.5 else (address, outside)
        )
        call = calls.begin(self._platform, Call(id=self._sim.new_id(), caller=caller, callee=callee))
        calls.ring(self._platform, call.id, callee)
        self._later(rng.uniform(2, 14), call.id, "ringing", lambda key: self._react(key, callee))

    def _somebody(self, rng: Random, activity: str | None) -> str | None:
        """Return a random user with a presence, with this activity if given."""
        with self._platform.read() as tx:
            everybody = PRESENCE.count(tx)
            for _ in range(12):
                at = rng.randrange(max(1, everybody))
                row = tx.row(sa.select(PRESENCE.c.user).order_by(PRESENCE.c.key).offset(at).limit(1))
                if row is not None and (activity is None or activity_of(tx, row.user) == activity):
                    return str(row.user)
        return None

    def _react(self, key: str, callee: str) -> None:
        """Settle a ringing call, with a probability by its callee's presence."""
        rng = self._rng
        user = user_id_of(callee)
        with self._platform.read() as tx:
            activity = activity_of(tx, user) if user is not None else ""
        outcome = rng.choice(_REACTIONS.get(activity, _OUTSIDE))
        if rng.random() < self._plan.failing:
            outcome = "servererror"
        if outcome == "connected":
            self._connect(key, callee)
        else:
            self._end(key, outcome)

    # -- queues ---------------------------------------------------------------------------------------------------

    def _serve_queues(self) -> None:
        """Connect the first calls of each queue to agents who are free and ready."""
        self._resting = {agent: until for agent, until in self._resting.items() if until > self._sim.now}
        with self._platform.read() as tx:
            waiting = tx.rows(
                sa.select(CALLS.c.key, CALLS.c.target)
                .where(CALLS.c.state == "queued")
                .order_by(CALLS.c.target, CALLS.c.queueposition, CALLS.c.key)
            )
            queues: dict[str, list[str]] = {}
            for row in waiting:
                if row.key not in self._ringing:
                    queues.setdefault(row.target or "", []).append(row.key)
            taken = {*self._ringing.values(), *self._resting}
            pairs: list[tuple[str, str]] = []
            ready = agents.for_calls(tx, queues)
            for queue, keys in queues.items():
                free = [value for value in ready.get(queue, ()) if value not in taken]
                for key, agent in zip(keys, free, strict=False):
                    taken.add(agent)
                    pairs.append((key, agent))
        for key, agent in pairs:
            self._ring_at(key, agent)

    def _ring_at(self, key: str, agent: str) -> None:
        calls.ring(self._platform, key, f"svc-user:{agent}")
        self._ringing[key] = agent
        answers = self._rng.random() < 0.88
        wait = self._rng.uniform(2, 7) if answers else 15.0
        self._sim.after(wait, lambda: self._rang(key, agent, answers))

    def _rang(self, key: str, agent: str, answers: bool) -> None:
        self._ringing.pop(key, None)
        with self._platform.read() as tx:
            call = CALLS.get(tx, key)
            activity = activity_of(tx, agent)
        if call is None or call.state != "queued":
            return
        if answers and activity == "available":
            self._connect(key, f"svc-user:{agent}")
        else:
            self._resting[agent] = self._sim.now + 25
            state = "noanswer" if activity == "available" else "busy"
            calls.attempt_failed(self._platform, key, state, REASONS[state][0])

    # -- talking and ending -----------------------------------------------------------------------------------------

    def _connect(self, key: str, address: str) -> None:
        rng = self._rng
        call = calls.connect(self._platform, key, address)
        talk = 4 + rng.expovariate(1 / self._plan.talk_seconds)
        self._later(talk, key, "connected", self._hang_up)
        agent = user_id_of(address)
        if agent is not None and rng.random() < 0.06:
            with self._platform.read() as tx:
                caller = self._sim.as_user(tx, agent)
                permitted = caller is not None and permissions.may_record(tx, caller.user)
            if caller is not None and permitted and not calls.recording_of(call).get("active"):
                recordings.start(self._platform, caller, key, f"{call.target or 'call'}-{key}.wav", None)

    def _hang_up(self, key: str) -> None:
        broken = self._rng.random() < self._plan.failing / 2
        call = self._end(key, "servererror" if broken else "ended")
        for user in call.users:
            self._resting[user] = self._sim.now + self._rng.uniform(5, 25)

    def _give_up(self, key: str) -> None:
        self._ringing.pop(key, None)
        self._end(key, "cancelled")

    def _end(self, key: str, state: str) -> Call:
        return calls.end(self._platform, key, state, self._rng.choice(REASONS[state]))

    def _prune(self) -> None:
        if self._plan.listed:
            calls.prune(self._platform, self._plan.listed)
            recorded.prune(self._platform, max(self._plan.listed, self._sim.spec.recordings.listed))


class QualityPlay:
    """Simulates statistics during calls, sometimes bad ones, which raise alarms."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._platform = sim.platform
        self._plan = sim.spec.quality
        self._rng = sim.dice("quality")

    def begin(self) -> None:
        """Start to send statistics."""
        if self._plan.per_hour <= 0:
            return
        self._sim.arriving(self._rng, 1 / 6, lambda: self._send(self._rng.uniform(0.0, 0.02)))
        self._sim.arriving(self._rng, self._plan.per_hour / 3600, lambda: self._send(self._rng.uniform(0.06, 0.3)))
        self._sim.regularly(120.0, lambda: quality.prune(self._platform, max(20, 3 * self._plan.alarms)))

    def _send(self, loss: float) -> None:
        rng = self._rng
        with self._platform.read() as tx:
            call = self._sim.one_of(tx, CALLS, rng, CALLS.c.state == "connected")
            caller = self._sim.as_user(tx, call.users[0]) if call is not None and call.users else None
        if call is not None and caller is not None:
            payload = {"callid": call.id, "ssrc": counters(rng, loss)}
            quality.store_statistic(self._platform, caller, "call-brief", payload, None)
