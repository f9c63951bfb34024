"""An administrator at a real terminal: what is made, changed, ended and deleted there is so in the database."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

import pytest

from console.records.contacts import ContactEntry, StaticContact
from console.records.people import Session, User
from console.service.domain.kept_contacts import STATIC_CONTACTS
from console.service.domain.people import USERS
from console.service.domain.sessions import SESSIONS
from console.service.serve import Running, start_background
from console.service.world.fill import fill
from tests.service.desk import log_in
from tests.terminal.home import LARGE, SMALL, Home
from tests.terminal.terminal import Terminal


@dataclass(frozen=True)
class Office:
    """The administrator's console, and the service behind it."""

    service: Running
    eva: Terminal

    def go_to(self, words: str, shows: str) -> None:
        """Go to a list as a person would: `:`, some letters, Enter."""
        self.eva.type(":")
        self.eva.until("Go to")
        self.eva.type(words)
        self.eva.until(lambda: self._gone(shows))

    def _gone(self, shows: str) -> bool:
        """Press Enter until the list is there; with patience, for the list must not get what the dialog left."""
        self.eva.press("enter")
        try:
            self.eva.until(lambda: "Go to" not in self.eva.screen and shows in self.eva.screen, seconds=6)
        except AssertionError:
            return False
        return True

    def open_form(self, key: str, title: str) -> None:
        """Open a form, and wait until it takes keys: then it says what would be sent so far, or what is missing."""
        self.eva.press(key)
        self.eva.until(title)
        self.eva.until(self._answers, seconds=30)
        if "Send it" in self.eva.screen:
            self.eva.answer("escape", "Send it")

    def _answers(self) -> bool:
        said = ("Send it", "is needed", "Nothing was changed")
        if not any(words in self.eva.screen for words in said):
            self.eva.press("ctrl+y")
            try:
                self.eva.until(re.compile("|".join(said)), seconds=2)
            except AssertionError:
                return False
        return True

    def send(self, *difference: str) -> None:
        """Look at the difference, which says this, and send it."""
        self.eva.press("ctrl+y")
        for words in difference:
            self.eva.until(words)
        self.eva.answer("enter", "Send it")

    def user(self, username: str) -> User | None:
        with self.service.database.read() as tx:
            return next(iter(USERS.records(tx, USERS.c.username == username)), None)

    def sessions(self, user: str) -> list[Session]:
        with self.service.database.read() as tx:
            return list(SESSIONS.records(tx, SESSIONS.c.user == user))

    def contact(self, name: str) -> StaticContact | None:
        with self.service.database.read() as tx:
            return next((each for each in STATIC_CONTACTS.records(tx) if each.name == name), None)


@pytest.fixture(scope="module", params=[LARGE, SMALL], ids=["120x40", "80x24"])
def office(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Office]:
    home = Home(tmp_path_factory.mktemp("eva"))
    with start_background(lambda platform: fill(platform, "quiet")) as service:
        home.configure(service.core_url, profile=f'provisioning = "{service.provisioning_url}"')
        with home.seat(size=request.param) as eva:
            eva.press("8")
            eva.until("Provisioning" if request.param == LARGE else "Directory")
            yield Office(service, eva)


def test_a_user_is_made_in_both_services_in_one_step_and_changed_after_a_look_at_the_difference(office: Office):
    eva = office.eva
    office.go_to("provisioning users", "gallego@")
    office.open_form("n", "Create user")
    eva.type("\tzoe\tzoe@desk.example\t\tZoe\t\t\tdesk.example")
    office.send("Username  zoe", "domain  desk.example")
    eva.until(lambda: office.user("zoe"))
    office.go_to("directory users", "1 admin")
    eva.type("/zoe\r")
    eva.until("1 of ")
    office.open_form("e", "Update user")
    eva.type("\x15zoe@night.example")
    office.send("zoe@desk.example → zoe@night.example")
    eva.until(lambda: (found := office.user("zoe")) is not None and found.email == "zoe@night.example")
    eva.until("✔")
    eva.press("u")
    eva.until(lambda: (found := office.user("zoe")) is not None and found.email == "zoe@desk.example")
    eva.press("escape")


def test_a_session_ends_only_after_a_question_that_names_it(office: Office):
    eva = office.eva
    with log_in(office.service, "pat"):
        before = len(office.sessions("pat"))
        office.go_to("access sessions", "active of")
        eva.type("/username:pat\r")
        eva.until(f"{before} of ")
        eva.press("x")
        eva.answer("escape", "at once and for good")
        assert len(office.sessions("pat")) == before
        eva.press("x")
        eva.answer("ctrl+y", "at once and for good")
        eva.until(lambda: len(office.sessions("pat")) == before - 1)
    eva.press("escape")


def test_a_contact_is_made_with_its_numbers_one_by_one_and_deleted(office: Office):
    eva = office.eva
    office.go_to("static contacts", "Phones")
    office.open_form("n", "Create contact")
    eva.type("gate-7\tGate seven\t")
    for number in ("+34986000001", "+34986000002"):
        eva.press("enter")
        eva.until("Phones: add")
        eva.type(f"home\t{number}")
        eva.until(re.compile(rf"Value\s+{re.escape(number)}"))
        eva.answer("enter", "Phones: add")
    office.send("Gate seven", "+ home  +34986000002")
    kept = eva.until(lambda: office.contact("Gate seven"))
    assert isinstance(kept, StaticContact)
    assert kept.phones == tuple(ContactEntry(type="home", value=f"+3498600000{n}") for n in (1, 2))
    eva.type("/gate\r")
    eva.until("1 of ")
    eva.press("d")
    eva.answer("ctrl+y", "There is no undo")
    eva.until(lambda: office.contact("Gate seven") is None)
