"""The budgets, the profiles behind them, and how the figures are measured in new processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.budgets.figure import Figure, read
from tests.budgets.paper_service import write_answers

MODULES = ("console_work", "record_work", "service_work")
"""They measure, each in a process of its own."""
ROOT = Path(__file__).resolve().parents[2]
BUDGETS = Path(__file__).parent.with_suffix(".toml")
PROFILES = Path(__file__).with_name("profiles.json")
GENEROUS = 1.03
"""A budget this many times the figure hides the next growth."""
ROOM = 1.01
"""A budget has room for a call here and there, but not for a walk. Memory varies by a third of it."""
FEW = 50
"""Up to this number, such as statements or fsyncs, one more is a change."""
SHARE = 0.005
"""Share of a figure from which a function is in its profile."""
NAMED = 10
SECONDS = 300.0
"""Time limit of a process: it hangs."""
_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
_HEAD = """\
# How much work the console does. `make budgets` prints these figures, and rewrites them with UPDATE=1.
# A budget is one percent above its figure. It may be lowered at any time; the commit that raises one says why.
"""

Profiles = Mapping[str, Mapping[str, float]]


def measure(module: str) -> list[Figure]:
    """Measure in a new process."""
    return read(output_of(f"tests.budgets.{module}"))


def output_of(module: str) -> str:
    """Return what a module prints that runs in a new process, with answers of the embedded service.

    Raise RuntimeError if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.json"
        write_answers(answers)
        # Nothing else of the environment reaches it.
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": folder,
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "TZ": "UTC",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
        }
        done = subprocess.run(
            [sys.executable, "-m", module, str(answers)],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def read_budgets() -> dict[str, float]:
    """Return the budgets by name."""
    return tomllib.loads(BUDGETS.read_text(encoding="utf-8"))["budgets"]


def applies(name: str) -> bool:
    """Return whether a budget is for this version of Python: the size of objects and the lines depend on it."""
    written = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))["python"]
    return written == _PYTHON or (not name.startswith("a record ") and not name.endswith(": lines"))


def read_profiles() -> Profiles:
    """Return the calls or lines of each function by figure, of those with a share of at least `SHARE`."""
    return json.loads(PROFILES.read_text(encoding="utf-8"))


def write_budgets(figures: Iterable[Figure]) -> None:
    """Make these figures the budgets."""
    figures = list(figures)
    lines = [f'"{each.name}" = {rounded(each.value * (ROOM if each.value > FEW else 1))}\n' for each in figures]
    BUDGETS.write_text(f'{_HEAD}\npython = "{_PYTHON}"\n\n[budgets]\n{"".join(lines)}', encoding="utf-8")
    profiles = {each.name: _profile(each) for each in figures if each.shares}
    entries = (f"{json.dumps(name)}: {json.dumps(profile)}" for name, profile in profiles.items())
    PROFILES.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


def verdict(figure: Figure, budget: float | None, profile: Mapping[str, float]) -> str:
    """Return what is wrong with a figure; empty if it is within its budget."""
    value = rounded(figure.value)
    if budget is None:
        return f"{figure.name}: {value}, without a budget. Run `make budgets UPDATE=1`."
    if value > budget:
        # A function that is not in the profile did less than those that are.
        growth = {name: count - profile.get(name, SHARE * budget) for name, count in figure.shares.items()}
        most = sorted(growth, key=lambda name: -growth[name])[:NAMED]
        rows = [f"  {growth[name]:+12.2f}  {name}" for name in most if growth[name] > 0]
        where = ["The functions whose work increased most:", *rows] if rows else []
        return "\n".join([f"{figure.name}: {value}, more than the budget of {budget}.", *where])
    if budget > value * GENEROUS:
        return f"{figure.name}: {value}, less than the budget of {budget}: lower it to {value} in tests/budgets.toml."
    return ""


def rounded(value: float) -> float:
    """Return a figure as it is written: whole numbers from a thousand on, otherwise with two digits."""
    return round(value) if value >= 1000 or value == round(value) else round(value, 2)


def _profile(figure: Figure) -> dict[str, float]:
    least = SHARE * figure.value
    return {name: rounded(count) for name, count in sorted(figure.shares.items()) if count >= least}
