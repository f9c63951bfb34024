"""Every action on phonebooks and SIP identities: key, dialogs, database, undo."""

from __future__ import annotations

import pytest

from console.service.domain import phonebooks, sip_mappings
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import GROUP_PREFIX, SIP_MAPPINGS
from console.ui.screens.revealing import REVEALED_SECONDS
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, LaterClock, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


# -- phonebooks ------------------------------------------------------------------------------------------------------


def book_of(base: Base, *contacts: tuple[str, str], subscriber: str = "") -> str:
    """Create a phonebook and return its id."""
    platform = base.service.platform
    book = phonebooks.create(platform, fresh("Book")).id
    for name, address in contacts:
        phonebooks.add_contact(platform, book, name, address)
    if subscriber:
        phonebooks.subscribe(platform, book, subscriber)
    return book


def contacts(base: Base, book: str) -> list[tuple[str, str]]:
    return [(each["name"], each["address"]) for each in base.stored(PHONEBOOKS, book)["contacts"]]


async def open_books(eva: Seat, book: str) -> None:
    """Open a phonebook that was created by somebody else."""
    await eva.look_at("phonebooks", book)


@presses("phonebooks.add")
async def test_a_table_of_contacts_is_pasted_into_a_phonebook(eva: Seat, base: Base) -> None:
    book = book_of(base, ("Depot", "+34986000111"))
    await open_books(eva, book)
    await eva.open_dialog("plus")
    await eva.paste("Number\tName\n+34986000111\tDepot\n+34986000222\tGate, north\n")
    await eva.sees("Line 2: Depot with this number already exists")
    await eva.sees('+34986000222,"Gate, north"')
    await eva.press("escape")
    await eva.no_dialog()
    await eva.open_dialog("plus")
    await eva.paste("Number\tName\n+34986000222\tGate, north\n+34986000333\tQuay\n")
    await eva.sees("line 3: Quay  +34986000333")
    await eva.confirm("enter", does="phonebooks.add")
    assert contacts(base, book)[1:] == [("Gate, north", "+34986000222"), ("Quay", "+34986000333")]


@presses("phonebooks.take-out", undone=True)
async def test_contacts_are_removed_from_a_phonebook_by_name_and_restored(eva: Seat, base: Base) -> None:
    book = book_of(base, ("Depot", "+34986000111"), ("Gate", "+34986000222"))
    await open_books(eva, book)
    await eva.open_dialog("minus")
    await eva.type("depot")
    await eva.confirm("enter", does="phonebooks.take-out")
    assert contacts(base, book) == [("Gate", "+34986000222")]
    await eva.undo()
    assert contacts(base, book) == [("Gate", "+34986000222"), ("Depot", "+34986000111")]


@presses("phonebooks.subscribe", undone=True)
async def test_users_are_subscribed_to_a_phonebook_by_name(eva: Seat, base: Base) -> None:
    book = book_of(base, subscriber="ana")
    await open_books(eva, book)
    await eva.open_dialog("h")
    await eva.type("bob whit")
    await eva.press("tab", "ctrl+u")
    await eva.type("figueir")
    await eva.press("tab")
    await eva.confirm("enter", does="phonebooks.subscribe")
    assert set(base.stored(PHONEBOOKS, book)["subscribers"]) == {"ana", "bob", "carla"}
    await eva.sees("Ana Belmonte, Bob")
    await eva.undo()
    assert base.stored(PHONEBOOKS, book)["subscribers"] == ["ana"]


@presses("phonebooks.unsubscribe", undone=True)
async def test_a_user_is_unsubscribed_from_a_phonebook_and_subscribed_again(eva: Seat, base: Base) -> None:
    book = book_of(base, subscriber="bob")
    await open_books(eva, book)
    await eva.open_dialog("H")
    await eva.type("whitaker")
    await eva.confirm("enter", does="phonebooks.unsubscribe")
    assert base.stored(PHONEBOOKS, book)["subscribers"] == []
    await eva.undo()
    assert base.stored(PHONEBOOKS, book)["subscribers"] == ["bob"]


# -- SIP identities --------------------------------------------------------------------------------------------------


def free_identity(base: Base) -> tuple[str, str]:
    """Return id and username of an assignable identity in the domain of the groups."""
    with base.service.database.read() as tx:
        found = SIP_IDENTITIES.records(tx)
        free = next(each for each in found if each.available and each.domain == "desk.example")
    return free.id, free.username or ""


@presses("sip.assign", undone=True)
async def test_a_sip_identity_is_assigned_to_a_group_by_name_and_unassigned(eva: Seat, base: Base) -> None:
    identity, username = free_identity(base)
    group = base.group(name="Quayside watch")
    uri = f"{GROUP_PREFIX}{group.group_id}"
    await eva.until(lambda: group.group_id in eva.backend.records("groups"))
    await eva.look_at("sip-identities", filter_text="state:free")
    await eva.move_to(identity)
    await eva.open_dialog("plus")
    await eva.type("quayside")
    await eva.confirm("enter", does="sip.assign")
    assert base.stored(SIP_MAPPINGS, uri)["mapping"]["username"] == username
    assert base.stored(SIP_IDENTITIES, identity)["available"] is False
    await eva.look_at("sip-identities", identity)
    await eva.sees("● used       Quayside watch")
    await eva.undo()
    assert base.lookup(SIP_MAPPINGS, uri) is None
    assert base.stored(SIP_IDENTITIES, identity)["available"] is True


@presses("sip.take-back", undone=True)
async def test_a_sip_identity_is_taken_from_its_user_and_assigned_again(eva: Seat, base: Base) -> None:
    username = base.stored(SIP_MAPPINGS, "svc-user:bob")["mapping"]["username"]
    await eva.look_at("sip-identities", filter_text="user:Whitaker")
    await eva.sees(username)
    await eva.press("plus")
    await eva.sees(f"{username} is used by Bob Whitaker: unassign it first.")
    await eva.press("minus")
    await eva.done("sip.take-back")
    assert base.lookup(SIP_MAPPINGS, "svc-user:bob") is None
    await eva.undo()
    assert base.stored(SIP_MAPPINGS, "svc-user:bob")["mapping"]["username"] == username


async def test_a_password_is_shown_for_ten_seconds_after_a_key_and_masked_again(
    eva: Seat, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = LaterClock()
    monkeypatch.setattr(eva.context, "clock", clock)
    platform = base.service.platform
    with platform.read() as tx:
        password = sip_mappings.credential_of(platform, tx, "svc-user:bob").password or "?"
    await eva.look_at("sip-mappings", "svc-user:bob")
    await eva.open_dialog("o")
    await eva.type("get")
    await eva.press("enter")
    await eva.sees(f"…{password[-4:]}")
    assert password not in eva.screen_text()
    await eva.sees("v reveal for 10 s")
    await eva.press("v")
    await eva.sees(password)
    clock.added = REVEALED_SECONDS
    await eva.until(lambda: password not in eva.screen_text())
    await eva.press("v")
    await eva.sees(password)
    await eva.press("v")
    await eva.until(lambda: password not in eva.screen_text())
    await eva.press("escape")
    assert not eva.journal.exists() or password not in eva.journal.read_text(encoding="utf-8")
