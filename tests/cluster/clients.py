"""Clients of a cluster that change and watch over HTTP and WebSocket, and what each was told."""

from __future__ import annotations

import asyncio
import json
import random
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from console.api.events import OFFSET_HEADER, Event, Heartbeat, Subscribed
from console.client.dialects import read_message

ANSWER_SECONDS = 12.0
"""A request without an answer is repeated after this time, at the next node."""
SILENT_SECONDS = 6.0
"""A channel that is silent for this long is opened again, at the next node."""
PAUSE_SECONDS = 0.1
"""Before something that failed is tried again."""
PASSING = {409, 502, 503, 504}
"""Answers after which the same request is repeated."""


@dataclass
class Ledger:
    """What all clients know of the changes."""

    names: set[str] = field(default_factory=set[str])
    """The new names in acknowledged changes, each of which is used once."""
    statuses: Counter[int] = field(default_factory=Counter[int])
    faults: list[str] = field(default_factory=list[str])
    """Answers and messages that must not be."""
    _times: list[float] = field(default_factory=list[float])
    _heads: list[int] = field(default_factory=list[int])

    def acknowledge(self, name: str, offset: int) -> None:
        """Note a change, and the offset that its answer names."""
        self.names.add(name)
        self._times.append(time.monotonic())
        self._heads.append(max(offset, self._heads[-1] if self._heads else 0))

    @property
    def last_offset(self) -> int:
        """The largest offset that an answer has named."""
        return self._heads[-1] if self._heads else 0

    def age_of(self, offset: int) -> float:
        """Return for how many seconds an acknowledged change after an offset is known; 0 without one."""
        first = bisect_left(self._heads, offset + 1)
        return time.monotonic() - self._times[first] if first < len(self._heads) else 0.0


@dataclass
class Client:
    """A client that renames a group of its own, creates others, and has a channel that it resumes."""

    number: int
    token: str
    addresses: Sequence[str]
    """Base URLs, which it uses in turn."""
    ledger: Ledger
    pause: float
    """Mean time between two changes in seconds."""
    acknowledged: list[float] = field(default_factory=list[float])
    """When each change was acknowledged, by `time.monotonic`."""
    epoch: str = ""
    start: int = 0
    position: int = 0
    offsets: list[int] = field(default_factory=list[int])
    oldest_proof: float = 0.0
    """Longest time for which a change was acknowledged that a heartbeat did not cover, in seconds."""
    resumed: int = 0
    """Number of times that the channel was opened again."""

    @property
    def written(self) -> int:
        """The number of acknowledged changes."""
        return len(self.acknowledged)

    def age_of(self, name: str) -> float:
        """Return for how many seconds a later name of its group than this one is acknowledged; 0 without one."""
        later = int(name.rpartition(" ")[2]) + 1
        return time.monotonic() - self.acknowledged[later] if later < self.written else 0.0

    @property
    def group(self) -> str:
        """The id of its group."""
        return f"client-{self.number}"

    async def write(self, ended: asyncio.Event, lot: random.Random) -> None:
        """Create the group, and rename it until the end; each change is repeated until it is acknowledged."""
        limits = httpx.Timeout(ANSWER_SECONDS)
        async with httpx.AsyncClient(timeout=limits, trust_env=False) as http:
            while not ended.is_set():
                if self.written % 4 == 1:
                    # Without an id, twice the same request would create two groups.
                    await self._repeat(http, "POST", "", f"created-{self.number} {self.written}")
                name = f"{self.group} {self.written}"
                if self.written:
                    await self._repeat(http, "PUT", f"/{self.group}", name)
                else:
                    await self._repeat(http, "POST", "", name, groupId=self.group)
                self.acknowledged.append(time.monotonic())
                await asyncio.sleep(self.pause * lot.uniform(0.5, 1.5))

    async def _repeat(self, http: httpx.AsyncClient, method: str, path: str, name: str, **body: str) -> None:
        """Send a change at one address after the other until it is acknowledged."""
        attempt = self.number
        while not await self._send(http, method, path, {"name": name, **body}, attempt):
            attempt += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _send(
        self, http: httpx.AsyncClient, method: str, path: str, body: Mapping[str, str], attempt: int
    ) -> bool:
        """Send a change under its name as a key; return whether it was acknowledged."""
        name = body["name"]
        url = f"{self.addresses[attempt % len(self.addresses)]}/core/groups{path}"
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": name}
        try:
            answer = await http.request(method, url, json=body, headers=headers)
        except httpx.HTTPError:
            return False
        self.ledger.statuses[answer.status_code] += 1
        if answer.is_success:
            self.ledger.acknowledge(name, int(answer.headers.get(OFFSET_HEADER, 0)))
        elif answer.status_code not in PASSING:
            self.ledger.faults.append(f"{name}: {answer.status_code} {answer.text}")
        return answer.is_success

    async def watch(self) -> None:
        """Follow the groups until cancelled, and resume at the next address when the channel ends."""
        attempt = self.number
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            address = self.addresses[attempt % len(self.addresses)].replace("http", "ws", 1)
            attempt += 1
            try:
                async with connect(
                    f"{address}/events",
                    additional_headers=headers,
                    proxy=None,
                    open_timeout=SILENT_SECONDS,
                    close_timeout=0.1,
                    compression=None,
                ) as channel:
                    asked: dict[str, object] = {"type": "subscribe", "topics": ["groups"]}
                    if self.epoch:
                        asked["resume"] = {"epoch": self.epoch, "offset": self.position}
                        self.resumed += 1
                    await channel.send(json.dumps(asked))
                    while True:
                        async with asyncio.timeout(SILENT_SECONDS):
                            text = await channel.recv(decode=False)
                        self.take(text)
            except (OSError, TimeoutError, WebSocketException):
                await asyncio.sleep(PAUSE_SECONDS)

    def take(self, text: bytes) -> None:
        """Note a message of the channel."""
        message = read_message(text)
        if isinstance(message, Heartbeat):
            self.oldest_proof = max(self.oldest_proof, self.ledger.age_of(message.offset))
        elif isinstance(message, Subscribed):
            if not self.epoch:
                self.epoch, self.start, self.position = message.epoch, message.offset, message.offset
        elif isinstance(message, Event) and message.kind == "upsert":
            if message.after != self.position:
                self._fault(f"event {message.offset} comes after {self.position} instead of {message.after}")
            self.offsets.append(message.offset)
            self.position = message.offset
        else:
            self._fault(f"unexpected {text[:200]!r}")

    def _fault(self, fault: str) -> None:
        self.ledger.faults.append(f"{self.group}: {fault}")
