"""The embedded service: events to two hundred consoles, and a long list right after a change."""

from __future__ import annotations

import http.client
import json
import time
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

from tests.bench.apps.service import WATCHERS
from tests.bench.bench import Bench
from tests.bench.figures import Figure, at_least, middle
from tests.bench.seat import Load, Talking

SUBSCRIBERS = 200
EVENTS = 500
LISTS = 10


def measure(bench: Bench) -> Iterator[Figure]:
    """Write changes that all subscribers receive; request the list of calls after each change."""
    subscribers, events = (4, 20) if bench.small else (SUBSCRIBERS, EVENTS)
    ours: list[float] = []
    bare: list[float] = []
    with bench.loads(1) as (load,), Talking("apps.service", "busy" if bench.small else "large") as service:
        base = service.hear()
        tokens = [_token(f"{base}/core", name) for name in WATCHERS]
        channel = f"ws{base.removeprefix('http')}/events"
        load.tell("world")
        with Talking("apps.audience", channel, str(subscribers), str(events), *tokens) as audience:
            assert audience.hear() == "ready"
            for _ in range(bench.rounds):
                service.say(f"presence {events}")
                began = float(service.hear())
                ours.append(subscribers * events / (float(audience.hear()) - began))
                service.hear()
        with Talking("apps.audience", load.events, str(subscribers), str(events)) as audience:
            assert audience.hear() == "ready"
            for _ in range(bench.rounds):
                began = load.tell("burst", count=events, key="", to="")["began"]
                bare.append(subscribers * events / (float(audience.hear()) - began))
        changed, kept, stored = _lists(bench, service, f"{base}/core", tokens[0], load)
    than = "writing the frames only"
    yield at_least(f"events to {subscribers} subscribers", middle(ours), middle(bare), 50_000, than=than, times=False)
    yield at_least("list of 10 000 calls, just changed", 1 / changed, 1 / stored, 0.5, than="sending the stored bytes")
    yield at_least("list of 10 000 calls, unchanged", 1 / kept, 1 / stored, 0.5, than="sending the stored bytes")


def _lists(bench: Bench, service: Talking, core: str, token: str, load: Load) -> tuple[float, float, float]:
    """Return the median seconds for the list after a change, for an unchanged list, and for as many stored bytes."""
    found: tuple[list[float], list[float], list[float]] = ([], [], [])
    for _ in range(2 if bench.small else bench.rounds * LISTS):
        service.say("calls 1")
        service.hear()
        # Only the list is measured, not the change.
        service.hear()
        found[0].append(_asked(f"{core}/calls", token))
        found[1].append(_asked(f"{core}/calls", token))
        found[2].append(_asked(f"{load.core}/stored", token))
    return middle(found[0]), middle(found[1]), middle(found[2])


def _asked(url: str, token: str) -> float:
    """Return the seconds of one request over an open connection."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 0, timeout=60)
    connection.connect()
    began = time.monotonic()
    connection.request("GET", parts.path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    answer.read()
    took = time.monotonic() - began
    connection.close()
    assert answer.status == 200, url
    return took


def _token(core: str, name: str) -> str:
    login = {"grant_type": "password", "username": name, "password": "demo"}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{core}/oauth2/token", json.dumps(login).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["access_token"])
