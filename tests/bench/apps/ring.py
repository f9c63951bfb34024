"""The minimal program that rings, as a baseline: `websockets` and `json`, and a bell for every event about an alert.

python -m tests.bench.apps.ring EVENTS_URL
"""

from __future__ import annotations

import asyncio
import json
import sys

import websockets


async def main(url: str) -> None:
    async with websockets.connect(url, compression=None, max_queue=1024) as channel:
        await channel.send(json.dumps({"type": "subscribe", "topics": ["calls", "presence", "agents", "alerts"]}))
        await channel.recv()
        sys.stdout.write("ready")
        sys.stdout.flush()
        while True:
            event = json.loads(await channel.recv())
            if event.get("topic") == "alerts":
                sys.stdout.write(f"\a{event['key']}")
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
