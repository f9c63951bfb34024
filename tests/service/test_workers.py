"""`console serve --workers`: one address, several processes, which are replaced and end with the first one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.live.until import until
from tests.patience import PATIENCE
from tests.service.over_http import data, get

PATIENT = f"from console.cli.service import workers; workers.END_SECONDS = {PATIENCE / 2}"
"""On a loaded machine, workers drain for longer than the service waits before it kills them and says so."""
CONSOLE = [sys.executable, "-c", f"{PATIENT}; from console.cli.program import main; main()"]
SERVE = [*CONSOLE, "serve", "--workers", "2", "--port", "0"]


@contextmanager
def served(url: str, key: Path) -> Generator[tuple[subprocess.Popen[str], str]]:
    """Start two workers; return the process above them, and their address."""
    command = [*SERVE, "--database", url, "--key", str(key), "--world", "empty"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def children_of(process: subprocess.Popen[str]) -> set[int]:
    return {int(word) for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()}


def nodes_of(url: str) -> int:
    """Return the number of nodes that have joined."""
    with psycopg.connect(url) as other:
        here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        row = other.execute(f"SELECT count(*) FROM pg_locks WHERE objid = 7261002 AND granted AND {here}").fetchone()
        return row[0] if row else 0


def is_gone(worker: int) -> bool:
    """Return whether a process has ended; without its parent, it may wait for another one to notice."""
    stat = Path(f"/proc/{worker}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


def is_ready(base_url: str) -> bool:
    return data(get(f"{base_url}/readyz")) == {"status": "ready"}


def test_a_worker_that_is_killed_is_replaced_and_all_end_with_the_service(empty_url: str, tmp_path: Path) -> None:
    with served(empty_url, tmp_path / "service.key") as (process, base_url):
        assert process.stderr is not None
        until(lambda: nodes_of(empty_url) == 2)
        assert is_ready(base_url)
        killed, *_ = before = children_of(process)
        os.kill(killed, signal.SIGKILL)
        line = process.stderr.readline()
        assert line.startswith("worker ")
        assert line.endswith(" was killed by SIGKILL; starting it again in 1 s\n")
        until(lambda: children_of(process) - before and nodes_of(empty_url) == 2)
        assert is_ready(base_url)
        workers = before | children_of(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert all(map(is_gone, workers))
        assert process.stderr.read() == "console: the service has stopped\n"


def test_workers_end_when_the_process_above_them_is_killed(empty_url: str, tmp_path: Path) -> None:
    with served(empty_url, tmp_path / "service.key") as (process, base_url):
        until(lambda: nodes_of(empty_url) == 2)
        workers = children_of(process)
        assert is_ready(base_url)
        process.kill()
        until(lambda: all(map(is_gone, workers)))


def test_workers_that_cannot_start_end_the_service_with_their_reason(tmp_path: Path) -> None:
    command = [*SERVE, "--key", str(tmp_path / "key"), "--database", "postgresql://nobody@127.0.0.1:1/none"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("console: postgresql://nobody@127.0.0.1:1/none: ")
    assert "Traceback" not in ended.stderr
