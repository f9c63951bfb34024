"""Every recipe of `docs/add-a-screen.md` and `docs/add-a-kind.md` works: its blocks are applied to a copy as the page
says, and tested.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.static.source_files import ROOT
from tests.surroundings import surroundings

LIMIT = 300
"""Seconds for the tests of the copy, whose files are compiled first."""
pytestmark = pytest.mark.timeout(LIMIT)
PAGE = (ROOT / "docs" / "add-a-screen.md").read_text(encoding="utf-8")
KIND_PAGE = (ROOT / "docs" / "add-a-kind.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
KIND = "A kind"
"""The recipe that has a page of its own."""
COPIED = ("src", "themes", "seeds", "tests", "pyproject.toml")
APPLIED = "tests/packaging/applied_recipes.py"
"""The tests of the copy with all recipes, one test per recipe."""
CASES = "tests/contract/test_every_operation.py"
OPERATION = "test_an_operation_refuses_bad_input_and_then_has_its_effect"
ACTIONS = ("tests/behaviour/test_conference_actions.py", "tests/behaviour/test_handover_actions.py")
PROOFS: Mapping[str, tuple[str, ...]] = {
    "An operation": (
        "test_an_operation_is_described_and_called",
        f"{OPERATION}[groups.rotate]",
    ),
    "A column": ("test_a_column_is_displayed_sorted_and_filtered",),
    "A live feed": ("test_a_feed_is_listed_and_live",),
    "A screen": ("test_a_screen_opens_on_its_digit_with_rows",),
    "An action": ("test_an_action_is_offered_on_its_key", "test_a_conference_is_marked_as_finished"),
    KIND: (
        "test_a_kind_is_listed_and_described",
        "test_a_kind_is_live_on_its_screen",
        *(f"{OPERATION}[handover-notes.{verb}]" for verb in ("list", "close", "reopen")),
        "test_a_note_is_closed_and_that_is_undone",
        "test_a_note_is_reopened",
    ),
    "A theme": ("test_a_theme_is_offered_and_readable",),
    "A scenario": ("test_a_world_is_listed_and_served",),
}

_SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_PLACES = {
    "new": re.compile(r"new file,\s+`([^`]+)`:\Z"),
    "end": re.compile(r"At the end of\s+`([^`]+)`:\Z"),
    "below": re.compile(r"In `([^`]+)`,\s+below\s+`([^`]+)`:\Z"),
    "above": re.compile(r"In `([^`]+)`,\s+above\s+`([^`]+)`:\Z"),
}


@dataclass(frozen=True)
class Block:
    """A code block of the page, and the words that say where it goes."""

    language: str
    text: str
    before: str


def recipes() -> dict[str, list[Block]]:
    """Return the blocks of each recipe by its heading; the recipe of a kind is a whole page."""
    found: dict[str, list[Block]] = {}
    sections = [*_SECTION.findall(PAGE), *((KIND, section) for _, section in _SECTION.findall(KIND_PAGE))]
    for title, section in sections:
        blocks = found.setdefault(title, [])
        for block in _BLOCK.finditer(section):
            before = section[: block.start()].rstrip().rpartition("\n\n")[2]
            blocks.append(Block(block[2], textwrap.dedent(block[3]), " ".join(before.split())))
    return found


def apply(block: Block, tree: Path) -> set[str]:
    """Apply a block as the page says. Return the files that it creates or changes."""
    if block.language == "sh":
        before = {each: each.stat().st_mtime_ns for each in tree.glob("themes/*")}
        subprocess.run(["sh", "-euc", block.text], cwd=tree, check=True, timeout=10)
        after = {each: each.stat().st_mtime_ns for each in tree.glob("themes/*")}
        return {each.relative_to(tree).as_posix() for each in after if after[each] != before.get(each)}
    where, found = next((where, said) for where, place in _PLACES.items() if (said := place.search(block.before)))
    file = tree / found[1]
    if where == "new":
        assert not file.exists(), f"{found[1]} exists already"
        file.parent.mkdir(exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        return {found[1]}
    lines = file.read_text(encoding="utf-8").splitlines()
    if where == "end":
        lines += ["", "", *block.text.splitlines()]
    else:
        (at,) = (number for number, line in enumerate(lines) if line.strip().startswith(found[2]))
        indent = len(lines[at]) - len(lines[at].lstrip())
        if where == "below":
            indent += 4 * lines[at].endswith(("(", "[", "{", ":"))
            at += 1
        block_lines = textwrap.indent(block.text, " " * indent).splitlines()
        lines[at:at] = block_lines if indent else [*block_lines, "", ""]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {found[1]}


@dataclass(frozen=True)
class Applied:
    """A copy of the source with every recipe applied."""

    touched: Mapping[str, set[str]]
    """The files that each recipe creates or changes."""
    outcomes: Mapping[str, str]
    """The result of each test on the copy: empty, or why it failed."""


@pytest.fixture(scope="module")
def applied(tmp_path_factory: pytest.TempPathFactory) -> Applied:
    tree = tmp_path_factory.mktemp("recipes")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__snapshots__"))
        else:
            shutil.copy2(ROOT / name, tree / name)
    touched = {title: {file for block in blocks for file in apply(block, tree)} for title, blocks in recipes().items()}
    report = tree / "report.xml"
    names = " or ".join(proof.partition("[")[0] for proofs in PROOFS.values() for proof in proofs)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    command += ["-k", f"({names}) and (not contract or rotate or handover)", APPLIED, CASES, *ACTIONS]
    usual = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tree / "src"), "HOME": str(tree), "LANG": "C.UTF-8"}
    ended = subprocess.run(
        command, cwd=tree, env=surroundings(usual), capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert report.exists(), ended.stdout + ended.stderr
    outcomes = {
        case.attrib["name"]: "\n".join(filter(None, (each.text for each in case if each.tag in {"failure", "error"})))
        for case in ElementTree.parse(report).iter("testcase")
    }
    return Applied(touched, outcomes)


def test_every_recipe_has_a_proof_and_every_proof_a_recipe() -> None:
    assert recipes().keys() == PROOFS.keys()


def test_every_block_of_the_page_belongs_to_a_recipe() -> None:
    assert (PAGE + KIND_PAGE).count("```") == 2 * sum(map(len, recipes().values()))


def test_every_recipe_works_as_written(applied: Applied) -> None:
    outcomes = {
        (title, proof): applied.outcomes.get(proof, "it was not run") for title in PROOFS for proof in PROOFS[title]
    }
    assert {proof: outcome for proof, outcome in outcomes.items() if outcome} == {}


def counted(page: str, title: str) -> tuple[str, list[int]]:
    """Return what the table of a page says that a recipe takes, in words, and the numbers in it."""
    rows = re.findall(r"^\| (an? [^|]+?) \| ([^|]+) \|", page, re.MULTILINE)
    (said,) = (words for what, words in rows if what.startswith(title.lower()))
    return said, [int(each) for each in re.findall(r"\d+", said)]


@pytest.mark.parametrize("title", [each for each in recipes() if each != KIND])
def test_a_recipe_changes_as_many_files_as_the_table_says(applied: Applied, title: str) -> None:
    tests = {each for each in applied.touched[title] if each.startswith("tests/")}
    for page in (PAGE, ARCHITECTURE) if f"| {title.lower()}" in ARCHITECTURE else (PAGE,):
        said, numbers = counted(page, title)
        assert [len(applied.touched[title] - tests)] == numbers
        assert len(tests) == ("a test" in said)


@pytest.mark.parametrize("page", [KIND_PAGE, ARCHITECTURE], ids=["its page", "architecture"])
def test_a_kind_is_one_folder_one_record_and_its_operations(applied: Applied, page: str) -> None:
    touched = {each for each in applied.touched[KIND] if not each.startswith("tests/")}
    names = {"src/console/kinds/catalogue.py"}
    folders = {str(Path(each).parent) for each in touched - names if each.startswith("src/console/kinds/")}
    records = {each for each in touched if each.startswith("src/console/records/")}
    assert counted(page, KIND) == ("1 folder and its name, 1 record, its operations", [len(folders), len(records)])
    rest = {each for each in touched - names - records if str(Path(each).parent) not in folders}
    assert all(each.startswith(("src/console/api/", "src/console/service/")) for each in rest), rest
    (name,) = (block for block in recipes()[KIND] if "kinds/catalogue.py" in block.before)
    assert len(name.text.splitlines()) == 1
