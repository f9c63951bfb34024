"""kill -9 during changes: acknowledged changes are stored, none is partial, and the service restarts quickly.

The effect of a power failure on a disk cannot be tested this way: the kernel keeps what a killed process has written.
That every commit is synced is asserted in `test_store.py`.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.serve import open_service
from tests.faults.figures import count, record
from tests.postgresql import shared
from tests.service.killed import Said, examined, faults, grow, load, make_group, make_session, started
from tests.service.over_http import token_of

LONG = count("FAULTS_COUNT", 0)
CYCLES = max(3, 10 * LONG)
ROWS = 1_000_000


@pytest.fixture(params=["sqlite", "postgresql"])
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[tuple[Path | str, Path]]:
    """Yield the file or the URL of an empty database of each engine, and the file of its key."""
    if request.param == "sqlite":
        yield tmp_path / "desk.db", tmp_path / "desk.db.key"
    else:
        url = shared().create()
        yield url, tmp_path / "service.key"
        shared().drop(url)


def test_a_service_killed_under_load_loses_nothing_and_does_nothing_twice_or_partially(
    stored: tuple[Path | str, Path],
) -> None:
    (database, key), said = stored, Said()
    restarts: list[float] = []
    found: list[str] = []
    again = 0
    for cycle in range(CYCLES):
        with started(database, key=key) as service:
            restarts.append(service.seconds)
            again += ask_again(service.base_url, said)
            threads = load(service.base_url, said, acknowledged=20 + 7 * cycle % 40)
            service.process.kill()
            for thread in threads:
                thread.join()
        with examined(database) as connection:
            found += faults(connection, key.read_bytes(), said)
    slowest = max(restarts[1:], default=restarts[0])
    engine = "a file" if isinstance(database, Path) else "a server"
    lost = f"{engine}: {len(found)} of {said.acknowledged} acknowledged changes in {CYCLES} kills"
    record("S1", not found and slowest <= 2, f"{lost}; ready in {slowest:.1f} s", "0 lost or split, ready in 2 s")
    record("S8", not found, f"{engine}: {again} repeated after a kill, {len(found)} of them executed twice", "1 effect")
    assert not found
    assert slowest < 20


def ask_again(base_url: str, said: Said) -> int:
    """Repeat the unanswered requests with their idempotency keys; return their number."""
    groups = {key: name for key, name in said.groups_asked.items() if key not in said.groups}
    sessions = said.sessions_asked - said.sessions.keys()
    if groups or sessions:
        headers = {"Authorization": f"Bearer {token_of(base_url, 'eva')}"}
        with httpx.Client(base_url=f"{base_url}/core", headers=headers, trust_env=False) as client:
            for key, name in groups.items():
                said.groups[key] = make_group(client, key, name)
            for key in sessions:
                said.sessions[key] = make_session(client, key)
    return len(groups) + len(sessions)


def test_a_large_database_is_ready_soon_after_a_kill(tmp_path: Path) -> None:
    """A million rows in the long run; growth with the number of rows shows in the short one as well."""
    rows = ROWS if LONG >= 5 else 20_000
    path, said = tmp_path / "desk.db", Said()
    open_service(path, world="quiet", settings=ServiceSettings(password_cost=Cost.cheap())).platform.close()
    grow(path, rows)
    with started(path) as service:
        threads = load(service.base_url, said, acknowledged=20)
        service.process.kill()
        for thread in threads:
            thread.join()
    with started(path) as service:
        record("S1", service.seconds <= 2, f"with {rows} rows more ready in {service.seconds:.1f} s", "ready in 2 s")
        assert service.seconds < 20
