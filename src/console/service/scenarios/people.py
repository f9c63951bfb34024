"""Generate users, presence, agents, skills, groups and alert templates."""

from __future__ import annotations

from random import Random

from console.records.people import AGENT_CAPABILITY, Group, RingingStrategy, Session, SessionContext, User
from console.records.support import Agent, AgentChannels, AlertTemplate, Presence, Skill
from console.service.domain.people import reference
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, PLAIN, SEEDED_AGENTS, Draft, SeededTemplate

_SEEDED_NAMES = {
    "eva": "Eva Salazar",
    "ana": "Ana Belmonte",
    "bob": "Bob Whitaker",
    "carla": "Carla Figueiredo",
    "pat": "Pat Llorente",
}
_DAY = 86_400


def draw_people(draft: Draft) -> None:
    """Generate users, agents with skills, presence, groups and alert templates."""
    _users(draft)
    _agents(draft)
    _presences(draft)
    _sessions(draft)
    _skills(draft)
    _groups(draft)
    _templates(draft)


def _users(draft: Draft) -> None:
    rng, places = draft.dice("users"), draft.dice("domains")
    plan = draft.spec.people
    taken: dict[str, int] = {}
    for index in range(plan.users):
        if index < len(LOGINS):
            name = LOGINS[index]
            user_id, alias = name, _SEEDED_NAMES[name]
        else:
            first, last = names.full_name(rng)
            user_id, alias, name = f"u{1000 + index}", f"{first} {last}", names.username(first, last)
            taken[name] = taken.get(name, 0) + 1
            name = name if taken[name] == 1 else f"{name}{taken[name]}"
        domain = draft.spec.domain if index < len(LOGINS) + plan.agents else _domain(draft, places)
        is_agent = user_id in SEEDED_AGENTS or len(LOGINS) <= index < len(LOGINS) + plan.agents - len(SEEDED_AGENTS)
        draft.users[user_id] = User(
            id=user_id,
            username=name,
            domain=domain,
            role="admin" if user_id == ADMIN else "user",
            email=f"{name}@{domain}",
            created=draft.ago(_DAY * rng.uniform(20, 900)),
            last_login=draft.ago(rng.uniform(60, 8 * 3600)) if index >= len(LOGINS) else None,
            capabilities=(AGENT_CAPABILITY,) if is_agent else (),
            mobile_phone=(names.mobile(rng),),
            land_line_number=names.landline(rng),
            alias=alias,
            current_timezone="Europe/Madrid",
            locale="es-ES",
        )


def _domain(draft: Draft, rng: Random) -> str:
    """Return a random domain for a user who is not an agent: mostly the scenario's own."""
    plans = draft.spec.domains
    rest = max(0.0, 1 - sum(plan.share for plan in plans))
    return rng.choices([draft.spec.domain, *(plan.domain for plan in plans)], [rest, *(plan.share for plan in plans)])[
        0
    ]


def _agents(draft: Draft) -> None:
    for user in draft.users.values():
        if AGENT_CAPABILITY in user.capabilities:
            draft.agents[user.id] = Agent(
                id=user.id, display_name=user.alias, activity="offline", online=False, channels=AgentChannels()
            )


def _presences(draft: Draft) -> None:
    rng = draft.dice("presences")
    for user in draft.users.values():
        share = draft.spec.people.online
        online = rng.random() < (min(1.0, share * 1.25) if user.id in draft.agents else share)
        if user.id in SEEDED_AGENTS and share:
            online = True
        activity = "offline"
        if online:
            activity = rng.choices(("available", "busy", "away", "dnd"), (70, 12, 13, 5))[0]
            if user.id in SEEDED_AGENTS:
                activity = "available"
        draft.presences[user.address] = Presence(
            id=user.id,
            address=user.address,
            online=online,
            activity=activity,
            note=rng.choice(names.NOTES) if online and rng.random() < 0.15 else None,
            display_name=user.alias,
            username=user.username,
            domain=user.domain,
            role=user.role,
        )
        if user.id in draft.agents:
            draft.agents[user.id] = draft.agents[user.id].model_copy(update={"online": online, "activity": activity})
    admin = draft.presences[draft.users[ADMIN].address]
    if draft.spec.people.online and not admin.online:
        # The person who watches is there. Set without dice: all other draws stay what they were.
        draft.presences[draft.users[ADMIN].address] = admin.model_copy(update={"online": True, "activity": "available"})
    everybody = list(draft.presences)
    for login in LOGINS:
        others = [value for value in everybody if value != draft.users[login].address]
        wanted = min(len(others), 200 if login == ADMIN else 30)
        colleagues = [draft.users[each].address for each in LOGINS if each != login]
        drawn = rng.sample(others, wanted)
        draft.followed[login] = tuple(dict.fromkeys([draft.users[login].address, *colleagues, *drawn]))


