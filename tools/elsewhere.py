"""Run tests under the conditions of other machines: other folders, users, languages, terminals, orders, less time, and
another Textual.

    python -m tools.elsewhere [--quick] [--jobs N] [CONDITION[+CONDITION...] ...]

Without names, the conditions are tried in a few rounds, several at once. A name tries that condition alone; names
joined by `+` are tried together. Exits with 1 when a test fails anywhere.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PASSED_ON, ORDER, FRESH = "TESTS_PASS_ON", "TESTS_ORDER", "FRESH_CONSOLES"
NOBODY = 65534
TESTS = (
    *("tests/terminal", "tests/cli", "tests/packaging"),
    *("tests/unit/test_config.py", "tests/unit/test_config_writer.py", "tests/unit/test_private_files.py"),
)
FEW = (
    *("tests/terminal/test_bad_input.py", "tests/terminal/test_canaries.py", "tests/cli/test_configuring.py"),
    *("tests/cli/test_exit_codes.py", "tests/unit/test_config.py", "tests/unit/test_private_files.py"),
)
SHOWN = ("tests/terminal", "tests/snapshots", "tests/behaviour/widgets")
"""Tests of what is painted and how, for conditions of Textual."""
SHOWN_FEW = ("tests/terminal/test_daily_work.py", "tests/snapshots/test_screens.py", "tests/behaviour/widgets")


@dataclass
class Machine:
    """The machine on which tests run: this one, with some changes."""

    scratch: Path
    """A folder for its files, removed at the end."""
    tree: Path = ROOT
    temporary: str = "temporary"
    """The name of the temporary folder, or its path."""
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    umask: int = 0o022
    prefix: tuple[str, ...] = ()
    """Prefix of the command."""
    cores: frozenset[int] = frozenset()
    """The processors to use; all of them if empty."""
    stack: ExitStack = field(default_factory=ExitStack)
    """Closed at the end of its tests."""

    @property
    def folder(self) -> Path:
        """Return the temporary folder."""
        return self.scratch / self.temporary


class Condition:
    """A difference from this machine."""

    def apply(self, machine: Machine) -> None:
        """Change the machine. Raise RuntimeError with a sentence if this machine cannot be changed so."""
        raise NotImplementedError


@dataclass(frozen=True)
class Variables(Condition):
    """Environment variables to set, or to unset if None."""

    values: Mapping[str, str | None]
    passed_on: bool = True
    """Whether programs that tests start get them too. Some make the programs refuse to start."""

    def apply(self, machine: Machine) -> None:
        """Set and unset the variables."""
        for name, value in self.values.items():
            machine.environment.pop(name, None)
            if value is not None:
                machine.environment[name] = value
        if self.passed_on:
            known = machine.environment.get(PASSED_ON, "").split(",")
            machine.environment[PASSED_ON] = ",".join(filter(None, {*known, *self.values}))


@dataclass(frozen=True)
class Temporary(Condition):
    """A temporary folder with this name."""

    name: str

    def apply(self, machine: Machine) -> None:
        """Set the name."""
        machine.temporary = self.name


@dataclass(frozen=True)
class Long(Condition):
    """A temporary folder whose path has this length, or the shortest that this user can create."""

    characters: int

    def apply(self, machine: Machine) -> None:
        """Create the folder."""
        missing = self.characters - len(str(machine.scratch)) - 1
        if missing > 0:
            machine.temporary = "x" * missing
            return
        parent = "/" if os.access("/", os.W_OK) else "/tmp"
        taken = set(os.listdir(parent))
        width = max(1, self.characters - len(parent.rstrip("/")) - 1)
        name = next(name for number in range(10_000) if (name := f"{number:0{width}}") not in taken)
        machine.temporary = str(Path(parent, name))
        machine.stack.callback(shutil.rmtree, machine.temporary, ignore_errors=True)


@dataclass(frozen=True)
class Home(Condition):
    """A home directory that does not exist, is read-only, or is not named by a variable."""

    state: str

    def apply(self, machine: Machine) -> None:
        """Create the home directory."""
        home = machine.scratch / "home"
        if self.state == "read-only":
            home.mkdir(mode=0o555)
        Variables({"HOME": None if self.state == "unset" else str(home), "XDG_CONFIG_HOME": None}).apply(machine)


@dataclass(frozen=True)
class Turkish(Condition):
    """The Turkish locale, in which the capital letter of `i` has a dot."""

    def apply(self, machine: Machine) -> None:
        """Compile the locale if this machine can, and set it."""
        name, folder = "tr_TR.UTF-8", machine.scratch / "locales"
        folder.mkdir()
        values: dict[str, str | None] = {"LANG": name, "LC_ALL": name}
        if shutil.which("localedef"):
            command = ["localedef", "-i", "tr_TR", "-f", "UTF-8", str(folder / name)]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                values["LOCPATH"] = str(folder)
        Variables(values).apply(machine)


@dataclass(frozen=True)
class Umask(Condition):
    """Permissions that new files do not get."""

    umask: int

    def apply(self, machine: Machine) -> None:
        """Set the mask."""
        machine.umask = self.umask


@dataclass(frozen=True)
class Unprivileged(Condition):
    """A user who may write only to the temporary folder."""

    def apply(self, machine: Machine) -> None:
        """Switch to that user. If Python is in root's home, the user may read everything, or it could not start."""
        if os.geteuid() != 0:
            return
        command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        if shutil.which("setpriv") is None:
            raise RuntimeError("run it as another user than root, or install setpriv (util-linux)")
        # The first program is still found with the permissions of root.
        again = f"import subprocess; subprocess.run([{sys.executable!r}, '-m', 'pytest', '--version'], check=True)"
        if subprocess.run([*command, sys.executable, "-c", again], capture_output=True, check=False).returncode:
            command += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
        machine.prefix = (*command, *machine.prefix)


