"""The headless commands at a terminal: widths, prompts, and a list that is redrawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from console.base.text import cells
from console.service.domain import identities
from console.service.domain.templates import TEMPLATES
from tests.background import Running
from tests.cli.conftest import profile
from tests.terminal.home import Home
from tests.terminal.terminal import Terminal

Typed = Callable[..., Terminal]


@pytest.fixture
def typed(home: Path, service: Running) -> Generator[Typed]:
    """Start the console at a terminal of 60 by 20 as eva, without a stored password."""
    profile(home, service.core_url)
    with ExitStack() as started:

        def start(*arguments: str, **environment: str) -> Terminal:
            surroundings = Home(home).environment(**environment)
            return started.enter_context(Terminal(*arguments, environment=surroundings, size=(60, 20)))

        yield start


def test_a_password_is_prompted_for_without_echo(typed: Typed):
    terminal = typed("list", "skills", "--limit", "1")
    terminal.until("Password of eva:")
    terminal.type("demo\r")
    assert terminal.ended() == 0
    assert "1 of" in terminal.screen
    assert "demo" not in terminal.screen


def test_a_wrong_password_is_reported(typed: Typed):
    terminal = typed("login", "--store", "file")
    terminal.until("Password of eva:")
    terminal.type("wrong\r")
    assert terminal.ended() == 4
    assert "the login was refused" in terminal.screen


def test_a_temporary_password_is_changed_only_by_logging_in(typed: Typed, service: Running):
    with service.platform.write() as tx:
        changed = sa.update(identities.identities).values(temporary=True)
        tx.run(changed.where(identities.identities.c.user == "bob"))
    asked = typed("list", "skills", CONSOLE_USERNAME="bob", CONSOLE_PASSWORD="demo")
    assert asked.ended() == 4
    assert "`console login`" in asked.screen
    terminal = typed("login", "--store", "file", CONSOLE_USERNAME="bob", CONSOLE_PASSWORD="demo")
    terminal.until("New password:")
    terminal.type("new word\r")
    terminal.until("Repeat the new password:")
    terminal.type("other word\r")
    assert terminal.ended() == 1
    assert "nothing was changed" in terminal.screen
    terminal = typed("login", "--store", "file", CONSOLE_USERNAME="bob", CONSOLE_PASSWORD="demo")
    terminal.until("New password:")
    terminal.type("new word\r")
    terminal.until("Repeat the new password:")
    terminal.type("new word\r")
    terminal.until("Logged in to desk as bob")
    assert "new word" not in terminal.screen


def test_an_interrupt_at_the_prompt_takes_effect_immediately(typed: Typed):
    terminal = typed("list", "skills")
    terminal.until("Password of eva:")
    assert terminal.interrupted() == 130
    assert "Traceback" not in terminal.screen
    assert terminal.leftovers == []


def test_a_table_fits_the_width_of_the_terminal(typed: Typed):
    terminal = typed("list", "users", CONSOLE_PASSWORD="demo")
    assert terminal.ended() == 0
    lines = terminal.written.decode().splitlines()
    assert len(lines) > 10
    assert max(map(cells, lines)) <= 60


def test_a_watched_list_is_redrawn_until_interrupted(typed: Typed):
    terminal = typed("watch", "skills", CONSOLE_PASSWORD="demo")
    terminal.until(re.compile(r"Skills +4 of 4 +live"))
    drawn = len(terminal.written)
    terminal.until(lambda: len(terminal.written) > drawn)
    terminal.until(re.compile(r"Skills +4 of 4 +live"))
    terminal.press("ctrl+c")
    assert terminal.ended() == 130


def test_a_wide_change_is_confirmed_before_it_is_sent(typed: Typed, service: Running):
    with service.platform.read() as tx:
        template = TEMPLATES.records(tx)[0].template_id
    terminal = typed("call", "templates.delete", f"id={template}", CONSOLE_PASSWORD="demo")
    terminal.until("Type yes to continue:")
    terminal.type("no\r")
    assert terminal.ended() == 1
    assert "nothing was sent" in terminal.screen
    with service.platform.read() as tx:
        assert TEMPLATES.row(tx, template) is not None
    assert typed("call", "templates.delete", f"id={template}", "--yes", CONSOLE_PASSWORD="demo").ended() == 0
    with service.platform.read() as tx:
        assert TEMPLATES.row(tx, template) is None
