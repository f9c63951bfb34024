"""Regular expressions from outside take negligible time on any text."""

from __future__ import annotations

import statistics
import time
from contextlib import suppress

import pytest

from console.base.patterns import BadPattern, matches
from console.service.http.request_head import LARGEST_HEAD
from tests.faults.figures import record

HOSTILE = [
    "(a+)+$",
    "^(a+)+$",
    "(a|aa)+$",
    "(a|a?)+b",
    "(.*a){20}",
    "([a-zA-Z]+)*$",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*)*(.*)*(.*)*!",
    r"https?://([a-z0-9-]+\.)*desk\.example(:\d+)?",
    "a{1000}",
    ".{0,900}x",
    "(" * 100 + "a" + ")" * 100,
    "|".join(f"a{number}" for number in range(90)),
    r"\pL+\PL*",
    "(?i)(ab|ba)*z",
]
LONGEST = LARGEST_HEAD
"""An origin is no longer than the head of a request may be."""
TRIED = ["a" * LONGEST, "a" * 28 + "!", "ab" * (LONGEST // 2), "https://" + "a." * 10_000, "\u00e9" * 10_000, ""]


def test_no_pattern_takes_long_on_any_text() -> None:
    spent: list[float] = []
    for pattern in HOSTILE:
        for text in TRIED:
            began = time.thread_time()
            with suppress(BadPattern):
                matches(pattern, text)
            spent.append(time.thread_time() - began)
    p99 = statistics.quantiles(spent, n=100)[98]
    record("S7", p99 <= 0.05, f"p99 {p99 * 1000:.1f} ms of {len(spent)}", "50 ms")
    assert max(spent) < 0.2


@pytest.mark.parametrize(
    "pattern", ["(?=a)a", "(?!a)b", "(?<=a)b", "(?<!a)b", r"(a)\1", "(?P<x>a)(?P=x)", "(?>a)", "a++"]
)
def test_patterns_that_need_backtracking_are_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        matches(pattern, "aaa")
