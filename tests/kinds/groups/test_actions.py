"""Actions on groups and their members: exact requests, and undo of every change on a model of the service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    CreateGroup,
    CreateGroups,
    LeaveGroups,
    NewGroup,
    RemoveParticipant,
    ReorderParticipants,
    UpdateGroup,
)
from console.commands.action import ChoiceAsk, Situation, TextAsk
from console.commands.guards import blocked
from console.commands.resolve import Found, resolve_members
from console.kinds.actions import by_id
from console.kinds.groups.actions import read_groups
from console.kinds.members.actions import members, moved, reorder_step
from console.live.command import Step
from console.records.people import RingingStrategy, User
from tests.for_each import for_each
from tests.kinds.action_world import (
    ANA,
    BOB,
    CARLA,
    DAN,
    EMPTY,
    EVA,
    NIGHT,
    SALES,
    Groups,
    asks_of,
    plan,
    requests,
    situation,
)

ALL = (SALES, NIGHT, EMPTY)
MEMBERS = {each.user_id: each for each in members(SALES)}


def _picked(*ids: str) -> list[Step]:
    return plan("members.remove", situation(selected=SALES), [MEMBERS[each] for each in ids])


CHANGES: dict[str, Callable[[], list[Step]]] = {
    "rename": lambda: plan("groups.rename", situation(), (SALES,), name="Sales EU"),
    "strategy": lambda: plan("groups.strategy", situation(), (SALES,), strategy="random"),
    "add": lambda: plan("groups.add", situation(), (SALES,), user="u-dan"),
    "add many": lambda: plan("groups.add-many", situation(), (EMPTY,), users="ana\nbob\nnobody\neva"),
    "remove first": lambda: _picked("u-ana"),
    "remove last": lambda: _picked("u-eva"),
    "remove three": lambda: _picked("u-bob", "u-ana", "u-eva"),
    "remove everyone": lambda: _picked(*SALES.participants),
    "reorder": lambda: [reorder_step(situation(), SALES, SALES.participants[::-1])],
    "clear": lambda: plan("groups.clear", situation(), (SALES,)),
}


@for_each("change", CHANGES.values())
def test_every_change_has_an_inverse(change: Callable[[], list[Step]]) -> None:
    service = Groups(ALL, EVA.id)
    before = service.state
    steps = change()
    service.do(steps)
    assert service.state != before
    service.undo(steps)
    assert service.state == before


@given(
    order=st.permutations([f"u-{number}" for number in range(8)]),
    gone=st.lists(st.sampled_from([f"u-{number}" for number in range(8)]), unique=True, min_size=1),
)
def test_a_removed_member_is_restored_at_the_same_position(order: list[str], gone: list[str]) -> None:
    group = SALES.model_copy(update={"participants": tuple(order)})
    rows = {each.user_id: each for each in members(group)}
    steps = plan("members.remove", situation(selected=group, groups=(group,)), [rows[each] for each in gone])
    service = Groups((group,), EVA.id)
    service.do(steps)
    assert not set(gone) & set(service.members["sales"])
    service.undo(steps)
    assert service.members["sales"] == order


@pytest.mark.parametrize(
    "action_id",
    ["groups.rename", "groups.strategy", "groups.add", "groups.add-many", "groups.reorder", "groups.clear"],
)
def test_only_the_owner_can_change_a_group_and_the_reason_names_the_owner(action_id: str) -> None:
    assert blocked(by_id(action_id), situation(EVA), (SALES,)) is None
    assert blocked(by_id(action_id), situation(EVA), (NIGHT,)) == "Only the owner, Bob, can change this group."
    assert blocked(by_id(action_id), situation(BOB), (NIGHT,)) is None


def test_a_group_without_an_owner_field_is_left_to_the_service() -> None:
    assert blocked(by_id("groups.rename"), situation(), (SALES.model_copy(update={"owner": None}),)) is None


def test_an_owner_known_only_by_id_is_named_from_the_list() -> None:
    group = NIGHT.model_copy(update={"owner": User(id=BOB.id)})
    assert blocked(by_id("groups.rename"), situation(), (group,)) == "Only the owner, Bob, can change this group."


def test_a_member_can_leave_but_not_remove_others() -> None:
    rows = {each.user_id: each for each in members(NIGHT)}
    at = situation(EVA, selected=NIGHT)
    assert blocked(by_id("members.remove"), at, (rows["u-eva"],)) is None
    assert blocked(by_id("members.remove"), at, (rows["u-bob"],)) == "Only the owner, Bob, can change this group."
    (step,) = plan("members.remove", at, (rows["u-eva"],))
    assert step.request == RemoveParticipant(group_id="night", target_user_id="u-eva")
    assert step.inverse == (), "who does not own the group cannot come back"


def test_a_group_is_created() -> None:
    (step,) = plan("groups.create", situation(), group={"group_id": "g", "name": "G"})
    assert step.request == CreateGroup(group_id="g", name="G")
    with pytest.raises(ValueError, match="Group sales already exists"):
        plan("groups.create", situation(), group={"group_id": "sales", "name": "G"})
    with pytest.raises(ValueError, match="Name: needs a value"):
        plan("groups.create", situation(), group={"group_id": "g"})


def test_several_groups_are_created_in_one_request() -> None:
    (step,) = plan("groups.create-many", situation(), groups='a, A\n\n b , "B, C" , random\n')
    assert step.request == CreateGroups(
        groups=(
            NewGroup(group_id="a", name="A"),
            NewGroup(group_id="b", name="B, C", ringing_strategy=RingingStrategy(type="random")),
        )
    )
    assert step.words == "created 2 groups"


def test_a_line_with_a_value_that_is_too_long_is_reported_as_invalid() -> None:
    lines = read_groups(f"a, A\nb, {'x' * 131_073}\nc, C", situation().render)
    too_long = "a value exceeds 131 072 characters"
    assert [(each.number, each.fault) for each in lines] == [(1, ""), (2, too_long), (3, "")]


def test_every_invalid_line_is_reported_before_anything_is_sent() -> None:
    typed = "a, A\na, again\nsales, S\n, no id\nb,\nc, C, x, y"
    lines = read_groups(typed, situation().render)
    assert [(each.number, each.fault) for each in lines] == [
        (1, ""),
        (2, "a is listed twice"),
        (3, "group sales already exists"),
        (4, "no group id"),
        (5, "no name"),
        (6, "more than three values; put a name with a comma in double quotes"),
    ]
    with pytest.raises(ValueError, match=r"Line 2: a is listed twice\. 4 more lines are invalid\."):
        plan("groups.create-many", situation(), groups=typed)
    (ask,) = asks_of(by_id("groups.create-many"), situation(), ())
    assert isinstance(ask, TextAsk)
    assert ask.check is not None
    assert ask.preview is not None
    assert ask.check(typed) == "Line 2: a is listed twice."
    assert ask.check("a, A") is None
    assert ask.check("\n") is not None
    assert len(ask.preview(typed)) == 6


def test_the_offered_strategies_are_those_of_the_contract_and_those_in_use() -> None:
    (ask,) = asks_of(by_id("groups.strategy"), situation(), (SALES,))
    assert isinstance(ask, ChoiceAsk)
    assert ask.digits
    assert ask.free
    assert [each.value for each in ask.choices] == ["simultaneous", "sequential"]


def test_changing_a_strategy_keeps_its_other_fields() -> None:
    strategy = RingingStrategy.model_validate({"type": "hunt", "seconds": 20})
    group = SALES.model_copy(update={"ringing_strategy": strategy})
    (step,) = plan("groups.strategy", situation(), (group,), strategy="random")
    assert isinstance(step.request, UpdateGroup)
    assert step.request.ringing_strategy is not None
    assert step.request.ringing_strategy.wire() == {"type": "random", "seconds": 20}
    assert step.inverse == (UpdateGroup(group_id="sales", ringing_strategy=strategy),)


@pytest.mark.parametrize(
    ("action_id", "answer"), [("groups.rename", {"name": "Sales"}), ("groups.rename", {"name": " "})]
)
def test_an_invalid_name_is_refused(action_id: str, answer: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"already|missing"):
        plan(action_id, situation(), (SALES,), **answer)


def test_an_unchanged_strategy_is_not_sent() -> None:
    with pytest.raises(ValueError, match="already rings simultaneous"):
        plan("groups.strategy", situation(), (NIGHT,), strategy="simultaneous")


def test_a_copy_has_the_same_members_in_order_and_is_owned_by_the_caller() -> None:
    (ask,) = asks_of(by_id("groups.copy"), situation(), (NIGHT,))
    assert isinstance(ask, TextAsk)
    assert ask.check is not None
    assert ask.check("sales") == "Group sales already exists."
    assert ask.check("night-2") is None
    assert ask.preview is not None
    assert ["".join(cell.text for cell in line) for line in ask.preview("")][1:] == ["  1  Eva", "  2  Bob"]
    create, fill = plan("groups.copy", situation(), (NIGHT,), group_id="night-2")
    strategy = RingingStrategy(type="simultaneous")
    assert create.request == CreateGroup(group_id="night-2", name="Night (copy)", ringing_strategy=strategy)
    assert fill.request == UpdateGroup(group_id="night-2", participants=NIGHT.participants)
    assert create.key == fill.key == "night-2", "what is refused to be created is not filled"
    assert len(plan("groups.copy", situation(), (EMPTY,), group_id="empty-2")) == 1
    with pytest.raises(ValueError, match="Group sales already exists"):
        plan("groups.copy", situation(), (NIGHT,), group_id="sales")


def test_adding_offers_only_users_who_are_not_members() -> None:
    (ask,) = asks_of(by_id("groups.add"), situation(), (SALES,))
    assert isinstance(ask, ChoiceAsk)
    assert [each.value for each in ask.choices] == ["u-dan"]
    (step,) = plan("groups.add", situation(), (SALES,), user="u-dan")
    assert step.request == AddParticipant(group_id="sales", target_user_id="u-dan")
    assert step.inverse == (RemoveParticipant(group_id="sales", target_user_id="u-dan"),)
    with pytest.raises(ValueError, match="Ana is already in Sales"):
        plan("groups.add", situation(), (SALES,), user="u-ana")


def test_pasted_lines_are_resolved_one_by_one() -> None:
    typed = "bob@desk.example\nu-ana; svc-user:u-ana\nSam\nnobody\n\nDan <dan@desk.example>\n'carla'"
    results = resolve_members(typed, situation().render, EMPTY.model_copy(update={"participants": ("u-bob",)}))
    assert [(each.written, each.found, each.user) for each in results] == [
        ("bob@desk.example", Found.ALREADY_IN, BOB),
        ("u-ana", Found.ADDS, ANA),
        ("svc-user:u-ana", Found.TWICE, ANA),
        ("Sam", Found.AMBIGUOUS, None),
        ("nobody", Found.UNKNOWN, None),
        ("dan@desk.example", Found.ADDS, DAN),
        ("carla", Found.ADDS, CARLA),
    ]
    assert results[3].candidates == (CARLA, DAN)
    assert all(cell.text.isprintable() for each in results for cell in each.line)


def test_a_username_overrides_an_alias() -> None:
    other = User(id="u-x", username="someone", alias="ana")
    (result,) = resolve_members("ana", situation(users=(ANA, other)).render, EMPTY)
    assert result.user == ANA


def test_a_pasted_list_that_adds_nobody_is_refused_with_the_count() -> None:
    with pytest.raises(ValueError, match=r"Nobody to add: 1 already in, 1 unknown\."):
        plan("groups.add-many", situation(), (SALES,), users="ana\nnobody")
    (ask,) = asks_of(by_id("groups.add-many"), situation(), (SALES,))
    assert isinstance(ask, TextAsk)
    assert ask.check is not None
    assert ask.preview is not None
    assert ask.check("dan") is None
    assert ask.check("ana") == "Nobody to add: 1 already in."
    assert ask.check("") is not None
    total, *each = ask.preview("dan\nana")
    assert total[0].text == "1 to add, 1 already in"
    assert len(each) == 2


def test_removing_a_user_who_left_meanwhile_is_refused() -> None:
    at = situation(selected=SALES.model_copy(update={"participants": ("u-bob",)}))
    with pytest.raises(ValueError, match="Ana is no longer in Sales"):
        plan("members.remove", at, (MEMBERS["u-ana"],))


def test_removing_a_member_needs_the_group() -> None:
    assert blocked(by_id("members.remove"), situation(), (MEMBERS["u-ana"],)) == "No group is selected."


def test_clearing_an_empty_group_is_refused() -> None:
    assert blocked(by_id("groups.clear"), situation(), (EMPTY,)) == "Empty has no members."
    (step,) = plan("groups.clear", situation(), (SALES,))
    assert step.request == ClearParticipants(group_id="sales")


@for_each(
    "keys, by, after",
    [
        (("c",), -1, "acbd"),
        (("a",), -1, "abcd"),
        (("d",), 1, "abcd"),
        (("b", "c"), -1, "bcad"),
        (("b", "c"), 1, "adbc"),
        (("a", "c"), 1, "badc"),
        (("a", "b"), -1, "abcd"),
        (("z",), 1, "abcd"),
        ((), 1, "abcd"),
    ],
)
def test_members_are_moved(keys: tuple[str, ...], by: int, after: str) -> None:
    assert "".join(moved("abcd", keys, by)) == after


def test_a_staged_order_is_one_request_with_the_same_members() -> None:
    order = ("u-bob", "u-ana", "u-eva", "u-carla")
    step = reorder_step(situation(), SALES, order)
    assert step.request == ReorderParticipants(group_id="sales", participants=order)
    assert requests(plan("groups.reorder", situation(), (SALES,), order=order)) == [step.request]
    written = "bob\nana\neva\ncarla"
    assert requests(plan("groups.reorder", situation(), (SALES,), order=written)) == [step.request]


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (("u-ana", "u-bob"), "have changed"),
        ((*SALES.participants, "u-dan"), "have changed"),
        (SALES.participants, "unchanged"),
        ("ana\nnobody", "nobody is unknown"),
    ],
)
def test_an_invalid_order_is_refused(order: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("groups.reorder", situation(), (SALES,), order=order)


def test_the_order_can_be_typed_as_names() -> None:
    (ask,) = asks_of(by_id("groups.reorder"), situation(), (SALES,))
    assert isinstance(ask, TextAsk)
    assert ask.initial == "ana\nbob\ncarla\neva"
    assert ask.check is not None
    assert ask.check("bob\nana\ncarla\neva") is None
    assert ask.check(ask.initial) == "The order is unchanged."


def test_an_unknown_member_keeps_its_position_when_the_order_is_typed() -> None:
    group = SALES.model_copy(update={"participants": ("u-ghost", "u-ana")})
    (step,) = plan("groups.reorder", situation(), (group,), order="ana\nu-ghost")
    assert step.request == ReorderParticipants(group_id="sales", participants=("u-ana", "u-ghost"))


def test_a_group_of_one_has_no_order() -> None:
    group = SALES.model_copy(update={"participants": ("u-ana",)})
    assert blocked(by_id("groups.reorder"), situation(), (group,)) == "There is nothing to reorder."


def test_leaving_all_groups_is_undone_where_the_caller_owns_the_group() -> None:
    (step,) = plan("groups.leave-all", situation())
    assert step.request == LeaveGroups()
    service = Groups(ALL, EVA.id)
    service.do([step])
    assert service.members == {"sales": ["u-ana", "u-bob", "u-carla"], "night": ["u-bob"], "empty": []}
    service.undo([step])
    assert service.members["sales"] == list(SALES.participants)
    assert service.members["night"] == ["u-bob"]


def test_an_admin_removes_users_from_all_groups_and_restores_them() -> None:
    owned = tuple(each.model_copy(update={"owner": EVA}) for each in ALL)
    at = situation(groups=owned)
    steps = plan("users.leave-groups", at, (BOB, ANA))
    assert requests(steps) == [LeaveGroups(target_user_id="u-bob"), LeaveGroups(target_user_id="u-ana")]
    assert [each.words for each in steps] == ["removed Bob from 2 groups", "removed Ana from Sales"]
    service = Groups(owned, EVA.id)
    before = service.state
    service.do(steps)
    service.undo(steps)
    assert service.state == before


@pytest.mark.parametrize(
    ("at", "user", "reason"),
    [
        (situation(EVA), ANA, None),
        (situation(BOB), ANA, "Only admins can remove others from their groups."),
        (situation(BOB), BOB, None),
        (situation(EVA), DAN, "Dan is not in any group."),
    ],
)
def test_who_can_remove_whom_from_all_groups(at: Situation, user: User, reason: str | None) -> None:
    assert blocked(by_id("users.leave-groups"), at, (user,)) == reason


def test_a_user_without_groups_cannot_leave() -> None:
    assert blocked(by_id("groups.leave-all"), situation(DAN), ()) == "You are not in any group."
