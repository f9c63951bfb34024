"""Call all read operations of a deployment, and classify the results."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from console.api.annotations import Access, Effect, Role
from console.api.bodies import load
from console.api.catalogue import catalogue
from console.api.errors import (
    ApiError,
    BadRequest,
    Forbidden,
    NotFound,
    NotOffered,
    Refused,
    TooMany,
    Unreachable,
)
from console.api.events import Hint, Reset, Subscribed
from console.api.listed import PAGE, first_page, rows_of
from console.api.request import Request
from console.api.shape import ShapeDifference, differences
from console.base.frozen import replace
from console.base.secrets import texts_in
from console.base.text import clean, of_number
from console.cli.checks.findings import EVENTS, Finding, State, unknown_words, unmatched_fields
from console.cli.checks.sample_inputs import SAMPLES, few, wants_secret
from console.cli.connection import patiently
from console.client.client import Client
from console.client.dialect import Message
from console.client.endpoint import HINTS_DIALECT, OWN_DIALECT
from console.client.fetched import Fetched
from console.kinds.catalogue import FEEDS
from console.records import state_words
from console.records.addresses import CONTRACT, Addresses, learnt_addresses
from console.records.people import CurrentUser

AT_ONCE = 4
"""Concurrent requests."""
_LISTINGS = [listing for feed in FEEDS.values() for listing in feed.listings]
_UNSIZED = {type(listing) for listing in _LISTINGS if getattr(listing, "page_size", PAGE) is None}
"""Operations that the console also calls without a page size, if that is refused."""
_ME = "users.current"
PRESENCES = "presence.list"
"""The operation whose answer shows the form of addresses."""


async def examine(
    client: Client,
    seconds: float,
    *,
    channel: bool = False,
    addresses: Addresses | None = None,
    texts: set[str] | None = None,
) -> tuple[Finding, ...]:
    """Call every read operation and open the event channel, within this many seconds in total.

    The client must be logged in. No change is ever sent. `channel` tells that the event channel is required; otherwise
    polling is sufficient. `addresses` are the configured forms, which are compared with the presences' addresses.
    `texts` collects the texts of all answers.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    examination = _Examination(client, deadline, channel, addresses, texts)
    findings = await examination.run()
    seen = examination.addresses()
    if seen is None or seen.user == (addresses or CONTRACT).user:
        return findings
    return tuple(
        _with_addresses(finding, seen, addresses) if finding.name == PRESENCES else finding for finding in findings
    )


def _with_addresses(finding: Finding, seen: Addresses, configured: Addresses | None) -> Finding:
    """Add the form of addresses to the result of the list of presences, with the line that configures it."""
    line = f'addresses = {{ user = "{seen.user}", group = "{seen.group}" }}'
    if configured is None:
        return replace(finding, reason=f"users have addresses such as {seen.user}; for the profile: {line}")
    text = f"has the form {seen.user}, but the profile says {configured.user}; write {line}"
    return replace(
        finding, state=State.DIFFERS, differences=(*finding.differences, ShapeDifference("[].address", text))
    )


