"""How many members of a group are online."""

from __future__ import annotations

from console.kinds.groups.facts import attendance
from console.kinds.tables import TABLES
from console.records.people import Group
from console.views.cell import Tone
from tests.kinds.sample_records import presence, render_context_of


def test_members_of_unknown_presence_are_neither_online_nor_offline() -> None:
    group = Group(group_id="night", participants=("a", "b", "c", "d"))
    seen = render_context_of(
        presence=[presence("a", True, "lunch"), presence("b", True, "offline"), presence("c", None)]
    )
    found = attendance(group.participants, seen)
    assert (found.online, found.known, found.total, found.empty) == (1, 2, 4, False)
    column = TABLES["groups"].column("online")
    assert column.cell(group, seen).text == "≥ 1/4"
    assert column.cell(group, render_context_of()).text == "–/4"
    assert column.value(group, render_context_of()) is None
    assert column.cell(group, render_context_of()).tone is Tone.QUIET


def test_a_group_has_nobody_online_only_if_all_members_are_known_to_be_offline() -> None:
    group = Group(group_id="night", participants=("a", "b"))
    half = render_context_of(presence=[presence("a", False)])
    all_off = render_context_of(presence=[presence("a", False), presence("b", True, "offline")])
    totals = TABLES["groups"].totals
    assert "nobody online" not in "".join(each.text for each in totals([group], half))
    assert "1 with nobody online" in "".join(each.text for each in totals([group], all_off))


def test_no_member_is_free_only_if_that_is_known_of_all() -> None:
    group = Group(group_id="night", participants=("a", "b"))
    column = TABLES["groups"].column("free")
    seen = {"a": presence("a", True, "available"), "b": presence("b", True, "lunch"), "?": presence("a", None)}
    cells = {
        "".join(who): str(column.cell(group, render_context_of(presence=[seen[key] for key in who])).text)
        for who in ("ab", "a", "b", "?b", "")
    }
    assert cells == {"ab": "1", "a": "1", "b": "–", "?b": "–", "": "–"}
    unread = Group.model_validate({"groupId": "night", "participants": {"odd": True}})
    assert column.cell(unread, render_context_of()).text == "–"
    assert column.cell(Group(group_id="night", participants=()), render_context_of()).text == "0"
