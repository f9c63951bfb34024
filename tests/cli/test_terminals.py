"""The headless commands as a person at a terminal meets them: widths, prompts, and a list that is drawn anew."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from console.service.serve import Running
from console.text import cells
from tests.cli.conftest import profile

Typed = Callable[..., Any]


@pytest.fixture
def typed(home: Path, service: Running) -> Typed:
    """Start the console at a terminal of 60 by 20, as eva, who has told nobody her password."""
    profile(home, service.core_url)
    spawn: Any = pexpect.spawn

    def start(*arguments: str, **environment: str) -> Any:
        return spawn(
            sys.executable,
            ["-m", "console", *arguments],
            env=os.environ | {"CONSOLE_HOME": str(home), "TERM": "xterm"} | environment,
            dimensions=(20, 60),
            encoding="utf-8",
            timeout=30,
        )

    return start


def ended(child: Any) -> int:
    """Wait for its end and return the exit code."""
    child.expect(pexpect.EOF)
    child.close()
    return int(child.exitstatus)


def test_a_password_is_asked_for_and_not_echoed(typed: Typed):
    child = typed("list", "skills", "--limit", "1")
    child.expect_exact("Password of eva: ")
    child.sendline("demo")
    assert ended(child) == 0
    assert "1 of" in child.before
    assert "demo" not in child.before


def test_a_wrong_password_is_told(typed: Typed):
    child = typed("login", "--store", "file")
    child.expect_exact("Password of eva: ")
    child.sendline("wrong")
    assert ended(child) == 4
    assert "the login was refused" in child.before


def test_an_interrupt_at_the_prompt_takes_effect_at_once(typed: Typed, home: Path):
    child = typed("list", "skills")
    child.expect_exact("Password of eva: ")
    child.sendintr()
    assert ended(child) == 130
    assert "Traceback" not in child.before


def test_a_table_keeps_to_the_terminals_width(typed: Typed):
    child = typed("list", "users", CONSOLE_PASSWORD="demo")
    assert ended(child) == 0
    lines = child.before.splitlines()
    assert len(lines) > 10
    assert max(map(cells, lines)) <= 60


def test_a_watched_list_is_drawn_anew_until_interrupted(typed: Typed):
    child = typed("watch", "skills", CONSOLE_PASSWORD="demo")
    child.expect(r"Skills +4 of 4 +live")
    child.expect(r"Skills +4 of 4 +live")
    child.sendintr()
    assert ended(child) == 130
