"""The event channel: its connection, and the messages that its dialect reads.

Only this module uses websockets.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol, cast
from urllib.parse import urlencode

import websockets.asyncio.client as ws
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidProxyStatus,
    InvalidStatus,
    WebSocketException,
)
from websockets.frames import CTRL_OPCODES, Frame, Opcode
from websockets.protocol import Event

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
from console.api.events import CLOSE_GOING_DOWN, CLOSE_LOGIN_NEEDED, Point
from console.client.adaptation import States, events_with_known_states
from console.client.answer_paths import events_in_contract_form, rows_by_topic
from console.client.dialect import Message, Target
from console.client.dialect_runner import DialectRunner
from console.client.endpoint import Endpoint
from console.client.errors import SentRequest, fault
from console.client.network import (
    LOGIN_FOR_PROXY,
    cannot_connect,
    certificate_fault,
    certificate_words,
    host_of,
    login_for_proxy,
    no_channel,
    nobody_listens,
    proxy_refused,
    why,
)
from console.client.sse import open_sse
from console.config.values import is_token
from console.records.members import Change

LARGEST_MESSAGE = 4 * 1024 * 1024
REPLY_SECONDS = 10.0
"""Interval at which a dialect other than ours may send something by itself."""
PING_SECONDS = 20.0
_GOING = frozenset({1001, 1012, CLOSE_GOING_DOWN})
"""Close codes of a service that stops or restarts: RFC 6455 (7.4.1), its registry, and the channel's own."""
_DAMAGED = frozenset({1002, 1007})
"""Close codes that the client sends for invalid frames."""

# It logs all headers, including the credential, when a program enables debugging.
logging.getLogger("websockets").setLevel(logging.WARNING)


Refusal = Callable[[int, bytes, Mapping[str, str]], ApiError]
"""Makes the error for an answer that opens no channel: status, body, headers in lower case."""


class _Connect(ws.connect):
    """A connection that follows no redirect: the credential is for the configured origin only."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Return the refusal itself instead of the target of the redirect."""
        return exc


class StreamConnection(Protocol):
    """The connection on which a dialect is spoken."""

    async def texts(self) -> list[bytes]:
        """Wait for texts, and return all received ones in order. Raise ConnectionClosed, or `api.errors`."""
        ...

    async def send(self, message: str, /) -> None:
        """Send a text."""
        ...

    async def close(self) -> None:
        """Close the connection."""
        ...


class Stream:
    """An open event channel. Iterating yields messages until it ends, which always raises one of `api.errors`."""

    def __init__(
        self, connection: StreamConnection, runner: DialectRunner, states: States, converts: Mapping[str, Change]
    ) -> None:
        self._connection = connection
        self._states = states
        self._converts = converts
        self._runner = runner

    async def __aiter__(self) -> AsyncIterator[Sequence[Message]]:
        """Yield received messages in batches, so that a burst wakes the reader only a few times."""
        own, built_in = self._runner.settings.is_own, self._runner.built_in
        try:
            while True:
                texts = await (self._connection.texts() if own else self._texts())
                if built_in is None:
                    messages = await self._runner.read(texts)
                else:
                    messages = cast("Sequence[Message]", built_in.read(texts))
                if self._converts:
                    messages = events_in_contract_form(messages, self._converts)
                yield events_with_known_states(messages, self._states) if self._states else messages
                if not own:
                    await self._reply()
        except ConnectionClosed as error:
            raise await _closed(error, self._runner) from error
        except (OSError, WebSocketException) as error:
            raise Unreachable(f"the event channel failed: {why(error)}") from error

    async def _texts(self) -> list[bytes]:
        """Wait for messages; meanwhile send what the dialect sends by itself."""
        waiting = asyncio.ensure_future(self._connection.texts())
        try:
            while not (await asyncio.wait({waiting}, timeout=REPLY_SECONDS))[0]:
                await self._reply()
            return waiting.result()
        finally:
            waiting.cancel()
            # The connection is closed next, which must not happen while it is read.
            await asyncio.gather(waiting, return_exceptions=True)

    async def _reply(self) -> None:
        for text in await self._runner.reply():
            await self._connection.send(text)


