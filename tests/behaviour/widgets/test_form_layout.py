"""The fields of a form as a person sees them: the one in focus, its hint, and the optional ones in a closed line."""

from __future__ import annotations

import pytest

from console.api.operations.people import CreateUser
from console.commands.action import FormAsk
from console.ui.dialogs import FormDialog

from .asking import Asking, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


def new_user(**initial: str) -> FormDialog:
    return FormDialog(FormAsk("f", "Create user", CreateUser, initial))


async def test_the_field_in_focus_has_a_mark_and_a_hint(asked: Asking) -> None:
    async with asked(new_user()) as (app, pilot):
        assert "▌ Username *" in text_of(app)
        await pilot.press("tab", "tab")
        seen = text_of(app)
        assert "▌ Role *" in seen
        assert seen.count("▌") == 1
        assert "one of: user, admin, anonymous" in seen


async def test_optional_fields_are_one_line_until_a_key_opens_them(asked: Asking) -> None:
    async with asked(new_user()) as (app, pilot):
        assert "7 more: email, capabilities, mobile phone" in text_of(app)
        assert "Locale" not in text_of(app)
        await pilot.press("ctrl+o")
        seen = text_of(app)
        assert "more:" not in seen
        assert "▌ Email" in seen
        assert "Locale" in seen


async def test_optional_fields_are_open_if_one_of_them_is_set(asked: Asking) -> None:
    async with asked(new_user(alias="Ann")) as (app, _):
        assert "Alias" in text_of(app)
        assert "more:" not in text_of(app)
