"""Imports have no cycles, and every module is in the layers that pyproject.toml declares."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from console.ui.screens import deferred
from tests.static.source_files import PACKAGE, ROOT, nodes, python_files, text_of, tree_of

MOST_INNER_IMPORTS = 46
"""Imports inside functions. They may become fewer."""
MOST_FRAGMENTS = 3
"""Small modules with one user. They may become fewer."""
FRAGMENT_LINES = 100
BY_NAME = frozenset({"actions", "columns", "derived"})
"""Modules of a kind that `Kind` imports by their names."""
_INDENTED_IMPORT = re.compile(r"^ +(?:import|from) ", re.MULTILINE)


def _name_of(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a node imports."""
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names)
        case ast.Attribute(value=ast.Name("deferred"), attr=name):
            yield deferred.path_of(name)
        case ast.ImportFrom(module=str(module), names=names):
            yield from (module, *(f"{module}.{each.name}" for each in names))
        case _:
            pass


def _needed(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports, including inside functions, but not for types alone."""
    inner = [tree]
    while inner:
        match inner.pop():
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                pass
            case node:
                yield from _imported(node)
                inner.extend(ast.iter_child_nodes(node))


def _imports(files: Mapping[str, ast.AST]) -> dict[str, set[str]]:
    return {name: {*_needed(tree)} & files.keys() - {name} for name, tree in files.items()}


def _cycle(files: Mapping[str, ast.AST]) -> str:
    """Return a cycle of imports as text, empty if there is none."""
    try:
        TopologicalSorter(_imports(files)).prepare()
    except CycleError as error:
        return " <- ".join(error.args[1])
    return ""


def test_no_modules_import_each_other():
    assert _cycle({_name_of(file): tree_of(file) for file in python_files("src/console")}) == ""


@pytest.mark.parametrize("inner", ["import a", "from a import x", "def f():\n    from a import x"])
def test_a_cycle_is_found_inside_functions_as_well(inner: str):
    assert _cycle({"a": ast.parse("from b import y"), "b": ast.parse(inner)}) in {"a <- b <- a", "b <- a <- b"}


def test_a_cycle_through_a_deferred_import_is_found():
    files = {"console.kinds.actions": ast.parse("import b"), "b": ast.parse("def f():\n    deferred.actions.by_id(1)")}
    assert _cycle(files) != ""


def test_a_deferred_name_is_the_module_that_types_are_checked_with():
    typed = next(node for node in ast.walk(ast.parse(inspect.getsource(deferred))) if isinstance(node, ast.If))
    imported = {
        alias.name: f"{node.module}.{alias.name}"
        for node in typed.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {name: deferred.path_of(name) for name in imported}


def test_an_import_for_types_alone_is_no_cycle():
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import x"
    assert _cycle({"a": ast.parse("from b import y"), "b": ast.parse(typed)}) == ""


def test_every_module_is_in_a_layer():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    named = {name for layer in layers for name in layer.replace("|", ":").replace(" ", "").split(":")}
    modules = {_name_of(file).split(".")[1] for file in python_files("src/console") if file.parent != PACKAGE}
    modules |= {file.stem for file in PACKAGE.glob("*.py")} - {"__init__"}
    assert named == {f"console.{name}" for name in modules}


@cache
def _inner_imports() -> set[tuple[Path, int]]:
    """Return file and line of all imports inside functions."""
    return {
        (file, node.lineno)
        for file in python_files("src/console")
        if _INDENTED_IMPORT.search(text_of(file))
        for function in nodes(tree_of(file))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }


def test_few_imports_are_inside_functions():
    inner = sorted(f"{file}:{line}" for file, line in _inner_imports())
    assert len(inner) <= MOST_INNER_IMPORTS, inner


def test_every_import_inside_a_function_has_its_reason_in_a_comment():
    unexplained = [
        f"{file}:{line}"
        for file, line in _inner_imports()
        if "#" not in (lines := text_of(file).splitlines())[line - 1] and not lines[line - 2].lstrip().startswith("#")
    ]
    assert not unexplained, unexplained


def test_few_small_modules_are_imported_only_by_a_neighbour():
    files = {_name_of(file): file for file in python_files("src/console")}
    users: dict[str, set[str]] = {name: set() for name in files}
    for name, file in files.items():
        # `deferred` names modules for others, which are their users.
        for node in nodes(tree_of(file)) if name != deferred.__name__ else ():
            # Imports for types alone count: who needs the type is a user.
            if isinstance(node, ast.Import | ast.ImportFrom | ast.Attribute):
                for imported in {*_imported(node)} & files.keys() - {name}:
                    users[imported].add(name)
    fragments = [
        name
        for name, file in files.items()
        if len(users[name]) == 1
        and min(users[name]).rpartition(".")[0] == name.rpartition(".")[0]
        and len(text_of(file).splitlines()) < FRAGMENT_LINES
        and not (name.startswith("console.kinds.") and name.rpartition(".")[2] in BY_NAME)
    ]
    assert len(fragments) <= MOST_FRAGMENTS, fragments
