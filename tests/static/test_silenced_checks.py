"""A disabled check has its rule and its reason in the same comment."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.static.source_files import place_of, python_files

_SILENCE = re.compile(r"#\s*(pyright:|type: ignore|noqa|ruff:|pragma:)")
_WITH_REASON = re.compile(
    r"#\s*(pyright: ignore|type: ignore|noqa:)\s*(\[[\w, -]+\]|[A-Z]+\d+(, ?[A-Z]+\d+)*)\s+(#|-) \S+ \S+.*"
)


def _comments(file: Path) -> Iterator[tuple[int, str]]:
    with file.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def _lacks_a_reason(comment: str) -> bool:
    return bool(_SILENCE.match(comment)) and not _WITH_REASON.fullmatch(comment)


def test_every_silenced_check_says_why():
    found = [
        f"{place_of(file)}:{line}"
        for file in python_files("src", "tests", "tools")
        if _SILENCE.search(file.read_text(encoding="utf-8"))
        for line, comment in _comments(file)
        if _lacks_a_reason(comment)
    ]
    assert not found, "name the rule and add the reason: # pyright: ignore[reportX] - the reason"


def test_the_rule_wants_a_rule_and_a_reason():
    assert _lacks_a_reason("# pyright: ignore")
    assert _lacks_a_reason("# pyright: ignore - no public way")
    assert _lacks_a_reason("# pyright: ignore[reportPrivateUsage]")
    assert _lacks_a_reason("# type: ignore[attr-defined]")
    assert _lacks_a_reason("# noqa: PT012")
    assert _lacks_a_reason("# pyright: basic")
    assert not _lacks_a_reason("# pyright: ignore[reportPrivateUsage] - no public way")
    assert not _lacks_a_reason("# noqa: PT012, E501  # the fault within is swallowed")
    assert not _lacks_a_reason("# the reason is said here")
