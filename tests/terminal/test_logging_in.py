"""Logging in: the questions at the start, the login screen, and a session that ends during work."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from console.service.domain import identities, people, sessions, tokens
from console.service.domain.sessions import SESSIONS
from tests.background import Running
from tests.terminal.home import SMALL, Home, living_sessions, log_in
from tests.terminal.terminal import Terminal


@pytest.fixture(autouse=True)
def configured(home: Home, service: Running) -> None:
    home.configure(service.core_url)


def revoke(service: Running, ids: set[str]) -> None:
    """End sessions as an administrator does."""
    with service.platform.write() as tx:
        for session in SESSIONS.records(tx):
            if session.id in ids:
                sessions.end(tx, session)


def withdraw(service: Running, username: str, password: str) -> None:
    """Change a user's password and end everything that the old one had opened."""
    with service.platform.write() as tx:
        tokens.drop(tx, [username], ("access", "refresh", "session"))
        people.set_password(service.platform, username, service.platform.passwords.hash(password))
        for session in SESSIONS.records(tx):
            if session.user == username:
                sessions.end(tx, session)


def make_temporary(service: Running, username: str) -> None:
    """Require a user to change the password."""
    with service.platform.write() as tx:
        tx.run(sa.update(identities.identities).where(identities.identities.c.user == username).values(temporary=True))


def look_at_an_alert(eva: Terminal) -> str:
    """Filter the alerts and move the cursor to the second; return its row without the changing parts."""
    eva.press("6")
    eva.until("6 open")
    eva.type("/state:active\r")
    eva.until("6 of 21")
    first = eva.row
    eva.press("down")
    eva.until(lambda: eva.row not in {"", first})
    return eva.row[:30]


def test_a_missing_user_name_is_prompted_for_again(home: Home):
    with home.open() as terminal:
        terminal.until("User name:")
        terminal.type("\r")
        terminal.until("User name:\nUser name:")
        terminal.press("ctrl+d")
        assert terminal.ended() == 130
        assert terminal.leftovers == []


def test_a_wrong_password_is_reported_and_can_be_corrected(home: Home, service: Running):
    before = living_sessions(service)
    with home.open(size=SMALL) as eva:
        log_in(eva, password="wrong")
        eva.until("│  invalid user name or password")
        eva.until("│   eva ")
        eva.type("wrong too")
        eva.until("•••••••••")
        eva.press("enter")
        eva.until_gone("•")
        eva.until("│  invalid user name or password")
        eva.type("demo")
        eva.until("••••")
        assert "demo" not in eva.screen
        eva.press("enter")
        eva.until_gone("Log in")
        eva.until("LIVE")
        eva.until(re.compile(r"Needs attention  [1-9]\d"))
        assert len(living_sessions(service) - before) == 1


def test_a_temporary_password_is_changed_at_login(home: Home, service: Running):
    before = living_sessions(service)
    make_temporary(service, "carla")
    with home.open(size=SMALL) as carla:
        log_in(carla, "carla")
        carla.until("Choose a new password")
        carla.type("one word\rother word\r")
        carla.until("The passwords do not match.")
        carla.type("demo\rdemo\r")
        carla.until("must be another one")
        carla.type("new word\rnew word\r")
        carla.until_gone("Choose a new password")
        carla.until("LIVE")
        assert "new word" not in carla.screen
        assert len(living_sessions(service) - before) == 1


def test_another_user_name_can_be_entered_on_the_login_screen(home: Home):
    with home.open() as terminal:
        log_in(terminal, username="nobody")
        terminal.until("│  invalid user name or password")
        terminal.press("shift+tab", *["backspace"] * len("nobody"))
        terminal.until("user name")
        terminal.type("ana\r")
        terminal.type("demo\r")
        terminal.until("LIVE")
        terminal.until("ana")


def test_quitting_the_login_screen_reports_the_refusal(home: Home, service: Running):
    before = living_sessions(service)
    with home.open() as eva:
        log_in(eva, password="wrong")
        eva.until("│  invalid user name or password")
        eva.press("escape")
        assert eva.ended() == 4
        assert "console: the login was refused: invalid user name or password" in eva.screen
        assert eva.leftovers == []
    assert living_sessions(service) == before


def test_an_expired_session_is_renewed_while_the_password_is_known(home: Home, service: Running):
    before = living_sessions(service)
    with home.seat() as eva:
        row = look_at_an_alert(eva)
        (first,) = living_sessions(service) - before
        revoke(service, {first})
        eva.until(lambda: living_sessions(service) - before - {first})
        eva.until("LIVE")
        assert eva.row.startswith(row)
        eva.press("q")
        assert eva.ended() == 0
    assert living_sessions(service) == before


def test_a_revoked_login_is_prompted_for_and_work_continues_where_it_was(home: Home, service: Running):
    with home.seat(size=SMALL) as eva:
        row = look_at_an_alert(eva)
        withdraw(service, "eva", "changed")
        eva.until("│  invalid user name or password")
        eva.type("changed\r")
        eva.until_gone("Log in")
        eva.until("LIVE")
        eva.until("6 of 21")
        assert eva.row.startswith(row)
        eva.press("a")
        eva.until("5 of 21")


def test_an_expired_stored_login_is_prompted_for_without_reporting_a_wrong_password(home: Home, service: Running):
    before = living_sessions(service)
    kept = home.run("login", "--store", "file", CONSOLE_USERNAME="eva", CONSOLE_PASSWORD="demo")
    assert kept.returncode == 0, kept.stderr
    with home.open() as eva:
        eva.until("LIVE")
        row = look_at_an_alert(eva)
        with service.platform.write() as tx:
            tokens.drop(tx, ["eva"], ("refresh",))
        revoke(service, living_sessions(service) - before)
        eva.until("│  the session has ended")
        eva.type("demo\r")
        eva.until_gone("Log in")
        eva.until("LIVE")
        eva.until("6 of 21")
        assert eva.row.startswith(row)
        eva.press("q")
        assert eva.ended() == 0
    assert living_sessions(service) == before
