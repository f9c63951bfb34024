"""An administrator's tasks at a real terminal, checked in the database.

Six tasks are done as by somebody who has read no documentation: every key pressed is in the footer, in a list filtered
by a few letters, or in a form. Their keys are counted, since they should take about as many as a good web form. The
terminal is small, where finding something takes more keys, if anything.
"""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest

from console.records.contacts import ContactEntry, StaticContact
from console.records.people import Group, User
from console.service.domain import permissions, sessions
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS, add_user, need_user
from console.service.domain.sip_mappings import GROUP_PREFIX
from console.service.platform import Platform
from tests.service.over_http import log_in
from tests.services import Services, world
from tests.terminal.home import SMALL, Home, living_sessions
from tests.terminal.office import Office

DAY_MS = 86_400_000
LAST_LOGINS = {"bob": 400, "carla": 366, "u1005": 364}
"""Days since the last login of some users; all others have logged in since, or never."""


@pytest.fixture(scope="module")
def office(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Generator[Office]:
    home = Home(tmp_path_factory.mktemp("eva"))
    with services.anew(world("quiet")) as service:
        _draw(service.platform)
        home.configure(service.core_url, profile=f'provisioning = "{service.provisioning_url}"')
        with home.seat(size=SMALL) as eva:
            eva.press("8")
            eva.until("Directory")
            yield Office(service, eva)


def _draw(platform: Platform) -> None:
    """Create users with an old login, and two recent users of the shop."""
    with platform.write() as tx:
        for who, days in LAST_LOGINS.items():
            last_login = platform.now_ms() - days * DAY_MS
            USERS.put(tx, need_user(tx, who).model_copy(update={"last_login": last_login}))
    for who in ("sal", "sue"):
        made = User(id=who, username=who, domain="shop.example", role="user", alias=f"{who.title()} of the shop")
        sessions.create(platform, add_user(platform, made), None)


def test_a_user_is_created_in_both_services_and_edited_after_the_difference_was_shown(office: Office):
    eva = office.eva
    office.go_to("provisioning users", "gallego@")
    office.open_form("n", "Create provisioning user")
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
    eva.until(re.compile("√ Changed user Zoe +u undo"))
    eva.press("u")
    eva.until(lambda: (found := office.user("zoe")) is not None and found.email == "zoe@desk.example")
    eva.press("escape")


def test_a_contact_is_created_with_several_numbers_and_deleted(office: Office):
    eva = office.eva
    office.go_to("static contacts", "Phones")
    office.open_form("n", "Create static contact")
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
    eva.answer("ctrl+y", "This cannot be undone")
    eva.until(lambda: office.contact("Gate seven") is None)


def test_a_phonebook_is_created_filled_and_subscribed(office: Office):
    eva = office.eva
    with office.within(24):
        office.go_to("phoneb", "3 phonebooks")
        office.open_form("n", "Create phonebook")
        office.write("Night couriers")
        office.send("Phonebook name  Night couriers")
        eva.until("4 phonebooks")
        office.press("+")
        eva.until("Contacts for Night couriers, one per line: name, number")
        office.write("Depot, +34986000111\rGate, +34986000222")
        eva.until("line 2: Gate  +34986000222")
        office.answer("ctrl+y", "Contacts for Night couriers")
        eva.until(lambda: (book := office.phonebook("Night couriers")) is not None and len(book.contacts) == 2)
        office.press("h")
        office.pick("Share Night couriers with", "ana bel")
        eva.until("√ Subscribed Ana Belmonte to Night couriers")
    eva.until(re.compile(r"Night couriers +2 +Ana Belmonte"))
    book = office.phonebook("Night couriers")
    assert book is not None
    assert [(each.name, each.address) for each in book.contacts] == [
        ("Depot", "+34986000111"),
        ("Gate", "+34986000222"),
    ]
    assert book.subscribers == ("ana",)
    with log_in(office.service, "ana") as ana:
        assert "Night couriers" in ana.get("/phonebooks/page").text


def test_a_domain_gets_the_permission_to_record_and_one_of_its_users_another(office: Office):
    eva = office.eva
    with office.within(75):
        office.go_to("domains", "4 domains")
        office.choose("recording")
        office.form("Create domain permissions desk.example")
        office.write("all", "always")
        office.send("Recording type  all", "Recording profile  always")
        eva.until("√ Created domain permissions of domain desk.example")
        given = office.permitted(permissions.of_domain("desk.example"))
        assert given is not None
        assert given.recording is not None
        assert (given.recording.recording_type, given.recording.recording_profile) == ("all", "always")
        office.go_to("users", "1 admin")
        office.filter("belmonte", r"1 of \d")
        office.choose("recording")
        office.form("Create user permissions Ana Belmonte")
        office.write("none", "never")
        office.send("Recording type  none")
        eva.until("√ Created user permissions of user Ana Belmonte")
    own = office.permitted(permissions.of_user("ana"))
    assert own is not None
    assert own.recording is not None
    assert (own.recording.recording_type, own.recording.recording_profile) == ("none", "never")
    office.press("enter")
    office.look_for("none never", "their own")
    office.press("escape")
    eva.until("filter belmonte")
    office.filter("whitaker", r"1 of \d")
    office.press("enter")
    office.look_for("all always", "of the domain desk.example")
    office.press("escape")
    eva.until("filter whitaker")


def test_a_sip_identity_is_mapped_to_a_group(office: Office):
    eva = office.eva
    group = _unmapped(office)
    uri, name = f"{GROUP_PREFIX}{group.group_id}", group.name or ""
    with office.within(50):
        office.go_to("identit", "Used by")
        office.filter("state:free", r"6 of 24")
        office.press("+")
        office.pick("Assign ", name.lower())
        eva.until(re.compile(rf"√ Assigned 70\d\d to {re.escape(name)}"))
    mapping = office.mapping(uri)
    assert mapping is not None
    assert mapping.mapping is not None
    identity = office.identity(mapping.mapping.username)
    assert identity is not None
    assert identity.available is False
    office.filter(f'user:"{name}"', r"1 of 24")
    eva.until(re.compile(rf"{identity.username} +● used +{re.escape(name)}"))


def _unmapped(office: Office) -> Group:
    """Return a group without a SIP identity whose name is not the beginning of another one."""
    with office.service.database.read() as tx:
        groups = list(GROUPS.records(tx))
    free = (each for each in groups if office.mapping(f"{GROUP_PREFIX}{each.group_id}") is None)
    return next(each for each in free if sum((each.name or "") in (other.name or "") for other in groups) == 1)


def test_users_without_a_login_for_a_year_are_found(office: Office):
    eva = office.eva
    with office.within(16):
        office.go_to("users", "1 admin")
        office.press("V")
        office.pick("Views of users", "year")
    eva.until(re.compile(r"filter login>365d.*2 of \d\d"))
    eva.until(lambda: all(name in eva.screen for name in ("Bob Whitaker", "Carla Figueiredo")))


def test_all_sessions_of_a_domain_end_after_its_name_was_typed(office: Office):
    eva, service = office.eva, office.service
    theirs = {each.id for who in ("sal", "sue") for each in office.sessions(who)}
    others = living_sessions(service) - theirs
    assert theirs
    with office.within(45):
        office.go_to("domains", "4 domains")
        office.filter("shop.example", r"1 of \d")
        office.choose("sessions")
        eva.until("2 sessions of 2 people in shop.example end immediately.")
        office.write("shop.example")
        office.answer("ctrl+y", "Type shop.example to continue.")
        eva.until("√ Ended all sessions of domain shop.example")
    eva.until(lambda: not living_sessions(service) & theirs)
    assert others <= living_sessions(service) | {each.id for each in office.sessions("pat")}
