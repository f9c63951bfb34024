"""Send requests to a service: `await client.send(request)` returns the type that the request declares.

All errors are raised as classes of `api.errors`.
"""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from console.api.annotations import Access, Effect, Service
from console.api.errors import (
    Accepted,
    ApiError,
    BadAnswer,
    BadCertificate,
    BadRequest,
    Forbidden,
    LoginNeeded,
    NotOffered,
    ReadOnly,
    ServerFault,
    TimedOut,
    Unreachable,
)
from console.api.events import EPOCH_HEADER, OFFSET_HEADER, Point
from console.api.outgoing import outgoing
from console.api.request import Request
from console.base.clock import Clock, SystemClock
from console.base.frozen import Frozen
from console.base.secrets import secrets_in
from console.client.adaptation import adapted, with_own_states
from console.client.clock_difference import ClockDifference
from console.client.dialect_runner import DialectRunner
from console.client.endpoint import Endpoint
from console.client.errors import NOT_IN_FULL, SentRequest, fault, not_an_answer, unreadable
from console.client.explaining import explain
from console.client.fetched import LARGE, Fetched
from console.client.http import Answer, Http, can_be_sent, context_for
from console.client.login import LoginSource, OwnToken, Sessions
from console.client.page_sizes import PageSizes
from console.client.stream import Stream, open_stream
from console.client.token_sources import source_of

if TYPE_CHECKING:
    from console.client.adapter import Adapter

A = TypeVar("A")
_ACCEPTED = 202
_UNAVAILABLE = 503
"""Status of a node that ends, or that does not reach its database."""
_NOTHING_TO_SEND = frozenset({204, 205})
_NO_ROWS = frozenset({204, 205, 404})
"""Status codes of an empty list, for routes that say so."""
LONGEST_ETAG = 1_000
START_SECONDS = 10.0
"""Timeout to start sending a change, which may first require a login or a free connection."""

Timed = Callable[[str, float, str], object]
"""Called with the operation, the seconds until its answer, and the class of its error; empty for none."""


def _untimed(_operation: str, _seconds: float, _error: str) -> None:
    pass


class _Change(Frozen):
    """Data of a change, shared by all attempts."""

    key: str
    """The idempotency key."""
    until: float
    """Deadline for sending it, on the monotonic clock: the situation may have changed since the decision."""


NOT_DONE_YET = "accepted by the service, not done yet"


