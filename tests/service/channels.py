"""Event channels of clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from console.api.events import Damaged, Event, Heartbeat, Reset, Subscribed
from console.client.dialects import read_message
from console.service.domain.groups import GROUPS
from tests.background import Running
from tests.patience import PATIENCE

Open = Callable[..., ClientConnection]
"""Opens a channel with a client's login and subscribes to topics."""


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
