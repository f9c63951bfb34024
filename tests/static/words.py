"""Inference of the texts in an expression: literals, content, clean text, or anything."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard, cast

from tests.static.source_files import PACKAGE, nodes, python_files, tree_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Known(IntEnum):
    """What is known of an expression. The larger the value, the fewer places it may be passed to."""

    CONTENT = 0
    """Literals, and `Content` made of clean text: nothing in it is parsed."""
    CLEAN = 1
    """`SafeText`, or text made only of it and literals: harmless unless parsed as markup."""
    ANYTHING = 2


_ANNOTATED = {"Content": Known.CONTENT, "SafeText": Known.CLEAN, "None": Known.CONTENT, "Strip": Known.CONTENT}


_PADS = {"strip", "lstrip", "rstrip", "ljust", "rjust"}
"""Methods that keep text clean, though Python returns a plain `str`."""


def of_annotation(text: str) -> Known:
    """Return what is known of a value of an annotated type; for a sequence, of its members."""
    for name in ("Sequence", "Iterable", "list", "tuple", "Iterator"):
        if text.startswith(f"{name}[") and text.endswith("]"):
            inner = text[len(name) + 1 : -1].removesuffix(", ...")
            return of_annotation(inner)
    return max((_ANNOTATED.get(each.strip(), Known.ANYTHING) for each in text.split("|")), default=Known.ANYTHING)


@cache
def _field_annotations() -> Mapping[str, frozenset[str]]:
    """Return the annotations of fields and properties of all classes of the console by name."""
    found: dict[str, set[str]] = {}
    for file in python_files(str(PACKAGE)):
        for node in nodes(tree_of(file)):
            if isinstance(node, ast.ClassDef):
                for each in node.body:
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                        found.setdefault(each.target.id, set()).add(ast.unparse(each.annotation))
                    elif isinstance(each, ast.FunctionDef) and each.returns is not None and each.decorator_list:
                        found.setdefault(each.name, set()).add(ast.unparse(each.returns))
    return {name: frozenset(annotations) for name, annotations in found.items()}


def names_of(file: Path) -> Mapping[str, Any]:
    """Return the namespace of a module of the console."""
    return vars(importlib.import_module(".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)))


@cache
def _assigned_to_self(body: ast.ClassDef) -> list[tuple[ast.AST, str, ast.expr]]:
    """Return the values assigned to attributes of `self` in a class, with their functions and attributes."""
    assigned: list[tuple[ast.AST, str, ast.expr]] = []
    for function in nodes(body):
        for node in ast.walk(function) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else ():
            if isinstance(node, ast.Assign):
                pairs = [pair for target in node.targets for pair in _pairs(target, node.value)]
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                pairs = [(node.target, node.value)]
            else:
                continue
            assigned += [(function, target.attr, value) for target, value in pairs if _is_own(target)]
    return assigned


def _is_own(target: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"


@dataclass
class Scope:
    """A function, or the body of a module or class, and the meaning of its names."""

    names: Mapping[str, Any]
    """The namespace of the module."""
    node: ast.AST
    inside: type[Any] | None = None
    """The class that it belongs to."""
    body_of_class: ast.ClassDef | None = None

    # -- expressions -------------------------------------------------------------------------------------------------

    def known(self, value: ast.expr, depth: int = 0) -> Known:
        """Return what is known of an expression; for a sequence, of each of its members."""
        if depth > 6:
            return Known.ANYTHING
        again = depth + 1
        match value:
            case ast.Constant():
                return Known.CONTENT
            case ast.JoinedStr():
                return max((self._in_words(each, again) for each in value.values), default=Known.CONTENT)
            case ast.IfExp():
                return max(self.known(value.body, again), self.known(value.orelse, again))
            case ast.BoolOp():
                return max(self.known(each, again) for each in value.values)
            case ast.BinOp(op=ast.Add()):
                return self._sum(value, again)
            case ast.BinOp(op=ast.Mult()):
                return min(self.known(value.left, again), self.known(value.right, again))
            case ast.Starred() | ast.NamedExpr() | ast.Await():
                return self.known(value.value, again)
            case ast.List() | ast.Tuple():
                return max((self.known(each, again) for each in value.elts), default=Known.CONTENT)
            case ast.ListComp() | ast.GeneratorExp():
                return self.known(value.elt, again)
            case ast.Call():
                return self._called(value, again)
            case ast.Subscript(value=ast.Name(id=name)) if name.lstrip("_").isupper():
                return Known.CONTENT if _literal(self.names.get(name)) else Known.ANYTHING
            case ast.Subscript(slice=ast.Slice()):
                return max(Known.CLEAN, self.known(value.value, again))
            case ast.Name(id=name):
                return self._named(name, again)
            case ast.Attribute():
                return self._attribute(value, again)
            case _:
                return Known.ANYTHING

    def _in_words(self, value: ast.expr, depth: int) -> Known:
        if isinstance(value, ast.FormattedValue):
            return max(Known.CLEAN, self.known(value.value, depth))
        return self.known(value, depth)

    def _sum(self, value: ast.BinOp, depth: int) -> Known:
        left, right = self.known(value.left, depth), self.known(value.right, depth)
        made = left is Known.CONTENT and self._is_content(value.left, depth)
        return Known.CONTENT if made and right <= Known.CLEAN else max(left, right)

    def _is_content(self, value: ast.expr, depth: int) -> bool:
        """Return whether a value is `Content` and no literal: texts added to it are not parsed."""
        if isinstance(value, ast.Call):
            return self.known(value, depth) is Known.CONTENT
        if isinstance(value, ast.BinOp):
            return self._is_content(value.left, depth + 1)
        if isinstance(value, ast.Name):
            assigned = self.assigned(value.id)
            return bool(assigned) and depth < 6 and all(self._is_content(each, depth + 1) for each in assigned)
        return False

    def _called(self, call: ast.Call, depth: int) -> Known:
        target = self.target(call.func)
        if inspect.isclass(target):
            if target.__name__ == "SafeText":
                return Known.CLEAN
            # The arguments are checked at the call, which is itself a place that takes texts.
            return _ANNOTATED.get(target.__name__, Known.ANYTHING)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _PADS:
            return max(Known.CLEAN, self.known(call.func.value, depth))
        if target is not None:
            return of_annotation(_returned(target))
        if isinstance(call.func, ast.Attribute) and self.known(call.func.value, depth) is Known.CONTENT:
            from textual.content import Content

            method: object = getattr(Content, call.func.attr, None)
            if method is not None and not hasattr(str, call.func.attr):
                return of_annotation(_returned(method))
            if call.func.attr == "join" and isinstance(call.func.value, ast.Call):
                return Known.CONTENT
            if call.func.attr == "join" and call.args:
                return max(Known.CLEAN, self.known(call.args[0], depth))
        return Known.ANYTHING

    def _named(self, name: str, depth: int) -> Known:
        annotation = self._parameter(name)
        if annotation is not None:
            return of_annotation(annotation)
        found = [self.known(each, depth) for each in self.assigned(name)]
        if not found:
            return Known.CONTENT if _literal(self.names.get(name)) else Known.ANYTHING
        return max(found)

    def _attribute(self, value: ast.Attribute, depth: int) -> Known:
        own = isinstance(value.value, ast.Name) and value.value.id == "self" and self.inside is not None
        if own and self.inside is not None:
            for base in self.inside.__mro__:
                said: Any = inspect.get_annotations(base).get(value.attr) or base.__dict__.get(value.attr)
                if isinstance(said, str):
                    return of_annotation(said)
                if isinstance(said, property):
                    return of_annotation(_returned(said.fget))
            kept = self._kept(value.attr)
            return max((scope.known(each, depth) for scope, each in kept), default=Known.ANYTHING)
        kind = self._class(value.value.id.capitalize()) if isinstance(value.value, ast.Name) else None
        if kind is not None and kind.__name__ == "Segment":
            return Known.CLEAN  # What it was made of was looked at where it was made.
        if kind is not None and value.attr in getattr(kind, "__annotations__", {}):
            said = kind.__annotations__[value.attr]
            return of_annotation(getattr(said, "__forward_arg__", said))
        annotations = _field_annotations().get(value.attr, frozenset())
        return max(map(of_annotation, annotations), default=Known.ANYTHING)

    def _kept(self, name: str) -> list[tuple[Scope, ast.expr]]:
        """Return the values assigned to an attribute of `self` in the class, with their places."""
        return [
            (Scope(self.names, function, self.inside, self.body_of_class), value)
            for function, attribute, value in (_assigned_to_self(self.body_of_class) if self.body_of_class else ())
            if attribute == name
        ]

    # -- names -------------------------------------------------------------------------------------------------------

    def _parameter(self, name: str) -> str | None:
        for node in ast.walk(self.node):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                    if each.arg == name and name != "self":
                        return ast.unparse(each.annotation) if each.annotation is not None else "Any"
        return None

    def assigned(self, name: str) -> list[ast.expr]:
        """Return the values of a local name, from assignments or loops."""
        found: list[ast.expr] = []
        for node in ast.walk(self.node):
            if isinstance(node, ast.Assign):
                found += [
                    value for each in node.targets for target, value in _pairs(each, node.value) if _is(target, name)
                ]
            elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
                if node.value is not None and _is(node.target, name):
                    found.append(node.value)
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                found += [node.iter] if _is(node.target, name) else []
                if isinstance(node.target, ast.Tuple):
                    places = [place for place, each in enumerate(node.target.elts) if _is(each, name)]
                    found += [each for place in places for each in self._members(node.iter, place)]
        return found

    def _members(self, value: ast.expr, place: int) -> list[ast.expr]:
        """Return the expressions at one position of each tuple in a sequence; the sequence itself if unknown."""
        made = self.assigned(value.id) if isinstance(value, ast.Name) else [value]
        rows = [row for each in made for row in (each.elts if isinstance(each, ast.Tuple | ast.List) else [each])]
        return [row.elts[place] if isinstance(row, ast.Tuple) and len(row.elts) > place else value for row in rows]

    def target(self, function: ast.expr) -> Any:
        """Return the function or class that is called, None if unknown."""
        if isinstance(function, ast.Name):
            return self.names.get(function.id, getattr(builtins, function.id, None))
        if isinstance(function, ast.Attribute):
            owner = self.class_of(function.value)
            return getattr(owner, function.attr, None) if owner is not None else None
        return None

    def class_of(self, value: ast.expr, depth: int = 0) -> Any:
        """Return the class of a value, or the class itself if it is named; None if unknown."""
        if isinstance(value, ast.Name) and value.id == "self":
            return self.inside
        if isinstance(value, ast.Name):
            there = self.names.get(value.id)
            if inspect.isclass(there) or inspect.ismodule(there):
                return there
            annotation = self._parameter(value.id)
            if annotation is not None:
                return self._class(annotation)
            made = self.assigned(value.id)
            return self.class_of(made[0], depth + 1) if len(made) == 1 and depth < 4 else None
        if isinstance(value, ast.Call):
            return self._class_made(value)
        if isinstance(value, ast.Attribute) and _is(value.value, "self") and self.inside is not None:
            kept = self._kept(value.attr)
            return kept[0][0].class_of(kept[0][1], depth + 1) if len(kept) == 1 and depth < 4 else None
        return None

    def _class(self, annotation: str) -> Any:
        found = self.names.get(annotation.partition("[")[0])
        return found if inspect.isclass(found) else None

    def _class_made(self, call: ast.Call) -> Any:
        if _is(call.func, "super"):
            return self.inside.__mro__[1] if self.inside else None
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"query_one", "query"}:
            named = [self._class(ast.unparse(each)) for each in call.args]
            return next((each for each in reversed(named) if each is not None), None)
        target = self.target(call.func)
        if inspect.isclass(target):
            return target
        returned = _returned(target) if target is not None else ""
        return _apps() if returned.startswith("App[") else self._class(returned) if returned else None


def _apps() -> type[Any]:
    from textual.app import App

    return App


def _pairs(target: ast.expr, value: ast.expr) -> Iterable[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return zip(target.elts, value.elts, strict=True)
    if isinstance(target, ast.Tuple):
        return [(each, value) for each in target.elts]
    return [(target, value)]


def _is(value: ast.expr, name: str) -> bool:
    return isinstance(value, ast.Name) and value.id == name


def _returned(function: Callable[..., Any] | object) -> str:
    annotations: Mapping[str, Any] = getattr(function, "__annotations__", {})
    said = annotations.get("return", "")
    return said if isinstance(said, str) else getattr(said, "__name__", "")


def _literal(value: object) -> bool:
    """Return whether a value contains nothing but literals."""
    if isinstance(value, Mapping):
        return all(map(_literal, cast("Mapping[Any, object]", value).values()))
    if isinstance(value, tuple | list | frozenset):
        return all(map(_literal, cast("Iterable[object]", value)))
    return isinstance(value, str | int)
