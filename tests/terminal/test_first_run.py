"""The first run: `console` without any profile asks a few questions, and opens."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from tests.background import Running
from tests.terminal.home import LARGE, SMALL, Home


def test_from_an_address_to_live_rows_in_six_answers(home: Home, service: Running):
    with home.open(size=SMALL) as eva:
        eva.until("Address of the service")
        eva.type(f"{urlsplit(service.base_url).netloc}\r")
        eva.until("User name:")
        eva.type("eva\r")
        eva.until("Password of eva:")
        eva.type("demo\r")
        eva.until("Name of the profile [main]:")
        eva.type("\r")
        eva.until("Read-only")
        eva.type("y\r")
        eva.until("Store the password")
        eva.type("n\r")
        eva.until("LIVE")
        eva.until("READ-ONLY")
        assert "demo" not in eva.screen
    assert 'username = "eva"' in (home.folder / "config.toml").read_text(encoding="utf-8")


def test_a_wrong_address_and_a_wrong_password_can_be_corrected(home: Home, service: Running):
    with home.open(size=LARGE) as eva:
        eva.until("Address of the service")
        eva.type("http://127.0.0.1:9\r")
        eva.until("connection refused")
        eva.until("What now?")
        eva.type("a\r")
        eva.until("Address of the service:")
        eva.type(f"{service.core_url}\r")
        eva.until("User name:")
        eva.type("eva\r")
        eva.until("Password of eva:")
        eva.type("wrong\r")
        eva.until("invalid user name or password")
        eva.type("r\r")
        eva.until(re.compile(r"Password of eva:[\s\S]*Password of eva:"))
        eva.type("wrong\r")
        eva.until(re.compile(r"What now\?[\s\S]*What now\?[\s\S]*What now\?"))
        assert eva.screen.count("User name") == 1, "the user is the same"
        eva.type("u\r")
        eva.until(re.compile(r"User name:[\s\S]*User name:"))
        eva.type("eva\r")
        eva.until(re.compile(r"(Password of eva:[\s\S]*){3}"))
        eva.type("demo\r")
        eva.until("Name of the profile")
        assert eva.interrupted() == 130
    assert not (home.folder / "config.toml").exists()
