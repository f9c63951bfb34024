"""`console watch --rules --once`: the open episodes, and an exit code for scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Console

SILENT = """
[rules.quiet]
list = "users"
filter = "nobody-has-this-name"
title = "never"
"""


def only(home: Path, *names: str, own: str = "") -> None:
    """Switch all shipped rules off, except these."""
    from console.rules.reading import load_rules

    off = [f"[rules.{each.name}]\nenabled = false\n" for each in load_rules(None).rules if each.name not in names]
    (home / "rules.toml").write_text("\n".join([*off, own]), encoding="utf-8")


def test_open_episodes_are_printed_and_the_exit_code_says_whether_one_is_serious(console: Console, home: Path) -> None:
    only(home, own='[rules.people]\nlist = "users"\ncondition = "count > 3"\ntitle = "people"\nwords = "{name}"\n')
    ended = console("watch", "--rules", "--once")
    (line,) = [json.loads(each) for each in ended.out.splitlines()]
    assert (line["change"], line["profile"], line["record"]["rule"]) == ("began", "desk", "people")
    assert line["record"]["severity"] == "warning"
    assert ended.code == 5


def test_without_open_episodes_nothing_is_printed(console: Console, home: Path) -> None:
    only(home, own=SILENT)
    ended = console("watch", "--rules", "--once")
    assert (ended.code, ended.out) == (0, "")


@pytest.mark.parametrize("time", ["1s", "1", "0:01"])
def test_rules_are_watched_for_a_time(console: Console, home: Path, time: str) -> None:
    only(home, own=SILENT)
    ended = console("watch", "--rules", "--for", time)
    assert (ended.code, ended.out) == (0, "")


@pytest.mark.parametrize("time", ["soon", "0s"])
def test_a_time_to_watch_is_a_duration(offline: Console, time: str) -> None:
    ended = offline("watch", "calls", "--for", time)
    assert (ended.code, f"--for {time!r} is not a time" in ended.err) == (2, True)


@pytest.mark.parametrize("arguments", [(), ("--once",), ("calls", "--rules"), ("calls", "--once")])
def test_a_list_or_the_rules_are_watched(offline: Console, arguments: tuple[str, ...]) -> None:
    ended = offline("watch", *arguments)
    assert ended.code == 2
    assert "--rules" in ended.err


def test_a_service_that_is_not_there_is_no_silence(unreachable: Console) -> None:
    ended = unreachable("watch", "--rules", "--once", "--for", "1")
    assert ended.code == 3
    assert "not everything is known" in ended.err
