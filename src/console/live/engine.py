"""The engine behind the screens: one login, one event channel, one follower per kind, on one event loop."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from console.api.annotations import Service
from console.api.errors import ApiError, LoginNeeded, Unreachable
from console.api.request import Request
from console.base.clock import Clock
from console.base.frozen import replace
from console.live import memory
from console.live.authentication import Authentication, Fatal, fatal_error, follow_capabilities, login_fault
from console.live.backoff import Backoff
from console.live.bounds import Bounds
from console.live.channel import Channel
from console.live.delta import Freshness, Health
from console.live.feeds import Feed
from console.live.follower import Follower
from console.live.freshness import KindFacts, kind_health, link_health
from console.live.history import History, keep_sampling
from console.live.listing import Lister
from console.live.running import RunningConsole, end_left_sessions
from console.live.waiting import at_most, wait_or_sleep
from console.records import state_words
from console.records.extent import Extent, extent_of
from console.records.people import name_of
from console.records.record import Record

if TYPE_CHECKING:
    from console.client.client import Client
    from console.client.fetched import Fetched
    from console.client.login import LoginSource
    from console.client.stored_login import LoginStore
    from console.live.commands import Commands
    from console.records.people import Capabilities, CurrentUser

log = logging.getLogger("console.live")
CHANNEL_SECONDS = 1.0
"""Longest delay of the first lists for the event channel, so that they need not be repeated."""
GOODBYE_SECONDS = 0.9
"""Longest wait at the end for commands in progress, and for revoking the session."""
DOUBT_SECONDS = (1.0, 4.0)
"""Delays before a login that was valid is tried again, before a person is asked; the last follows an internal error."""
LIVED_SECONDS = 60.0
"""Minimum duration of a login for these delays to apply again."""


class Engine:
    """Keeps the kinds up to date. Its loop owns it; any thread may read `fatal`, `me`, collections and healths."""

    def __init__(
        self,
        make_client: Callable[[], Client],
        clock: Clock,
        feeds: Iterable[Feed],
        *,
        login: LoginSource | None = None,
        token: str | LoginStore | None = None,
        events: bool = True,
        quiet: float | None = None,
        running: RunningConsole | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        self.clock = clock
        self.history = History(clock)
        self.me: CurrentUser | None = None
        self.epoch: str | None = None
        """The epoch of the core service's events in its last list; empty if it has none, None until known."""
        self.capabilities: Capabilities | None = None
        self.fatal_state: Fatal | None = None
        self.logged_in = False
        self.commands: Commands | None = None
        self._make_client = make_client
        self._authentication = Authentication(login, token)
        self._client: Client | None = None
        self._running = running
        self._ticks = itertools.count(1)
        self.revision = 0
        self.has_changed = threading.Event()
        """For the thread of derived lists, which clears it."""
        self._login_state = KindFacts()
        """State of logging in."""
        self._contact: float | None = None
        self._broken = asyncio.Event()
        self._offers_doubted = asyncio.Event()
        self._why_broken = Fatal("login", "the login has ended")
        self._again = asyncio.Event()
        self._ending = asyncio.Event()
        feeds = tuple(feeds)
        self.followers: dict[str, Follower] = {}
        topics = tuple(feed.kind for feed in feeds)
        self.channel = Channel(self, self.followers, topics, clock, wanted=events, quiet=quiet)
        self._events = events
        self._connecting = False
        """Whether it is unknown if there is an event channel."""
        make_lister = partial(Lister, bounds=bounds, is_admin=self._is_admin, pause=clock.sleep)
        for feed in feeds:
            self.followers[feed.kind] = Follower(feed, make_lister(feed, self), self.channel, self, clock)
        if "status" in self.followers:
            self.followers["status"].want()

    # -- life cycle --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Run until `end`; after a fatal error, wait for `retry`."""
        memory.keep_together()
        ending = asyncio.ensure_future(self._ending.wait())
        living = asyncio.ensure_future(self._live())
        try:
            await asyncio.wait({ending, living}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
            await self._shut_down(living)

    def end(self) -> None:
        """Stop soon."""
        self._ending.set()

    def retry(self) -> None:
        """Retry at once."""
        self._again.set()
        self.refresh()

    def refresh(self) -> None:
        """List everything again at once, without any delay."""
        if self.fatal_state is None:
            self._again.set()
        if self._events:
            self.channel.try_again()
        for follower in self.followers.values():
            follower.refresh()

    async def _shut_down(self, living: asyncio.Task[None]) -> None:
        if self.commands is not None:
            self.commands.leave()
            await at_most(self.commands.settle(), GOODBYE_SECONDS)
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        tidy = (client := self._client) is None or bool(await at_most(client.sessions.log_out(), GOODBYE_SECONDS))
        if client is not None:
            await client.close()
        if self._running is not None:
            self._running.end(tidy=tidy)

    async def _live(self) -> None:
        """Run sessions repeatedly. Retry a valid login that is refused first: it may have been damaged in transit."""
        doubts: Iterator[float] | None = None
        while True:
            self._broken.clear()
            began = self.clock.monotonic()
            try:
                fatal = await self._run_session()
            except Exception as error:
                log.exception("internal error: starting again")
                await self._wait_logged_out(f"internal error: {type(error).__name__}", DOUBT_SECONDS[-1])
                continue
            if self.logged_in and (doubts is None or self.clock.monotonic() - began >= LIVED_SECONDS):
                doubts = iter(DOUBT_SECONDS)
            self.logged_in = False
            wait = next(doubts, None) if doubts is not None and fatal.kind in {"login", "config"} else None
            if wait is not None:
                await self._wait_logged_out(fatal.reason, wait)
                continue
            doubts = None
            self.fatal_state = fatal
            self.changed()
            self._again.clear()
            await self._again.wait()
            self.fatal_state = None
            self.changed()

    async def _wait_logged_out(self, reason: str, seconds: float) -> None:
        """Report the reason and the time of the next attempt, and wait for it."""
        self._login_state = KindFacts(error=reason, unreachable=True, retry_at=self.clock.monotonic() + seconds)
        self.changed()
        self._again.clear()
        await wait_or_sleep(self._again, self.clock, seconds)

    async def _run_session(self) -> Fatal:
        """Log in and keep everything up to date; return the fatal error."""
        try:
            client = self._make_client()
        except ValueError as error:
            return Fatal("config", str(error))
        except OSError as error:
            return Fatal("certificate", f"a certificate file cannot be used: {error}")
        if self._client is not None:
            await self._client.close()
        self._client = client
        if self._running is not None:
            client.sessions.started = partial(self._running.has_session, client.address)
        if (fatal := await self._log_in(client)) is not None:
            return fatal
        tidying = partial(end_left_sessions, self._running, client.sessions, client.address)
        following = partial(follow_capabilities, client, self.clock, self._offers_doubted, self._offered)
        sampling = partial(keep_sampling, self.history, self.clock, self.followers, self.health)
        tasks = [asyncio.ensure_future(self._kept(work)) for work in (sampling, tidying, following)]
        try:
            if self._events:
                self._connecting = True
                self.channel.revive()
                tasks.append(asyncio.ensure_future(self._kept(self.channel.run)))
                await wait_or_sleep(self.channel.tried, self.clock, CHANNEL_SECONDS)
                self._connecting = False
                self.changed()
            if not self.channel.facts.open:
                # Otherwise they are read since the channel is open, which notifies of changes.
                self._offers_doubted.set()
            for follower in self.followers.values():
                follower.refresh()
                tasks.append(asyncio.ensure_future(self._kept(follower.run)))
            await self._broken.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._why_broken

    async def _kept(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run a part of the engine; restart it after an internal error, without affecting other parts."""
        while True:
            try:
                await work()
                return
            except Exception:
                log.exception("internal error: reconnecting")
                await self.clock.sleep(1.0)

    def _offered(self, capabilities: Capabilities | None) -> None:
        self.capabilities = capabilities
        self.changed()

    # -- login -------------------------------------------------------------------------------------------------------

    async def _log_in(self, client: Client) -> Fatal | None:
        """Log in, and wait for the service if necessary. Return a fatal error, or None."""
        backoff = Backoff()
        while True:
            try:
                self.me, self.capabilities = await self._authentication.log_in(client), None
            except ApiError as error:
                if (fatal := login_fault(error, client.endpoint.core, anew=self.me is None)) is not None:
                    return fatal
                wait = backoff.failed(at_least=error.retry_after)
                await self._wait_logged_out(error.reason, wait)
            else:
                self._login_state = KindFacts()
                self.logged_in = True
                self.answered()
                self.changed()
                return None

    # -- freshness ---------------------------------------------------------------------------------------------------

    def health(self, kind: str) -> Health:
        """Return the current freshness of a kind."""
        facts = self.followers[kind].facts
        if not self.logged_in:
            fatal = self.fatal_state
            error = fatal.reason if fatal is not None else self._login_state.error
            retry_at = None if fatal is not None else self._login_state.retry_at
            facts = replace(facts, joined=False, error=error, unreachable=bool(error), refused=False, retry_at=retry_at)
        health = kind_health(facts, self.channel.facts, self.clock.monotonic())
        return replace(health, cut=facts.cut, total=facts.total) if facts.cut else health

    def extent(self, kind: str) -> Extent:
        """Return how much of a kind is known: the extent of its health, without the work for the time."""
        facts = self.followers[kind].facts
        return extent_of(facts.proved is not None, facts.refused and self.logged_in, bool(facts.cut))

    @property
    def clock_difference(self) -> int | None:
        """By how many ms the service's clock is ahead of this machine's; None if unknown."""
        return None if self._client is None else self._client.clock_difference.ms

    def link(self) -> Health:
        """Return the current state of the connection."""
        now = self.clock.monotonic()
        fatal = self.fatal_state
        if fatal is not None:
            age = None if self._contact is None else max(0.0, now - self._contact)
            return Health(Freshness.REFUSED, age, fatal.reason)
        if self._connecting and not self.channel.facts.open:
            return Health(Freshness.LOADING)
        broken = [self._login_state] if self._login_state.error else []
        broken += [
            follower.facts for follower in self.followers.values() if follower.wanted and follower.facts.unreachable
        ]
        return link_health(self.channel.facts, self._contact, broken, now)

    # -- notifications -----------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Note that displayed data may have changed."""
        self.revision = next(self._ticks)
        self.has_changed.set()

    def answered(self) -> None:
        """Note that the service answered."""
        self._contact = self.clock.monotonic()

    def fatal(self, error: ApiError) -> None:
        """Stop after an error that only a person can solve."""
        self._why_broken = fatal_error(error)
        self._broken.set()
        self.changed()

    def subscribed(self, proof: float) -> None:
        """List everything again, now that the channel is open, and join the events."""
        self._offers_doubted.set()
        self.answered()
        self.lost(proof, at_once=True)

    def suspect(self) -> None:
        """List everything again soon: data was damaged in transit, and rows may have been undetected."""
        for follower in self.followers.values():
            follower.suspect()

    def lost(self, proof: float, *, at_once: bool = False) -> None:
        """List everything again, because events are missing."""
        for follower in self.followers.values():
            follower.doubt(proof, at_once=at_once)
        self.changed()

    def closed(self, proof: float) -> None:
        """Renew connections: the channel is closed, and other connections may be dead as well."""
        if self._client is not None:
            self._client.renew_connections()
        self.lost(proof)

    async def renew_login(self) -> bool:
        """Renew the login after the event channel refused it."""
        client = self.client
        try:
            await client.sessions.renew(client.sessions.token)
        except LoginNeeded as error:
            self.fatal(error)
            return False
        except ApiError:
            pass
        return True

    async def fetch(self, request: Request[Any], *, etag: str | None = None) -> Fetched:
        """Request a list."""
        fetched = await self.client.fetch(request, etag=etag)
        if request.operation.service is Service.CORE:
            self.epoch = fetched.point.epoch if fetched.point is not None else self.epoch or ""
        return fetched

    @property
    def username(self) -> str:
        """The name of the caller in the journal; empty until known."""
        return name_of(self.me)

    def _is_admin(self) -> bool:
        return self.me is not None and state_words.role(self.me.user.role) == "admin"

    @property
    def session_id(self) -> str:
        """The id of the current session; empty if unknown."""
        return self._client.sessions.session_id if self._client is not None else ""

    @property
    def client(self) -> Client:
        """The client of the current login. Raise Unreachable before the first one."""
        if self._client is None:
            raise Unreachable("not connected yet")
        return self._client

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the known records of a kind by key; none for one that is not followed."""
        follower = self.followers.get(kind)
        return follower.collection.snapshot() if follower is not None else {}

    def read_back(self, kinds: Iterable[str]) -> None:
        """List these kinds again."""
        for kind in self.followers.keys() & set(kinds):
            self.followers[kind].refresh()
