"""Texts reach the framework as literals, `Content` or clean text.

The types say which texts are clean, and `tests/markup.py` fails each test in which the framework parses another one.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.static.source_files import nodes, place_of, python_files, tree_of

MAY_MAKE_SAFE_TEXT = {"text.py", "wrapping.py", "row_painter.py"}
"""Modules that cut and join clean text, which keeps it clean."""
PARSES = {"from_markup", "from_rich_text", "from_text", "highlight"}


def _files() -> list[Path]:
    """Return the files that use the framework."""
    return [
        each
        for each in python_files("src")
        if {"textual", "rich"} & {_imported(node) for node in nodes(tree_of(each))} and each.name != "text.py"
    ]


def _imported(node: ast.AST) -> str:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0]
    return node.names[0].name.partition(".")[0] if isinstance(node, ast.Import) else ""


def _parses(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name):
            return name in PARSES
        case ast.keyword(arg="markup", value=ast.Constant(value=True)):
            return True
        case _:
            return False


def test_no_markup_is_ever_parsed() -> None:
    assert not [place_of(file, node) for file in _files() for node in nodes(tree_of(file)) if _parses(node)]


def test_text_is_declared_clean_only_where_it_is_cleaned() -> None:
    found = [
        place_of(file, node)
        for file in python_files("src")
        if file.name not in MAY_MAKE_SAFE_TEXT
        for node in nodes(tree_of(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "SafeText"
    ]
    assert not found
