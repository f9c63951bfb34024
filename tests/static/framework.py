"""The places where the framework takes texts, found in its signatures: new parameters are covered until named here.

A *parsed* place reads a `str` as markup: only `Content` and literals may be passed. A *plain* place shows it as it is:
`SafeText` is also allowed.
"""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from typing import Any, cast

import textual.widgets
from rich.segment import Segment
from textual import command, notifications
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.content import Content
from textual.fuzzy import Matcher
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets.option_list import Option
from textual.widgets.selection_list import Selection
from textual.widgets.tree import TreeNode


class Takes(IntEnum):
    """How a place treats a `str`."""

    PLAIN = 1
    PARSED = 2


_EXPORTED: list[str] = vars(textual.widgets)["__all__"]
WIDGETS: tuple[type[Any], ...] = tuple(getattr(textual.widgets, name) for name in _EXPORTED)
CLASSES: tuple[type[Any], ...] = (
    *(App, Screen, ModalScreen, Widget, *WIDGETS, Option, Selection, TreeNode),
    *(command.Hit, command.DiscoveryHit, command.CommandPalette, command.Provider, Matcher, SystemCommand),
    *(notifications.Notification, Binding, Content, Segment),
)
"""All public classes through which texts reach the screen, the window or the clipboard."""

_WORDS = re.compile(
    r"\b(str|object|TextType|ContentText|ContentType|VisualType|RenderableType|RenderResult|Visual|Text|Content"
    r"|OptionListContent|CellType|ConsoleRenderable)\b"
)

_NAMES = """
action active after anchor app attribute attribute_name base_screen before bind_vars block_name bracket
character chars class_name class_names classes column_key component_classes control css current data_bind easing
encoding end event_name final_value format group highlight_link_id highlight_query highlight_regex id identity
initial key keys language location max_color mime_type min_color mode name names namespaces new_style old
old_variant option_id pane_id parameters parse_style path path_or_file previously_active query renderable
restrict row_key save_directory save_filename screen selector separator severity sort_children style
summary_function tab_id tab_or_id tag template theme theme_name time_format type user_input value_type variant
virtual_size visual wait_for_dismiss widget_id
"""
NAMES = frozenset(_NAMES.split())
"""Parameters and attributes that hold names, options or patterns, none of which is shown."""

PLAIN = frozenset(
    {
        *("Input.value", "Input.placeholder", "Input.insert.text", "Input.insert_text_at_cursor.text"),
        *("Input.replace.text", "Input.__init__.value", "Input.__init__.placeholder", "TextArea.text"),
        *("TextArea.__init__.text", "TextArea.load_text.text", "TextArea.insert.text", "TextArea.replace.insert"),
        *("TextArea.suggestion", "App.title", "App.sub_title", "Screen.title", "Screen.sub_title"),
        *("App.copy_to_clipboard.text", "Hit.__init__.text", "DiscoveryHit.__init__.text", "Matcher.match.candidate"),
        *("Content.__init__.text", "Content.styled.text", "Content.assemble.parts", "Content.join.lines"),
        *("Content.append.content", "Content.append_text.text", "Content.__add__.other", "Segment.__new__.text"),
    }
)
"""The plain places; `tests/behaviour/widgets/test_plain_text.py` checks them."""


def _words_of(annotation: object) -> bool:
    return annotation is inspect.Parameter.empty or bool(_WORDS.search(str(annotation)))


