"""The page of all texts contains those of every sort, and no program text."""

from __future__ import annotations

import ast

import pytest

from tests.for_each import for_each
from tools.strings_page import literals, strings_page


@pytest.fixture(scope="module")
def page() -> str:
    """The page, created once: as a constant, it would be created by every process that collects the tests."""
    return strings_page()


@for_each(
    "heading",
    [
        "## Actions",
        "## View keys",
        "## Lists",
        "## Columns",
        "## Operations",
        "## Commands",
        "## Configuration",
        "### ui/screens/login",
        "### ui/dialogs/form",
        "### service/http/throttle",
        "### cli/exits",
    ],
)
def test_each_source_has_its_section(page: str, heading: str) -> None:
    assert heading in page.splitlines()


@for_each(
    "sort, text",
    [
        ("action", "| calls | start or stop recording | record |"),
        ("view key", "| list | go to related |"),
        ("column", "| agents | Skills |"),
        ("list", "| sip-identities | SIP identities | SIP identity |"),
        ("operation", "| alerts.accept |"),
        ("command", "| serve | Run the embedded service. |"),
        ("option", "\nPort to listen on; 0 for any free port. Default: %(default)s.\n"),
        ("key of the configuration", "| Profile | read\\_only | "),
        ("refusal", "This profile is read-only."),
        ("exit", "not allowed: {…}"),
        ("error of the service", "too many requests"),
    ],
)
def test_each_kind_of_text_is_listed(page: str, sort: str, text: str) -> None:
    assert text in page, sort


def _found(source: str) -> list[str]:
    return list(literals(ast.parse(source)))


def test_texts_with_values_are_listed_with_their_placeholders() -> None:
    assert _found('raise ValueError(f"There is a group {clean(name, 40)} already.")') == [
        "There is a group {…} already."
    ]


def test_a_single_word_is_listed_where_texts_are_displayed() -> None:
    assert _found('clean("Recording")\nfind("Recording")\nTile(title="Calls", kind="calls")') == ["Recording", "Calls"]


def test_a_conditional_text_is_listed_in_all_its_forms() -> None:
    assert _found('say("paused" if here else f"{many} rows behind")') == ["paused", "{…} rows behind"]


@pytest.mark.parametrize(
    "source",
    [
        '"""What this module is for."""',
        'def f():\n    """Return what it says."""',
        'CSS = "Screen { layout: vertical }"',
        'execute("DELETE FROM alerts WHERE id = ?")',
        'raise TypeError("not a text")',
        'cast("dict[str, Any]", row)',
        'query_one("Static Tile")',
        'f"{a} {b}"',
    ],
)
def test_texts_for_programs_are_not_listed(source: str) -> None:
    assert _found(source) == []
