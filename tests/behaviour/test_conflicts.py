"""Two people change one group: what both wanted is kept, and what both cannot have is put before who comes second."""

from __future__ import annotations

import pytest

from console.screens.groups import GroupsScreen
from console.service.domain import groups
from console.service.domain.groups import GROUPS
from console.widgets.dialogs.conflict import ConflictDialog
from tests.behaviour.driver import Seat
from tests.behaviour.ground import Ground
from tests.faults.figures import record

pytestmark = pytest.mark.asyncio(loop_scope="module")


def members(ground: Ground, group_id: str) -> list[str]:
    return list(ground.stored(GROUPS, group_id)["participants"])


async def renamed_at_once(eva: Seat, ground: Ground) -> str:
    """Let eva type a name while somebody else gives another; returns the group's id."""
    group = ground.group(name="Before")
    await eva.look_at("groups", group.group_id)
    await eva.press("e")
    await eva.dialog()
    groups.update(ground.service.platform, group.group_id, name="Theirs")
    await eva.press("ctrl+u")
    await eva.type("Mine")
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    await eva.sees("Somebody else changed it meanwhile, so nothing was sent.")
    for side in ("Before", "Theirs", "Mine"):
        await eva.sees(side)
    assert ground.stored(GROUPS, group.group_id)["name"] == "Theirs"
    return group.group_id


async def test_who_comes_second_may_keep_what_the_first_did(eva: Seat, ground: Ground) -> None:
    group_id = await renamed_at_once(eva, ground)
    await eva.confirm("escape")
    await eva.no_dialog()
    assert ground.stored(GROUPS, group_id)["name"] == "Theirs"
    await eva.press("ctrl+l")
    await eva.sees("Before to Mine")
    await eva.sees("not sent, because")
    await eva.press("escape")


async def test_who_comes_second_may_insist_and_take_it_back(eva: Seat, ground: Ground) -> None:
    group_id = await renamed_at_once(eva, ground)
    await eva.confirm("ctrl+y")
    await eva.done("groups.rename")
    assert ground.stored(GROUPS, group_id)["name"] == "Mine"
    await eva.undo()
    assert ground.stored(GROUPS, group_id)["name"] == "Theirs"


async def test_the_draft_is_not_lost_and_can_be_edited_again(eva: Seat, ground: Ground) -> None:
    group_id = await renamed_at_once(eva, ground)
    await eva.confirm("e")
    await eva.dialog()
    await eva.press("end")
    await eva.type(" too")
    await eva.confirm("enter")
    await eva.done("groups.rename")
    kept = ground.stored(GROUPS, group_id)["name"] == "Mine too"
    record("O5", kept, f"{int(not kept)} of 1 draft of a name", "0 drafts lost")
    assert kept


async def test_an_order_that_is_staged_takes_in_who_joins_and_lets_go_who_leaves(eva: Seat, ground: Ground) -> None:
    group = ground.group(["pat", "ana", "bob"])
    await eva.look_at("groups", group.group_id)
    await eva.press("tab", "shift+down")
    await eva.sees("new order")
    ground.add_member(group.group_id, "carla")
    groups.remove(ground.service.platform, group.group_id, "bob")
    screen = eva.app.screen
    assert isinstance(screen, GroupsScreen)
    await eva.until(lambda: screen.members_pane.staged == ("ana", "pat", "carla"))
    await eva.press("enter")
    await eva.done("groups.reorder")
    assert members(ground, group.group_id) == ["ana", "pat", "carla"]
    await eva.undo()
    assert members(ground, group.group_id) == ["pat", "ana", "carla"]


async def test_two_orders_are_put_beside_each_other_and_the_draft_is_kept(eva: Seat, ground: Ground) -> None:
    group = ground.group(["pat", "ana", "bob"])
    await eva.look_at("groups", group.group_id)
    await eva.press("tab", "shift+down")
    await eva.sees("new order")
    groups.reorder(ground.service.platform, group.group_id, ["bob", "pat", "ana"])
    ground.add_member(group.group_id, "carla")
    await eva.until(lambda: len(eva.desk.records("groups")[group.group_id].participants) == 4)
    screen = eva.app.screen
    assert isinstance(screen, GroupsScreen)
    assert screen.members_pane.staged == ("ana", "pat", "bob"), "it is still there"
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, ConflictDialog))
    assert members(ground, group.group_id) == ["bob", "pat", "ana", "carla"]
    await eva.confirm("e")
    await eva.dialog()
    await eva.sees("Order of")
    await eva.confirm("ctrl+y")
    await eva.done("groups.reorder")
    order = members(ground, group.group_id)
    record("O5", order == ["ana", "pat", "bob", "carla"], "0 of 1 draft of an order", "0 drafts lost")
    assert order == ["ana", "pat", "bob", "carla"]
