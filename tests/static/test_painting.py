"""Texts are passed to the framework only as literals, `Content` or clean text, in every place that takes texts.

Textual parses a plain `str` as markup in most places: a remote one could style itself, bind actions to clicks, or end
the program. The places are read from the framework's own signatures (`tests/static/framework.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.for_each import for_each
from tests.static import framework
from tests.static.framework import Takes
from tests.static.source_files import nodes, place_of, python_files, tree_of
from tests.static.words import Known, Scope, names_of

MAY_MAKE_SAFE_TEXT = {"text.py", "wrapping.py", "row_painter.py"}
"""Modules that cut and join clean text, which keeps it clean."""
ALREADY_PAINTED = {"ascii_only.py"}
"""A filter of lines that were checked where they were created."""


class Handed(NamedTuple):
    """A text that is passed to the framework, and how the framework treats it."""

    value: ast.expr
    takes: Takes
    scope: Scope

    @property
    def safe(self) -> bool:
        """Whether it is harmless."""
        return self.scope.known(self.value) <= (Known.CLEAN if self.takes is Takes.PLAIN else Known.CONTENT)


def _scopes(
    tree: ast.AST, names: Mapping[str, Any], inside: ast.ClassDef | None = None, kind: Any = None
) -> Iterator[Scope]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            there = names.get(node.name) if inside is None else getattr(kind, node.name, None)
            yield from _scopes(node, names, node, there)
        else:
            yield Scope(names, node, kind, inside)


def _given(call: ast.Call, function: Callable[..., Any], scope: Scope) -> Iterator[Handed]:
    """Yield the arguments of a call that the framework takes as texts."""
    for name, (place, takes) in framework.sinks(function).items():
        if framework.is_variadic(function, name):
            yield from (Handed(each, takes, scope) for each in call.args[place:])
            continue
        if len(call.args) > place and not any(isinstance(each, ast.Starred) for each in call.args[: place + 1]):
            yield Handed(call.args[place], takes, scope)
        yield from (Handed(each.value, takes, scope) for each in call.keywords if each.arg == name)


def _called(call: ast.Call, scope: Scope) -> Iterator[Handed]:
    target = scope.target(call.func)
    if isinstance(target, type):
        maker = framework.maker_of(target)
        if framework.is_known(target) and framework.of_framework(maker):
            yield from _given(call, maker, scope)
    elif target is not None:
        if framework.shows(target):
            yield from _given(call, target, scope)
    elif isinstance(call.func, ast.Attribute):
        for function in framework.any_method().get(call.func.attr, ()):
            yield from _given(call, function, scope)


def _assigned(node: ast.AST, target: ast.expr, value: ast.expr, scope: Scope) -> Iterator[Handed]:
    if isinstance(target, ast.Attribute):
        kind = scope.class_of(target.value)
        places = framework.attributes(kind) if isinstance(kind, type) else framework.any_attribute()
        if target.attr in places:
            yield Handed(value, places[target.attr], scope)
    elif isinstance(target, ast.Name) and isinstance(scope.inside, type) and node is scope.node:
        places = framework.attributes(scope.inside)
        if target.id in places:
            yield Handed(value, places[target.id], scope)


def _rendered(scope: Scope) -> Iterator[Handed]:
    """Yield the results of a widget's render method: a `str` would be parsed."""
    node = scope.node
    if isinstance(node, ast.FunctionDef) and node.name == "render" and framework.is_widget(scope.inside):
        for each in ast.walk(node):
            if isinstance(each, ast.Return) and each.value is not None:
                yield Handed(each.value, Takes.PARSED, scope)


def handed_over(tree: ast.AST, names: Mapping[str, Any]) -> Iterator[Handed]:
    """Yield every expression that is passed to the framework as a text."""
    for scope in _scopes(tree, names):
        for node in ast.walk(scope.node):
            if isinstance(node, ast.Call):
                yield from _called(node, scope)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from _assigned(node, target, node.value, scope)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                yield from _assigned(node, node.target, node.value, scope)
        yield from _rendered(scope)


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


def test_only_content_and_clean_text_is_passed_to_the_framework() -> None:
    found: list[str] = []
    places = 0
    for file in _files():
        for each in handed_over(tree_of(file), names_of(file)):
            places += 1
            if not each.safe and file.name not in ALREADY_PAINTED:
                found.append(
                    f"{place_of(file, each.value)}: {ast.unparse(each.value)} goes where it is {each.takes.name}"
                )
    assert not found
    assert places > 60, "the rule has lost sight of the places that take words"


def test_no_markup_is_ever_parsed() -> None:
    found = [
        place_of(file, node)
        for file in _files()
        for node in nodes(tree_of(file))
        if (
            isinstance(node, ast.Attribute) and node.attr in {"from_markup", "from_rich_text", "from_text", "highlight"}
        )
        or (
            isinstance(node, ast.keyword)
            and node.arg == "markup"
            and isinstance(node.value, ast.Constant)
            and node.value.value is True
        )
    ]
    assert not found


