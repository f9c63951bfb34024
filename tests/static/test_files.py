from __future__ import annotations

import ast

from tests.static.source_files import PACKAGE, place_of, python_files, text_of, tree_of

MOST_LINES = 428
"""About 400: a file has one subject and is read in one go."""
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc", "core", "shared"}


def test_every_file_is_short_enough_to_read_at_once():
    long = {
        place_of(file): count
        for file in python_files("src", "tools")
        if (count := len(text_of(file).splitlines())) > MOST_LINES
    }
    assert not long


def test_no_module_has_a_meaningless_name():
    vague = [
        place_of(file)
        for file in python_files("src", "tools", "tests")
        if VAGUE & {file.stem, file.parent.name} and file != PACKAGE
    ]
    assert not vague


def test_every_module_defers_annotations_and_has_a_docstring():
    silent = [place_of(file) for file in python_files("src", "tools") if not ast.get_docstring(tree_of(file))]
    eager = [
        place_of(file)
        for file in python_files("src", "tools")
        if any(not isinstance(node, ast.Expr) for node in tree_of(file).body)
        and not any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.names[0].name == "annotations"
            for node in tree_of(file).body
        )
        and file.name != "__init__.py"
    ]
    assert not silent
    assert not eager


def test_the_source_contains_no_todo():
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "Not" + "ImplementedYet")
    found = [
        f"{place_of(file)}:{number}"
        for file in python_files("src", "tools", "tests")
        for number, line in enumerate(text_of(file).splitlines(), 1)
        if any(word in line for word in words)
    ]
    assert not found
