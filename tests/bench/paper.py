"""The answers of the embedded service for a scenario, recorded so that a load generator can serve them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

from console.kinds.catalogue import FEEDS
from console.service.scenarios.fill import fill
from tests.background import start_background

WHO = ("eva", "demo")
BESIDES = ("/users/current", "/capabilities")
"""Paths that a console requests besides its lists."""


def record(folder: Path, world: str) -> None:
    """Fill a service with a scenario and record the answer of every list."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        start_background(lambda platform: fill(platform, world)) as running,
        httpx.Client(base_url=running.core_url, timeout=60) as core,
    ):
        login = {"grant_type": "password", "username": WHO[0], "password": WHO[1]}
        token = core.post("/oauth2/token", json=login).json()["access_token"]
        core.headers["Authorization"] = f"Bearer {token}"
        paths = [feed.listings[-1].operation.route.template for feed in FEEDS.values()]
        for path in (*paths, *BESIDES):
            # An admin's console asks for everybody's presence. Other lists have no such input.
            answer = core.get(path, params={"allUsers": "true"})
            if answer.is_success:
                (folder / _name(path)).write_bytes(answer.content)


def answers(folder: Path) -> dict[str, bytes]:
    """Return the recorded answers by path."""
    return {"/" + file.stem.replace("+", "/"): file.read_bytes() for file in folder.glob("*.json")}


def _name(path: str) -> str:
    return path.strip("/").replace("/", "+") + ".json"


def long_calls(rows: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """Lengthen each call's list of attempts until the call has `size` bytes."""
    longer: list[dict[str, Any]] = []
    for row in rows:
        attempts = list(row.get("attempts", ()))
        attempt = {"address": f"svc-user:{row['id']}", "from": row["date"], "to": row["date"] + 1, "state": "noanswer"}
        missing = size - len(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode())
        attempts += [attempt] * max(0, round(missing / (len(json.dumps(attempt, separators=(",", ":"))) + 1)))
        longer.append({**row, "attempts": attempts})
    return longer


def thin_calls(count: int, now_ms: int) -> list[dict[str, Any]]:
    """Return calls of few fields, so that a list of fifty thousand fits into one answer that a console accepts."""
    return [
        {
            "id": f"t{number:06}",
            "caller": f"+346{number:08}",
            "calle": f"+349{number % 997:08}",
            "target": ("sales", "support", "billing")[number % 3],
            "date": now_ms - 1000 * (count - number),
            "from": now_ms - 1000 * (count - number),
            "state": ("connected", "queued", "ringing")[number % 3],
            "queueposition": number % 40,
        }
        for number in range(count)
    ]
