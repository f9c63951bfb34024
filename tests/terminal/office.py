"""An administrator's console and its service, with the keys of each task counted."""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from console.records.access import Permissions
from console.records.contacts import StaticContact
from console.records.people import Session, User
from console.records.phonebooks import Phonebook
from console.records.sip import SipIdentity, SipMapping
from console.service.domain import permissions
from console.service.domain.address_books import STATIC_CONTACTS
from console.service.domain.people import USERS
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.domain.sessions import SESSIONS
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction
from console.ui.dialogs.dialog import DEAF_SECONDS
from tests.background import Running
from tests.terminal.terminal import Terminal

_FILTERED = "esc clear"


@dataclass
class Office:
    """The administrator's console and its service."""

    service: Running
    eva: Terminal
    keys: int = 0
    """The number of keys pressed, without those that enter names, numbers and other values."""

    # -- keys ------------------------------------------------------------------------------------------------------

    @contextmanager
    def within(self, most: int) -> Generator[None]:
        """Assert that the block takes at most `most` keys, without entered values."""
        before = self.keys
        yield
        assert self.keys - before <= most, f"{self.keys - before} keys"

    def press(self, *keys: str) -> None:
        """Press keys."""
        self.keys += len(keys)
        self.eva.press(*keys)

    def type(self, text: str) -> None:
        """Type a text that navigates: each letter counts."""
        self.keys += len(text)
        self.eva.type(text)

    def write(self, *values: str) -> None:
        """Fill in fields one after the other. Only the keys between them count, since any form needs the values."""
        self.keys += len(values) - 1
        self.eva.type("\t".join(values))

    def answer(self, key: str, words: str) -> None:
        """Answer the dialog with these words. It ignores keys at first, so the key may be repeated; it counts once."""
        self.keys += 1
        self.eva.answer(key, words)

    # -- navigation ------------------------------------------------------------------------------------------------

    def go_to(self, words: str, shows: str) -> None:
        """Go to a list by `:`, some letters and Enter. A filter of an earlier test is dropped."""
        self.press(":")
        self.eva.until_hears("Go to")
        self.type(words)
        self.keys += 1
        self.eva.until(lambda: self._gone(shows))
        if _FILTERED in self.eva.screen:
            self.eva.press("escape")
            self.eva.until(lambda: _FILTERED not in self.eva.screen)

    def _gone(self, shows: str) -> bool:
        """Press Enter until the list is shown, with pauses: the list must not get keys meant for the dialog."""
        self.eva.press("enter")
        try:
            self.eva.until(lambda: "Go to" not in self.eva.screen and shows in self.eva.screen, seconds=6)
        except AssertionError:
            return False
        return True

    def filter(self, words: str, shows: str) -> None:
        """Filter the list until it shows this count."""
        self.type(f"/\x15{words}\r")
        self.eva.until(re.compile(rf"filter {re.escape(words)}.*{shows}"))

    def choose(self, words: str) -> None:
        """Choose one of the available actions by some letters."""
        self.press("o")
        self.eva.until("Select")
        self.type(words)
        self.eva.until(re.compile(rf"/ {re.escape(words)}│"))
        self.answer("enter", "Select")

    def pick(self, title: str, words: str) -> None:
        """Choose by some letters in the dialog with this title."""
        self.eva.until(title)
        self.type(words)
        self.eva.until(re.compile(rf"/ {re.escape(words)}│ +1 of"))
        self.answer("enter", title)

    def look_for(self, *words: str) -> None:
        """Look for words in the open detail, page by page."""
        for _ in range(10):
            try:
                self.eva.until(lambda: all(map(self.eva.shows, words)), seconds=2)
            except AssertionError:
                self.press("]")
            else:
                return
        raise AssertionError(f"{words} are in no part; the screen says:\n{self.eva.screen}")

    # -- forms -----------------------------------------------------------------------------------------------------

    def open_form(self, key: str, title: str) -> None:
        """Open a form by its key."""
        self.press(key)
        self.form(title)

    def form(self, title: str) -> None:
        """Wait until a form is open and should accept keys."""
        self.eva.until(title)
        there = time.monotonic()
        self.eva.until(lambda: time.monotonic() - there > 2 * DEAF_SECONDS)

    def send(self, *difference: str) -> None:
        """Check the difference that the form shows, and send it. Two spaces stand for any number of them."""
        self.keys += 1
        self.eva.until(self._shows_difference, seconds=30)
        for words in difference:
            self.eva.until(re.compile(" {2,}".join(map(re.escape, words.split("  ")))))
        self.answer("enter", "Send")

    def _shows_difference(self) -> bool:
        """Request the difference, twice if the form ignored the first key."""
        self.eva.press("ctrl+y")
        try:
            self.eva.until("Send", seconds=6)
        except AssertionError:
            return False
        return True

    # -- stored records --------------------------------------------------------------------------------------------

    def user(self, username: str) -> User | None:
        """Return a user by username."""
        return next((each for each in self._all(USERS) if each.username == username), None)

    def sessions(self, user: str) -> list[Session]:
        """Return the sessions of a user."""
        return [each for each in self._all(SESSIONS) if each.user == user]

    def contact(self, name: str) -> StaticContact | None:
        """Return a static contact by name."""
        return next((each for each in self._all(STATIC_CONTACTS) if each.name == name), None)

    def phonebook(self, name: str) -> Phonebook | None:
        """Return a phonebook by name."""
        return next((each for each in self._all(PHONEBOOKS) if each.name == name), None)

    def identity(self, username: str) -> SipIdentity | None:
        """Return a SIP identity by its username."""
        return next((each for each in self._all(SIP_IDENTITIES) if each.username == username), None)

    def mapping(self, owner: str) -> SipMapping | None:
        """Return the SIP mapping of an owner."""
        with self._reading() as tx:
            return SIP_MAPPINGS.get(tx, owner)

    def permitted(self, of: str) -> Permissions | None:
        """Return the permissions given to exactly this domain or user."""
        with self._reading() as tx:
            return permissions.own(tx, of)

    def _all(self, documents: Documents[Any]) -> list[Any]:
        with self._reading() as tx:
            return list(documents.records(tx))

    @contextmanager
    def _reading(self) -> Generator[Transaction]:
        with self.service.database.read() as tx:
            yield tx
