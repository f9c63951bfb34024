"""The fields of a form as a person sees them: the one in focus, its hint, and the optional ones in a closed line."""

from __future__ import annotations

import pytest

from console.api.operations.people import CreateUser
from console.api.operations.support import AttachAgent
from console.base.text import clean
from console.commands.action import FormAsk, UserNames
from console.ui.dialogs import FormDialog
from console.ui.widgets.form_reading import FormResult, Typed
from console.ui.widgets.form_widgets import KnownInput

from .asking import Asking, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


DOMAINS = ("desk.example", "north.desk.example", "shop.example")


def new_user(**initial: str) -> FormDialog:
    return FormDialog(FormAsk("f", "Create user", CreateUser, initial, known={"domain": DOMAINS}))


async def test_the_field_in_focus_has_a_mark_and_a_hint(asked: Asking) -> None:
    async with asked(new_user()) as (app, pilot):
        assert "▌ Username *" in text_of(app)
        await pilot.press("tab", "tab")
        seen = text_of(app)
        assert "▌ Role *" in seen
        assert seen.count("▌") == 1
        assert "one of: user, admin, anonymous. Usually user." in seen


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


async def test_a_field_with_the_id_of_a_user_shows_the_name_and_accepts_one(asked: Asking) -> None:
    people = UserNames(
        lambda typed: {"pia": "u2"}.get(typed, typed), lambda user_id: clean({"u1": "Ana Ruiz"}[user_id])
    )
    form = FormDialog(FormAsk("f", "Skill", AttachAgent, draft={"skill": "support", "agent": "u1"}, people=people))
    async with asked(form) as (app, _):
        assert "Agent *  Ana Ruiz" in text_of(app)
        assert form.read({**form.typed(), "agent": "pia"}).changed["agent"] == "u2"


async def test_known_values_are_put_in_by_a_key_and_narrowed_by_typing(asked: Asking) -> None:
    async with asked(form := new_user()) as (app, pilot):
        domain = form.query_one("#field-1", KnownInput)
        await pilot.press("tab")
        assert "→ next of: desk.example, north.desk.example, shop.example" in text_of(app)
        await pilot.press("right", "right")
        assert domain.value == "north.desk.example"
        await pilot.press("ctrl+u", "s", "h")
        assert "→ next of: shop.example" in text_of(app)
        await pilot.press("right")
        assert domain.value == "shop.example"
        await pilot.press("right")
        assert domain.value == "shop.example"


async def test_a_value_that_is_not_known_can_be_typed(asked: Asking) -> None:
    async with asked(form := new_user()) as (app, pilot):
        await pilot.press("tab", *"new.example", "right")
        assert form.query_one("#field-1", KnownInput).value == "new.example"
        assert "a new value: no known one matches" in text_of(app)


async def test_a_value_that_is_set_does_not_narrow_the_known_ones(asked: Asking) -> None:
    async with asked(form := new_user(domain="shop.example")) as (_, pilot):
        await pilot.press("tab", "right")
        assert form.query_one("#field-1", KnownInput).value == "desk.example"


class Refusing(FormDialog):
    """A form whose optional field `locale` is wrong."""

    def read(self, typed: Typed) -> FormResult:
        return FormResult({}, {"locale": "is not offered here"})


async def test_optional_fields_open_if_one_of_them_has_a_fault(asked: Asking) -> None:
    async with asked(Refusing(FormAsk("f", "Create user", CreateUser))) as (app, pilot):
        assert "more:" in text_of(app)
        await pilot.press("ctrl+y")
        seen = text_of(app)
        assert "▌ Locale" in seen
        assert "is not offered here" in seen
        assert "more:" not in seen
