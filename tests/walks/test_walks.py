"""The walks in docs/architecture.md are those of the running program, and none has become longer."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from tests.budgets.budgets import output_of
from tests.walks.recorder import Walk

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
TITLES = {
    "event": "### Walk: an event, from the WebSocket to the cell",
    "key": "### Walk: the key `a`, to the answer in the journal",
    "service": "### Walk: an operation, from the request to the event",
}
LIMITS = {"event": 16, "key": 17, "service": 13}
"""Files of each walk. Lower a limit when its walk becomes shorter."""


@cache
def recorded_walks() -> dict[str, Walk]:
    console, service = output_of("tests.walks.console_walks"), output_of("tests.walks.service_walk")
    return {**json.loads(console), **json.loads(service)}


def written_walk(name: str) -> list[tuple[str, str]]:
    """Return files and functions of a walk as the page has them."""
    section = PAGE.read_text(encoding="utf-8").partition(f"{TITLES[name]}\n")[2].partition("\n#")[0]
    return re.findall(r"^\d+\. `([\w/]+\.py)`: `([\w.]+)`", section, re.MULTILINE)


# The first one plays the walks, in other processes.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", TITLES)
def test_the_page_lists_the_files_in_which_the_data_is(name: str) -> None:
    walk, written = recorded_walks()[name], written_walk(name)
    assert [file for file, _ in written] == list(walk)
    assert [f"{file}: {function}" for file, function in written if function not in walk[file]] == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", LIMITS)
def test_no_walk_becomes_longer(name: str) -> None:
    assert len(recorded_walks()[name]) == LIMITS[name]
