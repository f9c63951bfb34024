"""Every list of the console shows exactly what the contrary deployment holds."""

from __future__ import annotations

import csv
import io
import json

from console.kinds.catalogue import FEEDS, RESOURCES
from console.kinds.tables import TABLES
from tests.cli.conftest import Console
from tests.for_each import for_each
from tests.third_party.contrary import Running
from tests.third_party.contrary_admin_cells import ADMIN, UNLISTED
from tests.third_party.contrary_cells import LIVE

EVERY = {**LIVE, **ADMIN}
NOT_OF_A_SERVICE = {
    "changes": "the console's own changes",
    "differences": "what differs between two moments of a recording",
    "changed-lists": "how many records differ between two moments of a recording",
    "members": "the members of a group that is open",
    "queues": "computed on the screen, from the calls",
    "episodes": "what the console's own rules found",
    "rules": "the console's own rules",
    "connection": "the state of the console itself",
}
"""Tables whose rows are not listed by any service, with the reason."""


def test_no_list_of_the_console_is_left_out() -> None:
    known = {*TABLES, *FEEDS, *RESOURCES}
    named = {name.partition(" ")[0] for name in EVERY}
    assert known - named == {*UNLISTED, *NOT_OF_A_SERVICE, "status"}, "status is the summary on the home screen"
    assert named <= known


@for_each("name", EVERY)
def test_every_cell_of_a_list_is_that_of_the_deployment(name: str, far: Console, contrary: Running) -> None:
    ended = far("list", *name.split(), "--columns", "all", "--json")
    assert (ended.code, ended.err) == (0, "")
    rows = json.loads(ended.out)
    expected = [*EVERY[name](contrary.data)]
    assert len(rows) == len(expected) > 0
    key = next(each for each in ("id", "group", "skill", "uri", "name", "place") if each in expected[0])
    found = {each[key]: each for each in rows}
    wrong = [
        f"{cells[key]}.{column}: {found[cells[key]].get(column)!r}, not {value!r}"
        for cells in expected
        for column, value in cells.items()
        if value != found[cells[key]].get(column)
    ]
    assert wrong == []
    assert {*rows[0]} == {*expected[0]}, "every column is compared"


def test_a_spreadsheet_has_the_same_cells(far: Console, contrary: Running) -> None:
    ended = far("list", "alerts", "--columns", "id,state,title,from,sent,mine", "--sort", "id", "--csv")
    rows = [*csv.DictReader(io.StringIO(ended.out))]
    assert [each["id"] for each in rows] == [*contrary.data.sirens]
    assert rows[0] == {
        "id": "s1",
        "state": "active",
        "title": "Line 1 down",
        "from": "Person 2",
        "sent": contrary.data.sirens["s1"]["raised"].replace("Z", "+00:00"),
        "mine": "no",
    }
