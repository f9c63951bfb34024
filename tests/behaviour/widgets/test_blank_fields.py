"""Null and empty values in forms: `ctrl+n` switches between them, and the difference shows which is sent."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from console.api.operations.contacts import UpdateUserContact
from console.api.operations.meetings import UpdateMeeting
from console.api.operations.sessions import RevokeToken, StartSession
from console.commands.action import FormAsk
from console.records.contacts import ContactEntry
from console.ui.dialogs import DifferenceDialog, FormDialog
from console.ui.dialogs.fields import EntryDialog

from .asking import Asked, Asking, text_of, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def review(app: Asked, pilot: Pilot[Any]) -> str:
    """Open the difference and return its text."""
    await pilot.press("ctrl+y")
    await until(pilot, lambda: isinstance(app.screen, DifferenceDialog) and app.screen.listening)
    return text_of(app)


async def test_a_password_is_kept_or_removed(asked: Asking) -> None:
    ask = FormAsk("m", "Meeting", UpdateMeeting, {"name": "Shift"}, {"id": "m1"}, ("password", "name"))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n")
        assert "(none)" in text_of(app)
        assert "Password  (none)" in await review(app, pilot)
        await pilot.press("enter")
        assert app.answer == {"password": None}
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n", "ctrl+n")
        assert "(none)" not in text_of(app)
        await pilot.press("ctrl+y")
        assert "Nothing was changed." in text_of(app)


async def test_typing_replaces_null_and_undoing_restores_the_previous_value(asked: Asking) -> None:
    initial = {"name": "Ana", "associated_user_id": "ana"}
    ask = FormAsk("c", "Contact", UpdateUserContact, initial, {"id": "c1"}, ("associated_user_id", "name"))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n")
        assert "(none)" in text_of(app)
        await pilot.press("b", "o", "b")
        assert "(none)" not in text_of(app)
        await pilot.press("ctrl+u", "ctrl+n")
        assert "(empty)" in text_of(app)
        await pilot.press("ctrl+n")
        assert "ana" in text_of(app)
        await pilot.press("ctrl+n")
        assert "ana → (none)" in await review(app, pilot)
        await pilot.press("enter")
        assert app.answer == {"associated_user_id": None}


async def test_an_anonymous_login_is_an_empty_token(asked: Asking) -> None:
    ask = FormAsk("s", "Start", StartSession, only=("token",))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n")
        assert "(empty)" in text_of(app)
        assert "Token  (empty)" in await review(app, pilot)
        await pilot.press("enter")
        assert app.answer == {"token": ""}


async def test_a_missing_required_text_names_the_key_that_sends_it_empty(asked: Asking) -> None:
    ask = FormAsk("r", "Revoke", RevokeToken, only=("token",))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+y")
        assert "is required; ^n sends it empty" in text_of(app)
        await pilot.press("ctrl+n")
        assert "Token  (empty)" in await review(app, pilot)
        await pilot.press("enter")
        assert app.answer == {"token": ""}


async def test_choices_and_lists_can_be_null_or_empty_as_well(asked: Asking) -> None:
    phones = (ContactEntry(value="+34 1"), ContactEntry(value="+34 2"))
    initial = {"favorite": True, "phones": phones}
    ask = FormAsk("c", "Contact", UpdateUserContact, initial, {"id": "c1"}, ("favorite", "phones"))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n", "tab", "ctrl+n", "ctrl+n")
        assert "(empty)" in text_of(app)
        assert "+34 1" not in text_of(app)
        said = await review(app, pilot)
        assert "Favorite  yes → (none)" in said
        assert "(empty)" in said
        await pilot.press("enter")
        assert app.answer == {"favorite": None, "phones": ()}
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n", "right")
        assert "(none)" not in text_of(app)
        assert "Favorite  yes → no" in await review(app, pilot)


async def test_a_field_that_cannot_be_null_or_empty_shows_so(asked: Asking) -> None:
    ask = FormAsk("m", "Meeting", UpdateMeeting, {"send_invites": True}, {"id": "m1"}, ("send_invites",))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+n")
        assert "Send invites cannot be none or empty." in text_of(app)


async def test_a_member_of_an_entry_is_removed(asked: Asking) -> None:
    initial = {"phones": (ContactEntry(type="home", value="+34 1"),)}
    ask = FormAsk("c", "Contact", UpdateUserContact, initial, {"id": "c1"}, ("phones",))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(app.screen, EntryDialog) and app.screen.listening)
        await pilot.press("ctrl+n", "enter")
        await until(pilot, lambda: app.screen is app.dialog)
        assert "type: (none)  +34 1" in await review(app, pilot)
        await pilot.press("enter")
        assert app.answer["phones"][0].model_dump(exclude_unset=True) == {"type": None, "value": "+34 1"}
