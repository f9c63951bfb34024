from __future__ import annotations

from console.kinds.tables import TABLES
from console.records.people import Session
from console.views.filter import parse
from tests.for_each import for_each
from tests.kinds.wild import render_context

SEVERAL = (("ana", 1), ("bob", 1), ("carla", 1), ("bob", 2), ("ana", 2), ("bob", 3))


@for_each("kind", [name for name, table in TABLES.items() if table.views])
def test_every_predefined_view_can_be_shown(kind: str) -> None:
    for view in TABLES[kind].views.values():
        assert not parse(view.filter, TABLES[kind]).empty
        assert TABLES[kind].column(view.sort.removeprefix("-"))
        assert all(TABLES[kind].column(each) for each in view.columns)


def test_sessions_of_users_with_several_are_grouped_with_the_largest_group_first() -> None:
    held = {f"{who}-{number}": Session(id=f"{who}-{number}", user=who) for who, number in SEVERAL}
    seen = render_context({"sessions": held})
    view = TABLES["sessions"].views["Several of one user"]
    wanted = parse(view.filter, TABLES["sessions"])
    column = TABLES["sessions"].column(view.sort)
    together = column.sort
    assert together is not None
    shown = [each for each in held.values() if wanted.matches(each, seen)]
    shown.sort(key=lambda each: str(together(each, seen)))
    assert [each.user for each in shown] == ["bob", "bob", "bob", "ana", "ana"]
    assert [column.cell(each, seen).text for each in shown] == ["3", "3", "3", "2", "2"]
