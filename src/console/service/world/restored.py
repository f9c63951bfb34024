"""Load the lists of a recording into an empty platform, so that the service goes on from there.

What lists do not show is filled in: users who are known only as agents or by their presence, receivers of alerts, and
an administrator who can log in. `restore` tells in words what cannot be known.
"""

from __future__ import annotations

import itertools
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from console.frozen import replace
from console.records.meetings import MissedCall
from console.records.notifications import Notification
from console.records.people import AGENT_CAPABILITY, Group, Session, User
from console.records.support import Agent, Alert, AlertTemplate, Presence, Skill, SupportChat
from console.records.traffic import Call, CallAlarm, Conference
from console.service.database import Transaction
from console.service.domain import alerts
from console.service.domain import domains as domain_names
from console.service.domain.chats import participant
from console.service.domain.identities import identities
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.domain.notifications import NOTIFICATIONS
from console.service.domain.people import USERS
from console.service.domain.presence import of_user
from console.service.domain.relations import user_id_of
from console.service.domain.status import STATUS, summary
from console.service.platform import Platform
from console.service.world.draft import ADMIN, PASSWORD, Draft, SeededAlert, SeededTemplate
from console.service.world.fill import store_desk, store_people, store_traffic
from console.service.world.rates import estimated
from console.service.world.spec import WorldSpec, fault
from console.service.world.stand import Rows, Stand

RESTORED = (
    "users", "presence", "agents", "skills", "groups", "sessions", "calls", "conferences", "alarms", "chats", "alerts",
    "templates", "notifications", "missed-calls",
)  # fmt: skip
"""The lists that are restored."""
_NEVER = "messages of chats, meetings, contacts, phonebooks, settings, credentials and files are in no recording"
_NAMESPACE = uuid.UUID("0d0b1a53-7d3c-4d43-8f3e-3c1f9b7a6c11")
_MARKS = ("nextRetryAt", "expiresAt", "retriesLeft")
"""Additional fields of alerts, all whole numbers."""


def restore(platform: Platform, stand: Stand) -> tuple[WorldSpec, tuple[str, ...]]:
    """Load the lists of a recording into a platform. Return the plan of their simulation, and what to know of them.

    Raise ConfigFault if the platform has users already.
    """
    with platform.read() as tx:
        if USERS.count(tx):
            raise fault("the database has a world already; name a new file, or none")
    now_ms = platform.now_ms()
    rows = Rows(stand, now_ms)
    draft = Draft(WorldSpec(title="Recording"), now_ms)
    draft.calls = rows.read("calls", Call, **{"date": stand.at_ms, "from": stand.at_ms})
    draft.conferences = rows.read("conferences", Conference, createdAt=stand.at_ms)
    draft.alarms = rows.read("alarms", CallAlarm)
    draft.chats = rows.read("chats", SupportChat)
    draft.skills = rows.read("skills", Skill)
    draft.groups = _apart(rows.read("groups", Group), rows.left_out)
    draft.sessions = {
        # Its mask would be stored as if it were one.
        key: each.model_copy(update={"token": None})
        for key, each in rows.read("sessions", Session).items()
    }
    caller = rows.one(User, stand.caller) if stand.caller else None
    guessed = _people(draft, rows, caller)
    _chats(draft)
    admin, is_new = _administrator(draft, caller)
    logins = list(dict.fromkeys((admin.id, *((caller.id,) if caller else ()))))
    _followed(draft, logins)
    notes = rows.read("notifications", Notification)
    _alerts(draft, rows, logins, notes if "notifications" in stand.lists else None)
    missed = rows.read("missed-calls", MissedCall)
    draft.spec = estimated(draft)
    with platform.write() as tx:
        store_people(platform, tx, draft, logins)
        _identities(tx, draft.users.values())
        store_traffic(tx, draft)
        store_desk(tx, draft)
        for key, each in notes.items():
            if NOTIFICATIONS.row(tx, key) is None and caller is not None:
                NOTIFICATIONS.load(tx, [each], users=[caller.id])
        for number, each in enumerate(sorted(missed.values(), key=lambda each: each.created_at or 0), 1):
            MISSED_CALLS.load(tx, [each], number=number)
        STATUS.put(tx, summary(platform, tx))
    return draft.spec, (*_log_in(draft, logins, is_new), *_unknown(rows, guessed))


