"""A configuration may be written in any form of TOML. Saving into it changes one value, or nothing."""

from __future__ import annotations

import copy
import itertools
import stat
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from console.api.routes_file import read_routes
from console.config.paths import resource_dir
from console.config.reader import load_config
from console.config.schema import SavedView
from console.config.writer import (
    forget_rule,
    forget_view,
    save_columns,
    save_profile,
    save_rule,
    save_theme,
    save_view,
)
from console.rules.reading import read_rules
from console.service.scenarios.spec import load_spec
from console.views.theme_file import read_theme
from tests.for_each import for_each

PROFILES = {
    "none": "",
    "dotted": 'profiles.old.core = "http://h/core"  # ours\nprofiles.old.username = "x"\n',
    "dotted in a table": '[profiles]\nold.core = "http://h/core"\nold.username = "x"\n',
    "inline": 'profiles = { old = { core = "http://h/core" } }\n',
    "inline profile": '[profiles]\n# the first\nold = { core = "http://h/core" }\n',
    "tables": '[profiles.old]\ncore = "http://h/core"\n# about the one below\n\n[profiles.b]\ncore = "http://h/b"\n',
    "subtables first": '[profiles.old.login]\nsession = true\n\n[profiles.old]\ncore = "http://h/core"\n',
    "header with blanks": '[ profiles . "old" ]\ncore = "http://h/core"\nstates = { a = { b = 1 } }\n',
}
"""Forms of profiles. Those without a header come first in a file."""
VIEWS = {
    "none": "",
    "dotted": 'views.calls.mine = { filter = "x" }\ncolumns.calls = ["state"]\n',
    "dotted deep": 'views.calls.mine.filter = "x"\nviews.calls.mine.sort = "age"\n',
    "inline": 'views = { calls = { mine = { filter = "x" } } }\ncolumns = { calls = ["state"] }\n',
    "table": '[views]\ncalls.mine.filter = "x"\n\n[columns]\ncalls = [\n  "state", # which\n]\n',
    "tables": '[views.calls.mine]\nfilter = "x"\n# about the next\n[views.calls.other]\nfilter = """\n[views]\n"""\n',
    "tables apart": '[views.calls.mine]\nfilter = "x"\n\n[columns]\ncalls = ["id"]\n\n[views.users.a]\nfilter = "y"\n',
}
RULES = {
    "dotted": 'rules.a.list = "calls"\nrules.a.severity = "warning"\nrules.c.list = "calls"\n',
    "inline": 'rules = { a = { list = "calls" }, c = { list = "calls" } }\n',
    "tables": '# mine\n[rules.a]\nlist = "calls" # all\n\n# another\n[rules.c]\nlist = "calls"\n',
    "dotted in a table": '[rules]\na.list = "calls"\nc.list = "calls"\n',
}
RULE = '[rules.a]\nlist = "calls"\nfilter = "x"\ncondition = "count > 3"\nseverity = "warning"\nwords = "x"\n'

PROFILE = {"core": "http://127.0.0.1:2/core", "username": "eva", "present": {"header": "X"}}
VIEW = SavedView(filter="y")
VIEW_DATA: dict[str, Any] = {"filter": "y", "sort": "", "columns": []}


@dataclass(frozen=True)
class Saving:
    """A way to save, and what it does to the data."""

    save: Callable[[Path], str]
    change: Callable[[dict[str, Any]], Any]


