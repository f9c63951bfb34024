"""The service behind a console, for tests: direct access to its database, and records created for one test."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

from console.base.clock import SystemClock
from console.records.people import Group, RingingStrategy, User
from console.records.support import AlertTemplate, Skill
from console.records.traffic import Call
from console.service.auth.caller import Caller
from console.service.domain import agents, alerts, calls, chats, groups, templates
from console.service.domain.agents import AGENTS
from console.service.domain.alerts import ALERTS
from console.service.domain.chats import CHATS
from console.service.domain.people import USERS, add_user
from console.service.domain.relations import address_of
from console.service.store.documents import Documents
from tests.background import Running

_numbers = itertools.count(1)


class LaterClock(SystemClock):
    """The machine's clock, plus an offset."""

    added = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.added


def fresh(stem: str) -> str:
    """Return an unused id that begins with `stem`."""
    return f"{stem}-t{next(_numbers)}"


class Base:
    """A running service. Records created here reach the consoles as changes by somebody else."""

    def __init__(self, service: Running) -> None:
        self.service = service

    # -- reading ---------------------------------------------------------------------------------------------------

    def lookup(self, documents: Documents[Any], key: str) -> dict[str, Any] | None:
        """Return a record from the service's database, or None."""
        with self.service.database.read() as tx:
            body = documents.body(tx, key)
        return None if body is None else dict(json.loads(body))

    def stored(self, documents: Documents[Any], key: str) -> dict[str, Any]:
        """Return a record from the service's database."""
        found = self.lookup(documents, key)
        assert found is not None, key
        return found

    def user(self, user_id: str) -> User:
        """Return a user."""
        with self.service.database.read() as tx:
            return USERS.need(tx, user_id)

    def caller(self, user_id: str) -> Caller:
        """Return the caller for a user."""
        return Caller(self.user(user_id))

    def skills_of(self, agent: str) -> set[str]:
        """Return the skills of an agent."""
        with self.service.database.read() as tx:
            return {each.skill for each in agents.SKILLS.records(tx) if agent in each.agents}

    def groups_of(self, user_id: str) -> list[Group]:
        """Return the groups of a user."""
        with self.service.database.read() as tx:
            return [each for each in groups.GROUPS.records(tx) if user_id in each.participants]

    # -- creating records ------------------------------------------------------------------------------------------

    def group(
        self, members: Sequence[str] = (), owner: str = "eva", name: str = "", strategy: str = "simultaneous"
    ) -> Group:
        """Create a group."""
        group_id = fresh("group")
        ringing = RingingStrategy(type=strategy)
        return groups.create(
            self.service.platform, self.user(owner), name or f"Group {group_id}", group_id, ringing, members
        )

    def template(self, receivers: Sequence[str] = ("eva",), title: str = "") -> AlertTemplate:
        """Create an alert template."""
        template_id = fresh("template")
        made = AlertTemplate(
            template_id=template_id,
            title=title or f"Title {template_id}",
            payload="Please come.",
            number_of_retries=3,
            time_in_ms_between_retries=60_000,
            time_to_expire=600_000,
        )
        templates.create(self.service.platform, made)
        templates.attach(self.service.platform, template_id, receivers)
        return made

    def alert(self, sender: str = "ana", receivers: Sequence[str] = ("eva", "ana"), title: str = "") -> str:
        """Send an alert from a new template and return its id."""
        template = self.template(receivers, title)
        alert_id = fresh("alert")
        alerts.send(self.service.platform, self.caller(sender), template.template_id, alert_id)
        return alert_id

    def end_alert(self, alert_id: str, by: str) -> None:
        """Accept an alert as the given user."""
        alerts.accept(self.service.platform, self.caller(by), alert_id)

    def call(self, caller: str = "", callee: str = "+34911555000") -> str:
        """Start a call, connect it to eva and return its id."""
        call_id = fresh("call")
        calling = caller or f"+3460055{next(_numbers):04}"
        calls.begin(self.service.platform, Call(id=call_id, caller=calling, callee=callee, state="ringing"))
        calls.connect(self.service.platform, call_id, address_of("eva"))
        return call_id

    def end_call(self, call_id: str) -> None:
        """End a call."""
        calls.end(self.service.platform, call_id, "ended")

    def forget_calls(self, keep: int) -> None:
        """Drop the oldest ended calls until about `keep` are left."""
        calls.prune(self.service.platform, keep)

    def add_member(self, group_id: str, user_id: str) -> None:
        """Add a user to a group."""
        groups.add(self.service.platform, group_id, user_id)

    def newcomer(self) -> str:
        """Create a user who is in no group, and return the user's id."""
        user_id = fresh("new")
        made = User(id=user_id, username=user_id, domain="desk.example", role="user", alias=f"New {user_id}")
        return add_user(self.service.platform, made).id

    def new_agent(self) -> str:
        """Make a user an agent without skills and chats, and return the user's id."""
        user_id = self.newcomer()
        agents.set_agents(self.service.platform, [user_id])
        return user_id

    def chat(self, agent: str, customer: str = "pat", skill: str = "support") -> str:
        """Start a support chat that an agent has accepted, and return its id."""
        chat_id = fresh("chat")
        platform = self.service.platform
        chats.start(platform, self.caller(customer), chat_id, {"subject": "Test", "skill": skill})
        holder = self.stored(CHATS, chat_id).get("agent", {}).get("id")
        if holder != agent:
            chats.transfer(platform, chat_id, chats.participant(self.user(agent)))
        return chat_id

    def skill(self, *people: str) -> Skill:
        """Create a skill."""
        skill = fresh("skill")
        agents.create_skill(self.service.platform, skill, people)
        with self.service.database.read() as tx:
            return agents.SKILLS.need(tx, skill)


__all__ = ["AGENTS", "ALERTS", "CHATS", "Base", "fresh"]
