"""Call a dialect so that none of its faults is more than a broken channel.

A built-in dialect is called directly. Any other runs in threads of its own: it may raise anything, return anything, or
never return.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from console.api.errors import ApiError, Forbidden, LoginNeeded, NotOffered, Unreachable
from console.api.events import Damaged, Event, Heartbeat, Hint, Point, Reset, Subscribed
from console.base.frozen import Frozen
from console.client.dialect import ChannelSettings, Dialect, Message, Target
from console.client.dialects import BUILT_IN, DialectFault, find_dialect, words_of
from console.client.http import can_be_sent
from console.records.raw import UNREADABLE, decoder, encode

T = TypeVar("T")

CALL_SECONDS = 3.0
"""Longest call of a dialect, including its first import."""
MOST_MESSAGES = 100_000
MOST_TEXTS = 100
LONGEST_TEXT = 64 * 1024
"""Bounds on what a dialect returns at once."""

_MEANT = (LoginNeeded, Forbidden, NotOffered)
"""Errors by which a dialect refuses."""
_DECODERS: dict[Any, Callable[[bytes], Any]] = {
    kind: decoder(kind) for kind in (Event, Subscribed, Reset, Heartbeat, Hint, Damaged)
}


class DialectRunner:
    """The dialect of one deployment. It outlasts its connections, and belongs to one event loop."""

    def __init__(self, settings: ChannelSettings) -> None:
        self.settings = settings
        self.last_event_id = ""
        """The id of the last server-sent event, from which the next connection continues."""
        self._trusted = settings.dialect in BUILT_IN
        self._made: Dialect | None = None
        self._returned = threading.Event()
        self._returned.set()

    async def begin(self, target: Target) -> Target:
        """Start a connection: return where to connect. Raise `api.errors`, as all methods."""

        def start() -> Target:
            try:
                self._made = find_dialect(self.settings.dialect)(self.settings)
            except DialectFault as error:
                raise NotOffered(str(error)) from error
            return self._made.open(target)

        return await self._called("open", start, lambda opened: _target(opened, target))

    async def greet(self, topics: tuple[str, ...], resume: Point | None) -> Sequence[str]:
        """Return the texts to send once connected."""
        return await self._called("greet", lambda: self._dialect.greet(topics, resume), _texts)

    async def read(self, frames: Sequence[bytes]) -> Sequence[Message]:
        """Return the messages in these frames."""
        return await self._called("read", lambda: self._dialect.read(frames), _messages)

    async def reply(self) -> Sequence[str]:
        """Return the texts to send now."""
        return await self._called("reply", lambda: self._dialect.reply(), _texts)

    async def closed(self, code: int, reason: str) -> ApiError | None:
        """Return the error for a close code, or None for its usual meaning."""
        api_error = await self._called("closed", lambda: self._dialect.closed(code, reason), _error)
        return None if api_error is None else _meant(api_error, self.settings.dialect)

    @property
    def built_in(self) -> Dialect | None:
        """The dialect of the connection if it comes with the console, to be called directly; otherwise None."""
        return self._dialect if self._trusted else None

    @property
    def _dialect(self) -> Dialect:
        if self._made is None:
            raise RuntimeError("no connection was begun")
        return self._made

    async def _called(self, method: str, call: Callable[[], Any], check: Callable[[Any], T]) -> T:
        """Call a method, and check its result, which may be a generator."""
        if self._trusted:
            return call()
        name = self.settings.dialect
        if not self._returned.is_set():
            # Another call would occupy another thread for ever.
            raise NotOffered(f"dialect {name}: an earlier call has not returned")
        loop = asyncio.get_running_loop()
        returned = self._returned = threading.Event()
        outcome: asyncio.Future[_Outcome] = loop.create_future()

        def settle(result: _Outcome) -> None:
            if not outcome.done():
                outcome.set_result(result)

        def work() -> None:
            try:
                result = _Outcome(value=check(call()))
            except BaseException as error:  # The code of others may raise anything.
                result = _Outcome(fault=_fault(error, name, method))
            returned.set()
            # The loop may have ended meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, result)

        threading.Thread(target=work, name=f"console-dialect-{method}", daemon=True).start()
        try:
            async with asyncio.timeout(CALL_SECONDS):
                result = await outcome
        except TimeoutError:
            text = f"dialect {name}: {method} did not return within {CALL_SECONDS:g} s"
            raise Unreachable(text) from None
        if result.fault is not None:
            raise result.fault
        return result.value


class _Outcome(Frozen):
    """The end of a call: a value, or the error that it means."""

    value: Any = None
    fault: ApiError | None = None


def _fault(error: BaseException, name: str, method: str) -> ApiError:
    """Return the error of a broken channel; a dialect may also raise a refusal."""
    if isinstance(error, NotOffered) and isinstance(error.__cause__, DialectFault):
        return error
    if isinstance(error, _MEANT):
        return _meant(error, name)
    return Unreachable(f"dialect {name}: {method} failed: {words_of(error)}")


def _meant(error: ApiError, name: str) -> ApiError:
    """Return the error that a dialect means, in our own words: it may be of a class of its own."""
    kind = next((kind_of_error for kind_of_error in _MEANT if isinstance(error, kind_of_error)), Unreachable)
    return kind(f"dialect {name}: {words_of(error).partition(': ')[2]}")


def _target(opened: object, target: Target) -> Target:
    """Return a target that a dialect may connect to: the credential is for the configured host only."""
    if not isinstance(opened, Target):
        raise TypeError(f"not a Target, but {type(opened).__name__}")
    if _origin(opened.url) != _origin(target.url):
        raise ValueError("the target is on another host")
    for name, value in opened.headers.items():
        if not (can_be_sent(name) and can_be_sent(value)):
            raise ValueError("a header cannot be sent")
    if not all(can_be_sent(subprotocol) for subprotocol in opened.subprotocols):
        raise ValueError("a subprotocol cannot be sent")
    return opened


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _texts(value: object) -> Sequence[str]:
    if isinstance(value, str | bytes):
        raise TypeError("a single text instead of several")
    texts = list(islice(cast("Iterable[object]", value), MOST_TEXTS + 1))
    if len(texts) > MOST_TEXTS:
        raise ValueError(f"more than {MOST_TEXTS} texts")
    for text in texts:
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise TypeError(f"not a text of at most {LONGEST_TEXT} characters, but {type(text).__name__}")
    return cast("list[str]", texts)


def _messages(value: object) -> Sequence[Message]:
    messages = list(islice(cast("Iterable[object]", value), MOST_MESSAGES + 1))
    if len(messages) > MOST_MESSAGES:
        raise ValueError(f"more than {MOST_MESSAGES} messages")
    return [_message(message) for message in messages]


def _message(value: Any) -> Message:
    """Return a message with the declared types: constructing one checks nothing."""
    decode = _DECODERS.get(type(value))
    if decode is None:
        raise TypeError(f"not a message, but {type(value).__name__}")
    text = encode(value)
    text.decode()
    try:
        return decode(text)
    except UNREADABLE:
        message = f"{type(value).__name__} with a field of another type, or a body that is not JSON"
        raise ValueError(message) from None


def _error(value: object) -> ApiError | None:
    if value is not None and not isinstance(value, ApiError):
        raise TypeError(f"not an error of console.api.errors, but {type(value).__name__}")
    return value
