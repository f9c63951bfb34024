"""The simulation of a working day: the same seed, scenario and clock give the same events."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from console.service.domain import agents, alerts, appearing, chats, conferences, templates
from console.service.domain.agents import SKILLS
from console.service.domain.alerts import ALERTS
from console.service.domain.chats import CHATS
from console.service.domain.conferences import BUSY, CONFERENCES, DECLINED, NO_ANSWER, SERVER_FAILED, UNREACHABLE
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE, activity_of
from console.service.domain.relations import user_id_of
from console.service.domain.templates import TEMPLATES
from console.service.platform import Platform
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS
from console.service.scenarios.spec import WorldSpec
from console.service.simulator.calls import CallsPlay, QualityPlay
from console.service.simulator.simulated_time import LOGINS_LINGER, SimulatedTime

BEAT_SECONDS = 0.25
"""Interval of `run`, in seconds of the platform's clock."""
LONGEST_BEAT = 5.0
"""Longest time simulated at once after a pause, such as a suspended machine."""
_ANSWERS = {
    "available": ((("accepted", None), ("rejected", DECLINED), ("failed", NO_ANSWER)), (80, 8, 12)),
    "busy": ((("accepted", None), ("failed", BUSY)), (40, 60)),
    "oncall": ((("failed", BUSY),), (1,)),
    "away": ((("accepted", None), ("failed", NO_ANSWER)), (30, 70)),
    "dnd": ((("rejected", DECLINED),), (1,)),
    "offline": ((("failed", UNREACHABLE), ("failed", SERVER_FAILED)), (85, 15)),
}
"""Answers to an invite, with weights, by the guest's activity."""
_TURN_SECONDS = 1200.0
"""Mean duration of an activity in seconds."""
_NEXT = {
    "available": (("busy", "away", "dnd", "offline"), (35, 40, 8, 17)),
    "busy": (("available", "away"), (85, 15)),
    "away": (("available", "offline"), (85, 15)),
    "dnd": (("available",), (1,)),
    "offline": (("available", "away"), (90, 10)),
}
"""Next activities, with weights, by the current one."""


class Simulator:
    """Simulates the day of a scenario on a platform with the scenario's data."""

    def __init__(self, platform: Platform, spec: WorldSpec, seed: int | None = None, speed: float = 1.0) -> None:
        """Prepare the simulation. `seed` defaults to the scenario's; `speed` is simulated seconds per second."""
        self._platform = platform
        self._speed = speed
        self._sim = SimulatedTime(platform, spec, spec.seed if seed is None else seed)
        self._begun = False

    def step(self, seconds: float) -> None:
        """Simulate this many seconds in one transaction, at the platform's current time."""
        with self._platform.write():
            others, self._platform.new_id = self._platform.new_id, self._sim.new_id
            try:
                self._begin()
                self._sim.advance(seconds)
            finally:
                self._platform.new_id = others

    async def run(self, platform: Platform | None = None) -> None:
        """Simulate in step with the platform's clock until cancelled. Used as a job of the service's app."""
        clock = (platform or self._platform).clock
        last = clock.monotonic()
        while True:
            await clock.sleep(BEAT_SECONDS)
            now = clock.monotonic()
            seconds = min(now - last, LONGEST_BEAT) * self._speed
            await self._platform.database.run(partial(self.step, seconds), writing=True)
            last = now

    def _begin(self) -> None:
        if self._begun:
            return
        self._begun = True
        for play in (CallsPlay, PeoplePlay, ChatsPlay, AlertsPlay, ConferencesPlay, QualityPlay):
            play(self._sim).begin()


