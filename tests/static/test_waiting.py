from __future__ import annotations

import ast

from tests.static.source_files import nodes, place_of, python_files, text_of, tree_of


def _sleeps(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    by_zero = bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
    of_a_clock = isinstance(node.func, ast.Attribute) and "clock" in ast.unparse(node.func.value)
    return name == "sleep" and not by_zero and not of_a_clock


def test_no_test_sleeps_instead_of_waiting_for_a_condition():
    """Helper modules offer waiting in a loop with a deadline."""
    found = [
        place_of(file, node)
        for file in python_files("tests")
        if (file.name.startswith("test_") or file.name == "conftest.py") and "sleep" in text_of(file)
        for node in nodes(tree_of(file))
        if _sleeps(node)
    ]
    assert not found


def test_the_program_does_not_use_set_timer():
    """`ui/widgets/once.py` says why, and calls back in another way."""
    found = [
        place_of(file, node)
        for file in python_files("src")
        if "set_timer" in text_of(file)
        for node in nodes(tree_of(file))
        if isinstance(node, ast.Attribute) and node.attr == "set_timer"
    ]
    assert not found