@dataclass(frozen=True)
class OneCore(Condition):
    """One processor, shared with a program that uses it fully."""

    def apply(self, machine: Machine) -> None:
        """Start that program."""
        machine.cores = frozenset([min(os.sched_getaffinity(0))])
        with on(machine.cores):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        machine.stack.callback(busy.wait)
        machine.stack.callback(busy.kill)


@dataclass(frozen=True)
class Clone(Condition):
    """A clone in a folder with a space in its name, set up from scratch."""

    def apply(self, machine: Machine) -> None:
        """Clone the commits, and set up the clone as the README says."""
        machine.tree = machine.scratch / "a clone"
        for command in (["git", "clone", "--quiet", str(ROOT), str(machine.tree)], ["make", "setup"]):
            folder = machine.tree if command[0] == "make" else machine.scratch
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)} fails:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


@dataclass(frozen=True)
class NewestTextual(Clone):
    """A clone with the newest version of Textual, also above the bound in pyproject.toml, which may be raised then."""

    def apply(self, machine: Machine) -> None:
        """Set up the clone, and install that version."""
        super().apply(machine)
        python = str(machine.tree / ".venv" / "bin" / "python")
        said = ""
        for command in (["-m", "pip", "install", "--quiet", "--upgrade", "textual"], ["-m", "console", "info"]):
            done = subprocess.run([python, *command], capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)} fails:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
            said = done.stdout
        print("\n".join(line for line in said.splitlines() if line.startswith(("textual", "no "))), flush=True)


