"""Records the walk of an operation in the service: an alert is accepted over HTTP, and a subscriber gets the event.

    python -m tests.walks.service_walk

Prints the walk as JSON.
"""

from __future__ import annotations

import json
from typing import Any

from websockets.sync.client import connect

from console.service.scenarios.fill import fill
from tests.background import start_background
from tests.patience import PATIENCE
from tests.service.over_http import data, log_in
from tests.walks.recorder import Recorder, Walk, recorded

USER, ALERT = "eva", "alert-1"


def service_walk() -> Walk:
    """Return the walk, in the threads of the service."""
    recorder = Recorder(lambda thread: thread != "MainThread")
    with (
        recorded(recorder),
        start_background(lambda platform: fill(platform, "busy")) as service,
        log_in(service, USER) as client,
        connect(service.events_url, additional_headers=_login(client), proxy=None, compression=None) as channel,
    ):
        channel.send(json.dumps({"type": "subscribe", "topics": ["alerts"]}))
        assert json.loads(channel.recv(PATIENCE))["type"] == "subscribed"
        recorder.begin(ALERT)
        data(client.post("/alerts/accept", json={"alertId": ALERT}))
        while ALERT not in str(channel.recv(PATIENCE)):
            """Not the event."""
        # By then, the service has finished with the event.
        data(client.get("/capabilities"))
        return recorder.end()


def _login(client: Any) -> dict[str, str]:
    return {"Authorization": client.headers["Authorization"]}


if __name__ == "__main__":
    print(json.dumps({"service": service_walk()}))
