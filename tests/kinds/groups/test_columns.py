"""The text of groups and their details."""

from __future__ import annotations

from console.records.people import Group, User
from console.records.support import (
    Presence,
)
from tests.kinds.reading import known, part
from tests.kinds.wild import render_context


def test_the_members_of_a_group_are_listed_in_order_with_their_presence() -> None:
    seen = render_context(
        known(
            presence=[Presence(address="svc-user:ana", online=True, activity="away", display_name="Ana")],
            users=[User(id="bob", username="bob")],
        )
    )
    lines = part(Group(group_id="g", participants=("bob", "ana")), "groups", "members", seen)
    assert [line.split()[:3] for line in lines] == [["1", "·", "bob"], ["2", "◊", "Ana"]]
