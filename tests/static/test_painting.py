"""Text from outside reaches a widget only through `text.clean`: checked where words are handed to Textual.

A plain `str` is parsed as markup by Textual: a remote one could style itself, bind actions to clicks, or crash.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.static.source_files import PACKAGE, place_of, python_files, tree_of

SHOWING = ("widgets", "screens")

WIDGETS = {"Static", "Label", "Button", "Option", "Selection", "RadioButton", "Checkbox", "Collapsible", "Tooltip"}
METHODS = {"notify", "add_option", "set_label", "write_line", "copy_to_clipboard"}
KEYWORDS = {"placeholder", "tooltip", "label", "border_title", "border_subtitle"}
ATTRIBUTES = {"border_title", "border_subtitle", "title", "sub_title", "tooltip", "placeholder", "label"}

MAKES_SAFE = {"clean", "fit", "join", "piece", "styled", "line", "block", "Content", "assemble", "styled_text"}
"""Functions that answer with clean text or content."""
MAY_MAKE_SAFE_TEXT = {"text.py", "wrapping.py", "row_painter.py"}
"""Where clean text is cut and put together, which leaves it clean."""


def _files() -> list[Path]:
    return [*python_files(*(f"src/console/{each}" for each in SHOWING)), PACKAGE / "app.py"]


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _handed_over(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield every expression that becomes words on the screen through Textual itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _name(node.func)
            updates = name == "update" and "query_one" in ast.unparse(node.func)
            if (name in WIDGETS or name in METHODS or updates) and node.args:
                yield node.args[0]
            yield from (
                each.value for each in node.keywords if each.arg in KEYWORDS and name not in {"Config", "FormAsk"}
            )
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr in ATTRIBUTES:
                    yield node.value


def _assigned(scope: ast.AST, name: str) -> list[ast.expr]:
    return [
        node.value
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
    ]


def _is_safe(value: ast.expr, scope: ast.AST, depth: int = 0) -> bool:
    if isinstance(value, ast.Constant):
        return True
    if isinstance(value, ast.JoinedStr):
        return all(isinstance(each, ast.Constant) for each in value.values)
    if isinstance(value, ast.IfExp):
        return _is_safe(value.body, scope, depth) and _is_safe(value.orelse, scope, depth)
    if isinstance(value, ast.BoolOp):
        return all(_is_safe(each, scope, depth) for each in value.values)
    if isinstance(value, ast.Call):
        return _name(value.func) in MAKES_SAFE
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id.lstrip("_").isupper():
        return True
    if isinstance(value, ast.Name) and depth < 4:
        assigned = _assigned(scope, value.id)
        return all(_is_safe(each, scope, depth + 1) for each in assigned) and not _is_plain_parameter(scope, value.id)
    # What an object holds was made somewhere else, where it was looked at; its type says the rest.
    return isinstance(value, ast.Attribute)


def _is_plain_parameter(scope: ast.AST, name: str) -> bool:
    for node in ast.walk(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in (*node.args.args, *node.args.kwonlyargs):
                if each.arg == name and each.annotation is not None and ast.unparse(each.annotation).startswith("str"):
                    return True
    return False


def _functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the scopes in which names are assigned: outermost functions, methods, and the module itself."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node)
        else:
            yield node


def unsafe(tree: ast.AST) -> list[ast.expr]:
    """Return what is handed to a widget without having gone through the door."""
    return [value for scope in _functions(tree) for value in _handed_over(scope) if not _is_safe(value, scope)]


def test_no_plain_text_is_handed_to_a_widget():
    found = [f"{place_of(file, value)}: {ast.unparse(value)}" for file in _files() for value in unsafe(tree_of(file))]
    assert not found


def test_no_markup_is_ever_parsed():
    found = [
        place_of(file, node)
        for file in _files()
        for node in ast.walk(tree_of(file))
        if (isinstance(node, ast.Attribute) and node.attr in {"from_markup", "from_rich_text"})
        or (
            isinstance(node, ast.keyword)
            and node.arg == "markup"
            and isinstance(node.value, ast.Constant)
            and node.value.value is True
        )
    ]
    assert not found


def test_text_is_declared_clean_only_where_it_is_cleaned():
    found = [
        place_of(file, node)
        for file in python_files("src")
        if file.name not in MAY_MAKE_SAFE_TEXT
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call) and _name(node.func) == "SafeText"
    ]
    assert not found


@pytest.mark.parametrize(
    "code",
    [
        "Label(f'{name} rang')",
        "self.notify(str(error))",
        "def show(words: str):\n    Static(words)",
        "def show(call):\n    words = call.name + '!'\n    Static(words)",
        "box.border_title = call.title.upper()",
        "Input(placeholder=call.get('x'))",
        "self.query_one('#a', Label).update(record.text())",
    ],
)
def test_the_rule_finds(code: str):
    assert unsafe(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "Label('Calls')",
        "Label(clean(f'{name} rang'))",
        "def show(words: SafeText):\n    Static(words)",
        "def show(call):\n    words = clean(call.name)\n    Static(words if call else 'none')",
        "names.update(other(names))",
    ],
)
def test_the_rule_leaves_alone(code: str):
    assert not unsafe(ast.parse(code))
