"""From a profile to a logged-in client, for one command."""

from __future__ import annotations

import asyncio
import os
import signal
from argparse import ArgumentParser
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from console.api.annotations import Effect
from console.api.errors import LoginNeeded, ServerFault, TooMany
from console.api.request import Request
from console.base.frozen import Frozen, field
from console.cli.completers import completed_by, profile_names
from console.cli.deployment import endpoint_of
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.cli.profiles.channels import require_channel
from console.cli.profiles.credentials import Credentials, credentials
from console.cli.profiles.login_store import store_of
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.client.fetched import Fetched
from console.client.stored_login import LoginStore
from console.config.reader import FILES, load, pick_profile
from console.config.schema import Config, Profile

T = TypeVar("T")
A = TypeVar("A")
PATIENCE_SECONDS = 60.0
"""Longest time to wait for the answers to a command's requests that the service postpones."""
LOGIN_SECONDS = 30.0
"""Longest time to wait for a login that the service postpones."""
SHORTEST_WAIT = 0.2


class Where(NamedTuple):
    """The deployment of a command."""

    profile: str | None = None
    """Profile to use instead of the configured one."""
    config: Path | None = None
    """Configuration file to use instead of the default one."""


def add_where(parser: ArgumentParser) -> None:
    """Declare the options that select the deployment of a command; it gets them as `where`."""
    profile = parser.add_argument("--profile", metavar="NAME", help="Profile to use instead of the configured one.")
    completed_by(profile, profile_names)
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="Configuration file to use instead of the default one."
    )
    parser.set_defaults(where=Where)


class SelectedProfile(Frozen):
    """The effective configuration and the selected profile."""

    config: Config
    name: str
    profile: Profile
    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    """File and line of the keys of the profile that are set."""
    files: tuple[Path, ...] = ()
    """The files of the configuration, and those that the profile names."""

    @property
    def endpoint(self) -> Endpoint:
        """The deployment of this profile. Raise ConfigFault for an invalid routes file."""
        return endpoint_of(self.profile, self.origins)

    @property
    def credentials(self) -> Credentials:
        """The credentials of this profile."""
        return credentials(self.name, self.profile, os.environ)


def choose(where: Where, *, channel: bool = False) -> SelectedProfile:
    """Read the configuration and select the profile. Raise ConfigFault, also for missing files of the profile.

    `channel` tells that the event channel will be opened, so its dialect must be usable.
    """
    loaded = load(where.config, os.environ)
    name, profile = pick_profile(loaded.config, where.profile)
    loaded.check_files(name)
    if channel:
        require_channel(loaded, name)
    named = (getattr(profile, key) for key in FILES)
    files = (*loaded.files, *(file for file in named if file is not None))
    return SelectedProfile(loaded.config, name, profile, loaded.origins_of(name), files)


class PatientClient(Client):
    """A client that sends a reading request again when the service asked to send it later."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._until: float | None = None

    async def fetch(
        self, request: Request[A], *, once: str | None = None, etag: str | None = None, exact: bool = False
    ) -> Fetched:
        """Send a request; wait as long as the service asks for, at most a minute after the first request."""
        if request.operation.effect is Effect.CHANGE:
            return await super().fetch(request, once=once, etag=etag, exact=exact)
        self._until = self._until or asyncio.get_running_loop().time() + PATIENCE_SECONDS
        ask = super().fetch
        return await patiently(lambda: ask(request, etag=etag, exact=exact), self._until, _say_wait)


def make_client(endpoint: Endpoint, credentials: Credentials | None = None, kind: type[Client] = Client) -> Client:
    """Create a client. Raise Failure if the profile's files cannot be used."""
    try:
        return kind(endpoint, login=credentials.source if credentials else None)
    except (ValueError, OSError) as error:
        raise Failure(Exit.USAGE, f"invalid profile: {error}") from error


@asynccontextmanager
async def logged_in(chosen: SelectedProfile, kind: type[Client] = Client) -> AsyncGenerator[Client]:
    """Yield a logged-in client of a class. A session started for this command ends with it; a stored login stays."""
    credentials = chosen.credentials
    store = store_of(chosen.name, chosen.profile, credentials.kept)
    client = make_client(chosen.endpoint, credentials, kind)
    try:
        until, waits = asyncio.get_running_loop().time() + LOGIN_SECONDS, cache(_say_wait)
        if store is None or not await patiently(lambda: _resumed(client, store), until, waits):
            login = asked(credentials.source)
            await patiently(lambda: client.sessions.log_in(*login), until, waits)
        yield client
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await client.sessions.log_out()
        await client.close()


async def patiently(ask: Callable[[], Awaitable[T]], until: float, waits: Callable[[float], object]) -> T:
    """Send a request again when the service asked to send it later, but not after this time of the event loop.

    `waits` is called with the seconds before each pause. Raise what the request raises.
    """
    while True:
        try:
            return await ask()
        except (TooMany, ServerFault) as error:
            wait = error.retry_after
            if wait is None or asyncio.get_running_loop().time() + wait > until:
                raise
            waits(wait)
            await asyncio.sleep(max(wait, SHORTEST_WAIT))


def _say_wait(seconds: float) -> None:
    talk(f"the service is busy: waiting {seconds:g} s, as it asks")


def asked(source: Callable[[], T]) -> T:
    """Call a prompt in this thread, where an interrupt is effective at once."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return source()
    finally:
        signal.signal(signal.SIGINT, before)


async def _resumed(client: Client, store: LoginStore) -> bool:
    try:
        await client.sessions.resume(store)
    except LoginNeeded:
        return False
    return True


def run_async(work: Callable[[], Awaitable[T]]) -> T:
    """Run a command's coroutine on an event loop; after an interrupt or hangup, let it clean up first."""

    async def interruptible() -> T:
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(work())
        interrupted = False

        def interrupt() -> None:
            nonlocal interrupted
            interrupted = True
            task.cancel()

        for value in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(value, interrupt)
        try:
            return await task
        except asyncio.CancelledError:
            if interrupted:
                raise KeyboardInterrupt from None
            raise

    return asyncio.run(interruptible())
