"""The section `notices` of the configuration: every error with its line and the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.config.notice_settings import NoticeSettings
from console.config.reader import load, load_config
from console.config.toml_source import ConfigFault


def faults(folder: Path, text: str) -> list[str]:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigFault) as caught:
        load_config(file, {})
    return [str(each).removeprefix(f"{file}:") for each in caught.value.problems]


def loaded(folder: Path, text: str) -> NoticeSettings:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(file, {}).notices


def test_a_mistyped_way_or_key_is_reported_with_its_line_and_the_nearest_word(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        '[notices]\nrepaet = 3\nquiet_ways = ["flsh"]\nquiet = ["22-06"]\nterminal = "osc8"\n'
        'ways.critical = ["bell",\n "web-hook"]\nways.criticl = []\nwebhook = { url = "x", secret = "s3cret" }\n',
    )
    assert [each.partition(":")[0] for each in found] == ["2", "3", "4", "5", "6", "8", "9", "9"]
    said = "\n".join(found)
    assert "did you mean repeat?" in said
    assert "did you mean flash?" in said
    assert "did you mean webhook?" in said
    assert "did you mean critical?" in said
    assert "CONSOLE_NOTICE_SECRET" in said
    assert "s3cret" not in said


@pytest.mark.parametrize("way", ["command", "webhook"])
def test_a_way_that_needs_another_key_is_reported_without_it(tmp_path: Path, way: str) -> None:
    (found,) = faults(tmp_path, f'[notices]\nways = {{ warning = ["{way}"] }}\n')
    assert f"which needs the {'key' if way == 'command' else 'table'} {way}" in found


def test_a_program_with_a_slash_is_relative_to_the_file(tmp_path: Path) -> None:
    text = '[notices]\ncommand = "./tell --loud"\nwebhook = { url = "https://h.example/", secret_command = ["./s"] }\n'
    found = loaded(tmp_path, text)
    assert found.command == (str(tmp_path / "tell"), "--loud")
    assert found.webhook is not None
    assert found.webhook.secret_command == (str(tmp_path / "s"),)
    missing = load(tmp_path / "config.toml", {}).missing_programs_of_notices()
    assert [each.line for each in missing] == [2, 3]


@pytest.mark.parametrize(
    ("hours", "minute", "quiet"),
    [
        ("22:00-06:00", 22 * 60, True),
        ("22:00-06:00", 5 * 60 + 59, True),
        ("22:00-06:00", 6 * 60, False),
        ("22:00-06:00", 12 * 60, False),
        ("12:00-13:30", 13 * 60 + 29, True),
        ("12:00-13:30", 13 * 60 + 30, False),
        ("22:00-22:00", 22 * 60, True),
        ("22:00-22:00", 21 * 60 + 59, True),
        ("00:00-00:00", 12 * 60, True),
    ],
)
def test_quiet_hours_may_cross_midnight(hours: str, minute: int, quiet: bool) -> None:
    assert NoticeSettings(quiet=(hours,)).is_quiet(minute) is quiet
