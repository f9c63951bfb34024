"""Simulation of support chats and alerts."""

from __future__ import annotations

from console.service.domain import agents, alerts, chats, templates
from console.service.domain.agents import SKILLS
from console.service.domain.alerts import ALERTS
from console.service.domain.chats import CHATS
from console.service.domain.people import USERS
from console.service.domain.templates import TEMPLATES
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS
from console.service.simulator.simulated_time import LOGINS_LINGER, SimulatedTime


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
