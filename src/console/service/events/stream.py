"""The event channel's WebSocket: receives subscriptions, sends queued events, checks the login."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from console.api.events import (
    CLOSE_BAD_MESSAGE,
    CLOSE_GOING_DOWN,
    CLOSE_LOGIN_NEEDED,
    CLOSE_TOO_SLOW,
    HEARTBEAT_SECONDS,
    read_subscription,
)
from console.service.auth.caller import NOBODY
from console.service.auth.credentials import caller_of
from console.service.events.hub import Hub, Subscriber
from console.service.http.connections import TEXTS
from console.service.http.request_head import head_fault
from console.service.http.request_log import NOTE
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.store.faults import StorageFault

CHECK_SECONDS = 1.0
"""Interval of the login check: half of the time in which the end of a login closes the channel."""
SUBSCRIBE_SECONDS = 10.0
TAKE_SECONDS = 30.0
"""Timeout for a peer to take one write of at most `MOST_QUEUED` bytes."""
CLOSE_SECONDS = 2.0
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
        asyncio.create_task(_read(websocket, hub, subscriber)),
        asyncio.create_task(_send(websocket, subscriber)),
        asyncio.create_task(_watch(hub, subscriber)),
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


async def _read(websocket: WebSocket, hub: Hub, subscriber: Subscriber) -> None:
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
            await hub.subscribe(subscriber, asked)
        except StorageFault:
            subscriber.close(CLOSE_GOING_DOWN, NO_STORE)


async def _send(websocket: WebSocket, subscriber: Subscriber) -> None:
    at_once = TEXTS in websocket.scope.get("extensions", {})
    while True:
        texts = await subscriber.next()
        try:
            async with asyncio.timeout(TAKE_SECONDS):
                if at_once:
                    await websocket.send({"type": "websocket.send", TEXTS: texts})
                else:
                    for text in texts:
                        await websocket.send_text(text.decode())
        except TimeoutError:
            subscriber.close(CLOSE_TOO_SLOW, "too slow")
            return


async def _watch(hub: Hub, subscriber: Subscriber) -> None:
    """Send heartbeats and check the login, in real time, independently of the platform's clock."""
    began = time.monotonic()
    beats = 0
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            await hub.check(subscriber)
        except StorageFault:
            # The login cannot be checked.
            subscriber.close(CLOSE_GOING_DOWN, NO_STORE)
        if time.monotonic() - began >= (beats + 1) * HEARTBEAT_SECONDS - CHECK_SECONDS / 2:
            beats += 1
            hub.beat(subscriber)