def _sessions(draft: Draft) -> None:
    rng = draft.dice("sessions")
    for presence in draft.presences.values():
        user = draft.users[presence.id or ""]
        if presence.online and user.id not in LOGINS:
            began = draft.ago(rng.uniform(60, 5 * 3600))
            source = rng.choice(("web", "desktop", "mobile", "deskphone"))
            session = Session(
                id=f"s-{user.id}",
                user=user.id,
                user_obj=reference(user),
                domain=user.domain,
                expires=draft.now_ms + 12 * 3600 * 1000,
                context=SessionContext(src=source, language="es"),
            )
            draft.sessions[user.id] = session.model_copy(update={"from_": began})


def _skills(draft: Draft) -> None:
    rng = draft.dice("skills")
    pool = [agent for agent in draft.agents if agent not in SEEDED_AGENTS]
    for index, plan in enumerate(draft.spec.skills):
        seeded = [
            agent for place, agent in enumerate(SEEDED_AGENTS) if index % len(SEEDED_AGENTS) == place or index == 1
        ]
        chosen = seeded[: plan.agents]
        chosen += rng.sample(pool, min(len(pool), plan.agents - len(chosen)))
        draft.skills[plan.skill] = Skill(skill=plan.skill, agents=tuple(chosen))


def _groups(draft: Draft) -> None:
    rng = draft.dice("groups")
    plan = draft.spec.groups
    everybody = list(draft.users)
    for index in range(plan.count):
        team = names.TEAMS[index % len(names.TEAMS)]
        place = names.PLACES[(index * 7) % len(names.PLACES)]
        owner = ADMIN if index % max(1, plan.count // max(1, plan.owned_by_eva)) == 0 else _owner(rng, everybody)
        if sum(1 for group in draft.groups.values() if group.owner and group.owner.id == ADMIN) >= plan.owned_by_eva:
            owner = _owner(rng, everybody)
        members = rng.sample(everybody, min(len(everybody), rng.randint(2, 14)))
        if index % 3 == 0:
            members = list(dict.fromkeys([rng.choice(LOGINS), *members]))
        group_id = f"{team}-{place}-{index + 1}".lower().replace(" ", "-")
        draft.groups[group_id] = Group(
            id=f"g{100 + index}",
            name=f"{team} {place}",
            group_id=group_id,
            participants=tuple(members),
            owner=reference(draft.users[owner]),
            chat_id=f"room-{group_id}",
            ringing_strategy=RingingStrategy(type="simultaneous"),
        )


def _owner(rng: Random, everybody: list[str]) -> str:
    owner = rng.choice(everybody)
    while owner == ADMIN:
        owner = rng.choice([PLAIN, *SEEDED_AGENTS, rng.choice(everybody)])
    return owner


def _templates(draft: Draft) -> None:
    for plan in draft.spec.templates:
        record = AlertTemplate(
            template_id=plan.id,
            title=plan.title,
            payload=plan.payload,
            number_of_retries=plan.retries,
            time_in_ms_between_retries=plan.every_ms,
            time_to_expire=plan.expires_ms,
        )
        draft.templates[plan.id] = SeededTemplate(
            record, tuple(receiver for receiver in plan.receivers if receiver in draft.users)
        )