class PeoplePlay:
    """Simulates presence. The seeded accounts are excluded, because people may use them."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._rng = sim.dice("people")

    def begin(self) -> None:
        """Start to change presence."""
        with self._sim.platform.read() as tx:
            there = PRESENCE.count(tx, PRESENCE.c.online)
        self._sim.arriving(self._rng, there / _TURN_SECONDS, self._turn)

    def _turn(self) -> None:
        """Change the activity of one person. Offline people are selected less often, to keep their share constant."""
        rng = self._rng
        with self._sim.platform.read() as tx:
            online = rng.random() < 0.88
            some = PRESENCE.c.online if online else sa.not_(PRESENCE.c.online)
            presence = self._sim.one_of(tx, PRESENCE, rng, some)
        if presence is None or presence.id in LOGINS or presence.activity not in _NEXT:
            return
        choices, weights = _NEXT[presence.activity]
        appearing.set_activity(self._sim.platform, presence.id or "", rng.choices(choices, weights)[0])


class ChatsPlay:
    """Simulates chats: new, transferred and finished ones."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._platform = sim.platform
        self._plan = sim.spec.chats
        self._rng = sim.dice("chats")

    def begin(self) -> None:
        """Continue the current chats, and start to create new ones."""
        if self._plan.per_hour <= 0:
            return
        with self._platform.read() as tx:
            records = CHATS.records(tx, order=(CHATS.c.began,))
        for chat in records:
            self._finish_later(chat.chat_id, chat.agent.id if chat.agent else None)
        self._sim.arriving(self._rng, self._plan.per_hour / 3600, self._arrive)

    def _arrive(self) -> None:
        rng = self._rng
        with self._platform.read() as tx:
            crowd = [record.id for record in USERS.records(tx, USERS.c.capabilities == [], limit=400)]
            skills = [record.skill for record in SKILLS.records(tx)]
            caller = self._sim.as_user(tx, rng.choice(crowd)) if crowd else None
        if caller is None or not skills:
            return
        key = f"chat-{self._sim.new_id()[:8]}"
        context = {"skill": rng.choice(skills), "subject": rng.choice(names.SUBJECTS), "language": "es"}
        chats.start(self._platform, caller, key, context)
        with self._platform.read() as tx:
            chat = CHATS.get(tx, key)
        holder = chat.agent.id if chat and chat.agent else None
        self._finish_later(key, holder)
        if rng.random() < 0.12:
            self._sim.after(rng.uniform(30, 240), lambda: self._hand_over(key))

    def _finish_later(self, key: str, holder: str | None) -> None:
        mean = self._plan.minutes * 60 * (LOGINS_LINGER if holder in LOGINS else 1.0)
        self._sim.after(20 + self._rng.expovariate(1 / mean), lambda: chats.finish(self._platform, key))

    def _hand_over(self, key: str) -> None:
        with self._platform.read() as tx:
            chat = CHATS.get(tx, key)
            if chat is None or chat.agent is None or chat.agent.id in LOGINS:
                return
            holder = chat.agent.id
            other = agents.for_chat(tx, None)
            receiver = USERS.get(tx, other) if other else None
        if receiver is not None and receiver.id != holder:
            chats.transfer(self._platform, key, chats.participant(receiver))


class AlertsPlay:
    """Simulates alerts, mostly accepted, except those for eva."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._platform = sim.platform
        self._rng = sim.dice("alerts")

    def begin(self) -> None:
        """Start to send alerts."""
        self._sim.arriving(self._rng, self._sim.spec.alerts.per_hour / 3600, self._send)
        self._sim.regularly(1.0, lambda: alerts.keep_time(self._platform))

    def _send(self) -> None:
        rng = self._rng
        with self._platform.read() as tx:
            records = TEMPLATES.records(tx)
            sender = self._sim.as_user(tx, rng.choice([login for login in LOGINS if login != ADMIN]))
            if not records or sender is None:
                return
            template = rng.choice(records)
            receivers = [receiver for receiver in templates.receivers_of(tx, template.template_id) if receiver != ADMIN]
        key = f"alert-{self._sim.new_id()[:8]}"
        alerts.send(self._platform, sender, template.template_id, key)
        chance = rng.random()
        if chance < 0.08:
            self._sim.after(rng.uniform(20, 120), lambda: self._cancel(key))
        elif receivers and chance < 0.6:
            accepter = rng.choice(receivers)
            self._sim.after(15 + rng.expovariate(1 / 150), lambda: self._accept(key, accepter))

    def _accept(self, key: str, user_id: str) -> None:
        with self._platform.read() as tx:
            caller = self._sim.as_user(tx, user_id)
        if caller is not None and self._is_active(key):
            alerts.accept(self._platform, caller, key)

    def _cancel(self, key: str) -> None:
        if self._is_active(key):
            alerts.cancel(self._platform, key)

    def _is_active(self, key: str) -> bool:
        with self._platform.read() as tx:
            alert = ALERTS.get(tx, key)
        return alert is not None and alert.state == "active"


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
