"""The service as a process: it says where it is, ends when told to, and finds its data again."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from console.clock import SystemClock
from console.service.database import Database
from console.service.serve import LOOPBACK, ServeFault, listen, start_background

PROGRAM = """
import sys
from pathlib import Path
from console.service.passwords import Cost
from console.service.platform import Settings
from console.clock import SystemClock
from console.service.database import Database
from console.service.serve import open_stage, run
stage = open_stage(Path(sys.argv[1]), world="quiet", settings=Settings(password_cost=Cost.cheap()))
run(stage, announce=lambda url: print(url, flush=True))
print("ended", flush=True)
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_regularly_and_the_data_stay(tmp_path: Path, ending: signal.Signals) -> None:
    path = tmp_path / "desk.db"
    epochs: list[str] = []
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, text=True)
        with process:
            try:
                assert process.stdout is not None
                base_url = process.stdout.readline().strip()
                epochs.append(httpx.get(f"{base_url}/health", trust_env=False).json()["epoch"])
                process.send_signal(ending)
                assert process.stdout.read() == "ended\n"
                assert process.wait(10) == 0
            finally:
                process.kill()
    assert epochs[0] == epochs[1]


def test_a_killed_process_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().strip()
            with httpx.Client(base_url=f"{base_url}/core", trust_env=False) as client:
                grant = {"grant_type": "password", "username": "eva", "password": "demo"}
                token = client.post("/oauth2/token", json=grant).json()["access_token"]
                session = client.post("/sessions/start", json={"token": token}).json()
                client.headers["Authorization"] = f"Bearer {session['access_token']}"
                made = [client.post("/groups", json={"name": f"G{each}"}).json()["groupId"] for each in range(20)]
        finally:
            process.kill()
    headers = {"Authorization": f"Bearer {session['access_token']}"}
    with start_background(database=Database(path, SystemClock().now_ms)) as service:
        groups = httpx.get(f"{service.core_url}/groups", headers=headers, trust_env=False).json()["groupList"]
        kept = {each["groupId"] for each in groups}
    assert set(made) <= kept


def test_an_address_that_is_taken_or_is_none_is_refused_with_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        with pytest.raises(ServeFault, match="cannot listen on"):
            listen(LOOPBACK, taken.getsockname()[1])
    with pytest.raises(ServeFault):
        listen("256.0.0.1", 0)
    with pytest.raises(ServeFault):
        listen(LOOPBACK, 99_999)
