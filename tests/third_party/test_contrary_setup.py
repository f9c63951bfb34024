"""A person with the documentation of a deployment that differs in everything: from nothing to live rows."""

from __future__ import annotations

import re
from pathlib import Path

from tests.terminal.home import LARGE, Home
from tests.third_party.contrary import PASSWORD, ROUTES, running


def test_setup_reaches_live_rows_within_25_answers(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    answers = 0
    with running(tmp_path / "service") as contrary, home.open(size=LARGE) as eva:

        def answer(prompt: str, text: str) -> None:
            nonlocal answers
            answers += 1
            eva.until(re.compile(rf"{re.escape(prompt)}[^\n]* *\n*\Z"))
            eva.type(f"{text}\r")

        address = contrary.url.removeprefix("https://")
        answer("Address of the service", f"{address}/pbx/v3")
        answer("File of the authority", str(contrary.authority))
        answer("Routes file", str(ROUTES))
        answer("User name:", "eva")
        answer("Password of eva:", PASSWORD)
        answer("What now?", "s")
        secret = contrary.authority.parent / "secret"
        for setting in (
            'headers = { X-Tenant = "7" }',
            'present = { header = "X-Session-Key", scheme = "Token" }',
            f'login.url = "{contrary.url}/idp/token"',
            'login.client_id = "desk"',
            f'login.client_secret_command = ["cat", "{secret}"]',
            'addresses.user = "wac-user:{id}"',
            'states.calls = { TALKING_NOW = "connected", InQueue = "queued" }',
            f'channel.url = "{contrary.url}/pbx/feed"',
            'channel.token = { query = "key" }',
            'channel.resource = "changed.path"',
            'channel.lists = { "/calls" = ["calls"], "/sirens" = ["alerts"] }',
            "",
        ):
            answer("key = value", setting)
        answer("Name of the profile", "")
        answer("Read-only", "")
        answer("Store the password", "n")
        eva.until("POLLING")
        eva.press("2")
        eva.until("230 calls")
        eva.until("Person ")
        assert answers <= 25
        eva.press("q")
        assert eva.ended() == 0
        with home.open(size=LARGE) as again:
            again.until("Password of eva:")
            again.type(f"{PASSWORD}\r")
            again.until("POLLING")
