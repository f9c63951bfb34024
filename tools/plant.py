"""Plant bugs in a copy of the source, one at a time, and print which of them the tests detect.

    python -m tools.plant [--jobs N] [words of a bug's name ...]

Exits with 1 when a bug is not detected. The bugs and the tests that must detect them are in `tests/mutants/planted.py`.
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
from pathlib import Path
from queue import SimpleQueue

from tests.faults.figures import record
from tests.mutants.planted import BUGS, Bug

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300.0
"""Time limit for the tests of one bug. A bug that makes them hang counts as detected."""
COPIED = ("src", "tests", "tools", "themes", "seeds", "pyproject.toml")


def copy(folder: Path) -> Path:
    """Copy the files that the tests need, without the accepted pictures."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "__snapshots__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def tests_fail(place: Path, tests: str) -> bool:
    """Run tests on a copy and return whether one failed. Raise RuntimeError if none could be run."""
    paths, _, wanted = tests.partition(" -k ")
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += [f"tests/{each}" for each in paths.split()] + (["-k", wanted] if wanted else [])
    environment = {name: value for name, value in os.environ.items() if name != "FIGURES"}
    environment |= {"PYTHONPATH": str(place / "src")}
    try:
        done = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"{tests}: no test was run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 1


def together(specs: Iterable[str]) -> list[str]:
    """Combine tests into few runs: whole files, and parts of others. Some tests run twice."""
    split = [spec.partition(" -k ")[::2] for spec in specs]
    whole = dict.fromkeys(path for paths, wanted in split if not wanted for path in paths.split())
    parts = dict.fromkeys(path for paths, wanted in split if wanted for path in paths.split())
    picked = " or ".join(dict.fromkeys(f"({wanted})" for _, wanted in split if wanted))
    return [*([" ".join(whole)] if whole else []), *([f"{' '.join(parts)} -k {picked}"] if parts else [])]


def noticed(place: Path, bug: Bug) -> bool:
    """Plant a bug in a copy, return whether its tests fail, and remove it."""
    file = place / "src" / "console" / bug.file
    sound = text = file.read_text(encoding="utf-8")
    for old, new in bug.edits:
        if text.count(old) != 1:
            raise RuntimeError(f"{bug.file} has changed: {old!r}")
        text = text.replace(old, new)
    try:
        write(file, text)
        return tests_fail(place, bug.tests)
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
    began = time.monotonic()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as workers:
        places: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            places.put(copy(Path(folder) / str(number)))

        def unsound(tests: str) -> bool:
            place = places.get()
            try:
                return tests_fail(place, tests)
            finally:
                places.put(place)

        def try_out(bug: Bug) -> None:
            place = places.get()
            try:
                seconds = time.monotonic()
                found = noticed(place, bug)
                print(
                    f"{'caught' if found else 'MISSED'}  {bug.name}  ({time.monotonic() - seconds:.0f} s)", flush=True
                )
                if not found:
                    missed.append(bug.name)
            finally:
                places.put(place)

        specs = list(dict.fromkeys(bug.tests for bug in bugs))
        if any(workers.map(unsound, together(specs))):
            # On a busy machine the slowest test may fail once.
            wrong = [spec for spec, fails in zip(specs, workers.map(unsound, specs), strict=True) if fails]
            if wrong:
                raise RuntimeError(f"these fail without any bug: {'; '.join(wrong)}")
        print(f"all pass without a bug ({time.monotonic() - began:.0f} s)", flush=True)
        list(workers.map(try_out, bugs))
    took = time.monotonic() - began
    record(
        "M1", not missed, f"{len(bugs) - len(missed)} of {len(bugs)} caught in {took / 60:.1f} min", "all, in 10 min"
    )
    print(f"{len(bugs) - len(missed)} of {len(bugs)} caught in {took:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
