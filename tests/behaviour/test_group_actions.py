"""Every action on groups and their members: key, dialogs, database, undo."""

from __future__ import annotations

import pytest

from console.service.domain.groups import GROUPS
from console.ui.screens.groups import GroupsScreen
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


def members(base: Base, group_id: str) -> list[str]:
    return list(base.stored(GROUPS, group_id)["participants"])


@presses("groups.create")
async def test_a_new_group_is_owned_by_its_creator(eva: Seat, base: Base) -> None:
    group_id = fresh("made")
    await eva.look_at("groups")
    await eva.open_dialog("n")
    await eva.type("Made here")
    await eva.press("ctrl+o", "down")
    await eva.type(group_id)
    await eva.press("enter")
    await eva.sees("Made here")
    await eva.confirm("enter", does="groups.create")
    made = base.stored(GROUPS, group_id)
    assert (made["name"], made["owner"]["id"]) == ("Made here", "eva")
    await eva.sees("l add member")
    screen = eva.app.screen
    assert isinstance(screen, GroupsScreen)
    keys = [key.identifier for key in screen.footer_keys()]
    # The notice offers it; the footer has the action's own key.
    assert "groups.add" in keys
    assert "view.next-step" not in keys
    await eva.open_dialog("l")
    await eva.sees("to Made here")
    await eva.press("escape")


@presses("groups.create-many")
async def test_several_groups_are_created_from_a_pasted_list(eva: Seat, base: Base) -> None:
    one, other = fresh("many"), fresh("many")
    await eva.look_at("groups")
    await eva.press("ctrl+g")
    await eva.paste(f'{one}, First\n{other}, "Second, and last", sequential')
    await eva.dialog()
    await eva.sees(f"line 2: {other}")
    # The groups are not created yet.
    await eva.sees("Next  ^y")
    await eva.press("enter")
    await eva.sees("All of these groups are created, or none")
    await eva.confirm("ctrl+y", does="groups.create-many")
    assert base.stored(GROUPS, one)["name"] == "First"
    assert base.stored(GROUPS, other)["name"] == "Second, and last"
    assert base.stored(GROUPS, other)["ringingStrategy"] == {"type": "sequential"}


@presses("groups.add", undone=True)
async def test_a_member_is_added_by_part_of_the_number_and_removed_again(eva: Seat, base: Base) -> None:
    group, number = base.group(["pat"]), base.user("ana").mobile_phone[0]
    await eva.look_at("groups", group.group_id)
    with eva.counted(6 + 2):
        await eva.press("plus")
        await eva.type(number[-6:])
        await eva.dialog()
        await eva.sees("Ana Belmonte")
        await eva.press("enter")
        await eva.done("groups.add")
    assert members(base, group.group_id) == ["pat", "ana"]
    await eva.undo()
    assert members(base, group.group_id) == ["pat"]


@presses("groups.reorder", undone=True)
async def test_an_order_is_edited_as_text_and_undone(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob"])
    await eva.look_at("groups", group.group_id)
    await eva.open_dialog("O")
    await eva.press("ctrl+k", "delete")
    await eva.sees("have changed: reorder")
    await eva.press("down", "end")
    await eva.type("\npat")
    await eva.confirm("ctrl+y", does="groups.reorder")
    assert members(base, group.group_id) == ["ana", "bob", "pat"]
    await eva.undo()
    assert members(base, group.group_id) == ["pat", "ana", "bob"]


@presses("groups.clear", undone=True)
async def test_removing_all_members_needs_a_confirmation_and_is_undone_in_order(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob"])
    await eva.look_at("groups", group.group_id)
    await eva.open_dialog("X")
    await eva.sees(f"id {group.group_id}")
    await eva.sees("All 3 members leave")
    await eva.press("y", "space")
    await eva.confirm("enter")
    assert members(base, group.group_id) == ["pat", "ana", "bob"]
    await eva.press("X")
    await eva.confirm("ctrl+y", does="groups.clear")
    assert members(base, group.group_id) == []
    await eva.undo()
    assert members(base, group.group_id) == ["pat", "ana", "bob"]


@presses("groups.leave-all", undone=True)
async def test_leaving_every_group_lists_them_first_and_is_undone_for_owned_groups(eva: Seat, base: Base) -> None:
    own, others = base.group(["pat", "eva", "ana"]), base.group(["eva", "bob"], owner="bob")
    await eva.look_at("groups", own.group_id)
    await eva.open_dialog("m")
    await eva.type("leave all")
    await eva.press("enter")
    await eva.sees("You leave these")
    await eva.sees(own.name or "")
    await eva.sees(f"{others.name}  of Bob Whitaker")
    await eva.confirm("ctrl+y", does="groups.leave-all")
    assert members(base, own.group_id) == ["pat", "ana"]
    assert members(base, others.group_id) == ["bob"]
    await eva.undo()
    assert members(base, own.group_id) == ["pat", "eva", "ana"]
    assert members(base, others.group_id) == ["bob"]


async def test_removing_several_users_needs_their_number(eva: Seat, base: Base) -> None:
    await eva.look_at("users")
    await eva.press("home", "space", "space", "space")
    leavers = sorted(eva.marked)
    group = base.group(["pat", *leavers])
    await eva.until(lambda: group.group_id in eva.backend.records("groups"))
    await eva.open_dialog("L")
    await eva.sees("3 people leave")
    await eva.sees("Type 3 to continue.")
    await eva.press("ctrl+y", "enter")
    await eva.sees("The text does not match.")
    assert members(base, group.group_id) == ["pat", *leavers]
    await eva.type("3")
    await eva.confirm("ctrl+y", does="users.leave-groups")
    assert members(base, group.group_id) == ["pat"]
    await eva.undo()
    assert members(base, group.group_id) == ["pat", *leavers]
