"""Lists in forms by keys: entries are added, opened, moved and removed, and the difference shows it."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from console.api.operations.contacts import UpdateStaticContact
from console.api.operations.domains import CreateCredential
from console.commands.action import FormAsk
from console.records.contacts import ContactEntry
from console.ui.dialogs import DifferenceDialog, FormDialog
from console.ui.dialogs.fields import EntryDialog

from .asking import Asked, Asking, text_of, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


def contact(amount: int) -> FormDialog:
    """Return the form of a contact with so many telephones."""
    phones = tuple(ContactEntry(type="home", value=f"+34 {number:03}") for number in range(1, amount + 1))
    initial = {"phones": phones} if phones else {"name": "Gate"}
    return FormDialog(FormAsk("c", "Contact", UpdateStaticContact, initial, {"id": "gate"}, ("phones",)))


async def entry(app: Asked, pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: isinstance(app.screen, EntryDialog) and app.screen.listening)


async def send(app: Asked, pilot: Pilot[Any]) -> str:
    """Open the difference, send it, and return its text."""
    await pilot.press("ctrl+y")
    await until(pilot, lambda: isinstance(app.screen, DifferenceDialog) and app.screen.listening)
    said = text_of(app)
    await pilot.press("enter")
    return said


def values(app: Asked) -> list[str | None]:
    return [each.value for each in app.answer["phones"]]


async def test_entries_are_added_one_by_one_each_in_a_small_form(asked: Asking) -> None:
    async with asked(contact(0)) as (app, pilot):
        for number in ("1", "2"):
            await pilot.press("enter")
            await entry(app, pilot)
            await pilot.press(*"home", "down", *"+34 ", number, "enter")
            await until(pilot, lambda: app.screen is app.dialog)
        said = await send(app, pilot)
        assert "+ home  +34 1" in said
        assert app.answer == {
            "phones": (ContactEntry(type="home", value="+34 1"), ContactEntry(type="home", value="+34 2"))
        }


async def test_an_entry_is_edited_moved_and_removed(asked: Asking) -> None:
    async with asked(contact(3)) as (app, pilot):
        await pilot.press("home", "enter")
        await entry(app, pilot)
        assert "entry 1 of 3" in text_of(app)
        await pilot.press("down", "end", "9", "enter")
        await until(pilot, lambda: app.screen is app.dialog)
        await pilot.press("end", "up", "minus", "up", "shift+up")
        said = await send(app, pilot)
        assert "3 → 2" in said
        assert values(app) == ["+34 002", "+34 0019"]


async def test_closing_the_small_form_changes_nothing(asked: Asking) -> None:
    async with asked(contact(2)) as (app, pilot):
        await pilot.press("home", "enter")
        await entry(app, pilot)
        await pilot.press(*"abc", "escape")
        await until(pilot, lambda: app.screen is app.dialog)
        await pilot.press("ctrl+y")
        assert "Nothing was changed." in text_of(app)
        assert "+34 001" in text_of(app)


async def test_an_empty_entry_is_refused(asked: Asking) -> None:
    async with asked(contact(0)) as (app, pilot):
        await pilot.press("plus")
        await entry(app, pilot)
        await pilot.press("enter")
        assert "No fields are filled in yet." in text_of(app)


async def test_a_long_list_of_entries_scrolls_and_pasted_lines_are_added(asked: Asking) -> None:
    async with asked(contact(40)) as (app, pilot):
        assert "  1 home  +34 001" in text_of(app)
        assert "+34 020" not in text_of(app)
        await pilot.press("end")
        assert " 40 home  +34 040" in text_of(app)
        app.post_message(Paste("work,+34 900\nwork,+34 901\n"))
        await until(pilot, lambda: " 42 work  +34 901" in text_of(app))
        said = await send(app, pilot)
        assert "40 → 42" in said
        assert len(values(app)) == 42


async def test_a_pasted_value_that_is_too_long_adds_nothing_and_says_why(asked: Asking) -> None:
    async with asked(contact(2)) as (app, pilot):
        app.post_message(Paste("work," + "1" * 131_073))
        await until(pilot, lambda: "A value exceeds 131 072 characters." in text_of(app))
        app.post_message(Paste("work,+34 900\n"))
        await until(pilot, lambda: "  3 work  +34 900" in text_of(app))
        assert "A value exceeds" not in text_of(app)


async def test_more_entries_than_allowed_are_not_sent(asked: Asking) -> None:
    async with asked(contact(40)) as (app, pilot):
        app.post_message(Paste("".join(f"work,+34 {number}\n" for number in range(20))))
        await until(pilot, lambda: "should have at most 50 entries, not 60" in text_of(app))
        await pilot.press("ctrl+y")
        assert app.screen is app.dialog


def credential() -> FormDialog:
    """Return the form of a credential of an unknown type."""
    return FormDialog(FormAsk("c", "Credential", CreateCredential, {}, {"source": "local", "domain": "example"}))


async def type_of_credential(pilot: Pilot[Any]) -> None:
    """Select the type `basic`, and go to its data."""
    await pilot.press("b", "down")


async def test_a_list_opens_at_its_first_entry(asked: Asking) -> None:
    async with asked(contact(3)) as (app, pilot):
        await pilot.press("enter")
        await entry(app, pilot)
        assert "entry 1 of 3" in text_of(app)


async def test_a_password_typed_into_the_data_of_a_credential_is_masked_and_no_name(asked: Asking) -> None:
    async with asked(credential()) as (app, pilot):
        await type_of_credential(pilot)
        assert "password *" in text_of(app)
        await pilot.press(*"+s3-4+")
        await entry(app, pilot)
        assert "s3" not in text_of(app)
        assert "Name" not in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.dialog)
        await pilot.press("down", *"0")
        said = await send(app, pilot)
        assert "s3" not in said
        assert app.answer["data"] == {"password": "+s3-4+"}


@pytest.mark.parametrize("password", ["12345", "null", "s3cret"])
async def test_a_pasted_password_stays_a_text(asked: Asking, password: str) -> None:
    async with asked(credential()) as (app, pilot):
        await type_of_credential(pilot)
        app.post_message(Paste(f"{password}\n"))
        await entry(app, pilot)
        assert password not in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.dialog)
        await pilot.press("down", "0")
        assert password not in await send(app, pilot)
        assert app.answer["data"] == {"password": password}


async def test_a_credential_without_its_password_is_not_sent(asked: Asking) -> None:
    async with asked(credential()) as (app, pilot):
        await type_of_credential(pilot)
        await pilot.press("down", "0", "ctrl+y")
        assert "password is required" in text_of(app)
        assert app.screen is app.dialog


async def test_another_type_of_credential_needs_another_secret(asked: Asking) -> None:
    async with asked(credential()) as (app, pilot):
        await pilot.press("t")
        assert "token *" in text_of(app)
        await pilot.press("b")
        assert "token *" not in text_of(app)


async def test_a_secret_is_refused_as_a_name_without_value(asked: Asking) -> None:
    async with asked(credential()) as (app, pilot):
        await type_of_credential(pilot)
        await pilot.press("end")
        app.post_message(Paste("s3cret\n"))
        await until(pilot, lambda: "Each line needs a name and a value." in text_of(app))
        await pilot.press("enter")
        await entry(app, pilot)
        await pilot.press(*"key", "enter")
        assert "is required" in text_of(app)
