"""Only `ui/textual_compat` uses private parts of Textual and Rich."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from console.ui.textual_compat.pieces import WITHOUT
from tests.static.source_files import PACKAGE, ROOT, nodes, place_of, python_files, text_of, tree_of

FENCE = PACKAGE / "ui" / "textual_compat"
_LIBRARIES = ("textual", "rich")
_PRIVATE_NAME = re.compile(r"\b_\w+")


def of_framework(kind: type[Any]) -> bool:
    """Return whether a class belongs to the framework."""
    return kind.__module__.partition(".")[0] in _LIBRARIES


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_deep(module: str) -> bool:
    first, *inner = module.split(".")
    return first in _LIBRARIES and (inner[:1] == ["drivers"] or any(map(_is_private, inner)))


def _deep_imports(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield imports of private modules and names, also as a text."""
    for node in nodes(tree):
        match node:
            case ast.Import(names=names) if any(_is_deep(each.name) for each in names):
                yield node
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] in _LIBRARIES:
                if _is_deep(module) or any(_is_private(each.name) for each in names):
                    yield node
            case ast.Constant(value=str(text)) if " " not in text and _is_deep(text):
                yield node
            case _:
                pass


def _own_names(tree: ast.AST) -> set[str]:
    """Return the private names that a file defines: of methods, attributes and fields."""
    found: set[str] = set()
    for node in nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Attribute(value=ast.Name("self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {each.id for each in targets if isinstance(each, ast.Name)}
            case _:
                pass
    return found


def _foreign_accesses(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield accesses to private attributes of objects whose class is not in the file."""
    own = _own_names(tree)
    for node in nodes(tree):
        match node:
            case ast.Attribute(value=ast.Name("self" | "cls")):
                pass
            case ast.Attribute(value=ast.Name("os"), attr="_exit"):
                pass
            case ast.Attribute(attr=name) if _is_private(name) and name not in own:
                yield node
            case ast.Call(
                func=ast.Name("getattr" | "setattr" | "hasattr"), args=[ast.expr(), ast.Constant(str(name)), *_]
            ) if _is_private(name) and name not in own:
                yield node
            case _:
                pass


def _names_in(function: object) -> set[str]:
    code = getattr(function, "__code__", None)
    return set(code.co_names) if code else set()


@cache
def _inherited(kind: type[Any]) -> frozenset[str]:
    """Return the private names of a class of Textual: those of the class, and those that its `__init__` sets."""
    names = {*vars(kind), *_names_in(vars(kind).get("__init__"))}
    return frozenset(filter(_is_private, names))


def _collisions(file: Path) -> Iterator[ast.AST]:
    """Yield uses and definitions of names that a class of ours inherits from Textual."""
    module = importlib.import_module(".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts))
    for node in nodes(tree_of(file)):
        kind = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
        if isinstance(kind, type):
            theirs = {name for base in kind.__mro__ if of_framework(base) for name in _inherited(base)}
            for inner in ast.walk(node) if theirs else ():
                name = getattr(inner, "attr", "") or getattr(inner, "name", "")
                if name in theirs:
                    yield inner


def _outside() -> Iterator[Path]:
    """Yield the files that may hold objects of Textual; an import contract checks that no other imports it."""
    folders = (f"src/console/{name}" for name in ("ui", "cli"))
    yield from (file for file in python_files(*folders) if FENCE not in file.parents)


def test_only_the_fence_imports_private_modules_and_names_of_textual():
    assert not [place_of(file, node) for file in _outside() for node in _deep_imports(tree_of(file))]


def test_nothing_reads_private_attributes_of_classes_of_other_files():
    assert not [place_of(file, node) for file in _outside() for node in _foreign_accesses(tree_of(file))]


def test_no_class_uses_or_replaces_private_names_that_it_inherits_from_textual():
    assert not [place_of(file, node) for file in _outside() for node in _collisions(file)]


def test_the_page_lists_every_piece():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert not [piece for piece, effect in WITHOUT.items() if f"| `{piece}` | {effect} |" not in page]
    assert WITHOUT.keys() == {file.stem for file in FENCE.glob("*.py")} - {"__init__", "pieces", "testing"}


@cache
def _names_of_textual() -> frozenset[str]:
    """Return the private names of everything that sends or receives messages, and of style sheets and drivers."""
    modules = ("app", "css.stylesheet", "driver", "message_pump", "screen", "timer", "widget", "widgets")
    loaded = [importlib.import_module(f"textual.{name}") for name in modules]
    kinds = {kind for module in loaded for kind in vars(module).values() if isinstance(kind, type)}
    return frozenset(name for kind in kinds if of_framework(kind) for name in _inherited(kind))


@pytest.mark.timeout(240)
def test_tests_use_the_fence_too():
    theirs = _names_of_textual().difference(*(_own_names(tree_of(file)) for file in _outside()))
    importing = [file for file in python_files("tests") if any(name in text_of(file) for name in _LIBRARIES)]
    assert not [place_of(file, node) for file in importing for node in _deep_imports(tree_of(file))]
    files = [file for file in python_files("tests") if not theirs.isdisjoint(_PRIVATE_NAME.findall(text_of(file)))]
    accesses = ((file, node) for file in files for node in _foreign_accesses(tree_of(file)))
    assert not [
        place_of(file, node) for file, node in accesses if isinstance(node, ast.Attribute) and node.attr in theirs
    ]


@pytest.mark.parametrize(
    "text",
    [
        "from textual._compositor import Compositor",
        "import textual._context",
        "from textual.drivers.linux_driver import LinuxDriver",
        "from textual.app import _private",
        'importlib.import_module("textual._wait")',
    ],
)
def test_a_private_import_is_found(text: str):
    assert list(_deep_imports(ast.parse(text)))


@pytest.mark.parametrize("text", ["app._driver", "app.screen._compositor.clear()", "getattr(timer, '_skip')"])
def test_a_foreign_access_is_found(text: str):
    assert list(_foreign_accesses(ast.parse(text)))


def test_an_access_to_the_own_class_is_none():
    text = "class A:\n    def __init__(self): self._x = 1\n    def same(self, other): return self._x == other._x"
    assert not list(_foreign_accesses(ast.parse(text)))


def test_an_inherited_name_is_known():
    app = sys.modules["textual.app"].App
    assert {"_fatal_error", "_exception", "_driver"} <= _inherited(app)
