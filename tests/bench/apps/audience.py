"""Many subscribers of an event channel in one process, which only count events.

Prints `ready` once all are subscribed, and the monotonic time whenever all of them have received another COUNT events.

    python -m tests.bench.apps.audience EVENTS_URL SUBSCRIBERS COUNT [TOKEN...]
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from websockets.asyncio.client import ClientConnection, connect

SIGN = b'"type":"event"'


class Total:
    """The number of events received by all subscribers together."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._count = 0

    def add(self, came: int) -> None:
        """Add events, and print the time when every subscriber has received COUNT more."""
        self._count += came
        if self._count >= self._wanted:
            self._count -= self._wanted
            print(time.monotonic(), flush=True)


class Counting(asyncio.Protocol):
    """Protocol of an open connection that counts the events in the data received."""

    def __init__(self, total: Total) -> None:
        self._total = total
        self._tail = b""

    def data_received(self, data: bytes) -> None:
        """Count the events. An incomplete event is counted with the next data."""
        text = self._tail + data
        self._total.add(text.count(SIGN))
        end = text.rfind(SIGN)
        self._tail = text[max(end + len(SIGN) if end >= 0 else 0, len(text) - len(SIGN) + 1) :]


async def main(url: str, subscribers: int, count: int, tokens: list[str]) -> None:
    total = Total(subscribers * count)
    open_channels: list[ClientConnection] = []
    for number in range(subscribers):
        headers = {"Authorization": f"Bearer {tokens[number % len(tokens)]}"} if tokens else {}
        channel = await connect(url, compression=None, additional_headers=headers, ping_interval=None)
        await channel.send(json.dumps({"type": "subscribe", "topics": ["presence"]}))
        await channel.recv()
        channel.transport.set_protocol(Counting(total))
        open_channels.append(channel)
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
