"""The guards of a test run, tried on small runs in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.until import until
from tests.run_guards import RUN, UNSTABLE
from tests.static.source_files import ROOT

CONFTEST = """
from tests import run_guards

run_guards.HARD_SECONDS = 0.5


def pytest_configure(config):
    run_guards.register(config)
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def begin(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Return a function that starts pytest on these files in a folder of their own."""

    def started(*options: str, **files: str) -> subprocess.Popen[str]:
        (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
        (tmp_path / "pytest.ini").write_text("[pytest]\ntimeout_method = signal\n", encoding="utf-8")
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        usual = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_PLUGINS": "xdist.plugin,pytest_timeout",
            UNSTABLE: str(tmp_path / "unstable"),
        }
        return subprocess.Popen(
            [*usual, *options],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return started


@pytest.fixture
def run(begin: Callable[..., subprocess.Popen[str]]) -> Run:
    """Return a function that runs pytest on these files."""

    def ran(*options: str, **files: str) -> subprocess.CompletedProcess[str]:
        with begin(*options, **files) as process:
            output, _ = process.communicate()
        return subprocess.CompletedProcess([], process.returncode, output)

    return ran


FAILS_ONCE = """
    from pathlib import Path

    def test_fails_once():
        first = not Path("tried").exists()
        Path("tried").touch()
        assert not first
"""


def test_a_test_that_passes_when_it_is_run_again_is_named_as_unstable(run: Run, tmp_path: Path):
    ended = run(test_once=FAILS_ONCE)
    assert ended.returncode == 0, ended.stdout
    assert (tmp_path / "unstable").read_text(encoding="utf-8") == "test_once.py::test_fails_once\n"


def test_a_test_that_hangs_or_ignores_its_limit_costs_only_itself_and_ends_with_the_stacks_of_all_threads(
    run: Run, tmp_path: Path
):
    hangs = """
        import signal, threading

        def waits_forever():
            threading.Event().wait()

        def test_hangs():
            threading.Thread(target=waits_forever, daemon=True).start()
            waits_forever()

        def test_ignores_the_limit():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            threading.Event().wait()

        def test_after(): pass
    """
    quick = {
        f"test_{name}": "import pytest\n\n@pytest.mark.parametrize('n', range(5))\ndef test_quick(n): pass"
        for name in "abcxyz"
    }
    ended = run(
        *("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "--timeout", "0.5"),
        test_hangs=hangs,
        test_once=FAILS_ONCE,
        **quick,
    )
    assert ended.returncode == 1
    assert not (tmp_path / "unstable").exists(), "the run fails for those that fail twice"
    assert "crashed while running 'test_hangs.py::test_ignores_the_limit'" in ended.stdout
    assert "in test_ignores_the_limit" in ended.stdout, "the stack is printed"
    assert "Timeout (>0.5s)" in ended.stdout
    assert ended.stdout.count("in waits_forever") >= 2, ended.stdout
    assert "3 failed, 31 passed" in ended.stdout, ended.stdout


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_no_process_of_a_test_outlives_a_run_that_is_killed(
    begin: Callable[..., subprocess.Popen[str]], tmp_path: Path
):
    starts = """
        import subprocess, sys
        from pathlib import Path

        def test_starts_a_service():
            pause = [sys.executable, "-c", "import time; time.sleep(600)"]
            child = subprocess.Popen(pause, start_new_session=True)
            Path("started.new").write_text(str(child.pid))
            Path("started.new").rename("started")
            child.wait()
    """
    with begin("-n", "1", test_starts=starts) as process:
        until((tmp_path / "started").exists)
        child = int((tmp_path / "started").read_text(encoding="utf-8"))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        until(lambda: not is_running(child))
        assert process.stdout is not None
        process.stdout.close()


def is_running(process: int) -> bool:
    """Return whether a process runs, and is none that only waits to be reaped."""
    try:
        return b"\nState:\tZ" not in Path(f"/proc/{process}/status").read_bytes()
    except OSError:
        return False


def test_programs_that_tests_start_in_an_environment_of_their_own_carry_the_mark_of_the_run():
    from tests.surroundings import surroundings

    assert surroundings({})[RUN] == os.environ[RUN]
