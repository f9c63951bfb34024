"""A disabled check has its rule and its reason in the same comment."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.static.source_files import nodes, place_of, python_files, tree_of

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


def test_every_silenced_check_has_a_reason():
    found = [
        f"{place_of(file)}:{line}"
        for file in python_files("src", "tests", "tools")
        if _SILENCE.search(file.read_text(encoding="utf-8"))
        for line, comment in _comments(file)
        if _lacks_a_reason(comment)
    ]
    assert not found, "name the rule and add the reason: # pyright: ignore[reportX] - the reason"


def test_the_check_requires_a_rule_and_a_reason():
    assert _lacks_a_reason("# pyright: ignore")
    assert _lacks_a_reason("# pyright: ignore - no public way")
    assert _lacks_a_reason("# pyright: ignore[reportPrivateUsage]")
    assert _lacks_a_reason("# type: ignore[attr-defined]")
    assert _lacks_a_reason("# noqa: PT012")
    assert _lacks_a_reason("# pyright: basic")
    assert not _lacks_a_reason("# pyright: ignore[reportPrivateUsage] - no public way")
    assert not _lacks_a_reason("# noqa: PT012, E501  # the block catches the fault")
    assert not _lacks_a_reason("# only a reason")


def _explained(handler: ast.ExceptHandler, lines: list[str]) -> bool:
    raised_or_logged = any(
        isinstance(each, ast.Raise) or (isinstance(each, ast.Attribute) and each.attr == "exception")
        for each in ast.walk(handler)
    )
    return raised_or_logged or "#" in lines[handler.lineno - 1]


def test_every_caught_exception_is_logged_or_explained():
    found = [
        place_of(file, node)
        for file in python_files("src")
        for node in nodes(tree_of(file))
        if isinstance(node, ast.ExceptHandler)
        and isinstance(node.type, ast.Name)
        and node.type.id in {"Exception", "BaseException"}
        and not _explained(node, file.read_text(encoding="utf-8").splitlines())
    ]
    assert not found, "catch a specific error, log this one, or add the reason: except Exception:  # The reason."
