"""The embedded service with a scenario that changes on request.

Prints its base URL. Then reads a topic and a number of changes per line (`presence 500`, `calls 10`), and prints when
the changes start and when all of them are written.

    python -m tests.bench.apps.service WORLD
"""

from __future__ import annotations

import sys
import threading
import time
from itertools import count
from typing import Any

from console.service.domain.calls import CALLS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE
from console.service.platform import Platform
from console.service.serve import open_service, run
from console.service.store.documents import Documents

WATCHERS = ("eva", "ana", "bob", "carla")
"""Users who may see everything. The number of channels per user is limited."""
TOGETHER = 10
"""Changes per transaction."""
_numbers = count()


CHANGED: dict[str, tuple[Documents[Any], str]] = {
    "presence": (PRESENCE, "note"),
    "calls": (CALLS, "target"),
}
"""The tables that can be changed by topic, with the field that is changed."""


def change(platform: Platform, topic: str, changes: int) -> None:
    """Change rows, a few per transaction, and print when that started and ended."""
    documents, field = CHANGED[topic]
    with platform.read() as tx:
        rows = documents.records(tx, limit=TOGETHER)
    print(time.monotonic(), flush=True)
    for _ in range(0, changes, TOGETHER):
        with platform.write() as tx:
            for each in rows[:changes]:
                documents.put(tx, each.model_copy(update={field: f"change {next(_numbers)}"}))
    print(time.monotonic(), flush=True)


def listen(platform: Platform) -> None:
    """Execute the requests on standard input."""
    for line in sys.stdin:
        topic, changes = line.split()
        change(platform, topic, int(changes))


if __name__ == "__main__":
    stage = open_service(world=sys.argv[1], speed=0)
    with stage.platform.write() as tx:
        for name in WATCHERS:
            USERS.put(tx, USERS.need(tx, name).model_copy(update={"role": "admin"}))
    threading.Thread(target=listen, args=(stage.platform,), daemon=True).start()
    run(stage, announce=lambda address: print(address, flush=True))
