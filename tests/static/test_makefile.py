"""What the targets of the Makefile do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("target", ["demo", "demo-replay"])
def test_a_demo_installs_no_development_dependencies(target: str) -> None:
    steps = subprocess.run(
        ["make", "--dry-run", "--always-make", target], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "requirements.lock" in steps
    assert "requirements-dev.lock" not in steps
