"""The embedded service with a world that changes when it is told to.

Prints its base URL; then reads what to change and how often: `presence 500`, `calls 10`; says when it begins, and when
all of it is written.

python -m tests.bench.apps.service WORLD
"""

from __future__ import annotations

import sys
import threading
import time
from itertools import count
from typing import Any

from console.service.documents import Documents
from console.service.domain.calls import CALLS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE
from console.service.platform import Platform
from console.service.serve import open_service, run

WATCHERS = ("eva", "ana", "bob", "carla")
"""Who may see everything; one user may have no more than so many channels."""
TOGETHER = 10
"""Changes of one transaction."""
_numbers = count()


CHANGED: dict[str, tuple[Documents[Any], str]] = {
    "presence": (PRESENCE, "note"),
    "calls": (CALLS, "target"),
}
"""What can be changed, and the field that is."""


def change(platform: Platform, topic: str, changes: int) -> None:
    """Change rows, a few in each transaction, and say when that began and ended."""
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
    """Do what comes over standard input."""
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
