"""Event channels of clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from console.api.events import Damaged, Event, Heartbeat, Reset, Subscribed
from console.client.dialects import read_message
from console.service.domain.groups import GROUPS
from tests.background import Running
from tests.patience import PATIENCE

Open = Callable[..., ClientConnection]
"""Opens a channel with a client's login and subscribes to topics."""


@contextmanager
def subscribed(
    events_url: str, client: httpx.Client, *topics: str, resume: tuple[str, int] | None = None, stalls: bool = False
) -> Generator[ClientConnection]:
    """Open a channel with the login of a client, if it has one, and subscribe to topics, if there are any.

    If it `stalls`, it stops reading from the socket while a message waits, as a console might.
    """
    headers = {name: client.headers[name] for name in ("Authorization",) if name in client.headers}
    queue, close_timeout = (1, 0.1) if stalls else (16, 10.0)
    with connect(
        events_url,
        additional_headers=headers,
        proxy=None,
        compression=None,
        max_queue=queue,
        close_timeout=close_timeout,
    ) as channel:
        asked: dict[str, Any] = {"type": "subscribe", "topics": topics}
        if resume is not None:
            asked["resume"] = {"epoch": resume[0], "offset": resume[1]}
        if topics:
            channel.send(json.dumps(asked))
        yield channel


def heard(channel: ClientConnection) -> Subscribed | Reset | Event | Heartbeat:
    message = read_message(channel.recv(timeout=PATIENCE, decode=False))
    assert message is not None
    assert not isinstance(message, Damaged)
    return message


def confirmed(channel: ClientConnection) -> Subscribed:
    """Return the confirmation of the subscription, which comes first."""
    message = heard(channel)
    assert isinstance(message, Subscribed)
    return message


def told(event: Event) -> Any:
    """Return the content of an event."""
    return json.loads(bytes(event.body))


def next_event(channel: ClientConnection) -> Event:
    while True:
        message = heard(channel)
        if isinstance(message, Event):
            return message


def close_code(channel: ClientConnection) -> int | None:
    """Read until the channel is closed; an open channel times out."""
    try:
        while True:
            channel.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def rename(service: Running, name: str) -> None:
    with service.platform.write() as tx:
        GROUPS.put(tx, GROUPS.need(tx, "night").model_copy(update={"name": name}))
