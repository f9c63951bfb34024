"""Actions on the contacts and subscribers of a phonebook, and their undo.

Contacts are typed or pasted line by line; contacts and users are picked by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.annotations import Variant
from console.api.operations.phonebooks import (
    AddPhonebookContact,
    AddSubscriber,
    RemovePhonebookContact,
    RemoveSubscriber,
)
from console.base.collation import collated
from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.csv_rows import csv_rows
from console.commands.inputs import many, text
from console.commands.lookup import find, lookup, person, user_name
from console.kinds.inverses import Inverse, Inverses, opposite, step_of
from console.live.command import Step
from console.records import state_words
from console.records.people import User
from console.records.phonebooks import NewPhonebookContact, Phonebook
from console.views.cell import Cell, Line, Tone

_TITLES = frozenset({"name", "contact", "address", "number", "phone"})
"""Column titles in the first line of a pasted table."""
_ADDRESS_TITLES = _TITLES - {"name", "contact"}


def _called(book: Phonebook) -> SafeText:
    return clean(book.name or book.id, 64)


def adding_contact(variant: Variant, book_id: str, name: str | None, address: str | None) -> AddPhonebookContact:
    """Return the request that adds a contact to a phonebook; the earlier variant has separate inputs."""
    if variant is Variant.EARLIER:
        return AddPhonebookContact(phonebook_id=book_id, name=name, address=address)
    return AddPhonebookContact(phonebook_id=book_id, contact=NewPhonebookContact(name=name, address=address))


# -- contacts --------------------------------------------------------------------------------------------------------


class ContactLine(Frozen):
    """One line of a list of contacts, with its error."""

    number: int
    name: str = ""
    address: str = ""
    fault: str = ""

    @property
    def line(self) -> Line:
        """The line below the input."""
        text = self.fault or f"{self.name}  {self.address}"
        return (Cell(clean(f"line {self.number}: ")), Cell(clean(text, 120), Tone.BAD if self.fault else Tone.GOOD))


def read_contacts(typed: str, book: Phonebook) -> tuple[ContactLine, ...]:
    """Parse `name, number` lines, separated by comma or semicolon; a first line of titles defines the order.

    Empty lines are skipped. Existing contacts are errors, so that a list pasted twice adds nothing.
    """
    written = [(number, line) for number, line in enumerate(typed.splitlines(), 1) if line.strip()]
    delimiter = ";" if written and ";" in written[0][1] else ","
    seen = {(contact.name, contact.address) for contact in book.contacts}
    lines: list[ContactLine] = []
    turned = False
    for place, (number, line) in enumerate(written):
        rows, unreadable = csv_rows(line, delimiter, skip_spaces=True)
        parts = rows[0] if rows else []
        titles = [part.casefold() for part in parts]
        if place == 0 and len(parts) == 2 and _TITLES.issuperset(titles):
            turned = titles[0] in _ADDRESS_TITLES
            continue
        name, address = (*parts, "", "")[:2]
        name, address = (address, name) if turned else (name, address)
        fault = ""
        if unreadable:
            fault = unreadable
        elif len(parts) > 2:
            fault = "more than a name and a number; put a name with a comma in double quotes"
        elif not name:
            fault = "no name"
        elif not address:
            fault = "no number after the name"
        elif (name, address) in seen:
            fault = f"{name} with this number already exists"
        seen.add((name, address))
        lines.append(ContactLine(number, name, address, fault))
    return tuple(lines)


def _ask_contacts(_situation: Situation, records: Sequence[Phonebook]) -> Asks:
    book = records[0]

    def check(typed: str) -> str | None:
        lines = read_contacts(typed, book)
        invalid = next((line for line in lines if line.fault), None)
        if not lines:
            return "Write one contact per line: name, number."
        return f"Line {invalid.number}: {clean(invalid.fault, 120)}." if invalid else None

    def preview(typed: str) -> tuple[Line, ...]:
        return tuple(contact.line for contact in read_contacts(typed, book))

    title = f"Contacts for {_called(book)}, one per line: name, number"
    return (TextAsk("contacts", title, lines=True, check=check, preview=preview, verb="Add"),)


def _add(situation: Situation, records: Sequence[Phonebook], answers: Answers) -> list[Step]:
    book = records[0]
    lines = read_contacts(text(answers, "contacts", "The list of contacts"), book)
    invalid = next((line for line in lines if line.fault), None)
    if invalid is not None:
        raise ValueError(f"Line {invalid.number}: {clean(invalid.fault, 120)}.")
    return [
        Step(
            adding_contact(situation.variant, book.id, line.name, line.address),
            book.key,
            f"added {clean(line.name, 64)} to {_called(book)}",
        )
        for line in lines
    ]


def _has_contacts(_situation: Situation, records: Sequence[Phonebook]) -> str | None:
    if any(contact.id for contact in records[0].contacts):
        return None
    book = records[0]
    known = not (book.contacts or book.unread("contacts"))
    return "This phonebook has no contacts." if known else "The contacts of this phonebook are not known."


def _ask_which(_situation: Situation, records: Sequence[Phonebook]) -> Asks:
    book = records[0]
    choices = tuple(
        Choice(contact.id, clean(contact.name or "", 60), clean(contact.address or "", 40))
        for contact in book.contacts
        if contact.id
    )
    return (ChoiceAsk("contacts", f"Remove contacts from {_called(book)}", choices, many=True),)


def _take_out(situation: Situation, records: Sequence[Phonebook], answers: Answers) -> list[Step]:
    book = records[0]
    picked = many(answers, "contacts", "The contact")
    at_hand = situation.with_records("phonebooks", (book,))
    return [
        step_of(
            at_hand,
            RemovePhonebookContact(phonebook_id=book.id, contact_id=contact.id),
            book.key,
            f"removed {clean(contact.name or contact.address, 64)} from {_called(book)}",
        )
        for contact in book.contacts
        if contact.id in picked and contact.id
    ]


# -- subscribers -----------------------------------------------------------------------------------------------------


def _ask_people(situation: Situation, records: Sequence[Phonebook]) -> Asks:
    book = records[0]
    people = [
        Choice(user.id, user_name(user), clean("  ".join(filter(None, (user.username, user.domain))), 60))
        for user in lookup(situation.render, "users", User)
        if user.id not in book.subscribers and state_words.role(user.role) != "anonymous"
    ]
    people.sort(key=lambda choice: collated(choice.title))
    return (ChoiceAsk("people", f"Share {_called(book)} with", tuple(people), many=True, free=not people),)


def _ask_subscribers(situation: Situation, records: Sequence[Phonebook]) -> Asks:
    book = records[0]
    people = tuple(
        Choice(subscriber, person(situation.render, subscriber), clean(subscriber, 40))
        for subscriber in book.subscribers
    )
    return (ChoiceAsk("people", f"Stop sharing {_called(book)} with", people, many=True),)


def _has_subscribers(_situation: Situation, records: Sequence[Phonebook]) -> str | None:
    return None if records[0].subscribers else "Nobody is subscribed."


def _subscribing(on: bool) -> Any:
    def plan(situation: Situation, records: Sequence[Phonebook], answers: Answers) -> list[Step]:
        book = records[0]
        at_hand = situation.with_records("phonebooks", (book,))
        steps: list[Step] = []
        for value in many(answers, "people", "The person"):
            if (value in book.subscribers) is on:
                continue
            who = person(situation.render, value)
            if on:
                request = AddSubscriber(phonebook_id=book.id, subscriber_id=value)
                steps.append(step_of(at_hand, request, book.key, f"subscribed {who} to {_called(book)}"))
            else:
                request = RemoveSubscriber(phonebook_id=book.id, subscriber_id=value)
                steps.append(step_of(at_hand, request, book.key, f"unsubscribed {who} from {_called(book)}"))
        if not steps:
            raise ValueError("Nothing to change.")
        return steps

    return plan


# -- undo ------------------------------------------------------------------------------------------------------------


def _put_contact_back(situation: Situation, request: RemovePhonebookContact) -> Inverse:
    book = find(situation.render, "phonebooks", request.phonebook_id, Phonebook)
    contacts = book.contacts if book is not None else ()
    return tuple(
        adding_contact(situation.variant, request.phonebook_id, contact.name, contact.address)
        for contact in contacts
        if contact.id == request.contact_id
    )


INVERSES: Inverses = {
    RemovePhonebookContact: _put_contact_back,
    AddSubscriber: opposite(RemoveSubscriber, "subscriber_id", "subscribers", adds=True),
    RemoveSubscriber: opposite(AddSubscriber, "subscriber_id", "subscribers", adds=False),
}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Phonebook](
        id="phonebooks.add",
        title="add contacts",
        key="plus",
        verb="add",
        kind="phonebooks",
        plan=_add,
        asks=_ask_contacts,
        footer=3,
        about="Adds contacts, one per line; a copied table can be pasted.",
        sends=(AddPhonebookContact,),
        noun="contact",
    ),
    Action[Phonebook](
        id="phonebooks.take-out",
        title="remove contacts",
        key="minus",
        verb="remove",
        kind="phonebooks",
        plan=_take_out,
        why_not=_has_contacts,
        asks=_ask_which,
        footer=5,
        short="remove",
        about="Removes contacts, selected by name.",
        sends=(RemovePhonebookContact,),
        noun="contact",
    ),
    Action[Phonebook](
        id="phonebooks.subscribe",
        title="share with people",
        key="h",
        verb="share",
        kind="phonebooks",
        plan=_subscribing(True),
        asks=_ask_people,
        footer=3,
        short="share",
        about="Shares the phonebook with people, selected by name.",
        sends=(AddSubscriber,),
        noun="person",
    ),
    Action[Phonebook](
        id="phonebooks.unsubscribe",
        title="stop sharing",
        key="H",
        verb="stop sharing",
        kind="phonebooks",
        plan=_subscribing(False),
        why_not=_has_subscribers,
        asks=_ask_subscribers,
        footer=6,
        about="Stops sharing the phonebook with people, selected by name.",
        sends=(RemoveSubscriber,),
        noun="person",
    ),
)
