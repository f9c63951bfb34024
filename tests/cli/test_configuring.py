from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from console.cli.parser import COMMANDS, IN_GROUPS
from console.cli.profiles.config import example_text
from console.config.paths import resource_dir
from console.config.schema import Config
from console.config.settings import entries, read
from tests.cli.conftest import Console
from tests.for_each import for_each


def test_the_effective_configuration_is_shown_with_its_origins(
    offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch
):
    (home / "config.toml").write_text('bell = false\n[profiles.a]\ncore = "http://x/core"\n', encoding="utf-8")
    monkeypatch.setenv("CONSOLE_THEME", "mono")
    lines = dict(line.split("  # ") for line in offline("config", "show", "--origin").out.splitlines())
    origins = {key.partition(" =")[0]: origin for key, origin in lines.items()}
    assert origins["bell"] == f"{home}/config.toml:1"
    assert origins["profiles.a.core"] == f"{home}/config.toml:3"
    assert origins["theme"] == "CONSOLE_THEME"
    assert origins["hold_seconds"] == "default"


def test_missing_settings_of_a_profile_are_shown_as_defaults(
    offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch
):
    text = '[profiles.a]\ncore = "http://x/core"\npresent = "bearer"\n[profiles.environment]\ncore = "http://y/core"\n'
    (home / "config.toml").write_text(text + "read_only = true\n", encoding="utf-8")
    monkeypatch.setenv("CONSOLE_CORE", "http://z/core")
    shown = {each["key"]: each for each in json.loads(offline("config", "show", "--origin", "--json").out)}
    assert shown["profiles.a.events"]["origin"] == "default"
    assert shown["profiles.a.present.header"]["origin"] == f"{home}/config.toml:3"
    assert shown["profiles.environment.core"]["origin"] == "CONSOLE_CORE"
    assert (shown["profiles.environment.read_only"]["value"], shown["profiles.environment.read_only"]["origin"]) == (
        None,
        "default",
    )


def test_the_values_of_headers_are_hidden(offline: Console, home: Path):
    text = '[profiles.a]\ncore = "http://x/core"\nheaders = { X-Key = "canary-17" }\n'
    (home / "config.toml").write_text(text, encoding="utf-8")
    for options in ((), ("--origin",), ("--json",), ("--json", "--origin")):
        shown = offline("config", "show", *options).out
        assert "X-Key" in shown
        assert "canary" not in shown


def test_the_json_output_is_a_valid_configuration(offline: Console):
    assert read(Config, json.loads(offline("config", "show", "--json").out)) == Config()


@pytest.mark.parametrize("command", [("config", "validate"), ("doctor",), ("watch", "calls")], ids=" ".join)
def test_a_dialect_that_cannot_be_used_is_reported_with_its_line(
    offline: Console, home: Path, command: tuple[str, ...]
):
    file = home / "config.toml"
    file.write_text('[profiles.a]\ncore = "http://x"\n[profiles.a.channel]\ndialect = "consle"\n', encoding="utf-8")
    ended = offline(*command)
    assert (ended.code, ended.out) == (2, "")
    said = "profiles.a.channel.dialect: no dialect 'consle' is installed; did you mean console?"
    assert f"{file}:4: {said}" in ended.err


