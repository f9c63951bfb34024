"""The console does no more work than its budgets say, and no figure is far below its budget."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

import console
from tests.budgets.budgets import MODULES, applies, measure, read_budgets, read_profiles, verdict
from tests.budgets.figure import Figure

EVENTS = "an event, the engine's thread: calls"
APPLIED = """\
            if event.kind == "remove":
                rows.drop(event.key)
"""
WALK = "            sum(1 for record in self.collection.snapshot().values() if record.key)\n"


@cache
def figures() -> dict[str, Figure]:
    return {figure.name: figure for module in MODULES for figure in measure(module)}


# The first one measures, in other processes.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [name for name in read_budgets() if applies(name)])
def test_the_work_is_as_much_as_its_budget(name: str) -> None:
    assert not verdict(figures()[name], read_budgets()[name], read_profiles().get(name, {}))


@pytest.mark.timeout(300)
def test_every_figure_has_a_budget() -> None:
    assert figures().keys() == read_budgets().keys()


@pytest.mark.timeout(300)
def test_a_walk_over_all_rows_for_each_event_is_named(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(Path(console.__file__).parent, source / "console", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("themes", "seeds"):
        shutil.copytree(Path(console.__file__).parents[2] / folder, tmp_path / folder)
    follower = source / "console" / "live" / "follower.py"
    text = follower.read_text(encoding="utf-8")
    assert text.count(APPLIED) == 1
    follower.write_text(text.replace(APPLIED, WALK + APPLIED), encoding="utf-8")
    (figure,) = (each for each in measure("console_work", "one batch", source=source) if each.name == EVENTS)
    message = verdict(figure, read_budgets()[EVENTS], read_profiles()[EVENTS])
    assert "more than the budget" in message
    assert "live/follower.py:Follower._apply." in message


def test_a_budget_that_is_too_generous_is_to_be_lowered() -> None:
    assert "lower it to 100 " in verdict(Figure("an event", 100), 104, {})
    assert not verdict(Figure("an event", 100), 102, {})
