"""How busy a world was, estimated from its records, so that the simulation goes on in the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.frozen import replace
from console.service.domain import domains
from console.service.domain.calls import LIVE
from console.service.world.draft import Draft
from console.service.world.spec import (
    Alerts,
    Calls,
    Chats,
    Conferences,
    DomainPlan,
    Quality,
    SkillPlan,
    WorldSpec,
)

_QUARTER = 15 * 60
_HOUR = 3600
_CHAT_MINUTES = Chats().minutes
_STAYS_PER_HOUR = 4
"""The simulation lets people stay in a conference for a quarter of an hour."""


def estimated(draft: Draft) -> WorldSpec:
    """Return the plan of a draft's records: their numbers, the rates of the last minutes, the queues."""
    calls = draft.calls.values()
    live = [each for each in calls if each.state in LIVE]
    begun = [each.date for each in calls]
    failed = sum(each.state == "servererror" for each in calls)
    queued = sum(each.target is not None for each in calls)
    active = sum(each.state == "active" for each in draft.conferences.values())
    opened = [each.created_at for each in draft.conferences.values()]
    return replace(
        draft.spec,
        calls=Calls(
            listed=len(calls),
            live=len(live),
            queued=sum(each.state == "queued" for each in live),
            failing=failed / max(1, len(calls)),
            per_minute=_since(draft, begun, _QUARTER) / 15,
            through_queues=queued / max(1, len(calls)),
        ),
        conferences=Conferences(
            listed=len(draft.conferences),
            active=active,
            per_hour=max(_since(draft, opened, _HOUR), active * _STAYS_PER_HOUR),
        ),
        # Only open chats are listed; as many begin as end.
        chats=Chats(open=len(draft.chats), per_hour=len(draft.chats) * 60 / _CHAT_MINUTES),
        alerts=Alerts(per_hour=_since(draft, [each.record.created_at for each in draft.alerts.values()], _HOUR)),
        quality=Quality(
            alarms=len(draft.alarms),
            per_hour=_since(draft, [each.timestamp for each in draft.alarms.values()], _HOUR),
        ),
        skills=tuple(_queues(draft)),
        domains=tuple(_domains(draft)),
    )


def _since(draft: Draft, times: Iterable[float | None], seconds: float) -> int:
    return sum(draft.ago(seconds) <= each <= draft.now_ms for each in times if each is not None)


def _queues(draft: Draft) -> Iterable[SkillPlan]:
    """Yield the skills with the telephone number by which most calls came."""
    dialled: dict[str, Counter[str]] = {}
    for call in draft.calls.values():
        number = (call.data or {}).get("number") or (call.callee if call.state == "queued" else None)
        if call.target and isinstance(number, str):
            dialled.setdefault(call.target, Counter())[number] += 1
    for skill in draft.skills.values():
        numbers = dialled.get(skill.skill)
        number = numbers.most_common(1)[0][0] if numbers else None
        yield SkillPlan(skill=skill.skill, agents=len(skill.agents), number=number)


def _domains(draft: Draft) -> Iterable[DomainPlan]:
    """Yield the domains of users below the usual one; names that no domain can have are those of no domain."""
    for domain in dict.fromkeys(each.domain for each in draft.users.values()):
        if domain and domain != draft.spec.domain and domains.is_name(domain):
            yield DomainPlan(domain=domain)
