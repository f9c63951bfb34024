"""A kind is one folder: it is registered, and does not depend on the actions of other kinds."""

from __future__ import annotations

import ast
from pathlib import Path

from console.kinds.catalogue import KINDS
from console.kinds.tables import TABLES
from tests.static.source_files import PACKAGE

FOLDER = PACKAGE / "kinds"


def imported(file: Path) -> set[str]:
    """Return the modules that a file imports, including inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


def test_every_folder_is_registered():
    folders = {each.parent.name for each in FOLDER.glob("*/__init__.py")}
    assert folders == {each.folder for each in KINDS}


def test_no_kind_imports_the_actions_of_another():
    for folder in (each for each in FOLDER.iterdir() if (each / "__init__.py").is_file()):
        others = {f"console.kinds.{each.name}.actions" for each in FOLDER.iterdir() if each != folder}
        for file in folder.glob("*.py"):
            assert not imported(file) & others, file


def test_facts_know_no_columns_and_no_actions():
    for file in FOLDER.glob("*/facts.py"):
        assert not {each for each in imported(file) if each.endswith((".columns", ".actions"))}, file


def test_engines_know_no_kind():
    for package in ("views", "commands"):
        for file in (FOLDER.parent / package).glob("*.py"):
            assert not {each for each in imported(file) if each.startswith("console.kinds")}, file


def test_a_table_has_the_name_of_its_kind():
    assert {name: table.kind for name, table in TABLES.items()} == {name: name for name in TABLES}
