"""Texts of any characters, escapes and markup: the painted text is harmless and has the right width."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from console.base.text import cells, clean, clean_lines, fit
from tests.faults.figures import count, record
from tests.terminal.tap import unlawful

TEXTS = count("FAULTS_TEXTS", 500)
ANY = st.text(st.characters(exclude_categories=()), max_size=40)
PIECES = st.one_of(
    ANY,
    st.sampled_from(
        ["\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\x9b", "\x07", "\x05", "\x0e", "\r", "\x00", "\x7f", "\x1b"]
    ),
    st.builds(
        "\x1b[{}{}".format, st.text("0123456789;?><!", max_size=6), st.characters(min_codepoint=64, max_codepoint=126)
    ),
    st.builds("\x1b]{};{}\x07".format, st.integers(0, 120), ANY),
    st.builds("[{}]{}[/{}]".format, ANY, ANY, st.sampled_from(["", "bold", "@click"])),
    st.builds("[@click=app.{}('{}')]".format, st.sampled_from(["quit", "bell"]), ANY),
    st.sampled_from(
        ["[/]", "[[", "\\[", "[link=http://x]", "\u202e", "\u200d", "\u0301" * 9, "👨‍👩‍👧", "🇪🇸", "ﷺ", "界", "\ud83d"]
    ),
)
HOSTILE = st.lists(PIECES, max_size=8).map("".join)
told: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def figures() -> Generator[None]:
    yield
    record("T2", not told["wrong"], f"{told['wrong']} of {told['texts']:,} texts not harmless", "0")
    record("T5", not told["wide"], f"{told['wide']} of {told['texts']:,} fitted texts of another width", "0")


@settings(max_examples=TEXTS, deadline=None, derandomize=TEXTS == 500)
@given(HOSTILE, st.integers(1, 60))
def test_a_cell_is_clean_and_exactly_as_wide_as_its_column(text: str, width: int) -> None:
    told["texts"] += 1
    safe = clean(text)
    wrong = bool(unlawful(safe.encode())) or "\x1b" in safe
    fitted = fit(safe, width)
    wide = not cells(fitted) == cell_len(fitted) == width
    told["wrong"] += wrong
    told["wide"] += wide
    assert not wrong
    assert not wide


@settings(max_examples=TEXTS, deadline=None, derandomize=TEXTS == 500)
@given(st.lists(HOSTILE, max_size=5).map("\n".join))
def test_lines_of_a_detail_are_clean(text: str) -> None:
    told["texts"] += 1
    wrong = any(unlawful(line.encode()) or cells(line) != cell_len(line) for line in clean_lines(text))
    told["wrong"] += wrong
    assert not wrong


def test_a_very_large_text_costs_no_more_than_its_stored_part() -> None:
    """Compared with the time that the same machine takes for the part that is kept."""
    worst = 0.0
    for unit in ("a", "\n", "x\n", "[", "\u0301", "界", "\x1b[2J", "\t"):
        kept, whole = _seconds(unit * (65_536 // len(unit))), _seconds(unit * (1_000_000 // len(unit)))
        worst = max(worst, whole)
        assert whole <= 4 * kept + 0.02
    record("T7", worst <= 0.1, f"{worst * 1000:.0f} ms to clean 1 MB or 500,000 lines", "100 ms")


def _seconds(text: str) -> float:
    found: list[float] = []
    for _ in range(3):
        before = time.perf_counter()
        clean(text)
        clean_lines(text)
        found.append(time.perf_counter() - before)
    return min(found)
