"""The answer of a captive portal or login page is never taken for one of the service."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from console.service.domain.agents import SKILLS
from console.service.domain.calls import CALLS
from tests.background import Running
from tests.cli.conftest import Console, profile
from tests.cli.test_exit_codes import refused
from tests.portal import Instead, Portal, portal_to


@pytest.fixture
def portal(service: Running, console: Console, home: Path) -> Generator[Portal]:
    """Run a portal between the profile and the service."""
    with portal_to(service.base_url) as found:
        profile(home, found.core_url, f'provisioning = "{found.base_url}/provisioning"\nevents = "off"')
        yield found


def skills(service: Running) -> set[str]:
    with service.database.read() as tx:
        return {each.skill for each in SKILLS.records(tx)}


def test_a_change_answered_with_an_html_page_fails_without_printing_it(
    portal: Portal, console: Console, service: Running
) -> None:
    portal.close("/skills")
    ended = console("call", "skills.create", "skill=welding")
    words = f"skills.create: the answer was not from the service (text/html from {portal.host}, POST /core/skills)"
    refused(ended, 1, words, "it is unknown whether the change was made")
    assert "welding" not in skills(service)


@pytest.mark.parametrize(
    ("instead", "words"),
    [
        (Instead(headers={"Content-Type": "application/json"}), "not from the service (application/json from"),
        (Instead(b"Please log in", headers={"Content-Type": "text/plain"}), "not from the service (text/plain from"),
        (Instead(b"", 302, {"Location": "https://sso.example/login?x=1"}), "a redirect to a login page, https://sso"),
        (Instead(b"[]", headers={"Content-Type": "application/json"}), "a list"),
        (Instead(b'{"error": "maintenance"}', headers={"Content-Type": "application/json"}), "maintenance"),
    ],
)
def test_no_invalid_answer_to_a_change_is_a_success(
    portal: Portal, console: Console, instead: Instead, words: str
) -> None:
    portal.close("/skills", instead=instead)
    refused(console("call", "skills.create", "skill=welding"), 1, words)


def test_a_list_answered_with_an_html_page_is_an_error_that_names_the_request(portal: Portal, console: Console) -> None:
    portal.close("/calls")
    words = f"text/html from {portal.host}, GET /core/calls"
    refused(console("list", "calls"), 1, "not from the service", words)
    refused(console("call", "calls.list"), 1, "not from the service", words)
    portal.close("/domains")
    refused(console("list", "domains"), 1, "not from the service", "GET /core/domains")


@pytest.mark.parametrize("command", [("list", "calls"), ("call", "status.get"), ("watch", "calls"), ("doctor",)])
def test_an_html_page_in_answer_to_a_login_is_neither_a_wrong_password_nor_a_login(
    portal: Portal, console: Console, command: tuple[str, ...]
) -> None:
    portal.close()
    ended = console(*command)
    assert ended.code in {1, 2}
    assert ended.out == ""
    assert "not from the service (text/html" in ended.err
    assert "password" not in ended.err
    assert "refused" not in ended.err


def test_login_stores_nothing_of_an_html_page(portal: Portal, console: Console, home: Path) -> None:
    portal.close("/sessions/start")
    refused(console("login", "--store", "file"), 1, "not from the service", "POST /core/sessions/start")
    assert not list(home.rglob("*token*"))


def test_doctor_names_the_operations_that_another_server_answers(portal: Portal, console: Console) -> None:
    portal.close("/calls", "/groups/page")
    ended = console("doctor", "--json")
    found = {each["name"]: each for each in json.loads(ended.out)["findings"]}
    assert ended.code == 1
    for name, path in (("calls.list", "/core/calls"), ("groups.page", "/core/groups/page")):
        assert found[name]["state"] == "failed"
        assert f"text/html from {portal.host}, GET {path}" in found[name]["reason"]


def test_watch_keeps_the_rows_and_reports_why_they_are_outdated(
    portal: Portal, console: Console, service: Running
) -> None:
    with service.database.read() as tx:
        rows = len(CALLS.records(tx))
    paths: list[str] = []

    def second(_method: str, path: str) -> Instead | None:
        paths.append(path)
        return Instead(b" ") if path == "/core/calls" and paths.count(path) > 1 else None

    portal.answer = second
    ended = console("watch", "calls", "--jsonl", "--for", "20", "--changes", str(rows + 2))
    lines = [json.loads(line) for line in ended.out.splitlines()]
    freshness = [each for each in lines if each["change"] == "freshness"]
    assert not [each for each in lines if each["change"] == "remove"]
    assert sum(each["change"] == "upsert" for each in lines) == rows
    assert freshness[-1]["state"] == "stale"
    assert "the answer is empty" in freshness[-1]["reason"]
