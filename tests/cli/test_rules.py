"""`console rules`: what is watched, whether it is valid, and what a rule would say now."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from console.config.paths import places
from console.records.episodes import Episode
from console.rules.keeping import episodes_file, save_episodes
from console.rules.once import free_rule
from tests.cli.conftest import Console
from tests.identities import connected


@pytest.fixture
def own(home: Path) -> Path:
    return home / "rules.toml"


def test_rules_are_listed_with_their_state(offline: Console, own: Path):
    own.write_text('[rules.breach]\nenabled = false\n[rules.vip]\nlist = "calls"\nfilter = "caller:+34*"\n')
    ended = offline("rules", "list")
    assert ended.code == 0
    rows = {line.split()[1]: line for line in ended.out.splitlines()}
    assert rows["wait"].split()[0] == "on"
    assert rows["breach"].split()[0] == "off"
    assert rows["vip"].endswith("caller:+34*: any")
    found = {each["name"]: each for each in json.loads(offline("rules", "list", "--json").out)}
    assert found["vip"]["origin"] == str(own)
    assert found["wait"]["condition"] == "longest >= calls.wait.warn"


def test_a_rule_is_shown_as_it_can_be_written(offline: Console, own: Path, tmp_path: Path):
    ended = offline("rules", "show", "wait")
    assert (ended.code, ended.out.splitlines()[:2]) == (0, ["# shipped", "[rules.wait]"])
    own.write_text(ended.out)
    assert offline("rules", "validate").code == 0
    wrong = offline("rules", "show", "wiat")
    assert (wrong.code, "did you mean wait?" in wrong.err) == (2, True)


def test_a_hold_is_written_without_loss(offline: Console, own: Path):
    own.write_text('[rules.vip]\nlist = "calls"\nhold = "1d1h30s"\n')
    shown = offline("rules", "show", "vip").out
    assert 'hold = "1d1h30s"' in shown
    found = {rule["name"]: rule for rule in json.loads(offline("rules", "list", "--json").out)}
    assert found["vip"]["hold"] == "1d1h30s"


def test_all_errors_of_a_file_are_reported_with_their_lines(offline: Console, tmp_path: Path):
    file = tmp_path / "shared.toml"
    file.write_text('[rules.a]\nlist = "calls"\nfilter = "stat:queued"\n[rules.b]\nlist = "calls"\neach = "taget"\n')
    ended = offline("rules", "validate", str(file))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines() == [
        f'console: {file}:3: rules.a.filter: No field "stat". Did you mean state? (at 1)',
        f"console: {file}:6: rules.b.each: 'taget' is not a column; did you mean target?",
    ]
    file.write_text('[rules.a]\nlist = "calls"\n')
    assert offline("rules", "validate", str(file)).out == f"{file}: 1 rule, valid\n"
    assert offline("rules", "validate", str(tmp_path / "none.toml")).code == 2


def test_errors_are_not_hidden_by_others_and_a_misspelt_rule_names_the_nearest_one(offline: Console, tmp_path: Path):
    file = tmp_path / "shared.toml"
    file.write_text(
        '[rules.wiat]\ncondition = "longest > 3m"\n'
        '[rules.a]\nlist = "calls"\nfilter = "stat:queued"\neach = "taget"\ncritcal = "any"\n'
        '[rules.b]\nlist = "cals"\nenabled = 3\n'
        "[rules.c]\nlist = 7\n"
    )
    ended = offline("rules", "validate", str(file))
    assert (ended.code, ended.out) == (2, "")
    assert [each.removeprefix(f"console: {file}:") for each in ended.err.splitlines()] == [
        "1: rules.wiat.list: is missing, and 'wiat' is not a rule that has one; did you mean wait?",
        '5: rules.a.filter: No field "stat". Did you mean state? (at 1)',
        "6: rules.a.each: 'taget' is not a column; did you mean target?",
        "7: rules.a.critcal: is an unknown key; did you mean critical?",
        "9: rules.b.list: 'cals' is not a list that is kept up to date; did you mean calls?",
        "10: rules.b.enabled: must be true or false",
        "12: rules.c.list: must be a text that is not empty",
    ]


def test_a_rule_is_tried_on_the_current_rows(console: Console, own: Path):
    own.write_text(
        '[rules.any-call]\nlist = "calls"\ncondition = "any for 30s"\nenabled = false\n'
        '[rules.none]\nlist = "calls"\ncondition = "count > 100000"\n'
        '[rules.staff]\nlist = "skills"\neach = "record"\nwords = "{skill}: {reachable}"\n'
    )
    ended = console("rules", "test", "any-call")
    assert (ended.code, ended.out.split()[:2]) == (0, ["warning", "any-call:"])
    assert "it would begin if this lasted 30s" in ended.err
    ended = console("rules", "test", "none")
    assert (ended.code, ended.out) == (5, "")
    assert "none does not apply to the" in ended.err
    rows = [json.loads(line) for line in console("rules", "test", "staff", "--json").out.splitlines()]
    assert rows
    assert all(each["rule"] == "staff" and each["words"].startswith(each["about"]) for each in rows)
    assert console("rules", "test", "link-lost").code == 2


def test_the_rules_of_a_profile_are_checked_with_the_configuration(offline: Console, home: Path, own: Path):
    text = '[profiles.desk]\ncore = "https://voice.example/core"\n'
    (home / "config.toml").write_text(text + '[profiles.desk.rules.wait]\ncondition = "longst > 3m"\n')
    ended = offline("config", "validate")
    assert (ended.code, f'{home / "config.toml"}:4: profiles.desk.rules.wait.condition: "longst"' in ended.err) == (
        2,
        True,
    )
    (home / "config.toml").write_text(text + '[profiles.desk.rules.wait]\nfilter = "stat:queued"\n')
    ended = offline("config", "validate")
    assert (ended.code, ":4: profiles.desk.rules.wait.filter: No field" in ended.err) == (2, True)
    (home / "config.toml").write_text(text)
    own.write_text("[rules.wait]\nenabled = 3\n")
    ended = offline("config", "validate")
    assert ended.err == f"console: {own}:2: rules.wait.enabled: must be true or false\n"
    own.write_text("[rules.wait]\nenabled = false\n")
    assert offline("config", "validate").code == 0


def test_kept_lists_need_no_service_and_are_filtered_and_printed_like_others(offline: Console, own: Path, home: Path):
    (home / "config.toml").write_text('[profiles.day]\ncore = "http://127.0.0.1:9/core"\nusername = "eva"\n')
    own.write_text('[rules.vip]\nlist = "calls"\nfilter = "caller:+34*"\nenabled = false\n')
    seen = Episode(id="1", rule="vip", state="ended", words="Ana\x1b]0;x\x07", ended_at=5, began_at=4)
    later = Episode(id="2", rule="wait", state="active", severity="warning", words="billing", began_at=6)
    waits = free_rule("free-ana", "agents", "ana")
    save_episodes(
        episodes_file(places({"CONSOLE_HOME": str(home)}), connected(profile="day").key), [seen, later], [], [waits]
    )
    found = json.loads(offline("list", "episodes", "--filter", "state:ended", "--columns", "rule,words", "--json").out)
    assert [each["rule"] for each in found] == ["vip"]
    assert "\x1b" not in offline("list", "episodes").out
    assert offline("list", "episodes", "--expect", "3").code == 5
    rules = json.loads(offline("list", "rules", "--columns", "name,state,origin,episodes", "--json").out)
    by_name = {each["name"]: each for each in rules}
    assert by_name["vip"]["state"] == "off"
    assert by_name["free-ana"]["origin"] == "once"
    assert by_name["wait"]["episodes"] == 1
    wrong = offline("list", "episodes", "x=1")
    assert (wrong.code, "use --filter" in wrong.err) == (2, True)


def test_episodes_are_not_known_while_no_console_evaluates_the_rules(offline: Console, home: Path):
    (home / "config.toml").write_text('[profiles.day]\ncore = "http://127.0.0.1:9/core"\nusername = "eva"\n')

    def unknown(since: str) -> None:
        ended = offline("list", "episodes", "--expect", "none")
        text = f"no console evaluates the rules of this profile on this machine now{since}; `console watch --rules"
        assert (ended.code, text in ended.err) == (1, True), ended.err
        ended = offline("list", "rules", "--columns", "name,episodes,muted", "--json")
        wait = next(each for each in json.loads(ended.out) if each["name"] == "wait")
        assert (ended.code, wait["episodes"], wait["muted"], ended.err) == (0, None, None, "")

    unknown("")
    file = episodes_file(places({"CONSOLE_HOME": str(home)}), connected(profile="day").key)
    unknown("")
    save_episodes(file, [], [])
    assert offline("list", "episodes", "--expect", "none").code == 0
    hour_ago = time.time() - 3600
    os.utime(file, (hour_ago, hour_ago))
    unknown(", the last one 1h 00m ago")
    file.write_text("damaged")
    unknown("")


def test_the_connection_of_a_command_is_that_of_its_requests(console: Console):
    found = json.loads(console("list", "connection", "--json").out)
    assert [each["state"] for each in found] == ["polling"]
