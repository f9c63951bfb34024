"""Texts that name a key take it from the key map, which the operator may change."""

from __future__ import annotations

import ast
import re

from tests.static.source_files import nodes, place_of, python_files, tree_of

NAMES_A_KEY = re.compile(r"\b[Pp]ress (?!a |the |any )([^\s{}]{1,6}) (?:to|for|again)\b")
FIXED = frozenset({"src/console/ui/screens/outcome_dialogs.py"})
"""Dialogs with keys of their own, which are in no key map."""


def test_no_text_of_the_screens_names_a_key_literally() -> None:
    literal: list[str] = []
    for file in python_files("src/console/ui", "src/console/kinds"):
        if (place := place_of(file)) in FIXED:
            continue
        for node in nodes(tree_of(file)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                literal += [f"{place}:{node.lineno}: {match[0]}" for match in NAMES_A_KEY.finditer(node.value)]
    assert not literal
