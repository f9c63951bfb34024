"""Every list of the console shows exactly the cells in `contrary_cells.json`.

After an intended change, check what the test prints, and write the file anew with
`.venv/bin/pytest tests/third_party/test_contrary_lists.py --snapshot-update`. Add another list as `"name": []` first.
Times are in ms, ages and lengths in seconds; both are round because the clock stands at `NOW`.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from console.base.clock import SystemClock
from console.kinds.catalogue import FEEDS, RESOURCES
from console.kinds.tables import TABLES
from tests.cli.conftest import Console
from tests.third_party import contrary as contraries
from tests.third_party.contrary import Running

GOLDEN = Path(__file__).parent / "contrary_cells.json"
NOW = 1_800_000_000
"""The time at the deployment and at the console, in seconds: 2027-01-15 08:00 UTC."""
KEYS = ("id", "group", "skill", "uri", "name", "domain")
"""Columns that identify a row, the first of a list is used; a list without any has a single row."""
UNLISTED = {
    "gateway": "names are asked for one by one",
    "push": "tokens cannot be listed",
    "log": "entries are only written",
}
"""Resources without a list, with the reason."""
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

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def contrary(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    with contraries.running(tmp_path_factory.mktemp("contrary"), NOW) as running:
        yield running


@pytest.fixture(autouse=True)
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    def now_ms(_clock: SystemClock) -> int:
        return NOW * 1000

    monkeypatch.setattr(SystemClock, "now_ms", now_ms)


def golden() -> dict[str, Rows]:
    """Return the expected rows of each list, by its name and the inputs that it needs."""
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def write(lists: dict[str, Rows]) -> None:
    """Write the expected rows, one a line."""
    rows_of = {name: ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) for name, rows in lists.items()}
    text = ",\n".join(f"{json.dumps(name)}: [\n{rows}\n]" for name, rows in rows_of.items())
    GOLDEN.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def differences(name: str, rows: Rows, expected: Rows) -> Iterable[str]:
    """Return a line for each row and cell that differs, and one if the order of the rows does."""
    key = next((key for key in KEYS if key in expected[0]), "")
    listed, wanted = ({str(row.get(key, "")): row for row in table} for table in (rows, expected))
    assert (len(listed), len(wanted)) == (len(rows), len(expected)), f"{name}: {key} does not identify a row"
    yield from (f"{name}, {identity}: is missing" for identity in wanted if identity not in listed)
    yield from (f"{name}, {identity}: is not expected" for identity in listed if identity not in wanted)
    shared = [identity for identity in wanted if identity in listed]
    for identity in shared:
        columns = {**wanted[identity], **listed[identity]}
        cells = [[repr(row.get(column, ...)) for column in columns] for row in (wanted[identity], listed[identity])]
        for column, value, actual in zip(columns, *cells, strict=True):
            if value != actual:
                yield f"{name}, {identity}, {column}: expected {value}, but it is {actual}"
    if shared != [identity for identity in listed if identity in wanted]:
        yield f"{name}: expected the order {', '.join(wanted)}, but it is {', '.join(listed)}"


def test_no_list_of_the_console_is_left_out() -> None:
    known = {*TABLES, *FEEDS, *RESOURCES}
    named = {name.partition(" ")[0] for name in golden()}
    assert known - named == {*UNLISTED, *NOT_OF_A_SERVICE, "status"}, "status is the summary on the home screen"
    assert named <= known


def test_every_cell_of_a_list_is_the_expected_one(far: Console, request: pytest.FixtureRequest) -> None:
    expected, actual = golden(), dict[str, Rows]()
    for name in expected:
        ended = far("list", *name.split(), "--columns", "all", "--json")
        assert (ended.code, ended.err) == (0, ""), name
        actual[name] = json.loads(ended.out)
        assert actual[name], f"{name} has no rows"
    if request.config.getoption("update_snapshots"):
        write(actual)
        return
    wrong = [line for name in expected for line in differences(name, actual[name], expected[name])]
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
