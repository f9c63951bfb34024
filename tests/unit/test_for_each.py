"""A test over a table tries each entry and names those that fail."""

from __future__ import annotations

import pytest

from tests.for_each import for_each


def test_every_entry_is_tried_and_those_that_fail_are_named():
    tried: list[tuple[str, int]] = []

    @for_each("word, number", [("one", 1), ("two", 2), ("three", 3)])
    def check(word: str, number: int) -> None:
        tried.append((word, number))
        assert number == 2, "is not two"

    with pytest.raises(AssertionError, match=r"2 of 3 fail:\n  'one', 1: AssertionError: is not two(?s:.*)'three', 3"):
        check()
    assert [number for _, number in tried] == [1, 2, 3]


def test_combinations_are_tried():
    tried: list[str] = []

    @for_each("letter", "ab")
    @for_each("number", (1, 2))
    def check(letter: str, number: int) -> None:
        tried.append(f"{letter}{number}")

    check()
    assert tried == ["a1", "a2", "b1", "b2"]


@for_each("number", (1, 2))
def test_fixtures_are_given_as_to_any_test(number: int, tmp_path_factory: pytest.TempPathFactory):
    assert tmp_path_factory.mktemp("folder").exists()
    assert number
