"""Null and empty values from forms, checked in the service's database."""

from __future__ import annotations

import pytest

from console.records.contacts import UserContact
from console.service.domain import address_books, meetings
from console.service.domain.address_books import USER_CONTACTS
from tests.behaviour.driver import Seat
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def send(eva: Seat) -> None:
    """Check the difference and send it."""
    await eva.press("ctrl+y")
    await eva.sees("Send")
    await eva.confirm("enter")


async def test_the_password_of_a_meeting_is_removed_and_nothing_else(eva: Seat, base: Base) -> None:
    platform = base.service.platform
    name = fresh("Shift")
    meeting = meetings.create(platform, base.caller("eva"), {"name": name}, "s3cret", notify=False)
    await eva.look_at("meetings", meeting.id)
    await eva.open_dialog("e")
    await eva.focus_field("Password")
    await eva.press("ctrl+n")
    await eva.sees("(none)")
    await eva.press("ctrl+y")
    await eva.sees("Password  (none)")
    await eva.confirm("enter", does="operations.meetings.update")
    with platform.read() as tx:
        found = meetings.MEETINGS.need(tx, meeting.id)
        assert meetings.password_hash_of(tx, meeting.id) is None
    assert (found.name, found.is_password_protected) == (name, False)


async def test_a_contact_of_another_user_is_not_taken_for_the_own_one_with_its_id(eva: Seat, base: Base) -> None:
    platform = base.service.platform
    contact = UserContact(id=fresh("c"), name="Gate", associated_user_id="ana")
    keys = [UserContact(id=contact.id, owner=owner).key for owner in ("ana", "eva")]
    for owner in ("ana", "eva"):
        address_books.create_user_contact(platform, base.caller(owner), contact)
    await eva.look_at("user-contacts", keys[0])
    await eva.press("e")
    await eva.sees("Only the owner can do this.")
    await eva.no_dialog()
    assert [base.stored(USER_CONTACTS, key)["name"] for key in keys] == ["Gate", "Gate"]


async def test_the_owner_of_a_contact_is_removed(eva: Seat, base: Base) -> None:
    platform = base.service.platform
    contact = UserContact(id=fresh("c"), name="Gate", associated_user_id="ana")
    address_books.create_user_contact(platform, base.caller("eva"), contact)
    key = UserContact(id=contact.id, owner="eva").key
    await eva.look_at("user-contacts", key)
    await eva.open_dialog("e")
    await eva.focus_field("Associated user id")
    await eva.press("ctrl+n")
    await send(eva)
    await eva.done("operations.user-contacts.update")
    assert "associatedUserId" not in base.stored(USER_CONTACTS, key)
    assert base.stored(USER_CONTACTS, key)["name"] == "Gate"
