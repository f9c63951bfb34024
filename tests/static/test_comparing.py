"""The service compares secrets in constant time."""

from __future__ import annotations

import ast

from tests.static.source_files import nodes, place_of, python_files, tree_of

_SECRET = frozenset({"hash", "signature", "secret", "sealed", "token"})


def _name(node: ast.expr) -> str:
    """Return the last name of an expression; empty for a column of a table, which the database compares by index."""
    if isinstance(node, ast.Attribute):
        owner = node.value
        columns = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
        return "" if columns in {"c", "column"} else node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _careless(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare) or not all(isinstance(each, ast.Eq | ast.NotEq) for each in node.ops):
        return False
    sides = [node.left, *node.comparators]
    if any(isinstance(each, ast.Attribute) and not _name(each) for each in sides):
        return False
    if any(isinstance(each, ast.Constant) for each in sides):
        return False
    return any(_name(each) in _SECRET for each in sides)


def test_no_secret_is_compared_with_equals_operators():
    found = [
        place_of(file, node)
        for file in python_files("src/console/service")
        for node in nodes(tree_of(file))
        if _careless(node)
    ]
    assert not found, "use hmac.compare_digest on bytes"


def test_the_check_finds_comparisons_of_secrets_and_ignores_columns():
    assert _careless(ast.parse("row.hash == sought", mode="eval").body)
    assert _careless(ast.parse("given != secret", mode="eval").body)
    assert not _careless(ast.parse("tokens.c.hash == sought", mode="eval").body)
    assert not _careless(ast.parse("token == ''", mode="eval").body)
