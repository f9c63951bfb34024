"""A record is deleted or renamed while its form is open: nothing is sent, and the typed values are not lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from console.service.domain import credentials, groups, people, sip, templates
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.templates import TEMPLATES
from console.service.store.documents import Documents
from console.ui.screens.outcome_dialogs import GoneDialog
from tests.behaviour.driver import Seat
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


def new_group(base: Base) -> str:
    return base.group().group_id


def new_template(base: Base) -> str:
    return base.template().template_id


def new_credential(base: Base) -> str:
    owner, data = base.user("eva"), {"username": fresh("sip"), "password": "hush-hush"}
    return credentials.create(
        base.service.platform, owner, source="gateway", type="ims", domain="desk.example", data=data, lease=0
    ).id


def remove_credential(base: Base, key: str) -> None:
    with base.service.platform.write() as tx:
        CREDENTIALS.remove(tx, key)


def remove_user(base: Base, key: str) -> None:
    with base.service.platform.write() as tx:
        people.remove_users(tx, [key])


def remove_group(base: Base, key: str) -> None:
    with base.service.platform.write() as tx:
        GROUPS.remove(tx, key)


def rename_group(base: Base, key: str) -> None:
    groups.update(base.service.platform, key, new_group_id=f"{key}-renamed")


def remove_template(base: Base, key: str) -> None:
    templates.delete(base.service.platform, key)


def new_identity(base: Base) -> str:
    platform = base.service.platform
    return sip.create(platform, base.caller("eva"), fresh("sip"), "hush-hush", "desk.example").id


def remove_identity(base: Base, key: str) -> None:
    with base.service.platform.write() as tx:
        SIP_IDENTITIES.remove(tx, key)


@pytest.mark.parametrize(
    ("kind", "make", "gone", "field", "stored"),
    [
        ("users", Base.newcomer, remove_user, "Alias", USERS),
        ("groups", new_group, remove_group, "", GROUPS),
        ("groups", new_group, rename_group, "", GROUPS),
        ("templates", new_template, remove_template, "Title", TEMPLATES),
        ("credentials", new_credential, remove_credential, "Domain", CREDENTIALS),
        ("sip-identities", new_identity, remove_identity, "Username", SIP_IDENTITIES),
    ],
    ids=["user", "group", "renamed group", "template", "credential", "sip identity"],
)
async def test_a_record_that_is_gone_is_not_made_again_and_the_typed_values_can_be_copied(
    eva: Seat,
    base: Base,
    kind: str,
    make: Callable[[Base], str],
    gone: Callable[[Base, str], None],
    field: str,
    stored: Documents[Any],
) -> None:
    key = make(base)
    await eva.look_at(kind, key)
    await eva.open_dialog("e")
    if field:
        await eva.focus_field(field)
    await eva.press("ctrl+u")
    await eva.type("Typed by me")
    gone(base, key)
    await eva.press("ctrl+y" if field else "enter")
    if field:
        await eva.sees("Send")
        await eva.confirm("enter")
    await eva.until(lambda: isinstance(eva.app.screen, GoneDialog))
    await eva.dialog()
    await eva.sees("Not sent: it was deleted or renamed in the meantime.")
    await eva.sees(f"{field or 'Name'}: Typed by me")
    await eva.press("y")
    await eva.sees("The values were sent to the terminal's clipboard.")
    assert eva.app.clipboard == "Typed by me"
    await eva.confirm("escape")
    await eva.no_dialog()
    assert base.lookup(stored, key) is None
    await eva.press("ctrl+l")
    await eva.sees("not sent")
    await eva.press("escape")


async def test_several_typed_values_are_copied_as_json(eva: Seat, base: Base) -> None:
    key = base.template().template_id
    await eva.look_at("templates", key)
    await eva.open_dialog("e")
    long = "My message " + "is long " * 15 + "to the end"
    for field, text in (("Title", "Mine"), ("Message", long)):
        await eva.focus_field(field)
        await eva.press("ctrl+u")
        await eva.type(text)
    remove_template(base, key)
    await eva.press("ctrl+y")
    await eva.sees("Send")
    await eva.confirm("enter")
    await eva.until(lambda: isinstance(eva.app.screen, GoneDialog))
    await eva.dialog()
    for words in ("Title: Mine", "Message: My message is long", "to the end"):
        await eva.sees(words)
    await eva.press("y")
    assert json.loads(eva.app.clipboard) == {"title": "Mine", "payload": long}
    await eva.confirm("escape")