def test_unknown_lists_and_invalid_expressions_of_hints_are_reported_with_their_lines(offline: Console, home: Path):
    file = home / "config.toml"
    lines = (
        '[profiles.a]\ncore = "http://x"\n[profiles.a.channel]\nurl = "ws://x/y"',
        'resource = "topic=(?:x)"\n[profiles.a.channel.lists]\n"/calls" = ["calls", "agnets"]\n',
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    ended = offline("config", "validate")
    assert ended.code == 2
    for said in (
        "5: profiles.a.channel.resource: is not a regular expression: needs a group around the text to look up",
        "7: profiles.a.channel.lists./calls.1: 'agnets' is not a list; did you mean agents?",
    ):
        assert f"{file}:{said}" in ended.err


def test_unknown_words_of_states_are_reported_with_their_lines(offline: Console, home: Path):
    text = """[profiles.a]
core = "http://x/core"
[profiles.a.states.calls]
queuetimeout = "abandoned"
odd = "abandonned"
[profiles.a.states.presense]
x = "busy"
"""
    file = home / "config.toml"
    file.write_text(text, encoding="utf-8")
    ended = offline("config", "validate")
    assert ended.code == 2
    known = "is not a state that the console knows"
    assert f"{file}:5: profiles.a.states.calls.odd: 'abandonned' {known}; did you mean abandoned?" in ended.err
    assert f"{file}:6: profiles.a.states.presense: is not a list with states; did you mean presence?" in ended.err
    assert ":4:" not in ended.err


def test_every_list_of_the_contract_may_have_words_of_its_own(offline: Console, home: Path):
    words = """[profiles.a]
core = "http://x/core"
states.users = { boss = "admin" }
states.alerts = { neu = "active" }
states.groups = { all = "simultaneous" }
states.chats = { offen = "open" }
"""
    file = home / "config.toml"
    file.write_text(words, encoding="utf-8")
    assert offline("config", "validate").code == 0
    file.write_text(words.replace('"admin"', '"adnim"'), encoding="utf-8")
    ended = offline("config", "validate")
    assert "states.users.boss: 'adnim' is not a state that the console knows; did you mean admin?" in ended.err


def test_validate_reports_every_error_with_its_line(offline: Console, home: Path):
    (home / "routes.toml").write_text('"calls.lst" = "GET /calls"\n', encoding="utf-8")
    file = home / "config.toml"
    file.write_text(
        "\n".join(
            (
                'theme = "drak"',
                "[profiles.a]",
                'core = "http://x/core"',
                'routes = "routes.toml"',
                "[keys]",
                '"alerts.acept" = "a"',
                "[columns]",
                'calls = ["state",',
                '  "colour"]',
                'cals = ["id"]',
                "[thresholds]",
                '"calls.wiat" = { warn = 1, bad = 2 }',
                "[views.users.Old]",
                'filter = "logn>365d"',
                'sort = "-nmae"',
                "[views.usrs.Old]",
                'columns = ["name"]',
            )
        ),
        encoding="utf-8",
    )
    ended = offline("config", "validate")
    assert ended.code == 2
    said = [line.removeprefix("console: ").replace(f"{home}/", "") for line in ended.err.splitlines()]
    assert "config.toml:1: theme: unknown theme 'drak'; did you mean dark?" in said
    assert any(each.startswith("config.toml:6: keys.alerts.acept: Unknown action") for each in said)
    assert any(each.startswith("config.toml:9: columns.calls.1: calls have no column 'colour'") for each in said)
    assert "config.toml:10: columns.cals: is not a list; did you mean calls?" in said
    assert "config.toml:12: thresholds.calls.wiat: is not a threshold; did you mean calls.wait?" in said
    assert any(each.startswith("config.toml:14: views.users.Old.filter: No field") for each in said)
    assert any(each.startswith("config.toml:15: views.users.Old.sort") for each in said)
    assert any(each.startswith("config.toml:16: views.usrs: is not a list") for each in said)
    assert "routes.toml:1: calls.lst: is not an operation; did you mean calls.list?" in said


def test_columns_and_views_of_every_administration_list_can_be_configured(offline: Console, home: Path):
    text = '[columns]\n"static-contacts" = ["name", "domain"]\n[views."address-books".Mine]\nfilter = "name:a"\n'
    (home / "config.toml").write_text(f'{text}[profiles.a]\ncore = "http://x/core"\n', encoding="utf-8")
    assert offline("config", "validate").err == ""


def test_the_example_is_valid_as_are_all_its_commented_out_settings(offline: Console, home: Path):
    printed = offline("config", "example").out
    assert printed == example_text()
    read(Config, tomllib.loads(printed))
    uncommented = re.sub(r"^# (?=[\w\". ]+ = )", "", printed, flags=re.MULTILINE)
    (home / "config.toml").write_text(uncommented, encoding="utf-8")
    for name in ("routes.toml", "ca.pem", "me.pem", "me.key"):
        (home / name).write_text("", encoding="utf-8")
    (home / "halcyon.py").write_text("def answer(operation, answer):\n    return answer\n", encoding="utf-8")
    assert offline("config", "validate").err == ""


FILES = """
tls_ca = "ca.pem"
tls_cert = "me.pem"
password_command = ["bin/word"]
login = { command = "./token.sh" }
"""


def test_missing_files_and_programs_of_every_profile_are_reported_with_their_lines(offline: Console, home: Path):
    text = f'[profiles.a]\ncore = "http://x/core"\n[profiles.b]\ncore = "http://x/core"{FILES}'
    file = home / "config.toml"
    file.write_text(text, encoding="utf-8")
    (home / "me.pem").mkdir()
    (home / "bin").mkdir()
    (home / "bin" / "word").write_text("#!/bin/sh\n", encoding="utf-8")
    ended = offline("config", "validate")
    assert ended.code == 2
    assert ended.err.splitlines() == [
        f"console: {file}:5: profiles.b.tls_ca: {home}/ca.pem does not exist",
        f"console: {file}:6: profiles.b.tls_cert: {home}/me.pem is not a file",
        f"console: {file}:7: profiles.b.password_command: {home}/bin/word cannot be executed",
        f"console: {file}:8: profiles.b.login.command: {home}/token.sh does not exist",
    ]
    assert offline("list", "calls", "--profile", "b").err.startswith(f"console: {file}:5: profiles.b.tls_ca: ")
    assert "does not exist" not in offline("list", "calls", "--profile", "a").err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "tls_verify = false",
            "is not offered: certificates are always verified; set tls_ca to trust another authority",
        ),
        ('password = "x"', "is not read from this file: use password_command, the keyring, or CONSOLE_PASSWORD"),
        ('tls_verfy = "x"', "is an unknown key; did you mean tls_key?"),
    ],
)
def test_a_key_that_is_declined_says_what_to_use_instead(offline: Console, home: Path, line: str, words: str):
    (home / "config.toml").write_text(f'[profiles.a]\ncore = "http://x/core"\n{line}\n', encoding="utf-8")
    ended = offline("config", "validate")
    assert ended.err == f"console: {home}/config.toml:3: profiles.a.{line.split()[0]}: {words}\n"


