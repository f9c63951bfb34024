"""The event channel over WebSocket. The only module that uses websockets."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import urlencode

import websockets.asyncio.client as ws
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException

from console.api.errors import (
    ApiError,
    Away,
    BadAnswer,
    BadCertificate,
    Forbidden,
    LoginNeeded,
    NotOffered,
    Unreachable,
)
from console.api.events import (
    CLOSE_GOING_DOWN,
    CLOSE_LOGIN_NEEDED,
    Control,
    Damaged,
    Event,
    Point,
    Subscribe,
    read_message,
)
from console.client.endpoint import Endpoint
from console.client.errors import SentRequest, fault
from console.client.frames import TextsConnection
from console.client.network import (
    cannot_connect,
    certificate_fault,
    certificate_words,
    host_of,
    no_channel,
    nobody_listens,
    why,
)
from console.records.raw import encode

Message = Event | Control | Damaged
LARGEST_MESSAGE = 4 * 1024 * 1024
_GOING = frozenset({1001, 1012, CLOSE_GOING_DOWN})
"""Close codes of a service that stops or restarts: RFC 6455 (7.4.1), its registry, and the channel's own."""
_DAMAGED = frozenset({1002, 1007})
"""Close codes that the client sends for invalid frames."""

# It logs all headers, including the credential, when a program enables debugging.
logging.getLogger("websockets").setLevel(logging.WARNING)


class _Connect(ws.connect):
    """A connection that follows no redirect: the credential is for the configured origin only."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Return the refusal itself instead of the target of the redirect."""
        return exc


class Stream:
    """An open event channel. Iterating yields messages until it ends, which always raises one of `api.errors`."""

    def __init__(self, connection: TextsConnection) -> None:
        self._connection = connection

    async def __aiter__(self) -> AsyncIterator[Sequence[Message]]:
        """Yield received messages in batches, so that a burst wakes the reader only a few times.

        Unknown messages are skipped: a lost event appears as a gap in the offsets.
        """
        try:
            while True:
                came = [read_message(text) for text in await self._connection.texts()]
                yield [message for message in came if message is not None]
        except ConnectionClosed as error:
            raise _closed(error) from error
        except (OSError, WebSocketException) as error:
            raise Unreachable(f"the event channel failed: {why(error)}", operation="events") from error


@asynccontextmanager
async def open_stream(
    endpoint: Endpoint,
    token: str | None,
    topics: Sequence[str],
    resume: Point | None,
    *,
    context: ssl.SSLContext | None,
    now_ms: int,
) -> AsyncGenerator[Stream]:
    """Connect, subscribe, and yield the channel; close it on exit.

    Raise NotOffered if there is none, LoginNeeded, Forbidden, BadCertificate, Unreachable, and other errors of
    `client.errors` for a refused handshake.
    """
    if endpoint.events is None:
        raise NotOffered("this profile has no event channel", operation="events")
    headers = dict(endpoint.present.headers(token)) if token else {}
    query = endpoint.present.query(token) if token else ()
    url = endpoint.events + (f"?{urlencode(query)}" if query else "")
    try:
        connection = await _connected(endpoint, url, headers, context, now_ms)
    except ApiError as error:
        error.hide((token or "", urlencode(query)))
        raise
    try:
        subscribe = Subscribe(topics=tuple(topics), resume=resume)
        try:
            await connection.send(encode(subscribe).decode())
        except ConnectionClosed as error:
            raise _closed(error) from error
        yield Stream(connection)
    finally:
        await connection.close()


async def _connected(
    endpoint: Endpoint, url: str, headers: Mapping[str, str], context: ssl.SSLContext | None, now_ms: int
) -> TextsConnection:
    options: dict[str, Any] = {"ssl": context} if url.startswith("wss:") else {}
    proxy: str | bool | None = endpoint.proxy or (True if endpoint.trust_env else None)
    try:
        connection = await _Connect(
            url,
            create_connection=TextsConnection,
            additional_headers=headers,
            user_agent_header="operator-console",
            proxy=proxy,
            compression=None,
            open_timeout=endpoint.connect_seconds,
            close_timeout=0.5,
            # Heartbeats check the connection, and also prove that nothing was lost.
            ping_interval=None,
            max_size=LARGEST_MESSAGE,
            # Only fragmented messages are queued there, and each may have this size.
            max_queue=4,
            **options,
        )
        return cast(TextsConnection, connection)
    except InvalidStatus as error:
        answer = error.response
        refusal = fault(
            answer.status_code,
            bytes(answer.body or b""),
            {name.lower(): value for name, value in answer.headers.raw_items()},
            SentRequest("events", "GET", url.partition("?")[0]),
            now_ms,
            endpoint.statuses,
        )
        raise _no_channel(answer.status_code, refusal) from error
    except (TimeoutError, asyncio.IncompleteReadError, EOFError) as error:
        words = f"the event channel at {host_of(url)} did not open in time"
        raise Unreachable(words, operation="events") from error
    except OSError as error:
        broken = certificate_fault(error)
        if broken is not None:
            raise BadCertificate(certificate_words(broken), operation="events") from error
        lost = Away if nobody_listens(error) else Unreachable
        raise lost(cannot_connect(endpoint.proxy or url, error), operation="events") from error
    except InvalidHandshake as error:
        raise Unreachable(no_channel(url, error), operation="events") from error
    except (WebSocketException, ValueError) as error:
        raise BadAnswer(no_channel(url, error), operation="events") from error


def _no_channel(status: int, refusal: ApiError) -> ApiError:
    """Return NotOffered for answers that mean that there is no channel, otherwise the refusal."""
    if status < 400 or status in {400, 404, 405, 410, 426, 501}:
        return NotOffered(f"no event channel here: {refusal.reason}", operation="events", status=status)
    return refusal


def _closed(error: ConnectionClosed) -> ApiError:
    """Return the error for a close code: a refusal from 3500 and 4500 on, temporary for all others."""
    if error.sent is not None and not error.rcvd_then_sent and error.sent.code in _DAMAGED:
        return BadAnswer("the event channel failed: the data is not a WebSocket frame", operation="events")
    code = error.rcvd.code if error.rcvd is not None else 1006
    reason = error.rcvd.reason if error.rcvd is not None else ""
    words = f"the event channel was closed ({code}{': ' + reason if reason else ''})"
    if code == CLOSE_LOGIN_NEEDED:
        return LoginNeeded(words, operation="events")
    if code == 1008:
        return Forbidden(words, operation="events")
    if 3500 <= code < 4000 or 4500 <= code < 5000:
        return NotOffered(words, operation="events")
    return (Away if code in _GOING else Unreachable)(words, operation="events")
