"""Contacts of a phonebook are pasted as lines of CSV; each invalid line is reported."""

from __future__ import annotations

from console.kinds.phonebooks.actions import read_contacts
from console.records.phonebooks import Phonebook


def test_a_line_with_a_value_that_is_too_long_is_reported_as_invalid() -> None:
    lines = read_contacts(f'Ana, 1\n"B, C", {"2" * 131_073}\n"D, E", 3', Phonebook(id="b", name="Book"))
    too_long = "a value exceeds 131 072 characters"
    assert [(each.number, each.name, each.fault) for each in lines] == [
        (1, "Ana", ""),
        (2, "", too_long),
        (3, "D, E", ""),
    ]