@asynccontextmanager
async def open_stream(
    endpoint: Endpoint,
    runner: DialectRunner,
    token: str | None,
    topics: tuple[str, ...],
    resume: Point | None,
    *,
    context: ssl.SSLContext | None,
    now_ms: int,
) -> AsyncGenerator[Stream]:
    """Connect, greet, and yield the channel; close it on exit.

    Raise NotOffered if there is none, LoginNeeded, Forbidden, BadCertificate, Unreachable, and other errors of
    `client.errors` for a refused handshake.
    """
    if endpoint.events is None:
        raise NotOffered("this profile has no event channel")
    present = endpoint.channel.present or endpoint.present
    headers = {**endpoint.headers, **(present.headers(token) if token else {})}
    query = urlencode(present.query(token) if token else ())
    url = endpoint.events
    if query:
        url += f"{'&' if '?' in url else '?'}{query}"
    try:
        offered = tuple(subprotocol.replace("{token}", token or "") for subprotocol in endpoint.channel.subprotocols)
        if not all(map(is_token, offered)):
            raise NotOffered("the token cannot be sent as a subprotocol")
        target = await runner.begin(Target(url, headers, token or "", offered))
        connection = await _connected(endpoint, runner, target, context, now_ms)
        try:
            texts = await runner.greet(topics, resume)
            # A service that accepted the connection and closed it is one that accepted it: reading raises the reason.
            with suppress(ConnectionClosed):
                for text in texts:
                    await connection.send(text)
            yield Stream(connection, runner, endpoint.states, rows_by_topic(endpoint.routes))
        finally:
            await connection.close()
    except ApiError as error:
        error.hide((token or "", query, *endpoint.headers.values()))
        raise


async def _connected(
    endpoint: Endpoint, runner: DialectRunner, target: Target, context: ssl.SSLContext | None, now_ms: int
) -> StreamConnection:
    def refused(status: int, body: bytes, headers: Mapping[str, str]) -> ApiError:
        proxy = endpoint.proxy_for(target.url)
        if status == LOGIN_FOR_PROXY and proxy is not None:
            return Unreachable(login_for_proxy(proxy))
        asked = SentRequest("GET", target.url.partition("?")[0])
        return _no_channel(status, fault(status, body, headers, asked, now_ms, endpoint.meanings))

    if target.url.startswith("http"):
        return await open_sse(endpoint, target, runner, context, refused)
    return await _websocket(endpoint, target, context, refused)


async def _websocket(
    endpoint: Endpoint, target: Target, context: ssl.SSLContext | None, refused: Refusal
) -> StreamConnection:
    url = target.url
    options: dict[str, Any] = {"ssl": context} if url.startswith("wss:") else {}
    proxy = endpoint.proxy_for(url)
    try:
        connection = await _Connect(
            url,
            create_connection=TextsConnection,
            additional_headers=target.headers,
            subprotocols=cast("Any", target.subprotocols or None),
            user_agent_header="operator-console",
            proxy=proxy,
            compression=None,
            open_timeout=endpoint.connect_seconds,
            close_timeout=0.5,
            # The heartbeats of our own protocol check the connection, and also prove that nothing was lost.
            ping_interval=None if endpoint.channel.is_own else PING_SECONDS,
            max_size=LARGEST_MESSAGE,
            # Only fragmented messages are queued there, and each may have this size.
            max_queue=4,
            **options,
        )
        return cast(TextsConnection, connection)
    except InvalidStatus as error:
        answer = error.response
        headers = {name.lower(): value for name, value in answer.headers.raw_items()}
        raise refused(answer.status_code, bytes(answer.body or b""), headers) from error
    except (TimeoutError, asyncio.IncompleteReadError, EOFError) as error:
        text = f"the event channel at {host_of(url)} did not open in time"
        raise Unreachable(text) from error
    except OSError as error:
        broken = certificate_fault(error)
        if broken is not None:
            raise BadCertificate(certificate_words(broken)) from error
        lost = Away if nobody_listens(error) else Unreachable
        raise lost(cannot_connect(proxy or url, error)) from error
    except InvalidProxyStatus as error:
        text = proxy_refused(proxy or url, f"{error.response.status_code} {error.response.reason_phrase}")
        raise Unreachable(text) from error
    except InvalidHandshake as error:
        raise Unreachable(no_channel(url, error)) from error
    except (WebSocketException, ValueError) as error:
        raise BadAnswer(no_channel(url, error)) from error


