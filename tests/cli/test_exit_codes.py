"""Failing commands: the right exit code, one sentence, no traceback."""

from __future__ import annotations

import errno
import os
import socket
from functools import partial
from pathlib import Path

import pytest

from console.client.endpoint import Endpoint
from tests.background import Running
from tests.cli.conftest import Console, Ended, profile
from tests.for_each import for_each


def refused(ended: Ended, code: int, *words: str) -> None:
    assert ended.code == code, ended.err
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert all(line.startswith("console: ") for line in ended.err.splitlines())
    assert all(word in ended.err for word in words), ended.err


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use short timeouts."""
    monkeypatch.setattr("console.cli.deployment.Endpoint", partial(Endpoint, answer_seconds=0.3))


def test_without_a_terminal_the_headless_commands_are_suggested(offline: Console):
    refused(offline(), 2, "no terminal", "console list", "console watch", "console call")
    refused(offline("demo"), 2, "no terminal")


def test_an_unreachable_service_exits_as_a_connection_error(unreachable: Console):
    refused(unreachable("list", "calls"), 3, "cannot reach")
    refused(unreachable("call", "users.current"), 3, "cannot reach")
    refused(unreachable("login", "--store", "file"), 3, "cannot reach")


def test_a_service_that_never_answers_exits_as_a_connection_error(console: Console, home: Path, impatient: None):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        profile(home, f"http://127.0.0.1:{silent.getsockname()[1]}/core")
        refused(console("list", "calls"), 3, "no answer from 127.0.0.1:", "within 0.3 s")


def test_a_check_of_a_service_that_never_answers_is_unknown_in_time(console: Console, home: Path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        profile(home, f"http://127.0.0.1:{silent.getsockname()[1]}/core")
        checked = console("status", "--check", "--timeout", "0.3")
    assert (checked.code, checked.out) == (3, "CONSOLE UNKNOWN - cannot reach the service: no answer within 0.3 s\n")


def test_an_invalid_url_is_reported(console: Console, home: Path, service: Running):
    profile(home, f"{service.base_url}/nowhere")
    refused(console("list", "calls"), 1, "not found")


@pytest.mark.parametrize("host", ["xn--.example", "xn--zzzzzzz99999.example", "☃.example", f"{'a' * 64}.example"])
def test_the_name_of_a_host_that_cannot_be_called_is_a_connection_error(console: Console, home: Path, host: str):
    profile(home, f"http://{host}/core")
    ended = console("list", "skills")
    assert ended.code == 3
    assert "cannot reach the service" in ended.err


def test_https_to_an_http_service_exits_as_a_connection_error(console: Console, home: Path, service: Running):
    profile(home, service.core_url.replace("http:", "https:"))
    assert console("list", "calls").code == 3


def test_a_wrong_password_exits_as_a_login_error(console: Console, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong")
    refused(console("list", "calls"), 4, "login was refused")


def test_a_missing_password_lists_the_ways_to_give_one(console: Console, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CONSOLE_PASSWORD")
    refused(console("list", "calls"), 4, "password_command", "CONSOLE_PASSWORD", "console login")


def test_a_failing_password_command_is_named(console: Console, home: Path, service: Running):
    profile(home, service.core_url, 'password_command = "false"')
    refused(console("list", "calls"), 4, "password_command false ended with 1")
    profile(home, service.core_url, 'password_command = "/no/such/program"')
    refused(console("list", "calls"), 2, "config.toml:5: profiles.desk.password_command: /no/such/program does not")


def test_a_password_command_overrides_the_environment(
    console: Console, home: Path, service: Running, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong")
    profile(home, service.core_url, 'password_command = ["echo", "demo"]')
    assert console("list", "skills", "--limit", "0").code == 0


def test_a_refusal_is_reported_once(console: Console):
    arguments = ("call", "alerts.accept", "alertId=no-such-alert")
    refused(console(*arguments), 1, "alerts.accept: not found: ")
    assert console(*arguments).err.count("no-such-alert") == 1


def test_a_missing_permission_is_reported(console: Console, home: Path, service: Running):
    profile(home, service.core_url, username="pat")
    refused(console("list", "alarms"), 4, "not allowed")


def test_an_unknown_profile_gets_a_suggestion(console: Console):
    refused(console("list", "calls", "--profile", "deks"), 2, "unknown profile 'deks'; did you mean desk?")


@pytest.mark.parametrize("command", [("list", "calls"), ("config", "validate"), ("login",)])
def test_a_named_configuration_file_must_exist(offline: Console, home: Path, command: tuple[str, ...]):
    refused(offline(*command, "--config", str(home / "none.toml")), 2, "none.toml: cannot be read: No such file")


def test_an_invalid_configuration_is_reported_with_file_line_and_nearest_key(console: Console, home: Path):
    (home / "config.toml").write_text('profile = "a"\n[profiles.a]\ncroe = "http://x"\n', encoding="utf-8")
    ended = console("list", "calls")
    refused(ended, 2, f"{home}/config.toml:3: profiles.a.croe: is an unknown key; did you mean core?")
    assert f"{home}/config.toml:2: profiles.a.core: is missing" in ended.err


def test_an_invalid_certificate_file_is_reported(console: Console, home: Path):
    (home / "ca.pem").write_text("no certificate", encoding="utf-8")
    profile(home, "https://127.0.0.1:9/core", 'tls_ca = "ca.pem"')
    refused(console("list", "calls"), 2, "invalid profile")


def with_number(number: str) -> tuple[list[str], ...]:
    """Return command lines with a number."""
    return (
        ["doctor", f"--seconds={number}"],
        ["status", f"--timeout={number}"],
        ["call", "users.current", f"--wait={number}"],
        *(["serve", f"--{option}={number}"] for option in ("speed", "account-rate", "address-rate", "slow-ms")),
        ["demo", f"--speed={number}"],
        ["wallboard", f"--seconds={number}"],
    )


def with_port(number: str) -> list[list[str]]:
    """Return command lines with a port."""
    return [[command, f"--port={number}"] for command in ("serve", "demo", "metrics")]


WITHOUT_A_FILE = (
    ["list", "calls", "--config="],
    ["report", "--out="],
    ["recordings", "cut", "--from", "-1m", "--to", "now", "--out", ""],
    ["doctor", "--share", ""],
    ["serve", "--db="],
)


@for_each(
    "arguments, words",
    [
        (["lst"], "There is no command lst; did you mean list?"),
        (["list"], "NAME"),
        (["list", "cals"], "unknown list 'cals'; did you mean calls?"),
        (["list", "calls", "--filter", "stat:x"], "--filter: "),
        (["list", "calls", "--sort", "agee"], "--sort: calls have no column 'agee'; did you mean age?"),
        (["list", "calls", "--columns", "id,staet"], "--columns: calls have no column 'staet'; did you mean state?"),
        (["watch", "cals"], "unknown list 'cals'; did you mean calls?"),
        (["watch", "calls", "--columns", "staet"], "--columns: calls have no column 'staet'; did you mean state?"),
        (["list", "calls", "--columns", "zzz"], "--columns: calls have no column 'zzz'; known: state, flags, caller"),
        (["operations", "gruops"], "unknown operation 'gruops'"),
        (["list", "calls", "--json", "--csv"], "choose one of --json and --csv"),
        (["list", "calls", "--limit", "few"], "--limit"),
        (["list", "calls", "--expect", "many"], "--expect 'many'"),
        (["list", "calls", "--colour"], "--colour"),
        (["serve", "--port", "0", "--world", "nowhere"], "nowhere"),
        (
            ["serve", "--trusted-proxy", "10.0.0.1", "--trusted-proxy", "proxy"],
            "--trusted-proxy: 'proxy' does not appear",
        ),
        (["serve", "--smtp", "mail.example"], "--smtp: must be smtp://HOST or smtps://HOST"),
        (["serve", "--smtp", "smtps://ana@mail.example"], "--smtp: a user name needs a password"),
        (["serve", "--smtp", "smtp://mail.example:port"], "--smtp: the port must be a number"),
        (["serve", "--mail-from", "desk@desk.example"], "--mail-from and --smtp-password-file need --smtp"),
        (["serve", "--smtp", "smtp://mail.example", "--mail-from", "a@b, c@d"], "the sender is not a mail address"),
        (["serve", "--webhook", "https://sms.example"], "set its secret with --webhook-secret-file or CONSOLE_WEB"),
        (["serve", "--webhook-secret-file", "/no/such/file"], "--webhook-secret-file needs --webhook"),
        (["serve", "--webhook", "https://x.example", "--webhook-secret-file", "/no/such"], "/no/such: No such file"),
        (
            ["serve", "--database", "postgresql://a:b@db.example/desk"],
            "and set CONSOLE_DATABASE_PA",
        ),
        (["serve", "--default-timezone", "Mars/Phobos"], "unknown time zone Mars/Phobos"),
        (["routes", "validate", "/no/such/file"], "/no/such/file: cannot be read: No such file"),
        (["completion", "tcsh"], "tcsh"),
        (["list", "calls", "--limit", "1e9"], "--limit: '1e9' is not a whole number"),
        (["status", "--timeout", "5s"], "--timeout: '5s' is not a number"),
        *((command, "is not a number") for number in ("nan", "-inf", "1e999") for command in with_number(number)),
        *(
            (command, "must not be negative")
            for command in (
                *with_number("-1"),
                ["list", "calls", "--limit=-3"],
                ["watch", "calls", "--changes=-1"],
                ["journal", "show", "--last", "-1"],
            )
        ),
        *(
            (command, "must be a whole number from 0 to 65535")
            for port in ("65536", "-1", "1e3", "9" * 5000)
            for command in with_port(port)
        ),
        *((command, "needs the name of a file") for command in WITHOUT_A_FILE),
        (["report", "--out", "reports/"], "--out: reports/ is a directory, not the name of a file"),
        (["report", "--out", "-"], "--out: - is not the name of a file; write ./- for a file of that name"),
        (["report", "--format", "pdf"], "--format: invalid choice: 'pdf' (choose from 'markdown', 'json', 'html')"),
        (["list", "calls", "--at", "-99999999d"], "is not a past moment"),
    ],
)
def test_an_invalid_command_line_is_reported(console: Console, arguments: list[str], words: str):
    refused(console(*arguments), 2, words)


def test_a_port_in_use_is_reported(offline: Console, service: Running):
    port = service.base_url.rpartition(":")[2]
    refused(offline("serve", "--port", port), 1, f"cannot listen on 127.0.0.1 port {port}")
    refused(offline("serve", "--host", ""), 1, "no address to listen on; 0.0.0.0 means all addresses")


def test_a_database_that_cannot_be_reached_is_reported(offline: Console):
    words = "postgresql://ana@127.0.0.1:1/desk: connection failed"
    refused(offline("serve", "--database", "postgresql://ana@127.0.0.1:1/desk"), 1, words)


def test_an_invalid_database_file_is_reported(offline: Console, tmp_path: Path):
    file = tmp_path / "desk.db"
    file.write_bytes(b"this is not a database, but long enough to look at" * 20)
    refused(offline("serve", "--port", "0", "--db", str(file)), 1, str(file))


def test_an_internal_error_is_one_sentence_and_its_details_are_stored(
    offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch
):
    def broken(_environ: object) -> None:
        raise ZeroDivisionError("\x1b[2Jboom")

    monkeypatch.setattr("console.cli.checks.info.places", broken)
    ended = offline("info")
    refused(ended, 1, "internal error: ZeroDivisionError", "details in")
    assert "\x1b" not in ended.err
    (kept,) = (home / "log").iterdir()
    assert "Traceback" in kept.read_text(encoding="utf-8")
    assert kept.stat().st_mode & 0o077 == 0


def test_what_the_machine_lacks_is_no_internal_error(offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(_environ: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("console.cli.checks.info.places", refuse)
    ended = offline("info")
    assert (ended.code, ended.err) == (1, "console: Too many open files\n")
    assert not (home / "log").exists()


def test_text_of_the_service_cannot_control_the_terminal(console: Console):
    ended = console("call", "groups.get", "groupId=\x1b]0;gone\x07\u202e")
    assert ended.code == 1
    assert "\x1b" not in ended.err
    assert "\u202e" not in ended.err
