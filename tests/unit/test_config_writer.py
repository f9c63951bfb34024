from __future__ import annotations

import tomllib
from pathlib import Path

from console.config.schema import SavedView
from console.config.writer import forget_view, save_theme, save_view


def test_a_write_error_is_reported_and_nothing_is_lost(tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_text("theme = [broken", encoding="utf-8")
    assert save_theme(file, "mono").startswith("The theme applies to this session only: cannot write ")
    assert file.read_text(encoding="utf-8") == "theme = [broken"


def test_a_file_with_another_name_is_not_split_from_it(tmp_path: Path):
    file, other = tmp_path / "config.toml", tmp_path / "dotfiles.toml"
    file.write_text('theme = "dark"\n', encoding="utf-8")
    other.hardlink_to(file)
    told = save_theme(file, "light")
    assert told.startswith("The theme applies to this session only: ")
    assert told.endswith('By hand, set theme = "light"')
    assert file.read_text(encoding="utf-8") == other.read_text(encoding="utf-8") == 'theme = "dark"\n'


def test_views_are_stored_beside_those_written_by_hand_and_deleted_again(tmp_path: Path):
    file = tmp_path / "config.toml"
    written = '[views.users."New people"]\nfilter = "created<30d" # about a month\n'
    file.write_text(written, encoding="utf-8")
    view = SavedView(filter='login:""', sort="-created", columns=("name",))
    assert save_view(file, "users", "Never here", view) == ""
    assert save_view(file, "calls", "a.b", SavedView()) == ""
    text = file.read_text(encoding="utf-8")
    assert "# about a month" in text
    assert tomllib.loads(text)["views"] == {
        "users": {
            "New people": {"filter": "created<30d"},
            "Never here": {"filter": 'login:""', "sort": "-created", "columns": ["name"]},
        },
        "calls": {"a.b": {"filter": "", "sort": "", "columns": []}},
    }
    assert forget_view(file, "users", "Never here") == ""
    assert forget_view(file, "users", "Never here") == ""
    assert list(tomllib.loads(file.read_text(encoding="utf-8"))["views"]["users"]) == ["New people"]
