"""Two people change the same group: compatible changes are merged, and conflicts lose nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.operations.people import (
    ClearParticipants,
    GetGroup,
    GetUser,
    ReorderParticipants,
    UpdateGroup,
    UpdateUser,
)
from console.api.request import Request
from console.live.command import Basis, Clash, Disputed, Step
from console.live.merging import based_on, insisting, merged, taking_back, united
from console.records.people import Group, User

READ = GetGroup(group_id="night")


def order(mine: str, before: str = "abc") -> Step:
    """Reorder members, a letter each."""
    undo = ReorderParticipants(group_id="night", participants=tuple(before))
    request = ReorderParticipants(group_id="night", participants=tuple(mine))
    return Step(request, "night", "reordered", (undo,), Basis(READ, {"participants": tuple(before)}))


def rename(mine: str, before: str = "Night") -> Step:
    undo = UpdateGroup(group_id="night", name=before)
    return Step(UpdateGroup(group_id="night", name=mine), "night", "renamed", (undo,), Basis(READ, {"name": before}))


def group(members: str = "abc", name: str = "Night") -> Group:
    return Group(group_id="night", name=name, participants=tuple(members))


def sent(found: Step | Clash, field: str = "participants") -> Any:
    assert isinstance(found, Step)
    return getattr(found.request, field)


def test_an_undisputed_change_is_sent_as_decided() -> None:
    step = order("cab")
    assert based_on(step, group(name="Day")) is step
    assert based_on(rename("Late"), group("cba")) == rename("Late")


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ("cab", "abcd", "cabd"),
        ("cab", "ac", "ca"),
        ("cab", "bcde", "cbde"),
        ("cab", "cab", "cab"),
        ("abc", "cba", "cba"),
    ],
)
def test_an_order_is_merged_with_members_added_and_removed_meanwhile(mine: str, theirs: str, both: str) -> None:
    assert "".join(sent(based_on(order(mine), group(theirs)))) == both


def test_undoing_a_merged_change_restores_the_values_before_it() -> None:
    found = based_on(order("cab"), group("abcd"))
    assert isinstance(found, Step)
    assert found.inverse == (ReorderParticipants(group_id="night", participants=tuple("abcd")),)
    back = taking_back(found, found.inverse[0])
    assert back is not None
    assert back.before == {"participants": tuple("cabd")}


def test_two_orders_and_two_names_conflict_with_all_three_versions() -> None:
    clash = based_on(order("cab"), group("bca"))
    assert isinstance(clash, Clash)
    assert clash.disputed == (Disputed("participants", tuple("abc"), tuple("cab"), tuple("bca")),)
    clash = based_on(rename("Late"), group(name="Early"))
    assert isinstance(clash, Clash)
    assert clash.disputed == (Disputed("name", "Night", "Late", "Early"),)


def test_clearing_a_group_that_somebody_joined_meanwhile_conflicts() -> None:
    step = Step(
        ClearParticipants(group_id="night"), "night", "cleared", (), Basis(READ, {"participants": tuple("abc")})
    )
    clash = based_on(step, group("abcd"))
    assert isinstance(clash, Clash)
    assert based_on(insisting(step, clash), group("abcd")) == insisting(step, clash)
    assert isinstance(based_on(insisting(step, clash), group("abcde")), Clash), "it changed once more"


USER = User(id="u1", username="ana", domain="a.example", alias="Ana", locale="en", mobile_phone=("+1",))


def edited(before: User, **mine: Any) -> Step:
    """Change fields of a user; the domain is required."""
    given: dict[str, Any] = {"domain": before.domain, **mine}
    undo = UpdateUser(id=before.id, **{name: getattr(before, name) for name in given})
    basis = Basis(GetUser(id=before.id), {name: getattr(before, name) for name in given})
    return Step(UpdateUser(id=before.id, **given), before.id, "changed", (undo,), basis)


def test_an_unchanged_field_sent_along_does_not_revert_the_change_of_others() -> None:
    moved = USER.model_copy(update={"domain": "b.example", "email": "ana@b.example"})
    found = based_on(edited(USER, alias="Annie"), moved)
    assert isinstance(found, Step)
    assert found.request == UpdateUser(id="u1", domain="b.example", alias="Annie")
    assert found.inverse == (UpdateUser(id="u1", domain="b.example", alias="Ana"),)


def test_only_fields_that_both_changed_differently_conflict() -> None:
    step = edited(USER, alias="Annie", locale="pt", mobile_phone=("+1", "+2"))
    clash = based_on(step, USER.model_copy(update={"alias": "Anita", "locale": "pt", "mobile_phone": ("+3", "+1")}))
    assert isinstance(clash, Clash)
    assert clash.disputed == (Disputed("alias", "Ana", "Annie", "Anita"),)
    again = insisting(step, clash)
    assert again.request == UpdateUser(
        id="u1", domain="a.example", alias="Annie", locale="pt", mobile_phone=("+1", "+2", "+3")
    )
    assert clash.record is not None
    assert based_on(again, clash.record) == again


def test_an_invalid_required_field_changed_by_others_is_reported() -> None:
    odd = USER.model_copy(update={"domain": ("not", "a", "name")})
    with pytest.raises(ValueError, match="domain"):
        based_on(edited(USER, alias="Annie"), odd)


def test_a_conflict_can_be_overridden_and_undone() -> None:
    clash = based_on(rename("Late"), group(name="Early"))
    assert isinstance(clash, Clash)
    again = insisting(rename("Late"), clash)
    assert sent(based_on(again, group(name="Early")), "name") == "Late"
    assert again.inverse == (UpdateGroup(group_id="night", name="Early"),)
    clash = based_on(order("cab"), group("dba"))
    assert isinstance(clash, Clash)
    assert "".join(sent(insisting(order("cab"), clash))) == "abd"


def test_a_step_with_several_inverses_or_no_basis_is_undone_without_a_check() -> None:
    undo: Request[Any] = ClearParticipants(group_id="night")
    assert taking_back(Step(undo, "night", "x", (undo,)), undo) is None
    assert taking_back(order("cab"), undo) is None


MEMBERS = st.lists(st.sampled_from("abcdefgh"), unique=True).map(tuple)


@given(MEMBERS, MEMBERS, MEMBERS)
def test_a_merge_contains_the_members_of_both_and_nobody_who_was_removed(
    before: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    wanted = (set(mine) & set(theirs)) | (set(mine) | set(theirs)) - set(before)
    both = merged(before, mine, theirs)
    assert set(united(before, mine, theirs)) == wanted
    if both is not None:
        assert len(both) == len(set(both))
        assert set(both) == wanted
        assert merged(before, theirs, mine) is not None
