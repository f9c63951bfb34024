"""What is typed most often is answered without the parser, and says the same as it would."""

from __future__ import annotations

import pytest

from console import __version__
from console.cli.front import COMMANDS, GROUPS, OPENING, answer, help_text, opening
from console.cli.program import build


@pytest.mark.parametrize(
    ("arguments", "options"),
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
def test_opening_the_console_is_told_from_everything_else(arguments: list[str], options: dict[str, str] | None) -> None:
    assert opening(arguments) == options


def test_the_parser_takes_the_same_options_for_opening() -> None:
    assert {name for argument in build().assemble_argument_collection() for name in argument.names} == {*OPENING}


@pytest.mark.parametrize("width", [40, 80, 100])
def test_help_names_every_command_within_the_width(width: int) -> None:
    said = help_text(width)
    assert all(len(line) <= width for line in said.splitlines())
    for name in (*(name for name, *_ in COMMANDS), *GROUPS, *OPENING):
        assert f"  {name} " in said


def test_only_questions_about_the_program_itself_are_answered_here() -> None:
    assert answer(["--version"]) == __version__
    assert answer(["-h"]) == answer(["--help"])
    assert answer(["demo", "--help"]) is None
