"""Guards of a test run: tests that hang end, processes do not outlive it, and failures are told from instability.

`tests/conftest.py` registers them; `tests/unit/test_run_guards.py` tries them on small runs.
"""

from __future__ import annotations

import faulthandler
import os
import subprocess
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

UNSTABLE = "UNSTABLE_TESTS"
"""Names the file that lists tests which failed once and passed when they were run again. Unset: nothing is rerun."""
RUN = "CONSOLE_TEST_RUN"
"""Marks the processes that the tests of one process start. They inherit it, and so do theirs."""
TOGETHER = ("tests/static/",)
"""Folders whose files share something expensive."""
RERUN_MOST = 12
"""With more failures, the fault is not one of single tests, and nothing is rerun."""
HARD_SECONDS = 15.0
"""How long after the limit of pytest-timeout a process is ended that did not even react to a signal."""

_REAPER = """
import os, signal, sys
os.setsid()
mark = sys.argv[1].encode()
sys.stdin.buffer.read()
for _ in range(3):
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if mark in file.read().split(b"\\0") and int(name) != os.getpid():
                    os.kill(int(name), signal.SIGKILL)
        except OSError:
            pass
"""
"""Runs beside a process of the tests: when its standard input ends, so has that process, also by SIGKILL."""


def register(config: pytest.Config) -> None:
    """Set the guards up in this process, one of several in a parallel run."""
    config.pluginmanager.register(HardLimit())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Scheduling())
        if UNSTABLE in os.environ:
            config.pluginmanager.register(Rerun(Path(os.environ[UNSTABLE])))
    start_reaper()


def start_reaper() -> None:
    """Have every process killed that this one starts and leaves behind, however this one ends. Only on Linux."""
    mark = f"{os.getpid()}-{os.urandom(4).hex()}"
    os.environ.pop(RUN, None)
    reader, _ = os.pipe()
    nothing = os.open(os.devnull, os.O_WRONLY)
    redirected = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate((reader, nothing, nothing))]
    command = [sys.executable, "-I", "-S", "-c", _REAPER, f"{RUN}={mark}"]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=redirected)
    for file in (reader, nothing):
        os.close(file)
    # The writing end is never closed: it ends with this process, and no other process inherits it.
    os.environ[RUN] = mark


class HardLimit:
    """Ends the process, with the stacks of all threads, if a test ignores the signal of pytest-timeout."""

    def __init__(self) -> None:
        """Keep the standard error of the run, which is captured during tests."""
        self._errors = os.dup(2)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Set the limit for one test with its fixtures."""
        limit = limit_of(item)
        if limit:
            faulthandler.dump_traceback_later(limit + HARD_SECONDS, exit=True, file=self._errors)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()


def limit_of(item: pytest.Item) -> float:
    """Return the limit of a test in seconds, from its mark, the command line or the configuration; 0 for none."""
    marker = item.get_closest_marker("timeout")
    if marker is not None:
        return float(marker.kwargs.get("timeout", marker.args[0] if marker.args else 0))
    given = item.config.getoption("timeout")
    return float(item.config.getini("timeout") or 0 if given is None else given)


class Scheduling:
    """Distributes files as xdist does, but runs a test that ended its process only once.

    xdist 3.8 gives it to the next process until none is left, or waits forever for a process that has nothing to run.
    The files of a folder of `TOGETHER` run in one process, which parses the source once.
    """

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Return the scheduler of `--dist loadfile`; None for other distributions, which are sound."""
        if config.getoption("dist") != "loadfile":
            return None
        # The package has no types.
        scheduler: Any = import_module("xdist.scheduler").LoadFileScheduling(config, log)
        remove = scheduler.remove_node

        def remove_node(node: Any) -> str | None:
            units: dict[str, dict[str, bool]] = scheduler.assigned_work[node]
            for scope in [scope for scope, unit in units.items() if all(unit.values())]:
                # It would be given to another process, which would wait for a test of it.
                del units[scope]
            open_tests = [(unit, name) for unit in units.values() for name, completed in unit.items() if not completed]
            for unit, name in open_tests[:1]:
                unit[name] = True
            remove(node)
            return open_tests[0][1] if open_tests else None

        begin = scheduler.schedule

        def schedule() -> None:
            begin()
            # A process runs a test once it knows the next one, or that there is none: a single test is not enough.
            for node in scheduler.nodes:
                scheduler._reschedule(node)

        split = scheduler._split_scope

        def split_scope(nodeid: str) -> str:
            return next((folder for folder in TOGETHER if nodeid.startswith(folder)), split(nodeid))

        scheduler.remove_node, scheduler.schedule, scheduler._split_scope = remove_node, schedule, split_scope
        return scheduler


class Rerun:
    """Runs what failed once more, alone and in order. The run passes if all of it passes then."""

    def __init__(self, unstable: Path) -> None:
        """List tests that pass the second time in `unstable`."""
        self._unstable = unstable
        self._failed: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a test that failed."""
        if report.failed:
            self._failed[report.nodeid] = None

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Run the failed tests after everything else has ended and was reported."""
        outcome = yield
        if session.exitstatus != pytest.ExitCode.TESTS_FAILED or not 0 < len(self._failed) <= RERUN_MOST:
            return outcome
        print(f"\nrunning again, alone: {len(self._failed)} failed", flush=True)
        limit = session.config.getoption("timeout")
        limited = [] if limit is None else ["--timeout", str(limit)]
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *limited, *self._failed]
        environment = {name: value for name, value in os.environ.items() if name != UNSTABLE}
        again = subprocess.run(command, cwd=session.config.rootpath, env=environment, check=False)
        if again.returncode == 0:
            session.exitstatus = pytest.ExitCode.OK
            with self._unstable.open("a", encoding="utf-8") as file:
                file.writelines(f"{name}\n" for name in self._failed)
        return outcome
