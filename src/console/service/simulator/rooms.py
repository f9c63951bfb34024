"""Simulation of conferences and call quality."""

from __future__ import annotations

import sqlalchemy as sa

from console.service.domain import conferences, quality
from console.service.domain.calls import CALLS
from console.service.domain.conferences import (
    BUSY,
    CONFERENCES,
    DECLINED,
    NO_ANSWER,
    SERVER_FAILED,
    UNREACHABLE,
)
from console.service.domain.people import USERS
from console.service.domain.presence import activity_of
from console.service.domain.relations import user_id_of
from console.service.scenarios.support import counters
from console.service.simulator.simulated_time import SimulatedTime

_ANSWERS = {
    "available": ((("accepted", None), ("rejected", DECLINED), ("failed", NO_ANSWER)), (80, 8, 12)),
    "busy": ((("accepted", None), ("failed", BUSY)), (40, 60)),
    "oncall": ((("failed", BUSY),), (1,)),
    "away": ((("accepted", None), ("failed", NO_ANSWER)), (30, 70)),
    "dnd": ((("rejected", DECLINED),), (1,)),
    "offline": ((("failed", UNREACHABLE), ("failed", SERVER_FAILED)), (85, 15)),
}
"""Answers to an invite, with weights, by the guest's activity."""


class ConferencesPlay:
    """Simulates conferences: opening, joining, leaving."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._platform = sim.platform
        self._plan = sim.spec.conferences
        self._rng = sim.dice("conferences")

    def begin(self) -> None:
        """Continue the open rooms, and start to open new ones."""
        if self._plan.per_hour <= 0:
            return
        with self._platform.read() as tx:
            records = CONFERENCES.records(tx, CONFERENCES.c.state == "active", order=(CONFERENCES.c.created,))
        for conference in records:
            for invite in conference.invites:
                if invite.state == "pending" and invite.to:
                    self._answer_later(conference.id, invite.to)
            for participant in conference.participants:
                if participant.address and participant.finished_at is None:
                    self._leave_later(conference.id, participant.address)
        self._sim.arriving(self._rng, self._plan.per_hour / 3600, self._open)
        self._sim.regularly(60.0, lambda: conferences.prune(self._platform, 2 * self._plan.listed))

    def _open(self) -> None:
        rng = self._rng
        with self._platform.read() as tx:
            count = USERS.count(tx)
            chosen = sorted(rng.sample(range(count), min(count, rng.randint(3, 7))))
            by_key = sa.select(USERS.c.key).order_by(USERS.c.key)
            people = [str(tx.value(by_key.offset(value).limit(1))) for value in chosen]
            rng.shuffle(people)
            domain = USERS.need(tx, people[0]).domain or ""
        addresses = [f"svc-user:{person}" for person in people]
        room = f"room-{self._sim.new_id()[:6]}"
        opened = conferences.open_room(self._platform, room, domain, addresses[0], addresses[1:], rng.random() < 0.4)
        for guest in addresses[1:]:
            self._answer_later(opened.id, guest)
        self._leave_later(opened.id, addresses[0])

    def _answer_later(self, conference: str, guest: str) -> None:
        self._sim.after(self._rng.uniform(3, 40), lambda: self._answer(conference, guest))

    def _answer(self, conference: str, guest: str) -> None:
        with self._platform.read() as tx:
            found = CONFERENCES.get(tx, conference)
            activity = activity_of(tx, user_id_of(guest) or "")
        if found is None or found.state != "active":
            return
        choices, weights = _ANSWERS.get(activity, _ANSWERS["available"])
        state, reason = self._rng.choices(choices, weights)[0]
        conferences.answer_invite(self._platform, conference, guest, state, reason)
        if state == "accepted":
            self._leave_later(conference, guest)

    def _leave_later(self, conference: str, address: str) -> None:
        stay = self._rng.uniform(180, 1500)
        self._sim.after(stay, lambda: conferences.leave(self._platform, conference, address))


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
            talking = CALLS.c.state == "connected"
            count = CALLS.count(tx, talking)
            if not count:
                return
            chosen = sa.select(CALLS.c.body).where(talking).order_by(CALLS.c.key)
            call = CALLS.read(str(tx.value(chosen.offset(rng.randrange(count)).limit(1))))
            caller = self._sim.as_user(tx, call.users[0]) if call.users else None
        if caller is not None:
            payload = {"callid": call.id, "ssrc": counters(rng, loss)}
            quality.store_statistic(self._platform, caller, "call-brief", payload, None)