@cache
def sinks(function: Callable[..., Any]) -> Mapping[str, tuple[int, Takes]]:
    """Return the text parameters of a framework's function: position after `self`, and how they treat texts."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return {}
    own = bool(parameters) and parameters[0].name in {"self", "cls", "_cls"}
    found: dict[str, tuple[int, Takes]] = {}
    for place, each in enumerate(parameters[1:] if own else parameters):
        if each.name not in NAMES and each.annotation is not inspect.Parameter.empty and _words_of(each.annotation):
            known = f"{function.__qualname__}.{each.name}" in PLAIN
            found[each.name] = (place, Takes.PLAIN if known else Takes.PARSED)
    return found


@cache
def is_variadic(function: Callable[..., Any], name: str) -> bool:
    """Return whether a parameter takes every further argument."""
    return inspect.signature(function).parameters[name].kind is inspect.Parameter.VAR_POSITIONAL


def of_framework(value: object) -> bool:
    """Return whether a class or function belongs to the framework."""
    return str(getattr(value, "__module__", "")).partition(".")[0] in {"textual", "rich", "namedtuple_Segment"}


def is_known(kind: type[Any]) -> bool:
    """Return whether texts reach the screen through a class."""
    return issubclass(kind, CLASSES)


_OWNERS = {base.__name__ for kind in CLASSES for base in kind.__mro__ if of_framework(base)}


def shows(function: Callable[..., Any]) -> bool:
    """Return whether texts reach the screen through a function of the framework."""
    return of_framework(function) and getattr(function, "__qualname__", "").partition(".")[0] in _OWNERS


def _attributes_of(kind: type[Any]) -> Iterator[str]:
    for name, annotation in inspect.get_annotations(kind).items():
        if _words_of(annotation):
            yield name
    for name, value in kind.__dict__.items():
        if isinstance(value, property):
            said = getattr(value.fget, "__annotations__", {}).get("return", inspect.Parameter.empty)
            if value.fset is not None and _words_of(said):
                yield name
        elif isinstance(value, Reactive):
            default: object = getattr(cast("object", value), "_default", None)
            if name not in inspect.get_annotations(kind) and isinstance(default, str):
                yield name
        elif type(value).__name__ == "_BorderTitle":
            yield name


@cache
def attributes(kind: type[Any]) -> Mapping[str, Takes]:
    """Return the attributes of a class that take texts, including inherited ones of the framework."""
    found: dict[str, Takes] = {}
    for base in reversed(kind.__mro__):
        if of_framework(base):
            for name in _attributes_of(base):
                if name not in NAMES and not name.startswith("_") and not _is_setting(name):
                    known = f"{base.__name__}.{name}" in PLAIN
                    found[name] = Takes.PLAIN if known else Takes.PARSED
    return found


def _is_setting(name: str) -> bool:
    shown = {"TITLE", "SUB_TITLE", "BORDER_TITLE", "BORDER_SUBTITLE", "HELP", "BINDING_GROUP_TITLE"}
    return name.isupper() and name not in shown


@cache
def any_attribute() -> Mapping[str, Takes]:
    """Return the attributes that take texts on any widget, for values of unknown class."""
    found: dict[str, Takes] = {}
    for kind in (App, Screen, Widget, *WIDGETS):
        for name, takes in attributes(kind).items():
            found[name] = max(takes, found.get(name, takes))
    return found


_ON_BUILTINS = {
    name for kind in (dict, list, set, str, bytes, tuple, int, io.TextIOBase, re.Pattern) for name in dir(kind)
}


@cache
def any_method() -> Mapping[str, tuple[Callable[..., Any], ...]]:
    """Return the methods that take texts by name, except those that a builtin type also has."""
    found: dict[str, list[Callable[..., Any]]] = {}
    for kind in CLASSES:
        for name, value in inspect.getmembers(kind, callable):
            if not name.startswith("_") and name not in _ON_BUILTINS and of_framework(value) and sinks(value):
                found.setdefault(name, []).append(value)
    return {name: tuple(functions) for name, functions in found.items()}


def maker_of(kind: type[Any]) -> Callable[..., Any]:
    """Return the function that is called when a class is instantiated."""
    made: Callable[..., Any] = getattr(kind, "__new__" if issubclass(kind, tuple) else "__init__")
    return made


def is_widget(kind: object) -> bool:
    """Return whether a class is a widget."""
    return isinstance(kind, type) and issubclass(kind, Widget)
