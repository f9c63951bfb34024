"""Generate contacts of all kinds, and phonebooks."""

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
from console.records.phonebooks import Phonebook, PhonebookContact
from console.service.domain.contacts import CONTACTS, DEVICE, GROUP, LOCAL
from console.service.domain.kept_contacts import STATIC_CONTACTS, USER_CONTACTS
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.scenarios import names
from console.service.scenarios.draft import LOGINS, Draft
from console.service.store.transaction import Transaction


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
    """Generate the contacts of an account in backends: its own, those of its telephone, and one group."""
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
