"""Two nodes on one PostgreSQL database, in one process."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from console.api.events import Event, Heartbeat
from console.base.clock import SystemClock
from console.base.frozen import replace
from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.store.database import Database
from tests.background import Running, start_background
from tests.live.until import until
from tests.service.channels import heard
from tests.service.over_http import fill
from tests.stores import new_url, with_key


@dataclass(frozen=True)
class Nodes:
    """Two nodes, and the URL of their database."""

    a: Running
    b: Running
    url: str

    def on_duty(self) -> tuple[Running, Running]:
        """Wait until one of them has the duty; return it, and the other one."""
        pairs = [(self.a, self.b), (self.b, self.a)]
        until(lambda: any(first.database.has_duty for first, _ in pairs), seconds=30)
        return next(pair for pair in pairs if pair[0].database.has_duty)


def opened(url: str) -> Database:
    """Open a database with the time of the system."""
    return Database(url, SystemClock().now_ms)


@contextmanager
def two_nodes(settings: ServiceSettings | None = None) -> Generator[Nodes]:
    """Start two nodes with the small scenario."""
    settings = replace(with_key(settings or ServiceSettings()), password_cost=Cost.cheap())
    with ExitStack() as stack:
        url = stack.enter_context(new_url())
        first = stack.enter_context(start_background(fill, settings=settings, database=opened(url)))
        second = stack.enter_context(start_background(settings=settings, database=opened(url)))
        yield Nodes(first, second, url)


def events_until(opened: ClientConnection, last: int) -> list[Event]:
    """Return the next events up to an offset."""
    events: list[Event] = []
    while not events or events[-1].offset < last:
        message = heard(opened)
        if not isinstance(message, Heartbeat):
            assert isinstance(message, Event), message
            events.append(message)
    return events


def rest_of(opened: ClientConnection) -> tuple[list[Event], int | None]:
    """Return the events until the channel is closed, and the code with which it was; None without one."""
    events: list[Event] = []
    try:
        while True:
            message = heard(opened)
            events += [message] if isinstance(message, Event) else []
    except ConnectionClosed as closed:
        return events, None if closed.rcvd is None else closed.rcvd.code


def is_chain(events: Sequence[Event], start: int) -> bool:
    """Return whether each event follows the one before, the first a start."""
    offsets = [start, *(event.offset for event in events)]
    return [event.after for event in events] == offsets[:-1] and offsets == sorted(set(offsets))
