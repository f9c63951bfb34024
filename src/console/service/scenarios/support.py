"""Generate conferences, support chats, alerts and call alarms."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from random import Random
from typing import Any

from console.records.people import User
from console.records.support import AgentChat, Alert, ChatParticipant, SupportChat
from console.records.traffic import CallAlarm, CallStatistic, Conference
from console.service.domain.agents import MOST_CHATS
from console.service.domain.alerts import RetryPlan, as_of
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, SEEDED_AGENTS, Draft, SeededAlert, SeededTemplate

_FAILURES = ((486, "failed"), (408, "failed"), (480, "failed"), (603, "rejected"))
CODECS = ("opus", "PCMA", "G722")


def draw_support(draft: Draft) -> None:
    """Generate conferences, chats, alerts and alarms."""
    _conferences(draft)
    _chats(draft)
    _alerts(draft)
    _alarms(draft)


def _conferences(draft: Draft) -> None:
    rng = draft.dice("conferences")
    plan = draft.spec.conferences
    everybody = list(draft.users)
    for index in range(plan.listed):
        active = index < plan.active
        people = rng.sample(everybody, min(len(everybody), rng.randint(3, 8)))
        if index % 4 == 0:
            people = list(dict.fromkeys([rng.choice(SEEDED_AGENTS), *people]))
        began = draft.ago(rng.uniform(120, 2400) if active else rng.uniform(3600, 20 * 3600))
        ended = None if active else began + round(rng.uniform(240, 3000)) * 1000
        draft.conferences[f"conf-{index + 1}"] = _conference(draft, rng, f"conf-{index + 1}", people, began, ended)


def _conference(draft: Draft, rng: Random, key: str, people: list[str], began: int, ended: int | None) -> Conference:
    host, guests = people[0], people[1:]
    until = draft.now_ms if ended is None else ended
    video = rng.random() < 0.4
    participants: list[dict[str, Any]] = [_stay(draft, host, began, ended)]
    invites: list[dict[str, Any]] = []
    for place, guest in enumerate(guests):
        address = f"svc-user:{guest}"
        joined = place == 0 or rng.random() < 0.65
        pending = not joined and ended is None and rng.random() < 0.4
        failure, state = (None, "accepted") if joined else rng.choice(_FAILURES)
        candidates: list[dict[str, Any]] = [{"address": address}]
        if not pending:
            candidates[0]["endReason"] = failure or 200
        if place % 3 == 2:
            other = {"address": draft.users[guest].mobile_phone[0], "endReason": 487 if joined else 408}
            candidates.append(other if not pending else {"address": other["address"]})
        invite: dict[str, Any] = {
            "from": f"svc-user:{host}",
            "to": address,
            "state": "pending" if pending else state,
            "group": place % 5 == 4,
            "inviteRequest": False,
            "mediatypes": {"audio": True, "video": video},
            "candidates": candidates,
        }
        if failure is not None and not pending:
            invite["error"] = failure
        invites.append(invite)
        if joined:
            came = began + round((until - began) * rng.uniform(0.01, 0.4))
            left = ended if rng.random() < 0.7 else came + round((until - came) * rng.uniform(0.3, 0.95))
            participants.append(_stay(draft, guest, came, left))
    transfers: list[dict[str, Any]] = []
    if rng.random() < 0.25 and len(guests) > 1:
        transfers.append(
            {
                "from": f"svc-user:{guests[0]}",
                "to": f"svc-user:{guests[1]}",
                "state": "accepted" if ended else "pending",
                "roomId": f"{key}-b",
                "idInvite": f"{key}-i{len(guests)}",
            }
        )
    return Conference.model_validate(
        {
            "id": key,
            "roomId": f"room-{key}",
            "state": "active" if ended is None else "finished",
            "createdAt": began,
            "finishedAt": ended,
            "participants": participants,
            "invites": invites,
            "transfers": transfers,
            "domains": [draft.spec.domain],
        }
    )


def _stay(draft: Draft, user_id: str, came: int, left: int | None) -> dict[str, Any]:
    stay: dict[str, Any] = {"address": f"svc-user:{user_id}", "createdAt": came}
    if left is not None:
        stay["finishedAt"] = left
    if user_id in draft.sessions:
        stay["sessionId"] = draft.sessions[user_id].id
    return stay


def _chats(draft: Draft) -> None:
    rng = draft.dice("chats")
    plan = draft.spec.chats
    holders = [name for name, number in plan.held.items() for _ in range(number) if name in draft.agents]
    crowd = [user for user in draft.users if user not in draft.agents and user != ADMIN]
    customers = rng.sample(crowd, min(len(crowd), plan.open))
    for number, (customer, holder) in enumerate(zip(customers, _holders(draft, holders), strict=False), 1):
        key = f"chat-{number}"
        began = draft.ago(rng.uniform(20, plan.minutes * 60 * 1.5))
        known = [skill.skill for skill in draft.skills.values() if holder in skill.agents]
        context = {"subject": rng.choice(names.SUBJECTS), "language": rng.choice(("es", "es", "es", "pt", "en"))}
        if known:
            context["skill"] = rng.choice(known)
        draft.chats[key] = SupportChat(
            chat_id=key,
            chat_room_jid=f"{key}@rooms.{draft.spec.domain}",
            agent=_participant(draft.users[holder]),
            participants=(_participant(draft.users[customer]),),
            context=context,
        )
        agent = draft.agents[holder]
        item = AgentChat(chat_id=key, timestamp=began, users=(f"svc-user:{customer}",))
        channels = agent.channels.model_copy(update={"chat": (*agent.channels.chat, item)})
        draft.agents[holder] = agent.model_copy(update={"channels": channels})


def _holders(draft: Draft, first: list[str]) -> Iterator[str]:
    """Yield the agents of new chats: first these, then always the one with the fewest, until all are at the limit."""
    yield from first
    free = [
        (len(agent.channels.chat), agent.id)
        for agent in draft.agents.values()
        if agent.online and agent.id not in SEEDED_AGENTS and len(agent.channels.chat) < MOST_CHATS
    ]
    heapify(free)
    while free:
        chats, agent_id = heappop(free)
        yield agent_id
        if chats + 1 < MOST_CHATS:
            heappush(free, (chats + 1, agent_id))


def _participant(user: User) -> ChatParticipant:
    return ChatParticipant(id=user.id, username=user.username, domain=user.domain)


def _alerts(draft: Draft) -> None:
    rng = draft.dice("alerts")
    plan = draft.spec.alerts
    if not draft.templates:
        return
    states = ["active"] * plan.active + ["accepted"] * plan.accepted
    states += ["expired"] * plan.expired + ["canceled"] * plan.canceled
    chosen = list(draft.templates.values())
    for number, state in enumerate(states, 1):
        fitting = [
            seeded_template
            for seeded_template in chosen
            if state != "expired" or seeded_template.record.time_to_expire is not None
        ]
        for_eva = [seeded_template for seeded_template in fitting if ADMIN in seeded_template.receivers]
        by_eva = number % 2 == 0
        template = rng.choice(fitting if by_eva or not for_eva else for_eva)
        sender = ADMIN if by_eva else rng.choice([login for login in LOGINS if login != ADMIN])
        draft.alerts[f"alert-{number}"] = _alert(draft, rng, f"alert-{number}", template, sender, state)


def _alert(
    draft: Draft, rng: Random, key: str, template: SeededTemplate, sender: str, state: str
) -> SeededAlert:  # fmt: skip
    plan = RetryPlan.of(template.record)
    life = plan.retries * plan.every + (plan.expires or 3_600_000)
    if state == "active":
        sent = draft.now_ms - round(life * rng.uniform(0.02, 0.6))
    else:
        sent = draft.now_ms - life - round(rng.uniform(1, 6 * 3600)) * 1000
    wire: dict[str, Any] = {
        "alertId": key,
        "from": sender,
        "title": template.record.title,
        "payload": template.record.payload,
        "createdAt": sent,
        "state": "active",
        "templateId": template.record.template_id,
    }
    if state in {"accepted", "canceled"}:
        resolved = sent + round(life * rng.uniform(0.02, 0.5))
        wire |= {"state": state, "resolvedAt": resolved, "retriesLeft": plan.retries // 2}
        if state == "accepted":
            wire["acceptedBy"] = rng.choice(template.receivers)
    alert = as_of(Alert.model_validate(wire), plan, draft.now_ms)
    return SeededAlert(alert, template.receivers, plan.retries, plan.every, plan.expires)


def _alarms(draft: Draft) -> None:
    rng = draft.dice("alarms")
    calls = [each for each in draft.calls.values() if each.state == "connected"]
    calls += [each for each in draft.calls.values() if each.state == "ended"]
    for number, call in enumerate(calls[: draft.spec.quality.alarms], 1):
        share = rng.choice((0.06, 0.08, 0.12, 0.2))
        streams = counters(rng, share)
        at = int(call.to or draft.ago(rng.uniform(0, 30)))
        draft.statistics[call.id] = CallStatistic.model_validate(
            {
                "domain": draft.spec.domain,
                "user": call.users[0] if call.users else "",
                "service": "call",
                "type": "call-brief",
                "timestamp": at,
                "ts": at,
                "payload": {"ssrc": streams},
            }
        )
        draft.alarms[f"alarm-{number}"] = CallAlarm.model_validate(
            {
                "id": f"alarm-{number}",
                "domain": draft.spec.domain,
                "urgency": "critical" if share > 0.15 else "major" if share > 0.1 else "minor",
                "type": "call",
                "timestamp": at,
                "payload": {
                    "callid": call.id,
                    "value": {"ssrc": streams},
                    "alarm": {
                        "id": "packet-loss",
                        "section": "ssrc",
                        "value": "packetsLost",
                        "cond": ">",
                        "threshold": 0.05,
                        "relative": True,
                    },
                },
            }
        )


def counters(rng: Random, loss: float) -> list[dict[str, Any]]:
    """Return random statistics of a call's two streams; the received one lost the given share of its packets."""
    sent = rng.randint(1500, 18_000)
    lost = round(sent * loss)
    codec = rng.choice(CODECS)
    return [
        {
            "id": str(rng.getrandbits(31)),
            "packetsSent": sent,
            "packetsReceived": 0,
            "packetsLost": 0,
            "bytesSent": sent * 160,
            "bytesReceived": 0,
            "CodecName": codec,
        },
        {
            "id": str(rng.getrandbits(31)),
            "packetsSent": 0,
            "packetsReceived": sent - lost,
            "packetsLost": lost,
            "bytesSent": 0,
            "bytesReceived": (sent - lost) * 160,
            "CodecName": codec,
        },
    ]