def _apart(groups: Mapping[str, Group], left_out: Counter[str]) -> dict[str, Group]:
    """Return groups with an id of their own each: one without an id gets its key."""
    found: dict[str, Group] = {}
    ids: set[str] = set()
    for key, each in groups.items():
        group = each if each.id else each.model_copy(update={"id": key})
        if group.id in ids:
            left_out["groups"] += 1
            continue
        ids.add(group.id or "")
        found[key] = group
    return found


def _people(draft: Draft, rows: Rows, caller: User | None) -> int:
    """Add users, agents and presence, and return the number of users that no list of users shows."""
    draft.users = rows.read("users", User)
    draft.agents = rows.read("agents", Agent)
    draft.presences = rows.read("presence", Presence)
    listed = len(draft.users)
    usual = _usual_domain(each.domain for each in (*draft.users.values(), *draft.presences.values()))
    if caller is not None:
        draft.users.setdefault(caller.id, caller)
    for presence in draft.presences.values():
        key = presence.id or user_id_of(presence.address)
        if key and key not in draft.users:
            draft.users[key] = User(
                id=key,
                username=presence.username or key,
                domain=presence.domain or usual,
                role=presence.role or "user",
                alias=presence.display_name,
                capabilities=(AGENT_CAPABILITY,) if key in draft.agents else (),
            )
    for agent in draft.agents.values():
        if agent.id not in draft.users:
            capabilities = (AGENT_CAPABILITY,)
            draft.users[agent.id] = User(
                id=agent.id, username=agent.id, domain=usual, role="user", alias=agent.display_name,
                capabilities=capabilities,
            )  # fmt: skip
        address = draft.users[agent.id].address
        if address not in draft.presences and "presence" not in rows.stand.lists:
            # The simulation lets only agents answer who are present.
            shown = {"online": bool(agent.online), "activity": agent.activity or "offline"}
            draft.presences[address] = of_user(draft.users[agent.id]).model_copy(update=shown)
    draft.spec = replace(draft.spec, domain=usual)
    return len(draft.users) - listed


def _chats(draft: Draft) -> None:
    """Add the chats of other people, of which agents show who is in them."""
    for agent in draft.agents.values():
        for item in agent.channels.chat:
            if item.chat_id and item.chat_id not in draft.chats:
                inside = [user_id_of(each) or each for each in item.users]
                draft.chats[item.chat_id] = SupportChat(
                    chat_id=item.chat_id,
                    chat_room_jid=f"{item.chat_id}@rooms.{draft.spec.domain}",
                    agent=participant(draft.users[agent.id]),
                    participants=tuple(participant(draft.users[each]) for each in inside if each in draft.users),
                )


def _usual_domain(domains: Iterable[str | None]) -> str:
    counted = Counter(each for each in domains if each and domain_names.is_name(each))
    return counted.most_common(1)[0][0] if counted else WorldSpec(title="").domain


def _administrator(draft: Draft, caller: User | None) -> tuple[User, bool]:
    """Return an administrator, the logged-in user if possible, and whether one had to be added."""
    known = [each for each in draft.users.values() if each.role == "admin"]
    for each in known:
        if caller is None or each.id == caller.id:
            return each, False
    if known:
        return known[0], False
    taken = {*draft.users, *(each.username for each in draft.users.values())}
    names = itertools.chain((ADMIN,), (f"{ADMIN}{number}" for number in itertools.count(2)))
    key = next(each for each in names if each not in taken)
    domain = draft.spec.domain
    made = User(id=key, username=key, domain=domain, role="admin", email=f"{key}@{domain}", created=draft.now_ms)
    draft.users[key] = made
    return made, True


