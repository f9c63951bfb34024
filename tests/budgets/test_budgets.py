"""The console does no more work than its budgets say, and no figure is far below its budget."""

from __future__ import annotations

from functools import cache

import pytest

from tests.budgets.budgets import MODULES, applies, measure, read_budgets, read_profiles, verdict
from tests.budgets.figure import Figure


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


def test_a_function_with_more_calls_than_its_profile_is_named() -> None:
    profile = {"live/follower.py:Follower.take": 50.0, "live/follower.py:Follower._apply": 40.0}
    walking = Figure("an event", 230, {**profile, "live/follower.py:Follower._apply": 170.0})
    message = verdict(walking, 100, profile)
    assert "more than the budget" in message
    assert "+130.00  live/follower.py:Follower._apply" in message
    assert "Follower.take" not in message


def test_a_budget_that_is_too_generous_is_to_be_lowered() -> None:
    assert "lower it to 100 " in verdict(Figure("an event", 100), 104, {})
    assert not verdict(Figure("an event", 100), 102, {})
