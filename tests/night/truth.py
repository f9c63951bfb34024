"""What goes on at the service, read from its database without the code of the rules.

A `Thing` is a subject and what it is about: ("wait", "billing") is open while a caller of the queue billing waits for a
minute or more. The limits are those that the console has without configuration, written here once more on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from console.records.episodes import Episode
from console.records.support import Agent
from console.service.auth.caller import Caller
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.alerts import ALERTS
from console.service.domain.calls import CALLS
from console.service.domain.chats import CHATS
from console.service.domain.conferences import CONFERENCES
from console.service.domain.notifications import NOTIFICATIONS
from console.service.domain.quality import ALARMS
from console.service.platform import Platform
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

Thing = tuple[str, str]
_MINUTE = 60_000
_NEVER_ANSWERED = ("cancelled", "abandoned")

Rows = Sequence[tuple[Any, ...]]


class Truth:
    """What goes on at the service, as far as one person may know of it. Tables are read again after they changed."""

    def __init__(self, platform: Platform, caller: Caller) -> None:
        self._platform, self._caller = platform, caller
        self._read: dict[str, tuple[int | None, Any]] = {}

    def things(self) -> set[Thing]:
        """Return what goes on now."""
        now = self._platform.now_ms()
        with self._platform.read() as tx:
            return {
                *self._queues(tx, now),
                *self._ended_calls(tx, now),
                *self._alerts(tx, now),
                *self._chats(tx, now),
                *self._skills(tx),
                *self._others(tx, now),
            }

    def _known(self, name: str, documents: Documents[Any], read: Callable[[], Any]) -> Any:
        """Return what `read` returns, again only after the table has changed."""
        with self._platform.read() as tx:
            version = self._platform.database.version(tx, documents.topic)
        found = self._read.get(name)
        if found is None or found[0] != version:
            found = self._read[name] = version, read()
        return found[1]

    def _rows(self, tx: Transaction, documents: Documents[Any], columns: Sequence[Any], *where: Any) -> Rows:
        """Return columns of the rows that the person may see."""

        def read() -> Rows:
            mine = documents.rule.clause(self._caller, documents.c)
            return [tuple(each) for each in tx.run(sa.select(*columns).where(mine, *where))]

        return self._known(" ".join(each.name for each in (*columns, documents.table)), documents, read)

    def _queues(self, tx: Transaction, now: int) -> Iterator[Thing]:
        rows = self._rows(tx, CALLS, (CALLS.c.target, CALLS.c.date), CALLS.c.state == "queued")
        for queue, since in self._known("first", CALLS, lambda: _first(rows)).items():
            for subject, limit in (("soon", 45_000), ("wait", _MINUTE), ("long wait", 2 * _MINUTE)):
                if now - since >= limit:
                    yield subject, queue

    def _ended_calls(self, tx: Transaction, now: int) -> Iterator[Thing]:
        columns = [CALLS.c.state, CALLS.c.target, CALLS.c.to]
        ended = self._rows(tx, CALLS, columns, CALLS.c.state.in_((*_NEVER_ANSWERED, "servererror")))
        lately = [(state, queue) for state, queue, at in ended if at is not None and at > now - 5 * _MINUTE]
        if sum(state == "servererror" for state, _ in lately) >= 3:
            yield "server errors", ""
        gone = Counter(queue for state, queue in lately if state in _NEVER_ANSWERED and queue)
        for queue, many in gone.items():
            if many >= 5:
                yield "abandoned", queue

    def _alerts(self, tx: Transaction, now: int) -> Iterator[Thing]:
        columns = [ALERTS.c.key, ALERTS.c.state, ALERTS.c.sent, ALERTS.c.resolved]
        for key, state, sent, resolved in self._rows(tx, ALERTS, columns):
            if state == "active":
                yield "alert", key
            elif state == "accepted" and resolved - sent > 5 * _MINUTE and resolved > now - 15 * _MINUTE:
                yield "late alert", key

    def _chats(self, tx: Transaction, now: int) -> Iterator[Thing]:
        for (key,) in self._rows(tx, NOTIFICATIONS, [NOTIFICATIONS.c.subject], NOTIFICATIONS.c.kind == "chat"):
            yield "offered chat", key
        me = self._caller.id
        agent = self._known("me", AGENTS, lambda: AGENTS.get(tx, me))
        since = {each.chat_id: float(each.timestamp or 0) for each in agent.channels.chat} if agent else {}
        for (key,) in self._rows(tx, CHATS, [CHATS.c.key], CHATS.c.agent == me):
            yield "own chat", key
            lasted = now - since.get(key, now)
            for subject, limit in (("chat", 10 * _MINUTE), ("long chat", 30 * _MINUTE)):
                if lasted > limit:
                    yield subject, key

    def _skills(self, tx: Transaction) -> Iterator[Thing]:
        there = self._known("there", AGENTS, lambda: {each.id for each in AGENTS.records(tx) if _can_work(each)})
        for skill in self._known("skills", SKILLS, lambda: SKILLS.records(tx)):
            many = len(there.intersection(skill.agents))
            if many <= 1:
                yield "staffing", skill.skill
            if not many:
                yield "nobody", skill.skill

    def _others(self, tx: Transaction, now: int) -> Iterator[Thing]:
        if any(at >= now - 15 * _MINUTE for (at,) in self._rows(tx, ALARMS, [ALARMS.c.raised])):
            yield "quality", ""
        rooms = self._rows(tx, CONFERENCES, [CONFERENCES.c.key, CONFERENCES.c.created], CONFERENCES.c.state == "active")
        for key, created in rooms:
            if now - created > 240 * _MINUTE:
                yield "conference", key


def _first(waiting: Rows) -> dict[str, int]:
    """Return since when the first caller of each queue waits."""
    found: dict[str, int] = {}
    for queue, since in waiting:
        found[queue or ""] = min(since, found.get(queue or "", since))
    return found


def _can_work(agent: Agent) -> bool:
    return bool(agent.online) and agent.activity not in {"away", "offline"}


# -- what an episode says ----------------------------------------------------------------------------------------------

_SUBJECTS: Mapping[str, tuple[str, str]] = {
    "chat-offered": ("offered chat", ""),
    "alert-offered": ("alert", ""),
    "alert": ("alert", ""),
    "own-chat-new": ("own chat", ""),
    "own-chat-waiting": ("chat", "long chat"),
    "wait": ("wait", "long wait"),
    "breach": ("soon", ""),
    "abandoned": ("abandoned", ""),
    "server-errors": ("server errors", ""),
    "conference-open": ("conference", ""),
    "alert-accepted-late": ("late alert", ""),
    "understaffed": ("staffing", "nobody"),
    "quality": ("quality", ""),
    "link-lost": ("link", ""),
    "service-restarted": ("restart", ""),
}
"""The subject of each rule, and the one that its critical episodes are also about."""
_BY_QUEUE = {"wait", "breach", "abandoned"}
_WHOLE = {"server-errors", "quality", "link-lost", "service-restarted"}


def rule_about(thing: Thing) -> str:
    """Return the rule that tells of a thing."""
    return next(rule for rule, subjects in _SUBJECTS.items() if thing[0] in subjects)


def told_by(episode: Episode) -> set[Thing]:
    """Return what a person takes an episode to be about."""
    rule = episode.rule or ""
    subject, worse = _SUBJECTS[rule]
    if rule in _WHOLE:
        abouts = {""}
    elif rule in _BY_QUEUE:
        abouts = {episode.about or ""}
    else:
        abouts = {*episode.keys}
    found = {(subject, each) for each in abouts}
    if worse and episode.severity == "critical":
        found |= {(worse, each) for each in abouts}
    return found