class _Examination:
    def __init__(
        self, client: Client, deadline: float, channel: bool, addresses: Addresses | None, texts: set[str] | None
    ) -> None:
        self._client = client
        self._texts = texts
        self._channel_needed = channel
        self._addresses = addresses
        self._deadline = deadline
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._answers: dict[str, object] = {}
        self._tried: dict[str, asyncio.Event] = {}
        self._paused_until = 0.0
        """Until when the service asked to send no requests, on the loop's clock."""
        self._token_refused: Finding | None = None

    def addresses(self) -> Addresses | None:
        """Return the forms of addresses in the answers, or None if they do not show them."""
        me = self._answers.get("users.current")
        presences, users = (
            {row.key for name in names for row in rows_of(self._answers.get(name))}
            for names in ((PRESENCES,), ("users.list", "users.page"))
        )
        return learnt_addresses(me.user.id if isinstance(me, CurrentUser) else "", presences, users)

    async def run(self) -> tuple[Finding, ...]:
        reading = {name: request for name, request in catalogue().items() if request.operation.effect is Effect.READ}
        self._tried = {name: asyncio.Event() for name in reading}
        results = await asyncio.gather(
            *(self._try(name, request) for name, request in reading.items()), self._channel()
        )
        return tuple(results)

    async def _try(self, name: str, request: type[Request[Any]]) -> Finding:
        try:
            return await self._examined(name, request)
        finally:
            self._tried[name].set()

    async def _examined(self, name: str, request: type[Request[Any]]) -> Finding:
        lacking = self._client.endpoint.lacks(request.operation)
        if lacking is not None:
            return Finding(name, State.NOT_OFFERED, lacking)
        if wants_secret(request):
            return Finding(name, State.UNPROVEN, "needs a secret, which is not sent for a check")
        inputs, besides = {}, {}
        sample = SAMPLES.get(name)
        if sample is not None:
            for source in sample.operations:
                await self._tried[source].wait()
            sample_inputs = sample.of(self._answers)
            if sample_inputs is None:
                return Finding(
                    name, State.UNPROVEN, f"{' and '.join(sample.operations)} returned nothing to check with"
                )
            inputs, besides = sample_inputs
            if "address" in inputs:
                inputs["address"] = await self._own_address(inputs["address"])
        is_for_others = await self._is_for_others(request)
        if self._token_refused is not None and request.operation.access is not Access.ANYONE:
            return replace(self._token_refused, name=name, request="", answer="", seconds=None)
        if is_for_others:
            return Finding(name, State.UNPROVEN, f"allowed only for {request.operation.access.words}")
        return await self._asked(name, request, inputs, besides)

    async def _own_address(self, address: str) -> str:
        """Return the caller's address in the form of the deployment."""
        await self._tried[PRESENCES].wait()
        forms, identifier = self._addresses or self.addresses(), CONTRACT.user.id_of(address)
        return forms.user.of(identifier) if forms is not None and identifier is not None else address

    async def _is_for_others(self, request: type[Request[Any]]) -> bool:
        """Return whether the caller's role is known to be too low."""
        least = request.operation.access.value.least
        if least <= Role.ANONYMOUS or request.operation.name == _ME:
            return False
        await self._tried[_ME].wait()
        me = self._answers.get(_ME)
        role = me.user.role if isinstance(me, CurrentUser) else None
        return least > Role.__members__.get(state_words.role(role).upper(), Role.ADMIN)

    async def _asked(
        self, name: str, request: type[Request[Any]], inputs: Mapping[str, Any], besides: Mapping[str, Any]
    ) -> Finding:
        started = time.monotonic()
        try:
            async with asyncio.timeout_at(self._deadline), self._slots:
                started = time.monotonic()
                came = await patiently(lambda: self._unhurried(request, inputs, besides), self._deadline, self._pause)
        except TimeoutError:
            return Finding(name, State.UNREACHABLE, "not checked within the time limit")
        except TooMany as error:
            text = f"not checked within the time limit: {error.in_full}"
            return Finding(name, State.UNREACHABLE, text, request=error.request, answer=error.answer)
        except ApiError as error:
            if request.operation.is_extension and isinstance(error, NotFound) and not inputs:
                return Finding(name, State.NOT_OFFERED, "an extension; this deployment does not have it")
            finding = _finding_of(name, error, inputs, time.monotonic() - started)
            if name == _ME and error.advice is not None and isinstance(error, Forbidden):
                self._token_refused = finding
            return finding
        except ValidationError:
            return Finding(
                name, State.UNPROVEN, f"the answer of {' or '.join(SAMPLES[name].operations)} cannot be used as input"
            )
        took = time.monotonic() - started
        body = came.body
        self._keep_texts(body)
        finding = differences(request, body)
        try:
            self._answers[name] = request.read_answer(body)
        except ValueError as error:
            finding = finding or (ShapeDifference("", str(error).partition("\n")[0]),)
        size = self._client.page_sizes.learnt(request)
        pages = f"in pages of {size}: larger ones were refused" if size is not None else ""
        answered = self._answers.get(name)
        route = self._client.endpoint.route(request.operation)
        unmatched = unmatched_fields(answered, route.answer.fields if route.answer is not None else {})
        reason = "; ".join(filter(None, (pages, unknown_words(name, answered), unmatched)))
        state = State.DIFFERS if finding else State.WORKS
        answer = f"2xx {came.source.partition(' from ')[0]}"
        return Finding(name, state, reason, differences=finding, seconds=took, answer=answer)

    def _keep_texts(self, body: bytes) -> None:
        if self._texts is not None:
            with suppress(ValueError):
                self._texts.update(texts_in(load(body)))

    async def _unhurried(
        self, request: type[Request[Any]], inputs: Mapping[str, Any], besides: Mapping[str, Any]
    ) -> Fetched:
        """Send the request after the pause that the service asked for."""
        await asyncio.sleep(max(0.0, self._paused_until - asyncio.get_running_loop().time()))
        return await self._fetched(request, inputs, besides)

    def _pause(self, seconds: float) -> None:
        """Send nothing for some seconds, as the service asked."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + seconds)

    async def _fetched(
        self, request: type[Request[Any]], inputs: Mapping[str, Any], besides: Mapping[str, Any]
    ) -> Fetched:
        """Request few rows, or without a limit if the deployment does not support it; a page as the console does."""
        limits, unsized = few(request), request in _UNSIZED
        try:
            return await self._client.fetch(first_page(request, {**limits, **inputs}, PAGE))
        except BadRequest:
            if not limits and not unsized:
                raise
            besides = {"page_size": None} if unsized else {}
        except NotFound:
            if not besides:
                raise
        return await self._client.fetch(first_page(request, {**inputs, **besides}, PAGE))

    async def _channel(self) -> Finding:
        """Open the event channel, and check that what it says is understood."""
        if self._client.endpoint.events is None:
            return Finding(EVENTS, State.NOT_OFFERED, "this profile has no event channel: lists are polled")
        started = time.monotonic()
        heard = Heard()
        try:
            await listen(self._client, heard)
        except ApiError as error:
            finding = _finding_of(EVENTS, error, {}, time.monotonic() - started)
            if heard.opened and not self._client.endpoint.channel.is_own:
                # A channel may end by itself after it was understood.
                finding = heard.finding(*self._opened) if heard.understood else finding
        else:
            finding = heard.finding(*self._opened)
        finding = replace(finding, seconds=time.monotonic() - started) if finding.state is State.WORKS else finding
        if self._channel_needed or finding.state is State.WORKS:
            return finding
        return replace(finding, state=State.NOT_OFFERED, reason=f"{finding.reason}: lists are polled")

    @property
    def _opened(self) -> tuple[str, str]:
        """The dialect of the event channel, and its URL without a query, which may contain a credential."""
        endpoint = self._client.endpoint
        return endpoint.channel.dialect, (endpoint.events or "").partition("?")[0]


def _finding_of(name: str, error: ApiError, inputs: Mapping[str, Any], took: float) -> Finding:
    """Return the result that an error means."""
    advice = str(error.advice) if error.advice is not None else ""
    return replace(_state_of(name, error, inputs, took), request=error.request, answer=error.answer, advice=advice)


def _state_of(name: str, error: ApiError, inputs: Mapping[str, Any], took: float) -> Finding:
    reason = error.in_full
    match error:
        case NotFound() if inputs and not _is_its_own(name):
            about = ", ".join(f"{field} {value}" for field, value in inputs.items())
            return Finding(name, State.UNPROVEN, f"not found: {about}: {reason}", seconds=took)
        case NotFound() | NotOffered():
            return Finding(name, State.NOT_BOUND, reason, seconds=took)
        case Refused():
            return Finding(name, State.REFUSED, reason, seconds=took)
        case Unreachable():
            return Finding(name, State.UNREACHABLE, reason, seconds=took)
        case _:
            return Finding(name, State.FAILED, reason, seconds=took)


def _is_its_own(name: str) -> bool:
    """Return whether the inputs came from the operation's own resource, so that the record must exist."""
    resource = name.partition(".")[0]
    return any(source.partition(".")[0] == resource for source in SAMPLES[name].operations)


