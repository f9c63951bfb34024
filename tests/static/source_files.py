"""The source files that the static tests check."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "console"


def python_files(*folders: str) -> Iterator[Path]:
    """Yield the Python files below folders of the repository."""
    for folder in folders:
        files = _below(ROOT / folder)
        assert files, f"{folder} has no Python files: a rule for them would check nothing"
        yield from files


@cache
def _below(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.rglob("*.py")))


@cache
def text_of(file: Path) -> str:
    """Return the text of a file."""
    return file.read_text(encoding="utf-8")


@cache
def tree_of(file: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(text_of(file), str(file))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes of a tree. Walking the trees of all files takes seconds, and most checks do it."""
    return tuple(ast.walk(tree))


def place_of(file: Path, node: ast.AST | None = None) -> str:
    """Return the file and line of a node, for messages."""
    line = getattr(node, "lineno", None)
    return f"{file.relative_to(ROOT)}:{line}" if line else str(file.relative_to(ROOT))
