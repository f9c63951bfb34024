"""Consumers of events without a network, and the comparison of their rows with fresh lists."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from console.api.errors import ApiError
from console.api.events import Event, Heartbeat, Point, Subscribe, Subscribed
from console.api.operations.support import ListAlerts
from console.api.request import Request
from console.base.clock import Clock
from console.client.dialects import read_message
from console.client.fetched import Fetched
from console.kinds.catalogue import FEEDS
from console.live.follower import Follower
from console.live.listing import Lister
from console.records.record import Record
from console.service.auth.caller import Caller
from console.service.domain.people import USERS
from console.service.events.hub import Hub
from console.service.events.stream import start_of
from console.service.handlers.handler import HANDLERS
from console.service.http.dispatch import check_access, lay_out
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.store.documents import TOPICS
from tests.live.until import settled

Held = dict[str, dict[str, Any]]
"""Rows by key, by topic."""
EVER = 10**12
"""A period in ms that covers all alerts."""
LIVES = frozenset({"memoryUsage"})
"""Fields that differ each time the status is read."""


def caller_of(platform: Platform, user_id: str) -> Caller:
    """Return the caller for a user."""
    with platform.read() as tx:
        return Caller(USERS.need(tx, user_id))


class Lists:
    """Answers list requests of one caller as the service does, without HTTP."""

    def __init__(self, platform: Platform, caller: Caller) -> None:
        self._platform = platform
        self._caller = caller

    def grants(self, request: Request[Any]) -> bool:
        """Return whether the caller may use the operation."""
        try:
            check_access(request.operation, self._caller)
        except Refusal:
            return False
        return True

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        """Answer a request for a list."""
        platform = self._platform
        with platform.read() as tx:
            result = HANDLERS[type(request)].run(request, self._caller, platform, tx)
            _, body = lay_out(type(request), result, platform.variant)
            return Fetched(body=body, point=Point(epoch=platform.database.epoch, offset=tx.head), etag=None)


class _AllAlerts(Lists):
    """Lists all alerts, including those that ended long ago."""

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        if isinstance(request, ListAlerts):
            request = ListAlerts(accepted_since=EVER, expired_since=EVER, canceled_since=EVER)
        return await super().fetch(request)


async def everything_listed(platform: Platform, caller: Caller) -> Held:
    """List every topic, by the operation that lists all visible records of it, otherwise by its rule alone."""
    lists = _AllAlerts(platform, caller)
    found: Held = {}
    for topic, documents in TOPICS.items():
        feed = FEEDS.get(topic)
        if feed is not None and lists.grants(feed.listings[0]):
            listed = (await Lister(feed, lists).list()).rows or {}
        else:
            with platform.read() as tx:
                bodies = documents.all_shown(documents.bodies(tx, caller=caller), platform.variant)
            listed = {documents.read(body).key: body.encode() for body in bodies}
        found[topic] = {key: _steady(row) for key, row in listed.items()}
    return found


def _steady(row: bytes) -> Any:
    return {name: value for name, value in json.loads(row).items() if name not in LIVES}


def _wire(record: Record) -> Any:
    return {name: value for name, value in record.wire().items() if name not in LIVES}


def _differing(what: str, held: dict[str, Any], listed: dict[str, Any]) -> list[str]:
    keys = sorted(held.keys() | listed.keys())
    return [f"{what} {key}: {held.get(key)} is {listed.get(key)}" for key in keys if held.get(key) != listed.get(key)]


class Ear:
    """A subscription to some topics, or to all."""

    def __init__(self, platform: Platform, hub: Hub, caller: Caller, *topics: str) -> None:
        self._hub = hub
        self._subscriber = hub.join(caller)
        hub.begin(self._subscriber, start_of(platform, caller, Subscribe(topics=topics or tuple(TOPICS))))

    async def events(self) -> list[Event]:
        """Return all events sent so far."""
        # The hub is notified of commits in the next turn of the loop.
        await asyncio.sleep(0)
        self._hub.beat(self._subscriber)
        found: list[Event] = []
        while True:
            for text in await self._subscriber.next():
                message = read_message(text)
                if isinstance(message, Heartbeat):
                    return found
                if not isinstance(message, Subscribed):
                    assert isinstance(message, Event), message
                    found.append(message)


class Watcher:
    """A consumer that lists every topic and then applies the events."""

    def __init__(self, platform: Platform, hub: Hub, user_id: str, listed: Held) -> None:
        """Subscribe now; `listed` are the current lists."""
        self._platform = platform
        self._caller = caller_of(platform, user_id)
        self._ear = Ear(platform, hub, self._caller)
        self._held = {topic: dict(rows) for topic, rows in listed.items()}

    async def differences(self) -> list[str]:
        """Return how the rows held differ from fresh lists."""
        for event in await self._ear.events():
            # The only row of the status has no key of its own.
            key = "status" if event.topic == "status" else event.key
            if event.kind == "remove":
                self._held[event.topic].pop(key, None)
            else:
                self._held[event.topic][key] = _steady(bytes(event.body))
        listed = await everything_listed(self._platform, self._caller)
        who = self._caller.id
        return [
            each for topic, rows in self._held.items() for each in _differing(f"{who} {topic}", rows, listed[topic])
        ]


class Following:
    """A console's followers of every kind that a user may list, on the clock of a test."""

    generation = 1

    def __init__(self, platform: Platform, hub: Hub, user_id: str, clock: Clock) -> None:
        caller = caller_of(platform, user_id)
        self._user_id = user_id
        self._lists = Lists(platform, caller)
        feeds = [feed for feed in FEEDS.values() if self._lists.grants(feed.listings[0])]
        self._ear = Ear(platform, hub, caller, *(feed.kind for feed in feeds))
        self.base = Point(epoch=platform.database.epoch, offset=platform.database.head)
        here = cast(Any, self)
        self._followers = [Follower(feed, Lister(feed, self._lists), here, here, clock) for feed in feeds]
        self._tasks = [asyncio.ensure_future(each.run()) for each in self._followers]
        for each in self._followers:
            each.want(shown=True)

    # -- interface for followers ----------------------------------------------------------------------------------

    def covers(self, kind: str) -> bool:
        """Return True: all kinds have events."""
        return True

    def changed(self) -> None:
        """Do nothing: no screen shows the rows."""

    def answered(self) -> None:
        """Do nothing: no age is shown."""

    def suspect(self) -> None:
        raise AssertionError("something was damaged on the way")

    def fatal(self, error: ApiError) -> None:
        raise error

    # -- interface for tests --------------------------------------------------------------------------------------

    async def differences(self) -> list[str]:
        """Return how the rows shown differ from fresh lists."""
        events = await self._ear.events()
        for follower in self._followers:
            follower.take([each for each in events if each.topic == follower.feed.kind])
        await settled()
        found: list[str] = []
        for follower in self._followers:
            feed = follower.feed
            assert follower.facts.joined, feed.kind
            listed = (await Lister(feed, self._lists).list()).rows or {}
            wanted = {key: _wire(feed.read(row)) for key, row in listed.items()}
            shown = {key: _wire(record) for key, record in follower.collection.copy().items()}
            found += _differing(f"{self._user_id} {feed.kind}", shown, wanted)
        return found

    async def close(self) -> None:
        """Stop following."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
