"""The backend of the screens (see `backend_api`): an engine in its own thread.

All methods may be called from any thread, and none waits for the network.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from console.api.annotations import Effect
from console.api.errors import Unreachable
from console.api.request import Request
from console.base.clock import Clock, SystemClock
from console.client.endpoint import Endpoint, same_address
from console.live.authentication import Fatal
from console.live.bounds import Bounds
from console.live.command import Stage
from console.live.commands import Commands
from console.live.delta import Delta, Health
from console.live.derived import DerivedList, Deriving
from console.live.engine import Engine
from console.live.feeds import Feed
from console.live.history import History
from console.live.journal import Journal, JournalFault
from console.live.journal_reading import unresolved
from console.live.running import RunningConsole
from console.records.extent import Extent

T = TypeVar("T")

if TYPE_CHECKING:
    # Takes 45 ms.
    from console.client.client import Client
    from console.client.login import LoginSource
    from console.client.stored_login import LoginStore
    from console.live.collection import Collection
    from console.records.people import Capabilities, CurrentUser


def _client(endpoint: Endpoint, clock: Clock, login: LoginSource | None) -> Client:
    """Create the client. The engine's thread imports it while the screen is built: it takes a third of all imports."""
    # Takes 45 ms, which the screen's thread does not wait for.
    from console.client.client import Client

    return Client(endpoint, clock, login=login)


class Companion(Protocol):
    """Something that runs as long as a backend."""

    def start(self) -> None:
        """Start, without waiting."""
        ...

    def stop(self) -> None:
        """End within a second; called while the lists are still kept up to date. May be called again."""
        ...


