"""The minimal receiver of events, as a baseline: `websockets` alone, which looks only at the size of messages.

Prints `ready` once it is subscribed, and the monotonic time after each COUNT events.

    python -m tests.bench.apps.receive EVENTS_URL COUNT
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import websockets


async def main(url: str, count: int) -> None:
    async with websockets.connect(url, compression=None, max_queue=1024) as channel:
        await channel.send(json.dumps({"type": "subscribe", "topics": ["calls", "presence", "agents"]}))
        await channel.recv()
        print("ready", flush=True)
        while True:
            came = 0
            while came < count:
                # Heartbeats are shorter than any event.
                came += len(await channel.recv()) > 150
            print(time.monotonic(), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