def test_the_schema_describes_every_key(offline: Console):
    schema = json.loads(offline("config", "schema").out)
    assert set(schema["properties"]) == {each.name for each in entries(Config)}
    assert all(each.get("description") for each in schema["properties"].values())


def test_a_theme_beside_the_configuration_can_be_chosen(offline: Console, home: Path):
    (home / "config.toml").write_text('theme = "mine"\n', encoding="utf-8")
    assert "unknown theme 'mine'" in offline("config", "validate").err
    (home / "themes").mkdir()
    shutil.copy(resource_dir("themes") / "dark.toml", home / "themes" / "mine.toml")
    assert offline("config", "validate").code == 0


def test_info_lists_all_places_but_no_secret(offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONSOLE_PASSWORD", "hunter2")
    monkeypatch.setenv("TERM", "linux")
    found = json.loads(offline("info", "--json").out)
    assert found["symbols"] == "plain (TERM=linux)"
    assert found["configuration"].startswith(str(home))
    assert found["CONSOLE_PASSWORD"] == "(set)"


def test_info_works_with_an_invalid_configuration(offline: Console, home: Path):
    (home / "config.toml").write_text("profile = [", encoding="utf-8")
    ended = offline("info")
    assert ended.code == 0
    assert "invalid: run `console config validate`" in ended.out


@for_each("zone", ("Europe/Madrid", "AAA-25:30"))
def test_info_says_which_time_zone_is_used_and_why(offline: Console, monkeypatch: pytest.MonkeyPatch, zone: str):
    monkeypatch.setenv("TZ", zone)
    known = {"Europe/Madrid": "Europe/Madrid (TZ)", "AAA-25:30": "UTC (TZ=AAA-25:30 is not a time zone)"}
    assert json.loads(offline("info", "--json").out)["time zone"] == known[zone]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_each_shell_is_valid(offline: Console, shell: str):
    ended = offline("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    if shutil.which(shell):
        read = subprocess.run([shell, "-n"], input=ended.out, capture_output=True, text=True, timeout=60)
        assert (read.returncode, read.stderr) == (0, "")


@for_each(
    "command",
    [
        (),
        *((name,) for name, *_ in COMMANDS),
        *((group, name) for group, commands in IN_GROUPS.items() for name, *_ in commands),
    ],
)
def test_every_command_has_help(offline: Console, command: tuple[str, ...]):
    ended = offline(*command, "--help")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(" ".join(("usage: console", *command)))
    assert "Exit codes: 0 ok" in ended.out


def test_help_of_a_command_has_its_whole_description(offline: Console):
    assert "field:=JSON" in offline("call", "--help").out
    assert "4 login" in offline("doctor", "--help").out.partition("options:")[0]
    assert "X-Forwarded-For" not in offline("config", "--help").out


def test_errors_of_themes_are_reported_whether_or_not_they_are_used(offline: Console, home: Path):
    own = home / "themes"
    own.mkdir()
    for name in ("mine", "other"):
        text = (resource_dir("themes") / "dark.toml").read_text(encoding="utf-8")
        (own / f"{name}.toml").write_text(text.replace("background", "backgruond", 1), encoding="utf-8")
    (home / "config.toml").write_text('theme = "mine"\n', encoding="utf-8")
    ended = offline("config", "validate")
    assert ended.code == 2
    for name in ("mine", "other"):
        wrong = r"colours\.backgruond: is an unknown key; did you mean background\?"
        assert re.search(rf"{name}\.toml:\d+: {wrong}", ended.err)
