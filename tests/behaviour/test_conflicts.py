"""Two people change one group: compatible changes are merged, others are shown to the second person."""

from __future__ import annotations

import pytest

from console.records.access import RecordingPermission, VoicemailPermission
from console.records.addresses import GROUP_PREFIX
from console.service.domain import accounts, groups, people, permissions, sip, sip_mappings, templates
from console.service.domain.groups import GROUPS
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.domain.templates import TEMPLATES
from console.ui.screens.groups import GroupsScreen
from console.ui.screens.outcome_dialogs import ConflictDialog
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, fresh
from tests.faults.figures import record

pytestmark = pytest.mark.asyncio(loop_scope="module")


def members(base: Base, group_id: str) -> list[str]:
    return list(base.stored(GROUPS, group_id)["participants"])


async def renamed_at_once(eva: Seat, base: Base) -> str:
    """Let eva and somebody else rename a group at the same time; return the group's id."""
    group = base.group(name="Before")
    await eva.look_at("groups", group.group_id)
    await eva.open_dialog("e")
    groups.update(base.service.platform, group.group_id, name="Theirs")
    await eva.press("ctrl+u")
    await eva.type("Mine")
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    await eva.sees("Not sent: somebody else changed it in the meantime.")
    for side in ("Before", "Theirs", "Mine"):
        await eva.sees(side)
    assert base.stored(GROUPS, group.group_id)["name"] == "Theirs"
    return group.group_id


async def test_the_second_editor_can_keep_the_first_change(eva: Seat, base: Base) -> None:
    group_id = await renamed_at_once(eva, base)
    await eva.confirm("escape")
    await eva.no_dialog()
    assert base.stored(GROUPS, group_id)["name"] == "Theirs"
    await eva.press("ctrl+l")
    await eva.sees("Before to Mine")
    await eva.sees("not sent")
    await eva.sees("somebody else changed")
    await eva.press("escape")


@presses("groups.rename", undone=True)
async def test_the_second_editor_can_override_the_first_change_and_undo_it(eva: Seat, base: Base) -> None:
    group_id = await renamed_at_once(eva, base)
    await eva.confirm("ctrl+y", does="groups.rename")
    assert base.stored(GROUPS, group_id)["name"] == "Mine"
    await eva.undo()
    assert base.stored(GROUPS, group_id)["name"] == "Theirs"


async def test_the_draft_is_kept_and_can_be_edited_again(eva: Seat, base: Base) -> None:
    group_id = await renamed_at_once(eva, base)
    await eva.confirm("e")
    await eva.dialog()
    await eva.press("end")
    await eva.type(" too")
    await eva.confirm("enter", does="groups.rename")
    kept = base.stored(GROUPS, group_id)["name"] == "Mine too"
    record("O5", kept, f"{int(not kept)} of 1 draft of a name", "0 drafts lost")
    assert kept


