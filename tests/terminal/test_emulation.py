"""The emulated terminal returns a program's text as written, wherever it was wrapped."""

from __future__ import annotations

import pyte
import pytest

from tests.terminal.emulation import Glass

SENTENCE = "console: /tmp/some where/config.toml:4: There is no action alerts.acept; did you mean alerts.accept?"


def drawn(columns: int, *written: str, lines: int = 24) -> Glass:
    glass = Glass(columns, lines)
    stream = pyte.Stream(glass)
    for each in written:
        stream.feed(each)
    return glass


def test_a_wrapped_sentence_is_one_line_at_any_width() -> None:
    for columns in range(10, len(SENTENCE) + 3):
        assert drawn(columns, f"before\r\n{SENTENCE}\r\nafter").text == f"before\n{SENTENCE}\nafter"


def test_a_wrapped_sentence_is_one_line_after_it_has_scrolled() -> None:
    assert drawn(40, *["above\r\n"] * 30, SENTENCE, "\r\nbelow", lines=6).text.splitlines()[-2:] == [SENTENCE, "below"]


def test_lines_that_end_at_the_right_margin_stay_separate() -> None:
    assert drawn(5, "abcde\r\nfghij").text == "abcde\nfghij"


@pytest.mark.parametrize("erase", ["\x1b[2J\x1b[H", "\x1b[H\x1b[J", "\x1b[H\x1b[K\x1b[B\x1b[K\x1b[H"])
def test_a_wrapped_line_that_is_erased_no_longer_wraps(erase: str) -> None:
    assert drawn(5, "abcdefgh", erase, "one\r\ntwo").text == "one\ntwo"
