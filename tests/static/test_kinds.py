"""A kind is one folder: it is registered, and does not depend on the actions of other kinds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import console.kinds
from console.api.annotations import Effect
from console.kinds.catalogue import KINDS, RESOURCES
from console.kinds.kind import Kind
from console.kinds.tables import TABLES
from console.records.record import Record
from tests.static.source_files import PACKAGE, nodes, python_files, tree_of

FOLDER = PACKAGE / "kinds"


def imported(file: Path) -> set[str]:
    """Return the modules that a file imports, including inside functions."""
    found: set[str] = set()
    for node in nodes(tree_of(file)):
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


def test_facts_import_no_columns_and_no_actions():
    for file in FOLDER.glob("*/facts.py"):
        assert not {each for each in imported(file) if each.endswith((".columns", ".actions"))}, file


def test_engines_import_no_kind():
    for package in ("views", "commands"):
        for file in (FOLDER.parent / package).glob("*.py"):
            assert not {each for each in imported(file) if each.startswith("console.kinds")}, file


_NAMING_KINDS = {
    "views/wording.py": {"users", "presence", "agents"},  # Every list shows the names of people.
    "commands/lookup.py": {"users", "groups"},  # Actions of several kinds take the names of people and groups.
    "commands/resolve.py": {"users"},  # The same for pasted names.
    "live/engine.py": {"status"},  # The status is sampled in the background.
    "live/history.py": {"status"},
    "views/timeline.py": {"status"},  # A field of an attempt, not the kind.
}


def test_engines_name_no_kind():
    names = {each.name for each in KINDS} | RESOURCES.keys()
    for package in ("views", "commands", "live", "ui/widgets"):
        for file in python_files(f"src/console/{package}"):
            texts = {each.value for each in nodes(tree_of(file)) if isinstance(each, ast.Constant)}
            assert texts & names == _NAMING_KINDS.get(file.relative_to(PACKAGE).as_posix(), set()), file


def test_a_table_has_the_name_of_its_kind():
    assert {name: table.kind for name, table in TABLES.items()} == {name: name for name in TABLES}


def test_a_feed_has_the_name_of_its_kind_and_reads_its_list():
    for kind in KINDS:
        if kind.feed is not None:
            assert kind.feed.kind == kind.name
            assert issubclass(kind.feed.record, Record)
            ways = (*kind.feed.listings, *((kind.feed.own,) if kind.feed.own else ()))
            assert all(way.operation.effect is Effect.READ for way in ways)


def test_a_kind_may_have_dashes_and_dots_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert Kind("missed-calls").load_table() is TABLES["missed-calls"]
    assert [action.kind for action in Kind("missed-calls").load_actions()] == ["missed-calls"]
    folder = tmp_path / "night_shift_notes"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "columns.py").write_text("TABLE = 'the table'")
    monkeypatch.setattr(console.kinds, "__path__", [*console.kinds.__path__, str(tmp_path)])
    kind = Kind("night.shift-notes")
    assert kind.load_table() == "the table"
    assert kind.load_actions() == ()


def test_only_facts_evaluate_states():
    """Facts tell what the state of a record means, and `states` how it looks; nothing else compares states."""
    for file in python_files(*(f"src/console/{package}" for package in ("kinds", "ui", "cli", "commands"))):
        if file.name not in {"facts.py", "states.py"}:
            judged = [ast.unparse(each) for each in nodes(tree_of(file)) if _judges_a_state(each)]
            assert not judged, (file, judged)


def _judges_a_state(node: ast.AST) -> bool:
    """Whether a record's state is compared with a word, or looked up in a group of words."""
    match node:
        case ast.Compare(left=ast.Attribute(attr="state" | "activity"), comparators=[ast.Constant(value=str())]):
            return True
        case ast.Attribute(value=ast.Name(id="state_words"), attr=group):
            return group.isupper()
        case _:
            return False


def test_a_fact_is_defined_once():
    for file in FOLDER.glob("*/facts.py"):
        facts = {each.name for each in _functions(file) if not each.name.startswith("_")}
        for other in set(file.parent.glob("*.py")) - {file}:
            assert not facts & {each.name.lstrip("_") for each in _functions(other)}, other


def _functions(file: Path) -> list[ast.FunctionDef]:
    return [each for each in tree_of(file).body if isinstance(each, ast.FunctionDef)]
