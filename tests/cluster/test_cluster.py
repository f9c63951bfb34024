"""Clients change and watch at two nodes while faults strike: nothing is lost, doubled, missed or out of order."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from tests import postgresql
from tests.cluster.cluster import running
from tests.cluster.faults import FAULTS
from tests.cluster.users import Users, logged_in
from tests.cluster.verdict import Verdict, judge
from tests.faults.figures import count

COUNT = count("CLUSTER_COUNT", 10)
CLIENTS = count("CLUSTER_CLIENTS", 10)
SEED = os.environ.get("CLUSTER_SEED") or "1"
ONLY = os.environ.get("CLUSTER_ONLY", "")
"""Part of the names of the faults to play; empty for all."""
DISK = "the disk of the database is full"


def plan(lot: random.Random, *, has_small_disk: bool) -> list[str]:
    """Return the names of all faults in turn, each time in another order."""
    names = [name for name in FAULTS if ONLY in name and (has_small_disk or name != DISK)]
    return [name for _ in range(COUNT // len(names) + 1) for name in lot.sample(names, len(names))][:COUNT]


def table(users: Users, faults: Counter[str], verdict: Verdict, seconds: float) -> str:
    """Return the numbers of a run."""
    clients, consoles = users.clients, users.consoles
    stages = Counter(stage for console in consoles for stage in console.outcomes.values())
    lines = [
        ("faults", f"{faults.total()} in {seconds:.0f} s, seed {SEED}"),
        *((f"  {name}", str(number)) for name, number in sorted(faults.items())),
        ("clients", f"{len(clients)}, of which {len(clients) // 2} know both nodes; {len(consoles)} consoles"),
        ("changes acknowledged", f"{len(users.ledger.names):,}"),
        ("answers", ", ".join(f"{code}: {number:,}" for code, number in sorted(users.ledger.statuses.items()))),
        ("changes of consoles", ", ".join(f"{stage}: {number}" for stage, number in sorted(stages.items()))),
        ("events received", f"{sum(len(client.offsets) for client in clients):,}"),
        ("channels resumed", f"{sum(client.resumed for client in clients):,}"),
        ("slowest recovery", f"{users.slowest_healing:.1f} s"),
        ("oldest heartbeat", f"{max(client.oldest_proof for client in clients):.1f} s behind"),
        ("oldest list shown as LIVE", f"{max(console.oldest_live for console in consoles):.1f} s behind"),
        *((name, str(len(findings))) for name, findings in verdict.rows()),
    ]
    return "\n".join(f"{name:<40} {value}" for name, value in lines)


@pytest.mark.timeout(300 + 90 * COUNT)
async def test_no_fault_of_nodes_database_or_lines_loses_doubles_or_reorders_anything(tmp_path: Path) -> None:
    postgresql.need()
    lot = random.Random(SEED)
    faults = Counter[str]()
    began = time.monotonic()
    async with running(tmp_path, lot) as cluster:
        if not cluster.has_small_disk:
            print(f"skipped, as only root can mount a small file system: {DISK}")
        users = Users(cluster, await logged_in(cluster), tmp_path, CLIENTS)
        async with users.at_work(lot):
            for number, name in enumerate(plan(lot, has_small_disk=cluster.has_small_disk)):
                print(f"{time.monotonic() - began:6.1f} s: {number + 1} of {COUNT}: {name}", flush=True)
                faults[name] += 1
                await FAULTS[name](cluster, random.Random(f"{SEED} {number}"))
                await users.healed()
        verdict = judge(cluster.admin_url, users.ledger, users.clients, users.consoles)
    print(table(users, faults, verdict, time.monotonic() - began))
    assert {name: findings[:5] for name, findings in verdict.rows() if findings} == {}
