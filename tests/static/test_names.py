"""Names tell things apart: a class has a name of its own, and a variable is called what it is."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict

import textual.command
import textual.containers
import textual.screen

from tests.static.source_files import ROOT, nodes, place_of, python_files, text_of, tree_of

EMPTY_NAMES = frozenset({"each", "found", "words", "said", "told", "whole", "made", "given", "shown"})
"""Names that fit nearly anything. They remain where nothing better says it."""
MOST_EMPTY_NAMES = 892
NO_OPENING = re.compile(r"(What|Who|Where|That)\b")
NO_NOUN = re.compile(r"\b(that|those)[\s#]+of\b|(?<!there )\b(is|are)[\s#]+no[\s#]+(?!longer)", re.IGNORECASE)
"""Words in place of the thing, such as `those of the domain` for its users, and `is no list` for `is not a list`."""
PAGES = (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))


def _identifier(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=name):
            return name
        case _:
            return None


def test_no_two_classes_of_the_source_have_one_name() -> None:
    """A message inside its widget may repeat, as in Textual: `Tree.Chosen`. It shares no name with a class outside."""
    outer: dict[str, list[str]] = defaultdict(list)
    inner: dict[str, list[str]] = defaultdict(list)
    for file in python_files("src"):
        top_level = tree_of(file).body
        for node in nodes(tree_of(file)):
            if isinstance(node, ast.ClassDef):
                (outer if node in top_level else inner)[node.name].append(place_of(file, node))
    assert {name: places + inner[name] for name, places in outer.items() if len(places + inner[name]) > 1} == {}


def test_few_names_say_nothing_about_the_thing() -> None:
    counts = Counter(_identifier(node) for file in python_files("src") for node in nodes(tree_of(file)))
    empty = {name: counts[name] for name in EMPTY_NAMES}
    assert sum(empty.values()) <= MOST_EMPTY_NAMES, empty


def test_docstrings_begin_with_the_thing_or_a_verb() -> None:
    assert [
        place_of(file, node)
        for file in python_files("src")
        for node in nodes(tree_of(file))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and NO_OPENING.match(node.value.value)
    ] == []


def test_sentences_name_the_thing() -> None:
    assert [
        f"{place_of(file)}:{text_of(file).count(chr(10), 0, match.start()) + 1}"
        for file in (*python_files("src"), *PAGES)
        for match in NO_NOUN.finditer(text_of(file))
    ] == []


def test_style_sheets_name_classes_that_there_are() -> None:
    """Textual ignores a rule for a class that was renamed, and the screen loses its layout."""
    classes = {
        node.name for file in python_files("src") for node in nodes(tree_of(file)) if isinstance(node, ast.ClassDef)
    }.union(vars(textual.command), vars(textual.containers), vars(textual.screen), ["Label", "Widget"])
    unknown = {
        f"{place_of(file, node)}: {name}"
        for file in python_files("src/console/ui")
        for node in nodes(tree_of(file))
        if isinstance(node, ast.Assign) and {"CSS", "DEFAULT_CSS"} & {ast.unparse(each) for each in node.targets}
        for selectors in re.findall(r"([^{}]*)\{", ast.unparse(node.value))
        for name in re.findall(r"(?<![.#:\w-])([A-Z]\w+)", selectors)
        if name not in classes
    }
    assert not unknown
