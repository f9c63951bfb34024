"""The most frequent commands are answered without the parser, with the same output."""

from __future__ import annotations

import pytest

from console import __version__
from console.cli.exits import Exit
from console.cli.front import COMMANDS, GROUPS, IN_GROUPS, OPENING, answer, help_text, opening, unknown_command
from console.cli.program import build
from tests.cli.conftest import Console
from tests.for_each import for_each


@for_each(
    "arguments, options",
    [
        ([], {}),
        (["--profile", "day"], {"profile": "day"}),
        (["--theme", "dark", "--config", "mine.toml"], {"theme": "dark", "config": "mine.toml"}),
        (["--theme"], None),
        (["--theme", "--config"], None),
        (["--theme", "dark", "--theme", "light"], None),
        (["--profile=day"], None),
        (["demo"], None),
        (["--nonsense", "x"], None),
    ],
)
def test_opening_the_console_is_distinguished_from_other_commands(
    arguments: list[str], options: dict[str, str] | None
) -> None:
    assert opening(arguments) == options


def test_the_parser_takes_the_same_options_for_opening() -> None:
    taken = {name: argument for argument in build().assemble_argument_collection() for name in argument.names}
    assert {name: argument.parameter.help for name, argument in taken.items()} == {
        name: about for name, (_, about) in OPENING.items()
    }


@pytest.mark.parametrize("width", [40, 80, 100])
def test_help_lists_every_command_within_the_width(width: int) -> None:
    said = help_text(width)
    assert all(len(line) <= width for line in said.splitlines())
    for name in (*(name for name, *_ in COMMANDS), *GROUPS, *OPENING):
        assert f"  {name} " in said


def test_only_help_and_version_are_answered_without_the_parser() -> None:
    assert answer(["--version"]) == __version__
    assert answer(["-h"]) == answer(["--help"]) == answer(["--theme", "x", "--help"]) == answer(["--nonsense", "-h"])
    assert answer(["demo", "--help"]) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lst", "--help"], "There is no command lst; did you mean list? See `console --help`."),
        (["--help", "lst"], "There is no command lst; did you mean list? See `console --help`."),
        (["lst", "calls", "--json"], "There is no command lst; did you mean list? See `console --help`."),
        (["-h", "journl"], "There is no command journl; did you mean journal? See `console --help`."),
        (["config", "shw", "--help"], "There is no command config shw; did you mean config show? See `console config"),
        (["routes", "chek", "-h"], "There is no command routes chek; did you mean routes check? See `console routes"),
        (["qwxyz", "--help"], "There is no command qwxyz. Commands: demo, wallboard, "),
        (["journal", "xyz", "--help"], "There is no command journal xyz. Commands: show, verify. See `console journal"),
    ],
)
def test_an_unknown_command_is_an_error_even_with_help(offline: Console, arguments: list[str], said: str) -> None:
    ended = offline(*arguments)
    assert ended.code == Exit.USAGE
    assert ended.err.startswith(f"console: {said}")
    assert ended.err.count("\n") == 1
    assert not ended.out


@for_each(
    "arguments",
    [
        [],
        ["--help"],
        ["--profile", "day"],
        ["--nonsense"],
        *([name] for name, *_ in COMMANDS),
        *([name] for name in GROUPS),
        *([group, name] for group, commands in IN_GROUPS.items() for name, *_ in commands),
        ["list", "nonsense", "--help"],
        ["config", "show", "nonsense"],
        ["config", "--nonsense"],
    ],
)
def test_known_commands_are_left_to_the_parser(arguments: list[str]) -> None:
    assert unknown_command(arguments) is None
    assert unknown_command([*arguments, "--help"]) is None


def test_every_group_has_its_commands() -> None:
    assert {*IN_GROUPS} == {*GROUPS}
