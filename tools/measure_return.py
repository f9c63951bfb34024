"""Measure how soon many consoles show a long list, for docs/scale.md: python -m tools.measure_return

All consoles start at once and list all calls; then both nodes are killed, and their parent replaces them. The consoles,
which have no screen, the nodes and the database run on the same machine.
"""

from __future__ import annotations

import argparse
import itertools
import os
import signal
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from console.base.clock import SystemClock
from console.client.endpoint import Endpoint, events_beside
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.delta import Freshness
from console.records.people import User
from console.service.domain import people
from console.service.domain.calls import CALLS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.database import Database
from tests.postgresql import server
from tests.service.over_http import session_of
from tools.measure_nodes import Service, nodes_below, running

ACCOUNTS = 8
"""Administrators, because they see all calls; an account may have 64 channels at a node."""
PROCESSES = 4
LOOK_SECONDS = 0.05


def prepare(url: str, key: Path, calls: int) -> dict[str, str]:
    """Fill a database with this many calls, and return tokens of administrators."""
    clock = SystemClock()
    with closing(Platform(Database(url, clock.now_ms), clock, ServiceSettings(key_file=key))) as platform:
        fill(platform, "busy")
        names = [f"admin-{number}" for number in range(ACCOUNTS)]
        with platform.write() as tx:
            known = CALLS.records(tx)
            copies = [
                call.model_copy(update={"id": f"{call.id}-{number}"})
                for number, call in enumerate(itertools.islice(itertools.cycle(known), calls - len(known)))
            ]
            CALLS.load(tx, copies)
            for name in names:
                people.add_user(platform, User(id=name, username=name, domain="desk.example", role="admin"))
        return {name: session_of(platform, name) for name in names}


def run_consoles(base_url: str, tokens: Sequence[str], calls: int, folder: str, parent: Connection) -> None:
    """Run one console for each token; tell the parent when all show all calls as LIVE, and when they do so again."""
    core = f"{base_url}/core"
    backends: list[Backend] = []
    for number, token in enumerate(tokens):
        home = Path(folder) / str(number)
        home.mkdir(parents=True)
        endpoint = Endpoint(core, events=events_beside(core))
        backend = Backend(endpoint, [FEEDS["calls"]], journal_path=home / "journal", token=token)
        backend.show(frozenset({"calls"}))
        backends.append(backend)

    def are_live(backend: Backend) -> bool:
        return backend.health("calls").state is Freshness.LIVE and len(backend.records("calls")) == calls

    for backend in backends:
        backend.start()
    wait(lambda: all(map(are_live, backends)))
    parent.send("live")
    wait(lambda: not any(map(are_live, backends)))
    parent.send("lost")
    wait(lambda: all(map(are_live, backends)))
    parent.send("live")
    parent.recv()
    for backend in backends:
        backend.stop()


def wait(condition: Callable[[], bool]) -> None:
    """Wait for a condition."""
    while not condition():
        time.sleep(LOOK_SECONDS)


def measure(service: Service, tokens: Mapping[str, str], consoles: int, calls: int) -> None:
    """Print how long all consoles take to start, and to return."""
    processes = get_context("spawn")
    shares = [list(itertools.islice(itertools.cycle(tokens.values()), consoles // PROCESSES))] * PROCESSES
    with tempfile.TemporaryDirectory() as folder:
        parents: list[Connection] = []
        began = time.monotonic()
        for number, share in enumerate(shares):
            parent, child = processes.Pipe()
            parents.append(parent)
            arguments = (service.base_url, share, calls, f"{folder}/{number}", child)
            processes.Process(target=run_consoles, args=arguments, daemon=True).start()
        for parent in parents:
            parent.recv()
        print(f"all {consoles} consoles show {calls:,} calls as LIVE after {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        for node in nodes_below(service.process.pid):
            os.kill(node, signal.SIGKILL)
        for parent in parents:
            parent.recv()
        print(f"all have noticed the death of both nodes after {time.monotonic() - began:.1f} s")
        for parent in parents:
            parent.recv()
        print(f"all are LIVE again {time.monotonic() - began:.1f} s after it")
        for parent in parents:
            parent.send("end")


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser("python -m tools.measure_return", description=__doc__)
    parser.add_argument("--consoles", type=int, default=200)
    parser.add_argument("--calls", type=int, default=10_000)
    options = parser.parse_args()
    with server(durable=True) as postgresql, tempfile.TemporaryDirectory() as folder:
        url, key = postgresql.create(), Path(folder) / "service.key"
        tokens = prepare(url, key, options.calls)
        with running(postgresql, 2, (url, key)) as service:
            measure(service, tokens, options.consoles, options.calls)


if __name__ == "__main__":
    main()