class Backend:
    """The backend: an engine with its own thread and event loop, which a stalled terminal cannot block."""

    def __init__(
        self,
        endpoint: Endpoint,
        feeds: Iterable[Feed],
        *,
        journal_path: Path,
        login: LoginSource | None = None,
        token: str | LoginStore | None = None,
        clock: Clock | None = None,
        hold_seconds: float = 3.0,
        bounds: Bounds | None = None,
        make_client: Callable[[], Client] | None = None,
    ) -> None:
        """Prepare without effect until `start`.

        `feeds` keep their kinds up to date. `login` returns user name and password for each new session,
        in another thread; `token` belongs to an active session, which is not ended, or is a stored login. `make_client`
        replaces the client in tests.
        """
        self.endpoint = endpoint
        self.hold_seconds = hold_seconds
        """Delay of small changes without an inverse, from the profile; used for `Command.hold`."""
        self.clock = clock = clock or SystemClock()
        """The clock of all parts: sleep and stops are noticed by those who share it."""
        self.unresolved: tuple[Mapping[str, Any], ...] = ()
        """Changes of an earlier session at this address whose outcome is unknown: it ended while they were sent.

        Intents from the journal, available soon after `start`.
        """
        self._running = RunningConsole(journal_path.parent / "running")
        self._journal = Journal(journal_path)
        self._engine = Engine(
            make_client or (lambda: _client(endpoint, clock, login)),
            clock,
            feeds,
            login=login,
            token=token,
            events=endpoint.events is not None,
            quiet=endpoint.channel.seconds_of_silence,
            running=self._running,
            bounds=bounds,
        )
        self.commands = Commands(
            self._engine,
            self._journal,
            clock,
            post=self._post,
            why_not=self._why_no_change,
            where=endpoint.core,
            console=self._running.name,
        )
        self._engine.commands = self.commands
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._demanded: set[str] = set()
        self._loaded: dict[str, Collection[Any]] = {}
        """Demanded lists, which are looked up for most cells."""
        self._deriving: Deriving | None = None
        self._seen: frozenset[str] = frozenset()
        self._companions: list[Companion] = []
        self.recorded = False
        """Whether this console, or another one of the profile, records."""
        self.recording_fault = ""
        """Why nothing is recorded; empty if it is, or need not be."""

    @property
    def me(self) -> CurrentUser | None:
        """The logged-in user; None until known."""
        return self._engine.me

    @property
    def epoch(self) -> str | None:
        """The epoch of the service's events; empty if it has none, None until known."""
        return self._engine.epoch

    @property
    def session_id(self) -> str:
        """The id of this console's session; empty if unknown."""
        return self._engine.session_id

    @property
    def capabilities(self) -> Capabilities | None:
        """The services offered to the caller; None until known."""
        return self._engine.capabilities

    @property
    def link(self) -> Health:
        """The state of the connection."""
        return self._engine.link()

    @property
    def fatal(self) -> Fatal | None:
        """The error after which nothing is retried, or None."""
        return self._engine.fatal_state

    @property
    def revision(self) -> int:
        """Increases with every change of data."""
        return self._engine.revision

    @property
    def clock_difference(self) -> int | None:
        """By how many ms the service's clock is ahead of this machine's; None if unknown."""
        return self._engine.clock_difference

    @property
    def journal_fault(self) -> str:
        """Why the journal cannot be written; empty if it can."""
        return self._journal.fault

    def collections(self) -> Mapping[str, Collection[Any]]:
        """Return all lists that are kept up to date, without loading any."""
        found: dict[str, Collection[Any]] = {
            kind: follower.collection for kind, follower in self._engine.followers.items()
        }
        if self._deriving is not None:
            found |= {kind: derived_list.collection for kind, derived_list in self._deriving.lists.items()}
        return found

    def accompany(self, companion: Companion) -> None:
        """Start and stop something together with this backend, such as a recorder. Call before `start`."""
        self._companions.append(companion)

    @property
    def history(self) -> History:
        """Samples over time."""
        return self._engine.history

    def derive(self, make: Callable[[], Iterable[DerivedList[Any]]]) -> None:
        """Add lists that are computed from others; `make` creates them when first needed. Call before `start`."""
        self._deriving = Deriving(make, self._engine.has_changed, self._engine.changed)

    def start(self) -> None:
        """Start the engine's thread, without waiting."""
        if self._thread is not None:
            raise RuntimeError("a backend is started once")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, args=(self._loop,), name="console-engine", daemon=True)
        self._thread.start()
        if self._deriving is not None:
            self._deriving.start()
        for companion in self._companions:
            companion.start()

    def stop(self, timeout: float = 2.0) -> None:
        """Send held commands, revoke the session and stop the engine, within `timeout` seconds."""
        thread = self._thread
        if thread is None:
            return
        for companion in self._companions:
            companion.stop()
        if self._deriving is not None:
            self._deriving.stop()
        self._post(self._engine.end)
        thread.join(timeout)

    def retry(self) -> None:
        """Retry after a fatal error, at once."""
        self._post(self._engine.retry)

    async def change_password(self, username: str, password: str, new: str) -> None:
        """Replace a temporary password. Raise `api.errors`."""
        await asyncio.wrap_future(self._asked(self._engine.client.sessions.change_password(username, password, new)))

    def show(self, kinds: frozenset[str]) -> None:
        """Set the shown kinds."""
        kinds = frozenset(source for kind in kinds for source in self._sources(kind))
        self._demanded |= kinds & self._engine.followers.keys()

        def set_shown() -> None:
            for kind, follower in self._engine.followers.items():
                follower.want(shown=kind in kinds)

        self._post_or_do(set_shown)

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes after version `since`. Raise KeyError for an unknown kind."""
        return self._collection(kind).delta(since)

    def records(self, kind: str) -> Mapping[str, Any]:
        """Return the current records of a kind by key. Raise KeyError for an unknown kind."""
        loaded = self._loaded.get(kind)
        return (self._collection(kind) if loaded is None else loaded).snapshot()

    def health(self, kind: str) -> Health:
        """Return the current freshness of a kind. Raise KeyError for an unknown kind."""
        return self._engine.health(kind) if kind in self._engine.followers else self._derived(kind).health(self.health)

    def extent(self, kind: str) -> Extent:
        """Return how much of a kind is known. Raise KeyError for an unknown kind."""
        return self._engine.extent(kind) if kind in self._engine.followers else self.health(kind).extent

    def refresh(self, kind: str | None = None) -> None:
        """List a kind, or all loaded ones, again."""
        if kind is None:
            self._post(self._engine.refresh)
            return
        self._demand(kind)
        for source in self._sources(kind):
            self._post(self._engine.followers[source].refresh)

    def ask(self, request: Request[Any]) -> Future[Any]:
        """Send a read request. Raise ValueError for a change, which must be submitted."""
        if request.operation.effect is Effect.CHANGE:
            raise ValueError(f"{request.operation.name} changes something: submit it as a command")

        async def send() -> Any:
            return await self._engine.client.send(request)

        return self._asked(send())

    def _asked(self, asking: Coroutine[Any, Any, T]) -> Future[T]:
        loop = self._loop
        if loop is None or loop.is_closed():
            asking.close()
            future: Future[T] = Future()
            future.set_exception(Unreachable("the console is not running"))
            return future
        return asyncio.run_coroutine_threadsafe(asking, loop)

    def _why_no_change(self) -> str | None:
        if self.endpoint.read_only:
            return "this profile is read-only"
        if not self._engine.logged_in:
            reason = self._engine.link().reason
            return f"not connected: {reason}" if reason else "not connected yet"
        return None

    def saw_unresolved(self) -> None:
        """Mark the unresolved changes as seen."""
        seen, self._seen = self._seen, frozenset(str(change.get("command")) for change in self.unresolved)
        new = sorted(self._seen - seen)

        def note() -> None:
            with suppress(JournalFault):
                for command in new:
                    self._journal.append({"what": "result", "command": command, "stage": Stage.UNKNOWN.value})

        if new:
            self._post(lambda: asyncio.get_running_loop().run_in_executor(None, note))

    def _collection(self, kind: str) -> Collection[Any]:
        if kind not in self._demanded:
            self._demand(kind)
        follower = self._engine.followers.get(kind)
        collection = follower.collection if follower is not None else self._derived(kind).collection
        # Sources may be added to the others, such as the lists of new rules.
        if kind in self._demanded:
            self._loaded[kind] = collection
        return collection

    def _derived(self, kind: str) -> DerivedList[Any]:
        if self._deriving is None:
            raise KeyError(kind)
        return self._deriving.lists[kind]

    def _sources(self, kind: str) -> frozenset[str]:
        """Return the kinds that the service lists, from which a list is made; none for an unknown kind."""
        if kind in self._engine.followers:
            return frozenset({kind})
        derived = self._deriving.lists.get(kind) if self._deriving is not None else None
        sources = derived.sources if derived is not None else frozenset[str]()
        return frozenset(source for kind in sources for source in self._sources(kind))

    def _demand(self, kind: str) -> None:
        """Let the service's lists be loaded from which a list is made."""
        for source in self._sources(kind) - self._demanded:
            self._demanded.add(source)
            self._post_or_do(self._engine.followers[source].want)
        if self._sources(kind):
            self._demanded.add(kind)

    def _post_or_do(self, call: Callable[[], object]) -> None:
        """Run on the engine's loop, or directly if it is not running."""
        if self._loop is None:
            call()
        else:
            self._post(call)

    def _post(self, call: Callable[[], object]) -> bool:
        if self._loop is None:
            return False
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            return False
        return True

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        self._running.begin()
        self._look_back()
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._engine.run())

    def _look_back(self) -> None:
        with suppress(OSError):
            changes = unresolved(self._journal.path, self._running.is_running)
            here = same_address(self.endpoint.core)
            self.unresolved = tuple(
                change for change in changes if same_address(str(change.get("where") or here)) == here
            )