CHANNEL_SECONDS = 5.0
"""Time to open the event channel, and to confirm the subscription in our own protocol."""
HEARD_SECONDS = 3.0
"""How long a channel of another protocol is listened to."""


@dataclass
class Heard:
    """Messages of an event channel."""

    opened: bool = False
    confirmed: bool = False
    messages: int = 0
    frames: int = 0
    skipped: int = 0
    silences: int = 0
    """Comments of a stream, which only show that it lives."""
    unknown: str = ""
    lists: set[str] = field(default_factory=set[str])

    def take(self, messages: Iterable[Message]) -> None:
        """Note what arrived."""
        for message in messages:
            if isinstance(message, Hint):
                self.frames += message.frames
                self.skipped += message.skipped
                self.silences += not message.frames
                self.unknown = self.unknown or message.unknown
                self.lists.update(message.lists)
            else:
                self.messages += 1
                self.confirmed = self.confirmed or isinstance(message, Subscribed | Reset)

    @property
    def understood(self) -> bool:
        """Whether anything was said that the console can use."""
        return bool(self.messages or self.lists)

    def finding(self, dialect: str, url: str) -> Finding:
        """Return the result for a channel that did not fail."""
        if not self.opened:
            return Finding(EVENTS, State.UNREACHABLE, f"{url} did not open within {CHANNEL_SECONDS:g} s")
        if dialect == OWN_DIALECT:
            if self.confirmed:
                return Finding(EVENTS, State.WORKS)
            text = f"opened, but not understood: no subscription confirmed within {CHANNEL_SECONDS:g} s"
            return Finding(EVENTS, State.FAILED, text)
        if self.understood and not self.frames:
            return Finding(EVENTS, State.WORKS, f"opened; dialect {dialect} read {self.messages} messages")
        if not self.frames:
            silence = "nothing arrived" if dialect == HINTS_DIALECT else f"dialect {dialect} read nothing"
            silence = "only comments arrived" if self.silences else silence
            return Finding(EVENTS, State.UNPROVEN, f"{url} opened; {silence} within {HEARD_SECONDS:g} s")
        text = f"{self.frames - self.skipped} of {self.frames} frames understood within {HEARD_SECONDS:g} s"
        if not self.understood:
            came = f"{self.frames} {of_number(self.frames, 'frame')} arrived within {HEARD_SECONDS:g} s"
            first = f": {clean(self.unknown, 80)}" if self.unknown else ""
            advice = "" if not self.skipped else "No text was found in a frame: `resource` says where it is."
            reason = f"{url} opened; {came}, and no hint was understood yet{first}"
            return Finding(EVENTS, State.UNPROVEN, reason, advice=advice)
        return Finding(EVENTS, State.WORKS, f"opened; {text}; lists: {', '.join(sorted(self.lists))}")


async def listen(client: Client, heard: Heard) -> None:
    """Read the channel until our protocol has confirmed the subscription, or another one was heard for a while."""
    own = client.endpoint.channel.is_own
    with suppress(TimeoutError):
        async with asyncio.timeout(CHANNEL_SECONDS) as limit, client.stream(tuple(FEEDS)) as stream:
            heard.opened = True
            if not own:
                limit.reschedule(asyncio.get_running_loop().time() + HEARD_SECONDS)
            async for messages in stream:
                heard.take(messages)
                if own and heard.confirmed:
                    return
