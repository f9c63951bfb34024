from __future__ import annotations

import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from console.base.text import SafeText, cells, clean, clean_and_rest, clean_lines, fit, join, left_out, line_count
from tests.for_each import for_each

EVERYTHING = st.text(st.characters(exclude_categories=()), max_size=200)
"""All of Unicode, including lone surrogates and unassigned code points."""


def harmless(text: str) -> bool:
    """Return whether a text contains no commands, and nothing that hides, reorders, or piles up."""
    marks = 9
    for character in text:
        if character != "\ufffd" and not character.isprintable():
            return False
        if unicodedata.category(character)[0] == "M" or cells(character) == 0:
            marks += 1
            if marks > 2:
                return False
        else:
            marks = 0
    return True


@given(EVERYTHING, st.integers(1, 80))
@example("\x1b[c", 40)
@example("\x1b\x07[2J", 40)
@example("\u0301" * 200, 3)
@example("界" * 50, 5)
@example("\U0001f1ea\U0001f1f8 \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f", 40)
@example("\ud800\udfff", 40)
def test_any_input_becomes_clean_text_of_the_requested_width(text: str, limit: int) -> None:
    safe = clean(text, limit)
    assert harmless(safe)
    assert cells(safe) <= limit
    assert cells(safe) == cell_len(safe)
    safe.encode("utf-8")


@given(EVERYTHING)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean(text)
    assert clean(str(once)) == once
    assert clean(once) == once


@given(EVERYTHING, st.integers(0, 30), st.booleans())
def test_fitted_text_is_exactly_as_wide_as_requested(text: str, width: int, right: bool) -> None:
    fitted = fit(clean(text), width, right)
    assert cells(fitted) == cell_len(fitted) == width
    assert harmless(fitted)


@given(EVERYTHING, st.integers(1, 20), st.integers(1, 300))
def test_lines_are_clean_and_limited(text: str, max_lines: int, max_chars: int) -> None:
    lines = clean_lines(text, max_lines, max_chars)
    assert all(harmless(line) for line in lines)
    assert len(lines) <= max_lines + 1
    assert sum(len(line) for line in lines[:-1]) <= max_chars * 2
    assert len(lines[-1]) <= max(max_chars * 2, 50)


@for_each(
    "raw, shown",
    [
        ("Ana Ruiz", "Ana Ruiz"),
        ("José 李小龍", "José 李小龍"),
        ("\x1b[c", "␛[c"),
        ("\x1b\x07[2J", "␛␇[2J"),
        ("a\nb\tc\x7f", "a␊b␉c␡"),
        ("\x9b31m", "\ufffd31m"),
        ("pay \u202egnp.exe", "pay \ufffdgnp.exe"),
        ("a\u200bb", "a\ufffdb"),
        ("a\u00a0b\u3000c\u2028d", "a b c d"),
        ("\ud83d", "\ufffd"),
        ("\ue000\uffff\U000e0041", "\ufffd\ufffd\ufffd"),
        ("e\u0301\u0301\u0301\u0301", "e\u0301\u0301"),
        ("\u0301e", "\u25cc\u0301e"),
        ("\u2764\ufe0f ok", "\u2764 ok"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("\u3164", "\ufffd"),
        (None, "None"),
        (12, "12"),
    ],
)
def test_each_kind_of_character_becomes_visible_text(raw: object, shown: str) -> None:
    safe = clean(raw)
    assert safe == shown
    assert isinstance(safe, SafeText)


def test_a_text_of_common_characters_is_as_safe_as_one_that_is_examined() -> None:
    texts = [f"a{chr(code)}" for code in range(0x3000)]
    safe = [clean(text) for text in texts]
    assert [clean(f"界{text}") for text in texts] == [f"界{text}" for text in safe]
    assert [cells(text) for text in safe] == [cell_len(text) for text in safe]


def test_a_cut_is_marked_and_never_splits_a_wide_character() -> None:
    assert clean("abcdef", 4) == "abc…"
    assert clean("abcd", 4) == "abcd"
    assert clean("界界界", 4) == "界…"
    assert clean("界界", 4) == "界界"
    assert fit(clean("界界界"), 4) == "界… "
    assert clean("abc", 0) == ""


def test_line_breaks_are_kept_and_a_cut_is_marked() -> None:
    assert clean_lines("a\r\nb\rc\n") == ("a", "b", "c")
    assert clean_lines("") == ("",)
    assert clean_lines("a\tb") == ("a   b",)
    assert clean_lines("1\n2\n3", max_lines=2) == ("1", "2", "… 1 more line is not shown")
    assert clean_lines("abcdef", max_chars=3) == ("abc", "… 3 more characters are not shown")


def test_a_value_whose_text_fails_is_named_by_its_type() -> None:
    class Broken:
        def __str__(self) -> str:
            raise RuntimeError("no words")

    assert clean(Broken()) == "Broken (RuntimeError)"


def test_joined_text_is_safe() -> None:
    assert join(" · ", [clean("a"), clean("\x1b")]) == "a · ␛"


@for_each("unit", ["a", "\u0301", "x\u0301", "界", "\x1b[31m", "\n", "\t", "\u200d", "["])
def test_the_cost_does_not_grow_with_the_text(unit: str) -> None:
    """Counts executed lines instead of seconds: a megabyte costs no more than the part that is kept."""

    def work(text: str) -> int:
        steps = 0

        def count(_frame: Any, _event: Any, _argument: Any) -> Any:
            nonlocal steps
            steps += 1
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            clean(text)
            clean_lines(text, max_chars=4096)
        finally:
            sys.settrace(before)
        return steps

    some = work(unit * (16_384 // len(unit)))
    assert work(unit * (1_000_000 // len(unit))) <= some * 1.2 + 100


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\r\nb\rc\n", 3), ("\n\n", 2), ("x\n" * 500_000, 500_000)],
)
def test_lines_are_counted_as_displayed(text: str, lines: int) -> None:
    assert line_count(text) == lines
    if lines < 10:
        assert len(clean_lines(text)) == lines


def test_the_allowed_number_of_lines_is_not_cut() -> None:
    assert clean_lines("a\n" * 3, max_lines=3) == ("a", "a", "a")
    assert clean_lines("a\n" * 3 + "b", max_lines=3) == ("a", "a", "a", "… 1 more line is not shown")


@pytest.mark.parametrize(
    ("value", "rest"),
    [
        ("short", ""),
        ("x" * 20, ""),
        ("x" * 21, "… 2 more characters are not shown"),
        ("x" * 1_000_000, "… 999,981 more characters are not shown"),
        ("x\n" * 500_000, "… 499,990 more lines are not shown"),
        (None, ""),
    ],
)
def test_the_cut_off_part_of_a_line_is_counted(value: object, rest: str) -> None:
    assert clean_and_rest(value, 20) == (clean(value, 20), rest)


def test_the_left_out_part_is_described_in_words() -> None:
    assert left_out(0, "line") == left_out(-3, "line") == ""
    assert left_out(1, "entry") == "… 1 more entry is not shown"
    assert left_out(1_234, "entry") == "… 1,234 more entries are not shown"
