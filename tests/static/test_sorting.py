"""Names are sorted by collation, never by their code points in lower case."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.static.source_files import nodes, place_of, python_files, tree_of

_SORTS = frozenset({"sorted", "sort", "insort", "min", "max"})
_KEYS = frozenset({"key", "sort", "rank"})
"""The arguments that define the order of sorts and of table columns."""
_FOLDS = frozenset({"casefold", "lower"})


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _folds(node: ast.AST) -> bool:
    return any(_name(each) in _FOLDS for each in ast.walk(node))


def _compared(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the sort keys: arguments, and the functions and properties of the file that they name."""
    functions = {each.name: each for each in nodes(tree) if isinstance(each, ast.FunctionDef)}
    for call in nodes(tree):
        if not isinstance(call, ast.Call):
            continue
        keys = [each.value for each in call.keywords if each.arg in _KEYS]
        yield from (*keys, *call.args) if _name(call.func) in _SORTS else keys
        names = {_name(each) for key in keys for each in ast.walk(key)}
        yield from (functions[each] for each in names & functions.keys())


def test_nothing_is_sorted_by_lower_case():
    found = {
        place_of(file, node)
        for file in python_files("src/console")
        for node in _compared(tree_of(file))
        if _folds(node)
    }
    assert not found, "sort by console.base.collation.collated"


def test_the_check_finds_keys_their_functions_and_sorted_values():
    for source in (
        "sorted(names, key=str.casefold)",
        "names.sort(key=lambda each: (each.name.lower(), each.id))",
        "sorted((each.casefold(), each) for each in names)",
        "def by_name(each): return each.casefold()\nsorted(names, key=by_name)",
        "class A:\n @property\n def rank(self): return self.name.lower()\nsorted(found, key=lambda each: each.rank)",
        "def tree(each): return each.casefold()\nColumn('name', sort=tree)",
    ):
        assert any(map(_folds, _compared(ast.parse(source)))), source
    assert not any(map(_folds, _compared(ast.parse("found = [each for each in names if term in each.casefold()]"))))
