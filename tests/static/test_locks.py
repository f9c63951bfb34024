from __future__ import annotations

import re
import tomllib

import pytest

from tests.static.source_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _wanted(requirements: list[str | dict[str, str]]) -> set[str]:
    names = (re.match(r"[A-Za-z0-9._-]+", each) for each in requirements if isinstance(each, str))
    return {_normal(name[0]) for name in names if name}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_hashes_and_names_no_index(name: str):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(-i|--index-url|--extra-index-url|--find-links|-f)\b|https?://", text, re.MULTILINE)
    entries = [each for each in re.split(r"\n(?=\S)", text.replace("\\\n", " ")) if "==" in each]
    assert entries
    assert all("--hash=sha256:" in each for each in entries)


def test_the_locks_contain_the_requirements_of_the_project():
    locked = {
        name: {_normal(found) for found in re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / name).read_text(), re.MULTILINE)}
        for name in ("requirements.lock", "requirements-dev.lock")
    }
    runtime = _wanted(PROJECT["project"]["dependencies"])
    assert runtime <= locked["requirements.lock"]
    assert _wanted(PROJECT["dependency-groups"]["dev"]) <= locked["requirements-dev.lock"]
    assert locked["requirements.lock"] <= locked["requirements-dev.lock"]
