"""Every setting that `docs/your-backend.md` suggests is valid."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from console.api.routes_file import read_routes
from console.config import settings
from console.config.schema import Profile
from tests.for_each import for_each
from tests.static.source_files import ROOT

PAGE = (ROOT / "docs" / "your-backend.md").read_text(encoding="utf-8")


def suggested(heading: str) -> list[str]:
    """Return the settings in the second column of the table below a heading."""
    table = PAGE.partition(heading)[2].partition("\n\n")[2].partition("\n\n")[0]
    cells = [line.split(" | ")[-1] for line in table.splitlines()[2:]]
    return [each for cell in cells for each in re.findall(r"`([^`]+)`", cell) if " = " in each]


@for_each("text", suggested("In the profile,"))
def test_a_suggested_key_of_a_profile_is_valid(text: str) -> None:
    settings.read(Profile, {"core": "http://desk.example", **tomllib.loads(text)})


@for_each("text", suggested("In the routes file:"))
def test_a_suggested_route_is_valid(text: str, tmp_path: Path) -> None:
    file = tmp_path / "routes.toml"
    listed = next(
        (name for word, name in (("uid", "users.page"), ("active", "alerts.list")) if word in text), "calls.list"
    )
    line = text if text.startswith('"') else f'"{listed}" = {{ route = "POST /rows", {text} }}'
    file.write_text(line, encoding="utf-8")
    assert read_routes(file).faults == ()


def test_the_page_has_both_tables() -> None:
    assert len(suggested("In the profile,")) >= 10
    assert len(suggested("In the routes file:")) >= 10
