"""The text of groups and their details."""

from __future__ import annotations

from console.base.text import cells
from console.kinds.tables import TABLES
from console.records.people import Group, User
from console.records.support import Presence
from console.records.traffic import Call
from tests.kinds.reading import ANA, BOB, M, known, part, said
from tests.kinds.wild import NOW, render_context

SMALLEST_TERMINAL = 60
FRAME = 2
"""Cells of a row beside the detail: the margin and the scrollbar."""


def test_the_members_of_a_group_are_listed_in_order_with_their_presence() -> None:
    seen = render_context(
        known(
            presence=[Presence(address="svc-user:ana", online=True, activity="away", display_name="Ana")],
            users=[User(id="bob", username="bob")],
        )
    )
    lines = part(Group(group_id="g", participants=("bob", "ana")), "groups", "members", seen)
    assert [line.split()[:3] for line in lines] == [["1", "·", "bob"], ["2", "◊", "Ana"]]


def test_a_member_with_a_long_name_takes_one_row_of_the_smallest_terminal() -> None:
    user = User(id="dom", username="julia.dominguez", alias="Julia Domínguez Fernández")
    there = Presence(address="svc-user:dom", online=True, activity="dnd", display_name=user.alias)
    (line,) = part(
        Group(group_id="g", participants=("dom",)),
        "groups",
        "members",
        render_context(known(presence=[there], users=[user])),
    )
    assert "do not disturb julia.dominguez" in line
    assert cells(line) <= SMALLEST_TERMINAL - FRAME


def test_an_opened_group_has_the_current_calls_of_its_members() -> None:
    group = Group(group_id="g1", participants=("ana", "bob"))
    calls = [
        Call(id="c1", state="connected", caller="+34601", callee="svc-user:bob", date=NOW - 2 * M),
        Call(id="c2", state="ringing", caller="svc-user:ana", callee="+34602", date=NOW - M),
        Call(id="c3", state="ended", caller="svc-user:ana", callee="+34603", date=NOW - M, to=NOW),
        Call(id="c4", state="connected", caller="+34604", callee="svc-user:eva", date=NOW - M),
    ]
    at = render_context(known(users=[ANA, BOB], calls=[*calls]))
    (section,) = TABLES["groups"].related(group, at)
    assert (section.title, said(section.lines)) == (
        "Calls of members 2",
        ["◊ ringing  Ana → +34602  1:00", "● connected  +34601 → Bob  2:00"],
    )
    assert not TABLES["groups"].related(group, render_context(known(users=[ANA], calls=[calls[2], calls[3]])))


def test_the_activity_of_a_member_is_shown_in_words() -> None:
    group = Group(group_id="g1", participants=("ana",))
    at = render_context(known(users=[ANA], presence=[Presence(address="svc-user:ana", online=True, activity="dnd")]))
    (line,) = part(group, "groups", "members", at)
    assert "do not disturb" in line