def _no_channel(status: int, refusal: ApiError) -> ApiError:
    """Return NotOffered for answers that mean that there is no channel, otherwise the refusal."""
    if status < 400 or status in {400, 404, 405, 410, 426, 501}:
        return NotOffered(f"no event channel here: {refusal.reason}", status=status)
    return refusal


async def _closed(error: ConnectionClosed, runner: DialectRunner) -> ApiError:
    """Return the error for a close code: as the dialect says, or by default a refusal from 3500 and 4500 on, temporary
    for all others."""
    if error.sent is not None and not error.rcvd_then_sent and error.sent.code in _DAMAGED:
        return BadAnswer("the event channel failed: the data is not a WebSocket frame")
    code = error.rcvd.code if error.rcvd is not None else 1006
    reason = error.rcvd.reason if error.rcvd is not None else ""
    meant = await runner.closed(code, reason)
    if meant is not None:
        return meant
    text = f"the event channel was closed ({code}{': ' + reason if reason else ''})"
    if code == CLOSE_LOGIN_NEEDED:
        return LoginNeeded(text)
    if code == 1008:
        return Forbidden(text)
    if 3500 <= code < 4000 or 4500 <= code < 5000:
        return NotOffered(text)
    return (Away if code in _GOING else Unreachable)(text)


_TEXT = Opcode.TEXT
MOST_WAITING = 1_024
"""Number of queued texts at which reading from the socket pauses."""
MOST_WAITING_BYTES = 8 * 1024 * 1024
"""The same limit in bytes."""
MOST_UNSENT_BYTES = 1024 * 1024
"""Unsent bytes at which the connection is given up: the service asks, by pings, but reads no answer."""


class TextsConnection(ws.ClientConnection):
    """A WebSocket whose texts are received in batches, by `texts` instead of `recv`.

    `websockets` passes messages one at a time, each through a queue and a turn of the loop. Batches halve the cost of
    decoding an event. The protocol itself is left to the library: a frame decoder of our own would save another three
    of seven microseconds, but would be one more parser of untrusted input.

    From the first message that is fragmented or not a text, messages are received one at a time, until the connection
    ends.
    """

    _texts: list[bytes]
    _size: int
    _bell: asyncio.Event
    _one_by_one = False
    _paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Initialize the queue."""
        super().connection_made(transport)
        self._texts, self._size = [], 0
        self._bell = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Process data; give up a service that does not read what the library answers by itself."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNSENT_BYTES:
            self.transport.abort()

    def process_event(self, event: Event) -> None:
        """Queue a whole text; leave all other events to the library, in order."""
        if self._one_by_one or not isinstance(event, Frame) or event.opcode is not _TEXT or not event.fin:
            self._one_by_one = self._one_by_one or (isinstance(event, Frame) and event.opcode not in CTRL_OPCODES)
            super().process_event(event)
            self._bell.set()
            return
        self._texts.append(bytes(event.data))
        self._size += len(event.data)
        self._bell.set()
        if not self._paused and (len(self._texts) > MOST_WAITING or self._size > MOST_WAITING_BYTES):
            self._paused = True
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake the receiver."""
        super().connection_lost(exc)
        self._one_by_one = True
        self._bell.set()

    async def texts(self) -> list[bytes]:
        """Wait for messages, and return all received ones in order.

        Raise the exceptions of `recv` when the connection has ended.
        """
        while not self._texts and not self._one_by_one:
            self._bell.clear()
            await self._bell.wait()
        if not self._texts:
            return [await self.recv(decode=False)]
        texts, self._texts, self._size = self._texts, [], 0
        if self._paused:
            self._paused = False
            self.transport.resume_reading()
        return texts