class Client:
    """A client of the services of one deployment. Belongs to one event loop."""

    def __init__(
        self,
        endpoint: Endpoint,
        clock: Clock | None = None,
        *,
        login: LoginSource | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        answered: Timed | None = None,
    ) -> None:
        """Prepare without sending anything. Raise ValueError for a bad URL, OSError for an unusable certificate file.

        `login` is called again when a session ends and cannot be renewed; `answered` after each request.
        """
        endpoint.check()
        self.address = endpoint.core
        """The first address of the deployment, by which it is known wherever it is reached."""
        # By lot, so that the consoles of many people are not all at the first node.
        for _ in range(random.randrange(len(endpoint.others) + 1)):
            endpoint = endpoint.at_next_node()
        self.endpoint = endpoint
        self._clock = clock or SystemClock()
        self.page_sizes = PageSizes(endpoint.page_size)
        self._answered = answered or _untimed
        self._http = Http(endpoint, transport=transport)
        self.clock_difference = ClockDifference()
        self._context = context_for(endpoint)
        self.sessions = Sessions(
            self._send_once,
            login,
            tokens=source_of(endpoint, self._send_once, self._http, self._clock),
            session=endpoint.login.session,
            clock=self._clock,
        )
        self._dialect = DialectRunner(endpoint.channel)
        own = endpoint.provisioning_token
        self._adapter: Adapter | None = None
        if endpoint.adapter is not None:
            # Takes 1 ms on the way to the first rows, and few deployments have one.
            from console.client.adapter import find_adapter

            self._adapter = find_adapter(endpoint.adapter)
        self._provisioning_token = OwnToken(own) if own is not None else None
        self._proven: set[Service] = set()
        """Services that have accepted a token."""

    async def send(self, request: Request[A], *, once: str | None = None) -> A:
        """Send a request and return the typed answer. `once` is the idempotency key of a change, see `fetch`."""
        return await self.read(request, await self.fetch(request, once=once))

    async def fetch(
        self, request: Request[Any], *, once: str | None = None, etag: str | None = None, exact: bool = False
    ) -> Fetched:
        """Send a request and return the unparsed answer, for `read`.

        `once` is the idempotency key of a change; by default each call has its own. If the page size of a list is
        refused, ask for fewer rows, unless the request is to be sent `exact`ly. After a 401, renew the login and
        repeat the request once. No other request is ever repeated. `etag` is the tag of a stored answer; the service
        may omit an unchanged body.
        """
        change = None
        if request.operation.effect is Effect.CHANGE:
            if self.endpoint.read_only and request.operation.makes_change:
                raise ReadOnly("this profile is read-only", operation=request.operation.name)
            change = _Change(once or str(uuid.uuid4()), self._clock.monotonic() + START_SECONDS)
        if exact or change is not None:
            return await self._fetch_logged_in(request, change, etag)
        names = self.endpoint.route(request.operation).names
        return await self.page_sizes.ask(request, lambda sized: self._fetch_logged_in(sized, None, etag), names)

    async def read(self, request: Request[A], fetched: Fetched) -> A:
        """Return the typed answer. Raise Accepted for a change that is not done yet, BadAnswer for another answer."""
        body = fetched.body
        try:
            confirmed = fetched.done or self.endpoint.route(request.operation).confirms
            if confirmed and request.operation.makes_change:
                return request.nothing_answered()
            if fetched.accepted and request.operation.makes_change:
                raise Accepted(NOT_DONE_YET, operation=request.operation.name, status=_ACCEPTED)
            if len(body) > LARGE:
                return await asyncio.to_thread(request.read_answer, body)
            return request.read_answer(body)
        except ValueError as error:
            wrong = unreadable(error, fetched.source)
            wrong.operation = request.operation.name
            explain(wrong, self.endpoint, request.operation)
            wrong.hide(_secrets_of(request))
            raise wrong from error

    def stream(self, topics: tuple[str, ...], resume: Point | None = None) -> AbstractAsyncContextManager[Stream]:
        """Open the event channel: `async with client.stream(...) as stream: async for message in stream`."""
        return self._stream(topics, resume)

    @asynccontextmanager
    async def _stream(self, topics: tuple[str, ...], resume: Point | None) -> AsyncGenerator[Stream]:
        endpoint, token = self.endpoint, self.sessions.token
        opening = open_stream(
            endpoint, self._dialect, token, topics, resume, context=self._context, now_ms=self._clock.now_ms()
        )
        try:
            async with opening as stream:
                yield stream
        except ApiError as error:
            error.operation = error.operation or "events"
            self._leave_node(endpoint, error)
            raise

    def _leave_node(self, endpoint: Endpoint, error: ApiError) -> bool:
        """Send later requests to the next node if this one failed; return whether it did, and there is another."""
        away = isinstance(error, Unreachable) and not isinstance(error, BadCertificate)
        if not endpoint.others or not (away or (isinstance(error, ServerFault) and error.status == _UNAVAILABLE)):
            return False
        # Another request may have noticed it first.
        if self.endpoint is endpoint:
            self.endpoint = endpoint.at_next_node()
        return True

    def renew_connections(self) -> None:
        """Use new connections from now on, because the current ones may be dead."""
        self._http.renew()

    async def close(self) -> None:
        """Close all connections; the session stays active unless `sessions.log_out` ended it."""
        await self._http.close()

    async def _send_once(self, request: Request[A], token: str | None, /) -> A:
        return await self.read(request, await self._fetch(request, token))

    async def _fetch_logged_in(self, request: Request[Any], change: _Change | None, etag: str | None) -> Fetched:
        """Send a request with the login for its service. After a 401, renew the login and repeat the request once."""
        login: Sessions | OwnToken = self.sessions
        if request.operation.service is Service.PROVISIONING and self._provisioning_token is not None:
            login = self._provisioning_token
        token = await login.current()
        try:
            return await self._fetch(request, token, change, etag)
        except LoginNeeded:
            if request.operation.access is Access.ANYONE:
                raise
        token = await login.renew(token)
        try:
            return await self._fetch(request, token, change, etag)
        except LoginNeeded as error:
            if login is not self.sessions:
                # Its source may have returned the refused token again.
                raise
            # The login is new, so the caller lacks the permission for this operation.
            refused = Forbidden(error.reason, operation=error.operation, status=error.status)
            raise refused.caused_by(error) from error

    async def _fetch(
        self, request: Request[Any], token: str | None, change: _Change | None = None, etag: str | None = None
    ) -> Fetched:
        """Send a request once, or to one node after the other until it reaches one.

        Errors never contain a secret, not even one repeated by the service.
        """
        operation = request.operation
        nodes_left = len(self.endpoint.others)
        while True:
            endpoint, began = self.endpoint, self._clock.monotonic()
            try:
                fetched = await self._exchange(request, token, change, etag)
            except ApiError as error:
                error.operation = operation.name
                left_node = self._leave_node(endpoint, error)
                self._answered(operation.name, self._clock.monotonic() - began, type(error).__name__)
                in_doubt = bool(token) and operation.service not in self._proven
                explain(error, endpoint, operation, token_in_doubt=in_doubt)
                # Constants of a deployment may be keys, whatever their names.
                route = endpoint.route(operation)
                constants = secrets_in({"secret": [*endpoint.headers.values(), route.always, route.envelope]})
                error.hide((*_secrets_of(request), *constants, token or ""))
                # A request that may have had an effect is never repeated.
                unsent = isinstance(error, Unreachable) and not isinstance(error, TimedOut)
                if not (unsent and left_node and nodes_left):
                    raise
                nodes_left -= 1
            else:
                self._answered(operation.name, self._clock.monotonic() - began, "")
                if token:
                    self._proven.add(operation.service)
                return fetched

    async def _exchange(
        self, request: Request[Any], token: str | None, change: _Change | None, etag: str | None
    ) -> Fetched:
        operation = request.operation
        lacking = self.endpoint.lacks(operation)
        base = self.endpoint.base(operation.service)
        if lacking is not None or base is None:
            raise NotOffered(lacking or "")
        try:
            route = self.endpoint.route(operation)
            out = outgoing(request, route, self.endpoint.variant_of(operation.service))
        except ValueError as error:
            raise BadRequest(f"cannot be sent: {error}") from error
        state_words = self.endpoint.words_of(operation)
        if state_words:
            out = with_own_states(out, state_words, route)
        present = self.endpoint.presentation(operation.service)
        headers = {**self.endpoint.headers, **(present.headers(token) if token else {})}
        own = present.query(token) if token else ()
        # The URL of a next page may repeat the credential.
        query = tuple(pair for pair in out.query if pair[0] not in dict(own)) + own
        start_within = None
        if change is not None:
            headers["Idempotency-Key"] = change.key
            start_within = change.until - self._clock.monotonic()
            if start_within <= 0:
                raise Unreachable("not sent: timed out before sending")
        if etag is not None:
            headers["If-None-Match"] = etag
        if self._adapter is not None:
            read = self._reader(base, headers)
            out, query, headers = await self._adapter.changed(operation.name, out, query, headers, read)
        asked = SentRequest(out.method, base + out.path)
        sent_ms = self._clock.now_ms()
        try:
            came = await self._http.exchange(
                out.method, asked.url, query=query, headers=headers, body=out.body, start_within=start_within
            )
        except BadAnswer as error:
            raise BadAnswer(f"{error.reason} ({asked.place})", status=error.status) from error
        self.clock_difference.answered(came.headers, sent_ms, self._clock.now_ms())
        if self._adapter is not None:
            came = await self._adapter.understood(operation.name, came)
        return await self._fetched(request, asked, came, etag)

    async def _fetched(self, request: Request[Any], asked: SentRequest, came: Answer, etag: str | None) -> Fetched:
        """Return an answer in the form of the contract. Raise `api.errors` for a refusal, and for a foreign page."""
        route, meanings = self.endpoint.route(request.operation), self.endpoint.meanings
        source = asked.source(came.headers)
        point = _point(came.headers.get(EPOCH_HEADER.lower()), came.headers.get(OFFSET_HEADER.lower()))
        if came.status == 304 and etag is not None:
            return Fetched(b"", point, etag, unchanged=True)
        if route.may_be_empty and (came.status in _NO_ROWS or came.body.strip() == b"null"):
            return Fetched(b"[]", point, None, source)
        accepted = came.status == _ACCEPTED and request.operation.effect is not Effect.READ
        if not 200 <= came.status < 300 or (came.status in NOT_IN_FULL and not accepted):
            raise fault(came.status, came.body, came.headers, asked, self._clock.now_ms(), meanings)
        rows = route.answer.rows if route.answer is not None else ""
        wrong = not_an_answer(type(request), came.status, came.body, came.headers, asked, rows=rows, meanings=meanings)
        if wrong is not None:
            raise wrong
        done = came.status in _NOTHING_TO_SEND and not came.body.strip()
        body = came.body
        if route.answer is not None or self.endpoint.words_of(request.operation) or self.endpoint.times is not None:
            try:
                body = await adapted(request, self.endpoint, body, came.headers)
            except ValueError as error:
                raise unreadable(error, source) from error
        return Fetched(body, point, _etag(came.headers.get("etag")), source, done, accepted)

    def _reader(self, base: str, headers: Mapping[str, str]) -> Callable[..., Awaitable[Any]]:
        """Return a function with which the adapter reads something before an operation."""

        async def read(path: str, query: Sequence[tuple[str, str]] | None = None) -> Any:
            sent_headers = {
                name: value for name, value in headers.items() if name not in {"Idempotency-Key", "If-None-Match"}
            }
            asked = SentRequest("GET", base + path)
            came = await self._http.exchange("GET", asked.url, query=query or (), headers=sent_headers)
            if not 200 <= came.status < 300:
                now_ms = self._clock.now_ms()
                raise fault(came.status, came.body, came.headers, asked, now_ms, self.endpoint.meanings)
            return json.loads(came.body) if came.body.strip() else None

        return read


def _secrets_of(request: Request[Any]) -> Iterator[str]:
    values = (getattr(request, input_.field) for input_ in request.inputs() if input_.secret)
    yield from (item for item in values if isinstance(item, str))
    yield from secrets_in(request.model_dump(by_alias=True))


def _etag(header: str | None) -> str | None:
    """Return an entity tag that can be sent back unchanged, or None if it is damaged."""
    return header if header and len(header) <= LONGEST_ETAG and can_be_sent(header) else None


def _point(epoch: str | None, offset: str | None) -> Point | None:
    if epoch is None or offset is None or not offset.isascii() or not offset.isdigit() or len(offset) > 18:
        return None
    return Point(epoch=epoch, offset=int(offset))
