from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from console.config import Config
from console.config_example import example_text
from tests.cli.conftest import Console


def test_the_configuration_in_force_is_shown_with_its_origins(
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


def test_what_a_profile_leaves_out_is_shown_as_a_default(offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch):
    text = '[profiles.a]\ncore = "http://x/core"\npresent = "bearer"\n[profiles.environment]\ncore = "http://y/core"\n'
    (home / "config.toml").write_text(text + "read_only = true\n", encoding="utf-8")
    monkeypatch.setenv("CONSOLE_CORE", "http://z/core")
    shown = {each["key"]: each for each in json.loads(offline("config", "show", "--origin", "--json").out)}
    assert shown["profiles.a.events"]["origin"] == "default"
    assert shown["profiles.a.present.header"]["origin"] == f"{home}/config.toml:3"
    assert shown["profiles.environment.core"]["origin"] == "CONSOLE_CORE"
    assert (shown["profiles.environment.read_only"]["value"], shown["profiles.environment.read_only"]["origin"]) == (
        False,
        "default",
    )


def test_what_is_shown_as_json_is_a_configuration(offline: Console):
    assert Config.model_validate(json.loads(offline("config", "show", "--json").out)) == Config()


def test_validate_tells_every_fault_with_its_line(offline: Console, home: Path):
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
            )
        ),
        encoding="utf-8",
    )
    ended = offline("config", "validate")
    assert ended.code == 2
    said = [line.removeprefix("console: ").replace(f"{home}/", "") for line in ended.err.splitlines()]
    assert "config.toml:1: theme: there is no theme 'drak'; did you mean dark?" in said
    assert any(each.startswith("config.toml:6: keys.alerts.acept: There is no action") for each in said)
    assert any(each.startswith("config.toml:9: columns.calls.1: calls have no column 'colour'") for each in said)
    assert "config.toml:10: columns.cals: is no list; did you mean calls?" in said
    assert "config.toml:12: thresholds.calls.wiat: is nothing with levels; did you mean calls.wait?" in said
    assert "routes.toml:1: calls.lst: is no operation; did you mean calls.list?" in said


def test_the_example_is_valid_and_so_is_everything_it_comments_out(offline: Console, home: Path):
    printed = offline("config", "example").out
    assert printed == example_text()
    Config.model_validate(tomllib.loads(printed))
    uncommented = re.sub(r"^# (?=[\w\".]+ = )", "", printed, flags=re.MULTILINE)
    (home / "config.toml").write_text(uncommented, encoding="utf-8")
    (home / "routes.toml").write_text("", encoding="utf-8")
    assert offline("config", "validate").err == ""


def test_the_schema_describes_every_key(offline: Console):
    schema = json.loads(offline("config", "schema").out)
    assert set(schema["properties"]) == set(Config.model_fields)
    assert all(each.get("description") for each in schema["properties"].values())


def test_info_says_where_things_are_but_no_secret(offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONSOLE_PASSWORD", "hunter2")
    found = json.loads(offline("info", "--json").out)
    assert found["configuration"].startswith(str(home))
    assert found["CONSOLE_PASSWORD"] == "(set)"


class TestRoutesFiles:
    def check(self, console: Console, directory: Path, text: str) -> tuple[int, list[str]]:
        file = directory / "routes.toml"
        file.write_text(text, encoding="utf-8")
        ended = console("routes", "check", str(file))
        return ended.code, [line.removeprefix("console: ").removeprefix(f"{file}:") for line in ended.err.splitlines()]

    def test_a_good_one_has_no_faults(self, offline: Console, tmp_path: Path):
        text = '"alerts.accept" = "PUT /sapi/alerts/{alertId}/accept"\n"calls.get" = "GET /sapi/call/{id}"\n'
        assert self.check(offline, tmp_path, text) == (0, [])

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ('"calls.gat" = "GET /x"', "1: calls.gat: is no operation; did you mean calls.get?"),
            (
                'calls.get = "GET /x/{id}"',
                "1: calls: is no operation; did you mean calls.get?; a name with a dot needs quotes",
            ),
            ('"calls.get" = "FETCH /x/{id}"', "1: calls.get: 'FETCH' is no method"),
            ('"calls.get" = 7', '1: calls.get: must be a text like "GET /path/{field}"'),
            ('"calls.get" = "GET /x/{ident}"', "1: calls.get: {ident} is no input of this operation"),
            ('"calls.list" = "GET /x/{caller}"', "1: calls.list: {caller} need not be given"),
            ('"calls.get" = "GET /x/{id}/{id}"', "1: calls.get: {id} is there more than once"),
            ('\n"alarms.get" = "GET /calls/{id}"', "2: alarms.get: goes where calls.get goes"),
            ("x = [", "1: is not valid TOML"),
        ],
    )
    def test_faults_are_told_with_their_line(self, offline: Console, tmp_path: Path, text: str, fault: str):
        code, lines = self.check(offline, tmp_path, text)
        assert code == 2
        assert any(line.startswith(fault) for line in lines), lines

    def test_a_field_that_leaves_the_path_is_only_noted(self, offline: Console, tmp_path: Path):
        code, lines = self.check(offline, tmp_path, '"calls.get" = "GET /x"')
        assert code == 0
        assert "{id} is missing from the path; it will travel in the query" in lines[0]


def test_the_declared_routes_do_not_clash(offline: Console, tmp_path: Path):
    from console.api.catalogue import catalogue

    file = tmp_path / "routes.toml"
    file.write_text(
        "\n".join(
            f'"{name}" = "{each.operation.route.method} {each.operation.route.template}"'
            for name, each in catalogue().items()
        ),
        encoding="utf-8",
    )
    ended = offline("routes", "check", str(file))
    assert (ended.code, ended.err) == (0, "")
