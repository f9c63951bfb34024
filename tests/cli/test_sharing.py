"""The report of `console doctor --share` describes the deployment, and repeats nothing of its people or secrets."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from console.base.secrets import texts_in
from tests.background import Running
from tests.canary import forms
from tests.cli.conftest import Console, profile
from tests.portal import Instead, portal_to

SECRETS = ("pass-word1-canary", "header-canary-7", "parameter-canary-8", "query-canary-9", "command-canary-2")
MORE = """
events = "off"
headers = { X-Tenant = "header-canary-7" }
password_command = ["sh", "-c", "echo demo", "command-canary-2"]
routes = "routes.toml"
"""


@pytest.fixture
def shared(console: Console, service: Running, home: Path) -> str:
    """Return the report of a deployment with personal values in every place of an answer."""
    (home / "routes.toml").write_text('"skills.list" = "GET /nothing-here"\n', encoding="utf-8")
    odd = [{"Eva": "Eva Canary", "nombre": "eva.canary@desk.example"}]
    with portal_to(service.base_url) as portal:
        profile(home, portal.core_url, MORE, username="eva")
        portal.close("/calls", instead=Instead(json.dumps(odd).encode(), 200, {"Content-Type": "application/json"}))
        file = home / "report.md"
        os.umask(0o022)
        ended = console("doctor", "--share", str(file))
    assert ended.code == 1, ended.err
    assert f"the report is in {file}" in ended.err
    assert file.stat().st_mode & 0o777 == 0o600
    return file.read_text(encoding="utf-8")


def test_the_report_has_the_requests_the_results_and_the_form_of_answers(shared: str) -> None:
    assert "| users.list | `GET /users` | 2xx application/json | works |" in shared
    assert "| skills.list | `GET /nothing-here` | 404 application/json | not bound |" in shared
    assert "### calls.list\n\n- `[]`: has none of the fields of Call, only (secret), nombre" in shared
    assert "- `core` = `http://127.0.0.1:" in shared
    assert "- `username` = (set)" in shared
    assert "- `headers` = (set)" in shared


def test_the_report_has_no_secret_and_no_value_of_a_record(
    shared: str, console: Console, service: Running, home: Path
) -> None:
    profile(home, service.core_url)
    people = json.loads(console("call", "users.list").out)
    told = {each for each in texts_in(people) if len(each) > 3 and not each.isalpha()} - {"desk.example"}
    assert len(told) > 10
    for value in (*SECRETS, *told, "Eva Canary", "eva.canary"):
        for how, form in forms(value).items():
            assert form.decode("latin-1") not in shared, f"{value} {how}"
    for word in ("Canary", "eva", "Eva", "demo", "unknown path"):
        assert word not in shared


def test_a_file_that_cannot_be_written_is_named(console: Console, home: Path) -> None:
    ended = console("doctor", "--share", str(home / "nowhere" / "report.md"))
    assert ended.code == 1
    assert f"cannot write {home}/nowhere/report.md" in ended.err