def _table(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        data = data.setdefault(key, {})
    return data


def _save_profile(name: str) -> Saving:
    def change(data: dict[str, Any]) -> None:
        _table(data, "profiles")[name] = PROFILE
        data.setdefault("profile", name)

    return Saving(lambda file: save_profile(file, name, PROFILE), change)


IN_CONFIG = {
    "profile": _save_profile("day"),
    "profile again": _save_profile("old"),
    "profile with a dot": _save_profile("a.b c"),
    "view": Saving(
        lambda file: save_view(file, "calls", "new", VIEW),
        lambda data: _table(data, "views", "calls").update(new=VIEW_DATA),
    ),
    "view again": Saving(
        lambda file: save_view(file, "calls", "mine", VIEW),
        lambda data: _table(data, "views", "calls").update(mine=VIEW_DATA),
    ),
    "view of another list": Saving(
        lambda file: save_view(file, "alerts", 'é "1"', VIEW),
        lambda data: _table(data, "views", "alerts").update({'é "1"': VIEW_DATA}),
    ),
    "columns": Saving(
        lambda file: save_columns(file, "calls", ["id"]), lambda data: _table(data, "columns").update(calls=["id"])
    ),
    "theme": Saving(lambda file: save_theme(file, "light"), lambda data: data.update(theme="light")),
    "forget a view": Saving(
        lambda file: forget_view(file, "calls", "mine"),
        lambda data: data.get("views", {}).get("calls", {}).pop("mine", None),
    ),
}
IN_RULES = {
    "rule": Saving(
        lambda file: save_rule(file, "b", {"list": "alerts"}),
        lambda data: _table(data, "rules", "b").update(list="alerts"),
    ),
    "rule again": Saving(
        lambda file: save_rule(file, "a", {"severity": "critical"}),
        lambda data: _table(data, "rules", "a").update(severity="critical"),
    ),
    "forget a rule": Saving(lambda file: forget_rule(file, "a"), lambda data: data["rules"].pop("a")),
}


def _together(profiles: str, views: str) -> str:
    """Return a valid file: keys before tables."""
    parts = sorted((part for part in (profiles, views) if part), key=lambda part: part.lstrip("# ").startswith("["))
    return "# our desk\n" + "\n".join(parts)


CONFIGS = {
    f"{profiles}, {views}": _together(PROFILES[profiles], VIEWS[views])
    for profiles, views in itertools.product(PROFILES, VIEWS)
    if {profiles, views} & {"none", "tables"}
}


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    inner: dict[str, Any] = {
        key: _without_empty(cast("dict[str, Any]", value)) if isinstance(value, dict) else value
        for key, value in data.items()
    }
    return {key: value for key, value in inner.items() if value != {}}


def _comments(text: str) -> list[str]:
    return sorted(line for line in text.splitlines() if line.startswith("#"))


def _saved(file: Path, text: str, saving: Saving) -> None:
    file.write_text(text, encoding="utf-8")
    wanted = copy.deepcopy(tomllib.loads(text))
    saving.change(wanted)
    assert saving.save(file) == ""
    written = file.read_text(encoding="utf-8")
    assert _without_empty(tomllib.loads(written)) == _without_empty(wanted)
    assert _comments(written) == _comments(text)


@for_each("name, shape", itertools.product(IN_CONFIG, CONFIGS))
def test_saving_changes_one_value_in_every_form_of_a_configuration(name: str, shape: str, tmp_path: Path):
    _saved(tmp_path / "config.toml", CONFIGS[shape], IN_CONFIG[name])


@for_each("name, shape", itertools.product(IN_RULES, RULES))
def test_saving_changes_one_rule_in_every_form_of_rules(name: str, shape: str, tmp_path: Path):
    _saved(tmp_path / "rules.toml", RULES[shape], IN_RULES[name])


@for_each("name, shape", itertools.product(IN_CONFIG, list(CONFIGS)[::5]))
def test_saving_keeps_link_mode_line_ends_and_byte_order_mark(name: str, shape: str, tmp_path: Path):
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    (folder / "dotfiles").mkdir()
    target, link = folder / "dotfiles" / "ours.toml", folder / "config.toml"
    target.write_bytes(b"\xef\xbb\xbf" + CONFIGS[shape].replace("\n", "\r\n").encode())
    target.chmod(0o640)
    link.symlink_to("dotfiles/ours.toml")
    wanted = copy.deepcopy(tomllib.loads(CONFIGS[shape]))
    IN_CONFIG[name].change(wanted)
    assert IN_CONFIG[name].save(link) == ""
    written = target.read_bytes()
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert written.startswith(b"\xef\xbb\xbf")
    assert written.count(b"\n") == written.count(b"\r\n") > 0
    assert _without_empty(tomllib.loads(written[3:].decode())) == _without_empty(wanted)


def test_a_new_file_is_private_and_a_private_file_stays_private(tmp_path: Path):
    file = tmp_path / "new" / "config.toml"
    for theme in ("light", "dark"):
        assert save_theme(file, theme) == ""
        assert tomllib.loads(file.read_text(encoding="utf-8")) == {"theme": theme}
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_to_a_file_that_is_missing_creates_this_file(tmp_path: Path):
    link = tmp_path / "config.toml"
    link.symlink_to("dotfiles/config.toml")
    assert save_theme(link, "light") == ""
    assert link.is_symlink()
    assert tomllib.loads((tmp_path / "dotfiles" / "config.toml").read_text(encoding="utf-8")) == {"theme": "light"}


IMPOSSIBLE = {
    "a value in place of a table": ('views = "x"\n', "set views.calls.new = {filter"),
    "a table array": ("[[views]]\na = 1\n", "set views.calls.new = {filter"),
}


@for_each("shape", IMPOSSIBLE)
def test_a_form_that_cannot_be_edited_is_refused_with_what_to_write_by_hand(shape: str, tmp_path: Path):
    text, by_hand = IMPOSSIBLE[shape]
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    reason = save_view(file, "calls", "new", VIEW)
    assert "The view is saved for this session only: the console cannot edit" in reason
    assert by_hand in reason
    assert file.read_text(encoding="utf-8") == text


def test_a_comment_is_deleted_with_the_view_that_has_it_and_the_next_one_stays(tmp_path: Path):
    file = tmp_path / "config.toml"
    view = '[views.calls.mine]\n# found in the night of the outage\nfilter = "x"\n\n'
    rest = '# about columns\n[columns]\ncalls = ["id"]\n'
    file.write_text(view + rest, encoding="utf-8")
    assert forget_view(file, "calls", "mine") == ""
    assert file.read_text(encoding="utf-8") == rest


def test_a_byte_order_mark_is_read_over_in_every_kind_of_file(tmp_path: Path):
    file = tmp_path / "marked.toml"
    readers: dict[str, tuple[str, Callable[[], Any]]] = {
        "configuration": ('theme = "light"\n', lambda: load_config(file, {}).theme),
        "rules": (RULE, lambda: read_rules([file]).rules),
        "routes": ('[operations."calls.list"]\npath = "/x"\n', lambda: read_routes(file)),
        "theme": ((resource_dir("themes") / "dark.toml").read_text(encoding="utf-8"), lambda: read_theme(file)),
        "scenario": ((resource_dir("seeds") / "quiet.toml").read_text(encoding="utf-8"), lambda: load_spec(file)),
    }
    for name, (text, read) in readers.items():
        file.write_text(text, encoding="utf-8")
        plain = read()
        file.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read() == plain, name