def _followed(draft: Draft, logins: Iterable[str]) -> None:
    """Let those who log in follow all whose presence was listed."""
    for each in logins:
        draft.followed[each] = tuple(draft.presences)


def _alerts(draft: Draft, rows: Rows, logins: list[str], notes: Mapping[str, Notification] | None) -> None:
    """Add alerts and templates. Known are receivers who accepted, and what the logged-in user was told."""
    found = rows.read("alerts", Alert)
    told = None if notes is None else {each.subject for each in notes.values() if each.kind == alerts.NOTICE}
    receivers: dict[str, list[str]] = {}
    for alert in found.values():
        receiving = receivers.setdefault(str((alert.model_extra or {}).get("templateId")), [])
        receiving += [each for each in (alert.accepted_by,) if each in draft.users and each]
        if told is None or alert.alert_id in told or alert.state != "active":
            receiving += logins
    for key, template in rows.read("templates", AlertTemplate).items():
        draft.templates[key] = SeededTemplate(template, tuple(dict.fromkeys((*receivers.get(key, ()), *logins))))
    for key, alert in found.items():
        odd = {name for name in _MARKS if type((alert.model_extra or {}).get(name, 0)) is not int}
        kept = alert
        if odd:
            kept = Alert.model_validate({name: each for name, each in alert.wire().items() if name not in odd})
        plan = _plan(draft, kept)
        template = str((kept.model_extra or {}).get("templateId"))
        known = [*receivers.get(template, ())]
        if told is None or key in told:
            known += logins
        elif kept.state == "active":
            known = [each for each in known if each not in logins]
        draft.alerts[key] = SeededAlert(kept, tuple(dict.fromkeys(known)), plan.retries, plan.every, plan.expires)


def _plan(draft: Draft, alert: Alert) -> alerts.RetryPlan:
    """Return the retries and expiry of an alert: those of its template, unless its times say something else."""
    marks = alert.model_extra or {}
    template = draft.templates.get(str(marks.get("templateId")))
    if template is not None:
        plan = alerts.RetryPlan.of(template.record)
        if alerts.as_of(alert, plan, draft.now_ms) == alert:
            return plan
    left, sent = int(marks.get("retriesLeft", 0)), int(alert.created_at or 0)
    every = max(0, int(marks["nextRetryAt"]) - sent) if left and "nextRetryAt" in marks else 0
    retries = left if every else 0
    ends = marks.get("expiresAt")
    return alerts.RetryPlan(retries, every, None if ends is None else int(ends) - sent - retries * every)


def _identities(tx: Transaction, users: Iterable[User]) -> None:
    """Give every user an enabled identity."""
    rows: list[dict[str, Any]] = [
        {
            "id": str(uuid.uuid5(_NAMESPACE, user.id)),
            "user": user.id,
            "enabled": True,
            "temporary": False,
            "last_name": (user.alias or "").partition(" ")[2] or None,
            "email_verified": True,
        }
        for user in users
    ]
    tx.run(sa.insert(identities), rows)


def _log_in(draft: Draft, logins: Iterable[str], is_new: bool) -> Iterable[str]:
    for number, key in enumerate(logins):
        user = draft.users[key]
        added = " (added: the recording has no administrator)" if is_new and number == 0 else ""
        yield f"log in as {user.username or user.id} with the password {PASSWORD}{added}"


def _unknown(rows: Rows, guessed: int) -> Iterable[str]:
    """Return what cannot be restored, in words."""
    lists = rows.stand.lists
    missing = [each for each in RESTORED if each not in lists]
    if missing:
        yield f"not recorded: {', '.join(missing)}"
    if guessed:
        yield f"users known only by presence, as agents or as the logged-in one: {guessed}"
    if rows.left_out:
        counts = ", ".join(f"{name} {number}" for name, number in rows.left_out.items())
        yield f"left out, because the rows cannot be used: {counts}"
    others = {name: len(found) for name, found in lists.items() if name not in RESTORED and found}
    if others:
        yield f"not restored: {', '.join(f'{name} {number}' for name, number in others.items())}"
    yield _NEVER
