"""The event channel's WebSocket: opens it, reads subscriptions and their start, checks the login, and closes it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from console.api.events import (
    CLOSE_BAD_MESSAGE,
    CLOSE_GOING_DOWN,
    CLOSE_LOGIN_NEEDED,
    HEARTBEAT_SECONDS,
    Reset,
    Subscribe,
    read_subscription,
)
from console.service.auth.caller import NOBODY, Caller
from console.service.auth.credentials import caller_of, renewed
from console.service.events.hub import MOST_QUEUED, Hub, Subscriber, SubscriptionStart
from console.service.http.request_head import head_fault
from console.service.http.request_log import NOTE
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.store.documents import TOPICS
from console.service.store.faults import StorageFault
from console.service.store.outbox import OutboxEntry
from console.service.store.transaction import Transaction

CHECK_SECONDS = 1.0
"""Interval of the login check: half of the time in which the end of a login closes the channel."""
SUBSCRIBE_SECONDS = 10.0
CLOSE_SECONDS = 2.0
LONGEST_REPLAY = 2000
"""Most events to resume. Beyond this, listing again is cheaper for both sides."""
NO_STORE = "the service cannot reach its database"
LONGEST_MESSAGE = 64 * 1024


async def serve_events(websocket: WebSocket, platform: Platform, hub: Hub) -> None:
    """Serve one channel until either side closes it."""
    remote = platform.proxies.client_of(websocket.scope)
    too_much = head_fault(websocket.scope)
    if too_much is not None:
        await websocket.send_denial_response(PlainTextResponse(too_much.message, too_much.status))
        return
    try:
        platform.address_rate.spend(remote)
        caller = await platform.database.run(partial(caller_of, platform, websocket.headers, remote))
        if note := websocket.scope.get(NOTE):
            note.note_caller(caller)
        if not caller.is_nobody:
            platform.account_rate.spend(caller.id)
    except Refusal as refusal:
        if refusal.status == 429:
            headers = {"Retry-After": str(refusal.retry_after)}
            await websocket.send_denial_response(PlainTextResponse(refusal.message, 429, headers))
            return
        caller = NOBODY
    except StorageFault:
        await websocket.accept()
        await websocket.close(CLOSE_GOING_DOWN, NO_STORE)
        return
    await websocket.accept()
    if caller.is_nobody:
        await websocket.close(CLOSE_LOGIN_NEEDED, "log in first")
        return
    subscriber = hub.join(caller)
    tasks: list[asyncio.Task[Any]] = [
        asyncio.create_task(_read(websocket, platform, hub, subscriber)),
        asyncio.create_task(subscriber.send_to(websocket)),
        asyncio.create_task(_watch(platform, hub, subscriber)),
        asyncio.create_task(subscriber.closed.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(subscriber)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    if subscriber.closing is not None:
        # A peer that does not read would block the close.
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await websocket.close(*subscriber.closing)
    for error in ended:
        if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect):
            raise error


async def _read(websocket: WebSocket, platform: Platform, hub: Hub, subscriber: Subscriber) -> None:
    while True:
        try:
            async with asyncio.timeout(None if subscriber.subscribed else SUBSCRIBE_SECONDS):
                message = await websocket.receive()
        except TimeoutError:
            subscriber.close(CLOSE_BAD_MESSAGE, "subscribe first")
            return
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        try:
            if text is None or len(text) > LONGEST_MESSAGE:
                raise ValueError
            asked = read_subscription(text)
        except ValueError:
            subscriber.close(CLOSE_BAD_MESSAGE, "not a subscription")
            return
        try:
            await hub.subscribe(subscriber, partial(start_of, platform, subscriber.caller, asked))
        except StorageFault:
            subscriber.close(CLOSE_GOING_DOWN, NO_STORE)


async def _watch(platform: Platform, hub: Hub, subscriber: Subscriber) -> None:
    """Send heartbeats and check the login, in real time, independently of the platform's clock."""
    began = time.monotonic()
    beats = 0
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            await _check(platform, subscriber)
        except StorageFault:
            # The login cannot be checked.
            subscriber.close(CLOSE_GOING_DOWN, NO_STORE)
        if time.monotonic() - began >= (beats + 1) * HEARTBEAT_SECONDS - CHECK_SECONDS / 2:
            beats += 1
            hub.beat(subscriber)


async def _check(platform: Platform, subscriber: Subscriber) -> None:
    """Close a channel whose login has ended, and reset it if the visibility of its user has changed.

    Raise StorageFault if neither can be known, or not what other nodes write.
    """
    if not platform.database.is_current:
        raise StorageFault("the events of other nodes cannot be read")
    async with subscriber.changing:
        read = partial(_access_of, platform, subscriber.caller, subscriber.wanted)
        caller, granted = await platform.database.run(read)
        if caller is None:
            subscriber.close(CLOSE_LOGIN_NEEDED, "the login has ended")
            return
        before, subscriber.caller = subscriber.caller, caller
        changed = (before.user.role, before.user.domain) != (caller.user.role, caller.user.domain)
        if subscriber.subscribed and (changed or granted != tuple(subscriber.visibilities)):
            subscriber.listen(granted)
            subscriber.after = subscriber.position
            reset = Reset(epoch=platform.database.epoch, offset=subscriber.position, reason="access changed")
            subscriber.begin(reset)


def start_of(platform: Platform, caller: Caller, asked: Subscribe) -> SubscriptionStart:
    """Read where a subscription starts."""
    database, resume = platform.database, asked.resume
    with database.read() as tx:
        topics = _granted(platform, tx, caller, asked.topics)
        missed: list[OutboxEntry] = []
        gone = ""
        if resume is not None:
            if resume.epoch != database.epoch:
                gone = "another epoch"
            elif not database.oldest_resumable(tx) <= resume.offset <= tx.head:
                gone = "this point is not available"
            else:
                missed = database.events_after(tx, resume.offset, LONGEST_REPLAY + 1)
                size = sum(len(entry.body or "") for entry in missed)
                if len(missed) > LONGEST_REPLAY or size > MOST_QUEUED // 2:
                    gone = "too far behind"
        offset = tx.head if resume is None or gone else resume.offset
        return SubscriptionStart(asked.topics, topics, offset, tx.head, gone, () if gone else tuple(missed))


def _access_of(platform: Platform, caller: Caller, wanted: Sequence[str]) -> tuple[Caller | None, tuple[str, ...]]:
    """Return the caller with current data, or None if the login has ended, and the granted topics."""
    with platform.read() as tx:
        current = renewed(platform, caller)
        return current, () if current is None else _granted(platform, tx, current, wanted)


def _granted(platform: Platform, tx: Transaction, caller: Caller, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the requested topics that exist and are offered to the domain of the caller."""
    return tuple(topic for topic in wanted if topic in TOPICS and platform.offers.has_topic(tx, caller, topic))