async def test_a_staged_order_includes_new_members_and_drops_those_who_left(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob"])
    await eva.look_at("groups", group.group_id)
    await eva.press("tab", "shift+down")
    await eva.sees("new order")
    base.add_member(group.group_id, "carla")
    groups.remove(base.service.platform, group.group_id, "bob")
    screen = eva.app.screen
    assert isinstance(screen, GroupsScreen)
    await eva.until(lambda: screen.members_pane.staged == ("ana", "pat", "carla"))
    await eva.press("enter")
    await eva.done("groups.reorder")
    assert members(base, group.group_id) == ["ana", "pat", "carla"]
    await eva.undo()
    assert members(base, group.group_id) == ["pat", "ana", "carla"]


async def test_two_orders_are_shown_side_by_side_and_the_draft_is_kept(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob"])
    await eva.look_at("groups", group.group_id)
    await eva.press("tab", "shift+down")
    await eva.sees("new order")
    groups.reorder(base.service.platform, group.group_id, ["bob", "pat", "ana"])
    base.add_member(group.group_id, "carla")
    await eva.until(lambda: len(eva.backend.records("groups")[group.group_id].participants) == 4)
    screen = eva.app.screen
    assert isinstance(screen, GroupsScreen)
    assert screen.members_pane.staged == ("ana", "pat", "bob"), "it is still there"
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    assert members(base, group.group_id) == ["bob", "pat", "ana", "carla"]
    await eva.confirm("e")
    await eva.dialog()
    await eva.sees("Order of")
    await eva.confirm("ctrl+y", does="groups.reorder")
    order = members(base, group.group_id)
    record("O5", order == ["ana", "pat", "bob", "carla"], "0 of 1 draft of an order", "0 drafts lost")
    assert order == ["ana", "pat", "bob", "carla"]


# -- forms of the administration -------------------------------------------------------------------------------------


def changed_elsewhere(base: Base, user_id: str, **values: object) -> None:
    """Change a user as somebody else."""
    accounts.update(base.service.platform, base.caller("eva"), user_id, values)


def of(base: Base, user_id: str, *fields: str) -> list[object]:
    stored = base.stored(people.USERS, user_id)
    return [stored.get(each) for each in fields]


async def edit(eva: Seat, user_id: str, **fields: str) -> None:
    """Open a user's form, change fields, and go to the difference."""
    await eva.look_at("users", user_id)
    await eva.open_dialog("e")
    for label, text in fields.items():
        await eva.focus_field(label)
        await eva.press("ctrl+u")
        await eva.type(text)


async def send(eva: Seat) -> None:
    await eva.press("ctrl+y")
    await eva.sees("Send")
    await eva.confirm("enter")


async def test_changes_of_different_fields_by_two_administrators_are_both_kept(eva: Seat, base: Base) -> None:
    user = base.newcomer()
    await edit(eva, user, Alias="Mine", Locale="pt-PT")
    changed_elsewhere(base, user, email="theirs@desk.example", locale="pt-PT")
    await send(eva)
    await eva.done("operations.users.update")
    assert of(base, user, "alias", "email", "locale") == ["Mine", "theirs@desk.example", "pt-PT"]


async def test_a_field_that_two_administrators_changed_is_shown_and_the_input_is_kept(eva: Seat, base: Base) -> None:
    user = base.newcomer()
    before = of(base, user, "alias")[0]
    await edit(eva, user, Alias="Mine", Email="mine@desk.example", Locale="pt-PT")
    changed_elsewhere(base, user, alias="Theirs", email="theirs@desk.example")
    await send(eva)
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    for words in (
        "Alias",
        str(before),
        "Theirs",
        "Mine",
        "Email",
        "nothing",
        "theirs@desk.example",
        "mine@desk.example",
    ):
        await eva.sees(words)
    assert "Locale" not in eva.screen_text()
    assert of(base, user, "alias", "locale") == ["Theirs", None], "nothing was sent"
    await eva.confirm("e")
    await eva.dialog()
    await eva.sees("Mine")
    await eva.focus_field("Alias")
    await eva.press("end")
    await eva.type(" too")
    await eva.press("ctrl+y")
    await eva.sees("Theirs → Mine too")
    await eva.sees("pt-PT")
    await eva.confirm("enter", does="operations.users.update")
    assert of(base, user, "alias", "email", "locale") == ["Mine too", "mine@desk.example", "pt-PT"]


async def test_a_template_that_two_administrators_changed_is_not_overwritten(eva: Seat, base: Base) -> None:
    """A template is read again in the list: no operation reads one alone."""
    template = base.template().template_id
    await eva.look_at("templates", template)
    await eva.open_dialog("e")
    await eva.focus_field("Title")
    await eva.press("ctrl+u")
    await eva.type("Mine")
    await eva.focus_field("Repeat every")
    await eva.press("ctrl+u")
    await eva.type("2m")
    theirs = {"title": "Theirs", "payload": "Their message", "time_in_ms_between_retries": 90_000}
    templates.update(base.service.platform, template, theirs)
    await send(eva)
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    for words in ("Title:", "Theirs", "Mine", "Repeat every:", "1m 30s", "2m"):
        await eva.sees(words)
    assert "Their message" not in eva.screen_text()
    assert base.stored(TEMPLATES, template)["title"] == "Theirs"
    await eva.confirm("ctrl+y", does="templates.edit")
    stored = base.stored(TEMPLATES, template)
    assert (stored["title"], stored["payload"]) == ("Mine", "Their message")
    assert stored["timeInMsBetweenRetries"] == 120_000
    await eva.undo()
    assert base.stored(TEMPLATES, template)["title"] == "Theirs"


@pytest.mark.parametrize("way", ["menu", "palette"])
async def test_permissions_of_selected_users_are_shown_changed_and_undone_together(
    eva: Seat, base: Base, way: str
) -> None:
    platform, users = base.service.platform, [base.newcomer() for _ in range(2)]
    for user, recording_type in zip(users, ("never", "theirs"), strict=True):
        recording = RecordingPermission(recording_type=recording_type, recording_profile="always")
        permissions.create(platform, permissions.of_user(user), recording, VoicemailPermission(enabled=True))

    def recordings() -> list[str | None]:
        with platform.read() as tx:
            stored = [permissions.need(tx, permissions.of_user(user)).recording for user in users]
        return [each and each.recording_type for each in stored]

    await eva.look_at("users")
    for user in users:
        await eva.press("slash", "ctrl+u")
        await eva.type(f"username={base.stored(people.USERS, user)['username']}")
        await eva.press("enter")
        await eva.sees("1 of ")
        await eva.press("space")
    await eva.press("slash", "ctrl+u", "enter")
    await eva.sees("2 selected")
    if way == "menu":
        await eva.open_dialog("o")
        await eva.sees("Users: 2 selected")
        await eva.type("update user permissions")
    else:
        await eva.press("ctrl+p")
        await eva.sees("Search for commands")
        await eva.type("run user-permissions.update")
        await eva.sees("(run user-permissions.update)")
        await eva.press("down")
    await eva.press("enter")
    await eva.sees("Update user permissions: 2 users")
    await eva.focus_field("Recording type")
    await eva.press("ctrl+u")
    await eva.type("mine")
    await eva.press("ctrl+y")
    for words in ("never", "theirs", "mine"):
        await eva.sees(words)
    await eva.confirm("enter", does="operations.user-permissions.update")
    assert recordings() == ["mine", "mine"]
    await eva.undo()
    await eva.until(lambda: recordings() == ["never", "theirs"])


async def test_permissions_that_two_administrators_changed_are_not_overwritten(eva: Seat, base: Base) -> None:
    platform, user = base.service.platform, base.newcomer()
    of_user = permissions.of_user(user)
    before = RecordingPermission(recording_type="never", recording_profile="always")
    permissions.create(platform, of_user, before, VoicemailPermission(enabled=True))

    def recording() -> str | None:
        with platform.read() as tx:
            stored = permissions.need(tx, of_user).recording
        return None if stored is None else stored.recording_type

    await eva.look_at("users", user)
    await eva.open_dialog("o")
    await eva.type("update user permissions")
    await eva.press("enter")
    await eva.sees("never")
    await eva.focus_field("Recording type")
    await eva.press("ctrl+u")
    await eva.type("mine")
    permissions.update(platform, of_user, RecordingPermission(recording_type="theirs"), None)
    await send(eva)
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    for words in ("never", "theirs", "mine"):
        await eva.sees(words)
    assert recording() == "theirs"
    await eva.confirm("ctrl+y", does="operations.user-permissions.update")
    assert recording() == "mine"
    await eva.undo()
    assert recording() == "theirs"


async def test_a_sip_mapping_that_somebody_else_made_is_not_overwritten(eva: Seat, base: Base) -> None:
    platform, group = base.service.platform, base.group(name=fresh("Harbour"))
    uri = f"{GROUP_PREFIX}{group.group_id}"
    mine, theirs = (
        sip.create(platform, base.caller("eva"), fresh("sip"), "hush-hush", "desk.example") for _ in range(2)
    )

    def mapped() -> str:
        return base.stored(SIP_MAPPINGS, uri)["mapping"]["username"]

    await eva.until(lambda: group.group_id in eva.backend.records("groups"))
    await eva.look_at("sip-identities", mine.id)
    await eva.open_dialog("plus")
    await eva.type(group.name or "")
    sip_mappings.set_mapping(platform, uri, theirs.username or "", None)
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    for words in ("nothing", f" {theirs.username} ", f" {mine.username} "):
        await eva.sees(words)
    assert "hush" not in eva.screen_text()
    assert mapped() == theirs.username, "nothing was sent"
    assert "…" not in eva.screen_text().split("before")[1].split("Keep theirs")[0], "no secret, not even its end"
    await eva.confirm("ctrl+y", does="sip.assign")
    assert mapped() == mine.username
    await eva.undo()
    assert mapped() == theirs.username
