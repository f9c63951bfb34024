"""The wheel on another machine: built, installed into an empty environment, used from another folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.static.source_files import PACKAGE, ROOT
from tests.surroundings import surroundings

LIMIT = 100
"""Seconds for one command, such as the build of the wheel; a fixture has several."""
pytestmark = pytest.mark.timeout(3 * LIMIT)
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
RESOURCES = {"themes": "*.toml", "seeds": "*.toml"}


@dataclass(frozen=True)
class Built:
    """The files of a release."""

    sdist: Path
    wheel: Path


@dataclass(frozen=True)
class Installed:
    """An environment with only the wheel, and an empty home directory."""

    bin: Path
    home: Path

    def environment(self, **more: str) -> dict[str, str]:
        usual = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.home), "CONSOLE_HOME": str(self.home)}
        return surroundings(usual) | more

    def run(self, *arguments: str, **environment: str) -> str:
        """Run the console in the home directory; return its output."""
        return _output([str(self.bin / "console"), *arguments], self.home, self.environment(**environment))

    @contextmanager
    def serving(self, world: str) -> Generator[str]:
        """Serve a scenario and yield the base URL."""
        command = [str(self.bin / "console"), "serve", "--until-stdin-closes", "--world", world, "--port", "0"]
        child = subprocess.Popen(
            command,
            cwd=self.home,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        with child.stdout:
            try:
                yield child.stdout.readline().strip()
            finally:
                child.stdin.close()
                assert child.wait(PATIENCE) == 0


def _output(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the sdist from the checkout, and the wheel from the sdist, with the installed tools."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    _output(command, folder, dict(os.environ))
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel with the dependencies of this environment, so that no network is needed."""
    folder = tmp_path_factory.mktemp("environment")
    here = dict(os.environ)
    _output([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder, here)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    _output([*pip, "install", "--quiet", "--no-index", "--no-deps", str(built.wheel)], folder, here)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return Installed(folder / "bin", tmp_path_factory.mktemp("home"))


def test_the_wheel_contains_every_module_theme_and_world(built: Built):
    with zipfile.ZipFile(built.wheel) as wheel:
        held = set(wheel.namelist())
    wanted = {f"console/{file.relative_to(PACKAGE)}" for file in PACKAGE.rglob("*.py")}
    for folder, pattern in RESOURCES.items():
        wanted |= {f"console/{folder}/{file.name}" for file in (ROOT / folder).glob(pattern)}
    assert wanted <= held
    assert any(name.endswith("licenses/LICENSE") for name in held)


def test_the_sdist_contains_what_readers_expect(built: Built):
    with tarfile.open(built.sdist) as sdist:
        held = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "themes/dark.toml", "seeds/busy.toml"} <= held


def test_the_installed_program_is_that_of_the_wheel(installed: Installed):
    assert installed.run("--version").strip() == VERSION
    found = json.loads(installed.run("info", "--json"))
    for name in ("themes", "worlds"):
        assert Path(found[name]).is_relative_to(installed.bin.parent.resolve())
        assert any(Path(found[name]).glob("*.toml"))


def test_every_theme_of_the_wheel_can_be_selected(installed: Installed):
    for theme in (ROOT / "themes").glob("*.toml"):
        installed.run("config", "validate", CONSOLE_THEME=theme.stem)


def test_the_installed_service_works_with_the_installed_console(installed: Installed):
    with installed.serving("quiet") as address:
        rows = json.loads(
            installed.run(
                *("list", "calls", "--json"),
                CONSOLE_CORE=f"{address}/core",
                CONSOLE_USERNAME="eva",
                CONSOLE_PASSWORD="demo",
                PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring",
            )
        )
    assert rows
    assert all(row["state"] for row in rows)
