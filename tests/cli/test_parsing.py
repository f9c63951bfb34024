"""Command lines are read, explained and completed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from console import __version__
from console.cli.exits import Exit
from console.cli.parser import COMMANDS, GROUPS, IN_GROUPS, parse
from tests.cli.conftest import Console, profile
from tests.patience import PATIENCE


@pytest.mark.parametrize("width", [40, 80, 100])
def test_help_lists_every_command_within_the_width(
    offline: Console, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    ended = offline("--help")
    assert all(len(line) <= width for line in ended.out.splitlines())
    for name in (*(name for name, *_ in COMMANDS), *GROUPS, "--profile NAME", "--config FILE", "--theme NAME"):
        assert f"  {name}" in ended.out


def test_help_and_version_are_printed_wherever_they_are_asked_for(offline: Console) -> None:
    assert offline("--version").out == f"{__version__}\n"
    assert offline("-h").out == offline("--help").out == offline("--theme", "x", "--help").out
    assert offline("--help", "journal", "show").out == offline("journal", "show", "-h").out
    assert offline("journal").out == offline("journal", "--help").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lst", "--help"], "There is no command lst; did you mean list? See `console --help`."),
        (["--help", "lst"], "There is no command lst; did you mean list? See `console --help`."),
        (["lst", "calls", "--json"], "There is no command lst; did you mean list? See `console --help`."),
        (["-h", "journl"], "There is no command journl; did you mean journal? See `console --help`."),
        (["config", "shw", "--help"], "There is no command config shw; did you mean config show? See `console config"),
        (
            ["rules", "validat", "-h"],
            "There is no command rules validat; did you mean rules validate? See `console rules",
        ),
        (["qwxyz", "--help"], "There is no command qwxyz. Commands: demo, wallboard, "),
        (["journal", "xyz", "--help"], "There is no command journal xyz. Commands: show, verify. See `console journal"),
    ],
)
def test_an_unknown_command_is_an_error_even_with_help(offline: Console, arguments: list[str], message: str) -> None:
    ended = offline(*arguments)
    assert ended.code == Exit.USAGE
    assert ended.err.startswith(f"console: {message}")
    assert ended.err.count("\n") == 1
    assert not ended.out


def test_options_may_be_anywhere_after_the_command() -> None:
    options = parse(["list", "--json", "tokens", "--csv", "username=ana", "-f", "kind:x", "scope=all"])
    assert (options["name"], options["fields"], options["filter"]) == (
        "tokens",
        ["username=ana", "scope=all"],
        "kind:x",
    )
    assert (options["json"], options["csv"], parse(["list", "calls", "--csv=excel"])["csv"]) == (True, True, "excel")


def test_moments_and_columns_may_begin_with_a_hyphen() -> None:
    options = parse(["recordings", "changes", "--from", "-15m", "--to", "-5m", "--json"])
    assert (options["begin"], options["to"], options["json"]) == ("-15m", "-5m", True)
    assert parse(["list", "calls", "--sort", "-age"])["sort"] == "-age"


def test_an_option_is_not_abbreviated_and_not_taken_for_the_value_of_another(offline: Console) -> None:
    for arguments in (("list", "calls", "--js"), ("list", "calls", "--sort", "--json"), ("--theme", "dark", "list")):
        ended = offline(*arguments)
        assert (ended.code, ended.out) == (Exit.USAGE, ""), arguments


def test_every_group_has_its_commands() -> None:
    assert {*IN_GROUPS} == {*GROUPS, "serve"}


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("console ", {"list", "config", "demo"}),
        ("console journal ", {"show", "verify"}),
        ("console list c", {"calls", "chats", "conferences", "connection", "contacts", "credentials"}),
        ("console list calls --pro", {"--profile"}),
        ("console watch --profile ", {"desk"}),
        ("console call groups.c", {"groups.create"}),
    ],
)
def test_names_are_completed(home: Path, tmp_path: Path, line: str, completions: set[str]) -> None:
    profile(home, "http://127.0.0.1:1/core")
    answer = tmp_path / "answer"
    asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "_ARGCOMPLETE_IFS": "\n"}
    asked |= {"COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9"}
    subprocess.run([sys.executable, "-m", "console"], env=os.environ | asked, check=True, timeout=PATIENCE)
    names = {each.strip() for each in answer.read_text(encoding="utf-8").split("\n")}
    assert names >= completions
    assert all(each.startswith(line.split(" ")[-1]) for each in names)
