"""Contacts of the directory, of single users and of domains, and address books."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "contacts",
    resources=(
        Resource(
            "contacts",
            "Contacts",
            "contact",
            Branch.DIRECTORY,
            ("contacts.list",),
            shown=("name", "source", "phones", "user"),
        ),
        Resource(
            "user-contacts",
            "User contacts",
            "contact",
            Branch.DIRECTORY,
            ("user-contacts.list",),
            shown=("name", "phones", "emails"),
        ),
        Resource(
            "static-contacts",
            "Static contacts",
            "contact",
            Branch.DIRECTORY,
            ("static-contacts.list",),
            shown=("name", "phones", "emails", "domain", "associated_user_id"),
            selects=("domain",),
        ),
        Resource(
            "address-books",
            "Address books",
            "address book",
            Branch.DIRECTORY,
            ("address-books.list",),
            asks={"contacts": True, "domain": True, "phonebooks": True, "static": True},
            shown=("name", "type", "contacts"),
        ),
    ),
)
