"""The table of phonebooks (contract 2.10): contacts and subscribers."""

from __future__ import annotations

from collections.abc import Collection

from console.base.text import SafeText, clean, fit, of_number
from console.config.schema import SavedView
from console.kinds.scope import counted
from console.records.phonebooks import Phonebook, PhonebookContact
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, listed, listed_title, pair, raw_section, several, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_ROWS = 500
_NAME = 28


def _subscribers(book: Phonebook, render: RenderContext) -> str | None:
    return ", ".join(wording.person(subscriber, render) for subscriber in book.subscribers) or None


def _contacts(book: Phonebook) -> tuple[str, ...]:
    return tuple(text for contact in book.contacts for text in (contact.name, contact.address) if text)


def totals(books: Collection[Phonebook], render: RenderContext) -> Line:
    """Return the number of phonebooks, of their contacts, and of those without subscribers."""
    unseen = sum(phonebook.count_of("subscribers") == 0 for phonebook in books)
    many = [phonebook.count_of("contacts") for phonebook in books]
    contacts = sum(amount or 0 for amount in many)
    known = wording.known_count(contacts, render, exact=None not in many)
    line = [
        Cell(clean(counted("phonebooks", len(books), "phonebook", render)), Tone.STRONG),
        gap(),
        Cell(clean(f"{known} {of_number(contacts, 'contact')}")),
    ]
    if unseen:
        line += [gap(), Cell(clean(f"{wording.amount(unseen)} without subscribers"), Tone.NOTICE)]
    return tuple(line)


def name(book: Phonebook, _render: RenderContext) -> SafeText:
    """Return the name of a phonebook in a sentence."""
    return clean(book.name or book.id, 80)


def contact_line(contact: PhonebookContact) -> Line:
    """Return the line of a contact: name and address."""
    return (
        Cell(fit(clean(contact.name or "", _NAME), _NAME)),
        gap(),
        Cell(clean(contact.address or "", 80), Tone.QUIET),
    )


def detail(book: Phonebook, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a phonebook: contacts, and subscribers by name."""

    def contacts() -> tuple[Line, ...]:
        return several(book.contacts, contact_line, _ROWS, "contact")

    def people() -> tuple[Line, ...]:
        return several(book.subscribers, lambda each: text_line(wording.person(each, render)), _ROWS, "subscriber")

    return (
        *faults_section(book),
        Section("summary", "Phonebook", (pair("Name", book.name, render, Tone.STRONG), pair("Id", book.id, render))),
        Section(
            "contacts",
            listed_title("Contacts", book, "contacts", render),
            listed(book, "contacts", contacts, "No contacts."),
        ),
        Section(
            "subscribers",
            listed_title("Subscribers", book, "subscribers", render),
            listed(book, "subscribers", people, "No subscribers."),
        ),
        raw_section(book, render),
    )


def links(book: Phonebook, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the subscribers."""
    return tuple(
        Link(f"subscriber {wording.person(subscriber, render)}", "users", subscriber) for subscriber in book.subscribers
    )


TABLE: Table[Phonebook] = Table(
    kind="phonebooks",
    title="Phonebooks",
    one="phonebook",
    order="name",
    columns=columns.marked(
        (
            columns.text("name", "Name", 20, lambda book, _render: book.name, grows=True),
            columns.number("contacts", "Contacts", 8, lambda book, _render: book.count_of("contacts")),
            columns.text(
                "numbers",
                "Names and numbers",
                24,
                lambda book, _render: ", ".join(_contacts(book)) or None,
                priority=9,
                aliases=("contact",),
            ),
            columns.text(
                "subscribers",
                "Subscribers",
                16,
                _subscribers,
                priority=1,
                grows=True,
                also=lambda book, _render: book.subscribers,
                aliases=("subscriber",),
            ),
            columns.identity(lambda book: book.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("users",),
    views={
        "Without subscribers": SavedView('subscribers:""', "name"),
    },
)
