"""Fixtures: a home directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")
