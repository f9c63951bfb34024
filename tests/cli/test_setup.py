"""`console setup` finds out how a service is reached, and writes a profile only if it works."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from console.api.annotations import Variant
from console.cli.profiles import setup_steps as setting_up
from console.cli.profiles.probing import find_presentation
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.scenarios.fill import fill
from tests.background import Running, start_background
from tests.cli.conftest import Console
from tests.client.canned import Canned
from tests.portal import Instead, portal_to

JSON = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
def password(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home.is_dir()
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")


def written(home: Path) -> dict[str, object]:
    return tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))


def host(service: Running) -> str:
    return urlsplit(service.base_url).netloc


def test_a_host_and_an_account_are_enough(offline: Console, home: Path, service: Running) -> None:
    ended = offline("setup", "--url", host(service), "--username", "eva", "--name", "desk")
    assert ended.code == 0, ended.err
    assert written(home) == {
        "profile": "desk",
        "profiles": {
            "desk": {
                "core": service.core_url,
                "username": "eva",
                "provisioning": f"{service.base_url}/provisioning",
            }
        },
    }
    assert stat.S_IMODE((home / "config.toml").stat().st_mode) == 0o600
    for words in (f"GET {service.core_url}/users/current: 401", "Logged in as eva", "Event channel: open at ws://"):
        assert words in ended.out
    assert "demo" not in ended.out + ended.err
    assert offline("list", "calls", "--json").code == 0


def test_no_password_is_sent_without_encryption_unless_the_address_says_so(
    offline: Console, home: Path, service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def far_away(_url: str) -> bool:
        return False

    monkeypatch.setattr(setting_up, "is_here", far_away)
    arguments = ("setup", "--username", "eva", "--name", "desk", "--url")
    ended = offline(*arguments, host(service))
    assert ended.code == 3
    assert "The connection is not encrypted" in ended.out
    assert "Name the address with http:// to go on" in ended.out
    assert "Logged in" not in ended.out
    assert not (home / "config.toml").exists()
    assert offline(*arguments, service.core_url).code == 0
    assert (home / "config.toml").exists()


def test_the_earlier_variant_is_found_and_other_profiles_stay(offline: Console, home: Path) -> None:
    (home / "config.toml").write_text("# mine\n[profiles.day]\ncore = 'http://day.example'\n", encoding="utf-8")
    settings = ServiceSettings(variant=Variant.EARLIER, password_cost=Cost.cheap())
    with start_background(lambda platform: fill(platform, "quiet"), settings=settings) as service:
        ended = offline("setup", "--url", service.core_url, "--username", "eva", "--name", "old", "--read-only")
    assert ended.code == 0, ended.err
    profiles = written(home)["profiles"]
    assert isinstance(profiles, dict)
    assert profiles["day"] == {"core": "http://day.example"}
    assert profiles["old"]["variant"] == profiles["old"]["provisioning_variant"] == "earlier"
    assert profiles["old"]["read_only"] is True
    assert (home / "config.toml").read_text(encoding="utf-8").startswith("# mine")


def test_a_wrong_password_is_told_and_nothing_is_written(
    offline: Console, home: Path, service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSOLE_PASSWORD", "canary-4711")
    ended = offline("setup", "--url", service.core_url, "--username", "eva")
    assert ended.code == 4
    assert f"POST {service.core_url}/oauth2/token" in ended.out
    assert "invalid user name or password" in ended.out
    assert ended.out.count("perhaps") == 2
    assert "canary-4711" not in ended.out + ended.err
    assert not (home / "config.toml").exists()


def test_without_a_terminal_the_missing_option_is_named(offline: Console, service: Running) -> None:
    ended = offline("setup", "--url", service.core_url)
    assert (ended.code, ended.err) == (2, "console: --username is needed without a terminal\n")


@pytest.mark.parametrize(
    ("instead", "words"),
    [
        (Instead(), "200 text/html: <!doctype html>"),
        (Instead(b"", 302, {"Location": "https://sso.example"}), "302 no content type, redirects to https://sso.ex"),
        (Instead(b'{"error": "starting"}', 503, JSON), '503 application/json: {"error": "starting"}'),
        (Instead(b"\x1b[2Jgone", 404, {"Content-Type": "text/plain"}), "404 text/plain: "),
    ],
    ids=["a page", "a redirect", "a failure", "another path"],
)
def test_what_answers_instead_of_the_service_is_shown_with_two_reasons(
    offline: Console, home: Path, service: Running, instead: Instead, words: str
) -> None:
    with portal_to(service.base_url) as portal:
        portal.close(instead=instead)
        ended = offline("setup", "--url", portal.core_url, "--username", "eva")
    assert ended.code == 3
    assert f"GET {portal.core_url}/users/current: {words}" in ended.out
    assert ended.out.count("perhaps") == 2
    assert "\x1b" not in ended.out
    assert not (home / "config.toml").exists()


def test_an_unreachable_service_can_be_written_on_request(offline: Console, home: Path) -> None:
    arguments = ("setup", "--url", "http://127.0.0.1:9", "--username", "eva", "--name", "later", "--unchecked")
    ended = offline(*arguments)
    assert ended.code == 1
    assert "connection refused" in ended.out
    assert written(home)["profiles"] == {"later": {"core": "http://127.0.0.1:9"}}


def test_settings_of_the_deployment_are_kept_and_checked(offline: Console, home: Path, service: Running) -> None:
    setting = "statuses = { 440 = 'login' }"
    ended = offline("setup", "--url", service.core_url, "--username", "eva", "--name", "x", "--set", setting)
    assert ended.code == 0, ended.err
    profiles = written(home)["profiles"]
    assert isinstance(profiles, dict)
    assert profiles["x"]["statuses"] == {"440": "login"}
    wrong = offline("setup", "--url", service.core_url, "--username", "eva", "--set", "tls_verify = false")
    assert wrong.code == 2
    assert "Log" not in wrong.out
    assert "tls_verify: is not offered: certificates are always verified" in wrong.out + wrong.err


def accepting(header: str, value: str) -> Client:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.headers.get(header) == value or request.url.params.get(header) == value:
            return httpx.Response(200, json={"user": {"id": "1", "username": "eva"}})
        return httpx.Response(401, json={"error": "log in"})

    client = Client(Endpoint("http://desk.example/core"), transport=Canned(answer))
    client.sessions.token = "t-1"
    return client


@pytest.mark.parametrize(
    ("header", "value", "found"),
    [
        ("Authorization", "Bearer t-1", "bearer"),
        ("Authorization", "t-1", '{ scheme = "" }'),
        ("X-Auth-Token", "t-1", '{ header = "X-Auth-Token", scheme = "" }'),
        ("access_token", "t-1", '{ query = "access_token" }'),
        ("X-Strange", "t-1", None),
    ],
)
async def test_the_way_to_send_the_token_is_found(header: str, value: str, found: str | None) -> None:
    assert await find_presentation(accepting(header, value)) == found
