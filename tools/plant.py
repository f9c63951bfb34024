"""Plant bugs in a copy of the source, one at a time, and print which of them the tests detect.

    python -m tools.plant [--jobs N] [words of a bug's name ...]

Exits with 1 when a bug is not detected, or is vacuous: the file with the bug has a type error, cannot be imported, or
crashes in each test that fails. The bugs and the tests that must detect them are in `tests/mutants`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path
from queue import SimpleQueue

from tests.faults.figures import record
from tests.mutants.bug import Bug
from tests.mutants.planted import BUGS
from tools import crash_plugin
from tools.mutant_types import new_type_errors

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300.0
"""Time limit for the tests of one bug. A bug that makes them hang counts as detected."""
COPIED = ("src", "tests", "tools", "themes", "seeds", "pyproject.toml")


class Verdict(Enum):
    """What the tests make of a bug."""

    CAUGHT = "caught"
    MISSED = "MISSED"
    VACUOUS = "VACUOUS"


def copy(folder: Path) -> Path:
    """Copy the files that the tests need, without the accepted pictures."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "__snapshots__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def environment(place: Path) -> dict[str, str]:
    """Return the environment of a process that uses a copy."""
    return {name: value for name, value in os.environ.items() if name != "FIGURES"} | {"PYTHONPATH": str(place / "src")}


def verdict(place: Path, tests: str, planted: Path | None = None) -> Verdict:
    """Run tests on a copy, and return whether one failed. Raise RuntimeError if none could be run.

    If they fail only because the file `planted` crashes, the verdict is VACUOUS.
    """
    paths, _, wanted = tests.partition(" -k ")
    command = [sys.executable, "-m", "pytest", "-p", crash_plugin.__name__, "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += [f"tests/{path}" for path in paths.split()] + (["-k", wanted] if wanted else [])
    variables = environment(place) | {crash_plugin.VARIABLE: str(planted or "")}
    try:
        done = subprocess.run(
            command, cwd=place, env=variables, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Verdict.CAUGHT
    match done.returncode:
        case 0:
            return Verdict.MISSED
        case 1:
            return Verdict.CAUGHT
        case crash_plugin.CRASHED:
            return Verdict.VACUOUS
        case _:
            raise RuntimeError(f"{tests}: no test was run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def imports(place: Path, bug: Bug) -> bool:
    """Return whether the file with the bug, the command line and the screens can be imported."""
    module = "console." + bug.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    command = [sys.executable, "-c", f"import {module}, console.cli, console.ui.app"]
    return subprocess.run(command, cwd=place, env=environment(place), capture_output=True, check=False).returncode == 0


def together(specs: Iterable[str]) -> list[str]:
    """Combine tests into few runs: whole files, and parts of others. Some tests run twice."""
    split = [spec.partition(" -k ")[::2] for spec in specs]
    whole = dict.fromkeys(path for paths, wanted in split if not wanted for path in paths.split())
    parts = dict.fromkeys(path for paths, wanted in split if wanted for path in paths.split())
    picked = " or ".join(dict.fromkeys(f"({wanted})" for _, wanted in split if wanted))
    return [*([" ".join(whole)] if whole else []), *([f"{' '.join(parts)} -k {picked}"] if parts else [])]


def planted_verdict(place: Path, bug: Bug) -> Verdict:
    """Plant a bug in a copy, return what its tests make of it, and remove it."""
    file = place / "src" / "console" / bug.file
    sound = file.read_text(encoding="utf-8")
    try:
        write(file, bug.applied(sound))
        return verdict(place, bug.tests, file) if imports(place, bug) else Verdict.VACUOUS
    finally:
        write(file, sound)


def write(file: Path, text: str) -> None:
    """Write a source file and delete its bytecode, which could be reused if time and length are the same."""
    file.write_text(text, encoding="utf-8")
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        compiled.unlink()


def main(arguments: Sequence[str]) -> int:
    """Plant the named bugs, or all, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2, help="how many copies to work on at once")
    parser.add_argument("words", nargs="*", help="words of a bug's name; all bugs without any")
    chosen = parser.parse_args(arguments)
    bugs = [bug for bug in BUGS if all(word in bug.name for word in chosen.words)]
    if not bugs:
        parser.error(f"no bug has {' and '.join(map(repr, chosen.words))} in its name")
    began = time.monotonic()
    verdicts: dict[str, Verdict] = {}
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(chosen.jobs) as workers:
        folder = Path(name).resolve()
        type_errors = new_type_errors(copy(folder / "types"), bugs)
        for bug, messages in type_errors.items():
            verdicts[bug] = Verdict.VACUOUS
            print(f"{Verdict.VACUOUS.value}  {bug}: {'; '.join(messages)}", flush=True)
        print(f"types are checked ({time.monotonic() - began:.0f} s)", flush=True)
        sound_types = [bug for bug in bugs if bug.name not in type_errors]
        places: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            places.put(copy(folder / str(number)))

        def fails(tests: str) -> bool:
            place = places.get()
            try:
                return verdict(place, tests) is not Verdict.MISSED
            finally:
                places.put(place)

        def try_out(bug: Bug) -> None:
            place = places.get()
            try:
                start = time.monotonic()
                verdicts[bug.name] = planted_verdict(place, bug)
                seconds = time.monotonic() - start
                print(f"{verdicts[bug.name].value}  {bug.name}  ({seconds:.0f} s)", flush=True)
            finally:
                places.put(place)

        specs = list(dict.fromkeys(bug.tests for bug in sound_types))
        if any(workers.map(fails, together(specs))):
            # On a busy machine the slowest test may fail once.
            wrong = [spec for spec, failed in zip(specs, workers.map(fails, specs), strict=True) if failed]
            if wrong:
                raise RuntimeError(f"these fail without any bug: {'; '.join(wrong)}")
        print(f"all pass without a bug ({time.monotonic() - began:.0f} s)", flush=True)
        list(workers.map(try_out, sound_types))
    took = time.monotonic() - began
    caught = sum(each is Verdict.CAUGHT for each in verdicts.values())
    record("M1", caught == len(bugs), f"{caught} of {len(bugs)} caught in {took / 60:.1f} min", "all, in 10 min")
    print(f"{caught} of {len(bugs)} caught in {took:.0f} s")
    return 0 if caught == len(bugs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
