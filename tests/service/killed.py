"""A service process that is killed under load, and checks of its database afterwards."""

from __future__ import annotations

import itertools
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg

from console.service.auth.sealing import Seals
from console.service.domain.calls import ENDED
from console.service.http.idempotency import Attempt
from tests.service.over_http import data, get, token_of

PROGRAM = """
import sys
from pathlib import Path
from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.serve import open_service, run
cost = Cost() if "full-cost" in sys.argv else Cost.cheap()
key = Path(sys.argv[2]) if sys.argv[2] else None
place = sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])
setup = open_service(place, world="quiet", settings=ServiceSettings(password_cost=cost, key_file=key))
run(setup, announce=lambda url: print(url, flush=True))
print("ended", flush=True)
"""


LOAD = "load"
"""The description of sessions that are created under load."""


@dataclass(frozen=True)
class Started:
    """A running process."""

    process: subprocess.Popen[str]
    base_url: str
    seconds: float
    """Seconds from the start of the process to its first answer."""


@contextmanager
def started(database: Path | str, *options: str, key: Path | None = None) -> Generator[Started]:
    """Run a service on a file or URL until it is killed, at the latest at the end of the block.

    Hashing of passwords is cheap except with `full-cost`. A file has its key beside it; a URL needs that of `key`.
    """
    began = time.monotonic()
    command = [sys.executable, "-c", PROGRAM, str(database), str(key or ""), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().strip()
            data(get(f"{base_url}/health"))
            yield Started(process, base_url, time.monotonic() - began)
        finally:
            process.kill()


@dataclass
class Said:
    """The requests that were sent, and those that the service has acknowledged."""

    groups_asked: dict[str, str] = field(default_factory=dict[str, str])
    """Name of each requested group by its idempotency key."""
    groups: dict[str, str] = field(default_factory=dict[str, str])
    """Id of each created group by its key."""
    sessions_asked: set[str] = field(default_factory=set[str])
    """Idempotency keys of requested sessions. Their answers contain a token, which is sent only once."""
    sessions: dict[str, str] = field(default_factory=dict[str, str])
    """Id of each created session by its key."""
    ended: set[str] = field(default_factory=set[str])
    numbers: list[int] = field(default_factory=list[int])
    """Numbers written into the same field one after the other."""

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged changes."""
        return len(self.groups) + len(self.sessions) + len(self.ended) + len(self.numbers)


def load(base_url: str, said: Said, acknowledged: int, workers: int = 3) -> list[threading.Thread]:
    """Send changes from several threads; return them once `acknowledged` more have been acknowledged.

    The threads run until the service stops answering.
    """
    numbers = itertools.count(len(said.groups_asked) + len(said.numbers))
    enough = said.acknowledged + acknowledged
    token = token_of(base_url, "eva")

    def change(client: httpx.Client) -> None:
        number = next(numbers)
        key, name = f"key {number}", f"load {number}"
        said.groups_asked[key] = name
        said.groups[key] = make_group(client, key, name)
        said.sessions_asked.add(key)
        session = said.sessions[key] = make_session(client, key)
        data(client.post("/sessions/revoke", json={"id": session}))
        said.ended.add(session)
        data(client.put("/users/pat", json={"alias": str(number)}))
        said.numbers.append(number)

    def work() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        with (
            suppress(httpx.TransportError),
            httpx.Client(base_url=f"{base_url}/core", headers=headers, trust_env=False) as client,
        ):
            while True:
                change(client)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 60
    while said.acknowledged < enough:
        assert time.monotonic() < end, "the service is too slow, or fails"
        assert any(thread.is_alive() for thread in threads), "the service fails"
        time.sleep(0.001)
    return threads


def make_group(client: httpx.Client, key: str, name: str) -> str:
    """Create a group under an idempotency key and return its id."""
    answered = client.post("/groups", json={"name": name}, headers={"Idempotency-Key": key})
    return str(data(answered)["groupId"])


def make_session(client: httpx.Client, key: str) -> str:
    """Create a session under an idempotency key and return its id."""
    asked = {"context": {"src": LOAD}}
    answered = data(client.post("/sessions", json=asked, headers={"Idempotency-Key": f"session {key}"}))
    assert answered["token"]
    return str(answered["id"])


Store = sqlite3.Connection | psycopg.Connection[Any]
"""The database of a killed service, to read in."""


@contextmanager
def examined(database: Path | str) -> Generator[Store]:
    """Open the database of a killed service as it is, without a change: of a file a copy, of a server one moment."""
    if isinstance(database, str):
        with psycopg.connect(database) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            yield connection
        return
    with tempfile.TemporaryDirectory(dir=database.parent) as folder:
        for end in ("", "-wal"):
            source = database.with_name(database.name + end)
            if source.exists():
                shutil.copyfile(source, Path(folder) / source.name)
        with closing(sqlite3.connect(Path(folder) / database.name)) as connection:
            yield connection


def faults(connection: Store, key: bytes, said: Said) -> list[str]:
    """Return the inconsistencies between a database and everything in `said`. `key` decrypts its secrets."""
    found = _splits(connection)
    if isinstance(connection, sqlite3.Connection):
        found += [f"integrity: {row}" for row in _rows(connection, "PRAGMA integrity_check") if row != ("ok",)]
    groups = dict(_rows(connection, "SELECT key, name FROM groups WHERE name LIKE 'load %'"))
    answers = _answers(connection, Seals(key))
    kept = {key: str(answer["groupId"]) for key, answer in answers.items() if "groupId" in answer}
    found += [f"lost group {key}" for key, group in said.groups.items() if group not in groups]
    found += [f"group {name} without its kept answer" for group, name in groups.items() if group not in kept.values()]
    found += [f"kept answer of {key} without its group" for key, group in kept.items() if group not in groups]
    found += [f"{name} twice" for name in set(groups.values()) if list(groups.values()).count(name) > 1]
    live = {key for (key,) in _rows(connection, "SELECT key FROM sessions")}
    ended = {key for (key,) in _rows(connection, "SELECT key FROM ended_sessions")}
    found += [f"lost session {key}" for key in {*said.sessions.values()} - live - ended]
    made = _made_by_load(connection)
    told = {str(answer["id"]) for answer in answers.values() if "token" in answer}
    found += [f"session {key} without its kept answer, or the other way round" for key in made ^ told]
    found += [f"session {key} is live again" for key in said.ended & live]
    found += [f"session {key} both live and ended" for key in live & ended]
    good = "SELECT session FROM tokens WHERE session != '' AND revoked IS NULL"
    found += [f"token of the ended session {key}" for (key,) in _rows(connection, good) if key in ended]
    ((body,),) = _rows(connection, "SELECT body FROM users WHERE key = 'pat'")
    if said.numbers and not int(json.loads(body)["alias"]) >= min(said.numbers[-3:]):
        found.append("an older name of pat than the last ones acknowledged")
    return found


def _splits(connection: Store) -> list[str]:
    """Compare the last event of each record with the record."""
    told = 'SELECT topic, key, kind, body FROM outbox ORDER BY "offset"'
    last = {(topic, key): (kind, body) for topic, key, kind, body in _rows(connection, told)}
    records = {
        (topic, key): body
        for topic in {topic for topic, _ in last}
        for key, body in _rows(connection, f'SELECT key, body FROM "{topic}"')
    }
    return [
        f"{topic} {key}: the last event says another thing than the record"
        for (topic, key), (kind, body) in last.items()
        if records.get((topic, key)) != (body if kind == "upsert" else None)
    ]


def _answers(connection: Store, seals: Seals) -> dict[str, Any]:
    """Return the stored answers of idempotent requests by key."""
    found: dict[str, Any] = {}
    asked = 'SELECT "user", key, body FROM idempotency WHERE status = 200'
    for owner, key, body in _rows(connection, asked):
        attempt = Attempt(owner, key, "")
        found[key] = json.loads(seals.unseal(attempt.purpose, bytes(body).decode()))
    return found


def _made_by_load(connection: Store) -> set[str]:
    made: set[str] = set()
    for table in ("sessions", "ended_sessions"):
        for key, body in _rows(connection, f"SELECT key, body FROM {table}"):
            match json.loads(body):
                case {"context": {"src": source}} if source == LOAD:
                    made.add(key)
                case _:
                    pass
    return made


def _rows(connection: Store, query: str) -> list[Any]:
    if isinstance(connection, sqlite3.Connection):
        return connection.execute(query).fetchall()
    return connection.execute(query.encode()).fetchall()


def grow(path: Path, rows: int) -> None:
    """Insert many ended calls into a database that no service has open."""
    with sqlite3.connect(path) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(calls)") if row[1] not in {"key", "body"}]
        listed = ", ".join(f'"{name}"' for name in names)
        connection.execute(
            f"INSERT INTO calls (key, body, {listed}) "
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) "
            f"SELECT 'grown-' || i, json_set(body, '$.id', 'grown-' || i), {listed} "
            f"FROM n, (SELECT * FROM calls WHERE state IN ({', '.join('?' * len(ENDED))}) ORDER BY key LIMIT 1)",
            tuple(ENDED),
        )
    connection.close()