def test_text_is_declared_clean_only_where_it_is_cleaned() -> None:
    found = [
        place_of(file, node)
        for file in python_files("src")
        if file.name not in MAY_MAKE_SAFE_TEXT
        for node in nodes(tree_of(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "SafeText"
    ]
    assert not found


WORDS_GO_HERE = {
    "App": {"title", "notify.message", "notify.title", "exit.message", "panic.renderables", "copy_to_clipboard.text"},
    "Binding": {"__init__.description"},
    "Button": {"__init__.label", "label"},
    "Checkbox": {"__init__.label"},
    "Collapsible": {"__init__.title", "title"},
    "CommandPalette": {"__init__.placeholder"},
    "DataTable": {"add_column.label", "add_row.cells", "update_cell.value"},
    "DiscoveryHit": {"__init__.display", "__init__.help", "__init__.text"},
    "Hit": {"__init__.match_display", "__init__.help", "__init__.text"},
    "Input": {"__init__.placeholder", "__init__.value", "placeholder", "value", "tooltip"},
    "Label": {"__init__.content", "update.content"},
    "Markdown": {"__init__.markdown", "update.markdown"},
    "Matcher": {"highlight.candidate"},
    "Option": {"__init__.prompt"},
    "OptionList": {"add_option.option", "add_options.new_options", "replace_option_prompt.prompt"},
    "Placeholder": {"__init__.label"},
    "Screen": {"title", "sub_title", "HELP"},
    "Select": {"__init__.options", "__init__.prompt", "prompt"},
    "Selection": {"__init__.prompt"},
    "Static": {"__init__.content", "update.content", "content"},
    "Tab": {"__init__.label", "label"},
    "TabPane": {"__init__.title"},
    "TextArea": {"__init__.text", "__init__.placeholder", "placeholder", "text"},
    "Tooltip": {"__init__.content"},
    "Tree": {"__init__.label"},
    "TreeNode": {"__init__.label", "set_label.label", "add.label", "add_leaf.label"},
    "Widget": {"border_title", "border_subtitle", "tooltip", "notify.message", "render_str.text_content"},
}
"""Some of the places that must be found in the signatures."""


@for_each("name", WORDS_GO_HERE)
def test_the_arguments_that_take_text_are_found_in_the_signatures(name: str) -> None:
    kind = next(each for each in framework.CLASSES if each.__name__ == name)
    for place in WORDS_GO_HERE[name]:
        method, _, parameter = place.partition(".")
        if parameter:
            assert parameter in framework.sinks(getattr(kind, method)), place
        else:
            assert method in framework.attributes(kind), place


IMPORTS = """
from __future__ import annotations
from collections.abc import Callable
from rich.segment import Segment
from textual.app import App
from textual.command import Hit, DiscoveryHit
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static, TextArea
from textual.widgets.option_list import Option
from console.base.text import SafeText, clean, clean_lines
from console.ui.widgets.tones import styled
"""


def _judged(code: str) -> list[bool]:
    names: dict[str, Any] = {}
    exec(IMPORTS + code, names)
    return [each.safe for each in handed_over(ast.parse(code), names)]


@for_each(
    "code",
    [
        "def show(name: str): Label(f'{name} rang')",
        "def show(name: str): Label(clean(name))",
        "def show(error: Exception, screen: Screen): screen.notify(str(error))",
        "def show(error: Exception, here): here.notify(clean(str(error)))",
        "def show(words: str):\n    Static(words)",
        "def show(words: SafeText):\n    Static(words)",
        "def show(call):\n    words = call.name + '!'\n    Static(words)",
        "def show(box, call): box.border_title = call.title.upper()",
        "def show(box, call): box.tooltip = clean(call.title)",
        "def show(call): Input(placeholder=call.get('x'))",
        "def show(box: Screen, text: str): box.query_one('#a', Label).update(text)",
        "def show(title: str, do): return Hit(1.0, styled(title), do, help=styled(title).plain)",
        "def show(title: str, do): return DiscoveryHit(title, do)",
        "def show(title: str, do): return Hit(1.0, styled(title), do, text=title)",
        "def show(title: str): return [Option(each) for each in title.split()]",
        "def show(title: str): return Select([(title, 1)])",
        "def show(text: str): return Content(text)",
        "def show(text: str): return Segment(text)",
        "def show(app: App, text: str): app.copy_to_clipboard(text)",
        "def show(app: App, text: str): app.exit(message=clean(text))",
        "class Box(Widget):\n    def render(self): return clean(self.name)",
        "class Box(Widget):\n    def __init__(self, title: str):\n        self.border_title = title",
        "class Area(TextArea):\n    def __init__(self, text: str):\n        super().__init__(text)",
        "class Box(Screen):\n    def __init__(self, words: str):\n        self._words = words\n"
        "    def compose(self): yield Button(self._words)",
    ],
)
def test_the_check_reports(code: str) -> None:
    assert not all(_judged(code))


@for_each(
    "code",
    [
        "def show(): Label('Calls')",
        "def show(name: str): Label(styled(f'{name} rang'))",
        "def show(words: Content):\n    Static(words)",
        "def show(call):\n    words = styled(call.name)\n    Static(words if call else 'none')",
        "def show(call): Input(placeholder=clean(call.name))",
        "def show(title: str, do): return Hit(1.0, styled(title), do, text=clean(title))",
        "def show(title: str): return Content('\\n').join([styled(title), styled('x') + clean(title)])",
        "def show(app: App, text: str): app.copy_to_clipboard(clean(text))",
        "class Box(Widget):\n    def render(self): return styled(self.name)",
        "class Area(TextArea):\n    def __init__(self, text: str):\n"
        "        super().__init__('\\n'.join(clean_lines(text)), id='area')",
    ],
)
def test_the_check_accepts(code: str) -> None:
    found = _judged(code)
    assert found, "the rule looks at it"
    assert all(found)


def test_the_check_ignores_arguments_that_are_not_displayed() -> None:
    assert not _judged("def show(names: dict[str, str], other): names.update(other(names))")
    assert not _judged("def show(words: str): return Widget(id=words, classes=words)")