CONDITIONS: Mapping[str, Condition] = {
    "tmp-5": Long(5),
    "tmp-150": Long(150),
    "tmp-space": Temporary("two words"),
    "tmp-ü": Temporary("größer"),
    "home-unset": Home("unset"),
    "home-missing": Home("missing"),
    "home-read-only": Home("read-only"),
    "lang-c": Variables({"LANG": "C", "LC_ALL": "C"}),
    "lang-turkish": Turkish(),
    "tz-kathmandu": Variables({"TZ": "Asia/Kathmandu"}),
    "tz-apia": Variables({"TZ": "Pacific/Apia"}),
    "size": Variables({"COLUMNS": "37", "LINES": "11"}),
    "term-missing": Variables({"TERM": None}, passed_on=False),
    "term-dumb": Variables({"TERM": "dumb"}, passed_on=False),
    "term-linux": Variables({"TERM": "linux"}),
    "term-xterm": Variables({"TERM": "xterm"}),
    "umask-000": Umask(0o000),
    "umask-077": Umask(0o077),
    "no-color": Variables({"NO_COLOR": "1"}),
    "proxy": Variables(dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")),
    **{f"hash-{seed}": Variables({"PYTHONHASHSEED": str(seed)}) for seed in range(3)},
    **{f"order-{seed}": Variables({ORDER: str(seed)}, passed_on=False) for seed in range(1, 4)},
    "user": Unprivileged(),
    "one-core": OneCore(),
    "clone": Clone(),
    "stock-textual": Variables({"CONSOLE_STOCK_TEXTUAL": "all"}),
    "newest-textual": NewestTextual(),
}
ROUNDS: tuple[tuple[str, ...], ...] = (
    ("tmp-5", "home-unset", "tz-kathmandu", "term-missing", "umask-000", "hash-0", "order-1"),
    ("tmp-150", "home-missing", "lang-c", "tz-apia", "term-dumb", "umask-077", "hash-1", "order-2"),
    ("tmp-space", "lang-turkish", "size", "term-linux", "proxy", "hash-2", "order-3"),
    ("tmp-ü", "home-read-only", "term-xterm", "no-color", "user"),
    ("one-core",),
    ("clone",),
    ("stock-textual",),
    ("newest-textual",),
)
QUICK: tuple[tuple[str, ...], ...] = (
    ("tmp-5", "home-unset", "lang-c", "tz-kathmandu", "term-linux", "umask-000", "hash-0", "order-1"),
    ("tmp-150", "home-missing", "lang-turkish", "tz-apia", "term-dumb", "umask-077", "proxy", "hash-1", "order-2"),
    ("tmp-ü", "home-read-only", "size", "no-color", "user"),
)


@contextmanager
def on(cores: Iterable[int]) -> Generator[None]:
    """Start programs on these processors only."""
    before = os.sched_getaffinity(0) if cores else set[int]()
    if before:
        os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        if before:
            os.sched_setaffinity(0, before)


def passes(names: Sequence[str], tests: Sequence[str], jobs: int, *, fresh: bool = True) -> bool:
    """Run tests under these conditions and return whether all pass; with `fresh`, consoles are not forked."""
    with ExitStack() as stack:
        machine = Machine(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="e"))))
        machine.scratch.chmod(0o755)
        stack.enter_context(machine.stack)
        if fresh:
            machine.environment[FRESH] = "1"
        for name in names:
            CONDITIONS[name].apply(machine)
        machine.folder.mkdir()
        machine.folder.chmod(0o777)
        machine.environment |= {
            "TMPDIR": str(machine.folder),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(machine.folder / "h"),
        }
        command = [*machine.prefix, str(machine.tree / ".venv" / "bin" / "python"), "-m", "pytest"]
        command += ["-n", str(jobs), "--dist", "worksteal", "-p", "no:cacheprovider", "--timeout", "300"]
        command += [f"--basetemp={machine.folder / 't'}", *tests]
        with on(machine.cores):
            done = subprocess.run(
                command, cwd=machine.tree, env=machine.environment, umask=machine.umask, stdin=subprocess.DEVNULL
            )
    return done.returncode == 0


def main(arguments: Sequence[str]) -> int:
    """Run the named rounds, or all, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2, help="how many tests to run at once")
    parser.add_argument("--quick", action="store_true", help="fewer conditions, and fewer tests")
    parser.add_argument(
        "rounds", nargs="*", help=f"conditions, with + between what is tried at once: {', '.join(CONDITIONS)}"
    )
    chosen = parser.parse_args(arguments)
    rounds = [tuple(each.split("+")) for each in chosen.rounds] or list(QUICK if chosen.quick else ROUNDS)
    unknown = [name for names in rounds for name in names if name not in CONDITIONS]
    if unknown:
        parser.error(f"there is no condition {unknown[0]}; there are {', '.join(CONDITIONS)}")
    failed: list[str] = []
    for names in rounds:
        together, began = " ".join(names), time.monotonic()
        print(f"== {together}", flush=True)
        try:
            shown = not {"stock-textual", "newest-textual"}.isdisjoint(names)
            tests = (SHOWN_FEW if shown else FEW) if chosen.quick else (SHOWN if shown else TESTS)
            passed = passes(names, tests, chosen.jobs, fresh=not chosen.quick and not shown)
        except RuntimeError as error:
            print(error)
            passed = False
        print(f"== {'passed' if passed else 'FAILED'} in {time.monotonic() - began:.0f} s: {together}", flush=True)
        if not passed:
            failed.append(together)
    print(f"{len(rounds) - len(failed)} of {len(rounds)} rounds passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
