"""Generate users with their contacts and phonebooks, presence, agents, skills, groups and alert templates."""

from __future__ import annotations

from random import Random

from console.records.contacts import (
    Contact,
    ContactEntry,
    ContactParticipant,
    ContactPhone,
    StaticContact,
    UserContact,
)
from console.records.people import AGENT_CAPABILITY, Group, RingingStrategy, Session, SessionContext, User
from console.records.phonebooks import Phonebook, PhonebookContact
from console.records.support import Agent, AgentChannels, AlertTemplate, Presence, Skill
from console.service.domain.address_books import STATIC_CONTACTS, USER_CONTACTS
from console.service.domain.contacts import CONTACTS, DEVICE, GROUP, LOCAL
from console.service.domain.people import reference
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, PLAIN, SEEDED_AGENTS, Draft, SeededTemplate
from console.service.store.transaction import Transaction

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
        domain = draft.spec.domain if index < len(LOGINS) + plan.agents else _domain_of(draft, places)
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


def _domain_of(draft: Draft, rng: Random) -> str:
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


def draw_contacts(draft: Draft) -> None:
    """Generate contacts and phonebooks."""
    _static_contacts(draft)
    for login in LOGINS:
        _user_contacts(draft, login)
        _contacts(draft, login)
    _cloud_contacts(draft)
    _phonebooks(draft)


def store_contacts(tx: Transaction, draft: Draft) -> None:
    """Store contacts and phonebooks."""
    contacts = draft.contacts.values()
    CONTACTS.load(tx, [contact for contact in contacts if contact.user], domain=None)
    CONTACTS.load(tx, [contact for contact in contacts if not contact.user], domain=draft.spec.domain)
    USER_CONTACTS.load(tx, draft.user_contacts.values())
    STATIC_CONTACTS.load(tx, draft.static_contacts.values())
    PHONEBOOKS.load(tx, draft.phonebooks.values())


def _entry(value: str, *, home: bool = False, primary: bool = False) -> ContactEntry:
    return ContactEntry(type="home" if home else "work", value=value, primary=primary)


def _slug(text: str) -> str:
    return names.username(text.replace(" ", ""), "x").removesuffix(".x")


def _static_contacts(draft: Draft) -> None:
    """Generate internal services, then companies; some have an associated user."""
    rng = draft.dice("static contacts")
    for index in range(draft.spec.contacts.static):
        house = index < len(names.SERVICES)
        name = names.SERVICES[index] if house else f"{rng.choice(names.COMPANIES)} {rng.choice(names.PLACES)}"
        mobile = (_entry(names.mobile(rng)),) if index % 4 == 0 else ()
        contact = StaticContact(
            id=f"{_slug(name)}-{index + 1}",
            name=name,
            phones=(_entry(names.landline(rng), primary=True), *mobile),
            emails=(_entry(f"{_slug(name)}@{draft.spec.domain}"),) if house else (),
            associated_user_id=rng.choice(list(draft.users)) if house and index % 3 == 0 else None,
            domain=draft.spec.domain,
        )
        draft.static_contacts[contact.key] = contact


def _user_contacts(draft: Draft, login: str) -> None:
    rng = draft.dice(f"user contacts of {login}")
    for index in range(draft.spec.contacts.personal):
        first, last = names.full_name(rng)
        colleague = rng.choice([user for user in draft.users if user != login]) if rng.random() < 0.2 else None
        contact = UserContact(
            id=f"{login}-{index + 1}",
            owner=login,
            name=(draft.users[colleague].alias if colleague else None) or f"{first} {last}",
            phones=(_entry(names.mobile(rng), home=True, primary=True),),
            emails=(_entry(f"{names.username(first, last)}@{rng.choice(names.COMPANY_DOMAINS)}"),),
            favorite=rng.random() < 0.25,
            associated_user_id=colleague,
        )
        draft.user_contacts[contact.key] = contact


def _contacts(draft: Draft, login: str) -> None:
    """Generate the contacts of an account in backends: its own, its telephone's, and one group."""
    rng = draft.dice(f"contacts of {login}")
    count = draft.spec.contacts.personal
    for index in range(count):
        first, last = names.full_name(rng)
        of_device = index % 2 == 1
        _add(
            draft,
            Contact(
                id=f"contact-{login}-{index + 1}",
                source=DEVICE if of_device else LOCAL,
                user=login,
                name=f"{first} {last}",
                favorite=rng.random() < 0.2,
                phones=(ContactPhone(name="mobile", address=names.mobile(rng)),),
                emails=({"name": "work", "address": f"{names.username(first, last)}@{draft.spec.domain}"},),
                device_id=f"phone-{login}" if of_device else None,
                contact_device_id=str(index) if of_device else None,
            ),
        )
    if count:
        members = rng.sample(list(draft.users), min(len(draft.users), 4))
        people = tuple(
            ContactParticipant(name=draft.users[member].alias, address=f"svc-user:{member}") for member in members
        )
        name = f"Around {rng.choice(names.PLACES)}"
        _add(draft, Contact(id=f"contact-{login}-g", source=GROUP, user=login, name=name, participants=people))


def _cloud_contacts(draft: Draft) -> None:
    """Generate the cloud contacts of the whole domain, half as many as static contacts."""
    rng = draft.dice("cloud contacts")
    for index in range(draft.spec.contacts.static // 2):
        company = rng.choice(names.COMPANIES)
        first, last = names.full_name(rng)
        _add(
            draft,
            Contact(
                id=f"cloud-{index + 1}",
                source="cloudOrgContacts",
                name=f"{first} {last} ({company})",
                phones=(ContactPhone(name="work", address=names.landline(rng)),),
                contact_device_id=f"cloud-{index + 1}",
            ),
        )


def _add(draft: Draft, contact: Contact) -> None:
    draft.contacts[contact.id] = contact


def _phonebooks(draft: Draft) -> None:
    rng = draft.dice("phonebooks")
    for index in range(draft.spec.contacts.phonebooks):
        subject = names.PHONEBOOKS[index % len(names.PHONEBOOKS)]
        place = names.PLACES[(index * 3) % len(names.PLACES)]
        contacts = tuple(_listed(draft, rng, place, index, number) for number in range(rng.randint(3, 14)))
        readers = rng.sample(list(draft.users), min(len(draft.users), rng.randint(2, 12)))
        key = f"phonebook-{index + 1}"
        draft.phonebooks[key] = Phonebook(
            id=key,
            name=f"{subject} {place}",
            contacts=contacts,
            subscribers=tuple(dict.fromkeys((LOGINS[index % len(LOGINS)], *readers))),
        )


def _listed(draft: Draft, rng: Random, place: str, book: int, number: int) -> PhonebookContact:
    """Generate an entry of a phonebook: mostly a company of the place, sometimes a user."""
    key = f"entry-{book + 1}-{number + 1}"
    if rng.random() < 0.15:
        user = draft.users[rng.choice(list(draft.users))]
        return PhonebookContact(id=key, name=user.alias, address=user.address)
    return PhonebookContact(id=key, name=f"{rng.choice(names.COMPANIES)} {place}", address=names.landline(rng))
