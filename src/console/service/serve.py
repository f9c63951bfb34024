"""Run the service in the foreground, for `console serve`.

setup = open_service(Path("desk.db"), world="busy", speed=1.0)
run(setup, port=8040, announce=print)
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import uvicorn

from console.base.clock import Clock, SystemClock
from console.base.frozen import Frozen
from console.service.http.app import build_app
from console.service.http.connections import MOST_WAITING, EventConnection, HttpConnection, Server
from console.service.http.request_head import LARGEST_HEAD
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill as fill_world
from console.service.scenarios.spec import WorldSpec
from console.service.simulator.simulator import Simulator
from console.service.store.database import Database
from console.service.store.duty import Job

LOOPBACK = "127.0.0.1"
GRACE_SECONDS = 2


class ServeFault(Exception):
    """The service cannot listen at the address; the message contains the reason."""


class ServiceSetup(Frozen):
    """A platform that is ready to be served, with its simulation."""

    platform: Platform
    duties: tuple[Job, ...] = ()
    world: WorldSpec | None = None


def open_service(
    place: Path | str | None = None,
    *,
    world: str | Path | None = None,
    seed: int | None = None,
    speed: float = 1.0,
    settings: ServiceSettings | None = None,
    clock: Clock | None = None,
) -> ServiceSetup:
    """Open a file or the URL of a PostgreSQL database, by default the memory, and load a scenario if it is new.

    `speed` is the number of simulated seconds per second; 0 stops the simulation. `seed` replaces the scenario's.
    Raise DatabaseFault and ConfigFault.
    """
    clock = clock or SystemClock()
    platform = Platform(Database(place, clock.now_ms), clock, settings)
    if world is None:
        return ServiceSetup(platform)
    try:
        spec = fill_world(platform, world)
    except BaseException:
        platform.close()
        raise

    async def simulate(platform: Platform) -> None:
        own = spec.seed if seed is None else seed
        if platform.database.is_remote:
            # Another node may have simulated before; the ids of its records are taken.
            own += platform.database.head
        await Simulator(platform, spec, own, speed).run()

    return ServiceSetup(platform, (simulate,) if speed > 0 else (), spec)


def listen(host: str, port: int) -> socket.socket:
    """Open the socket to serve on; port 0 selects a free one. Raise ServeFault on failure."""
    if not host:
        # Sockets take an empty name for every address of the machine, which only an unset variable asks for.
        raise ServeFault("no address to listen on; 0.0.0.0 means all addresses")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Name the protocol explicitly: otherwise asyncio does not disable Nagle's algorithm, which delays answers by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        # From here on, connections are queued instead of refused during the start.
        listener.listen(MOST_WAITING)
    except (OSError, OverflowError) as error:
        listener.close()
        text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ServeFault(f"cannot listen on {host} port {port}: {text}") from error
    return listener


def make_server(platform: Platform, jobs: Sequence[Job] = (), duties: Sequence[Job] = ()) -> uvicorn.Server:
    """Create the server of a platform; run it with `serve(sockets=[...])`. One node of its database runs the duties."""
    app = build_app(platform, jobs, duties)
    return Server(
        uvicorn.Config(
            app,
            http=HttpConnection,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            ws=EventConnection,
            ws_max_size=64 * 1024,
            # Texts are small, and the network is fast: compressing them costs more than sending them.
            ws_per_message_deflate=False,
            lifespan="on",
            # The caller of this function decides how lines look.
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            # The platform configures trusted proxies, not the environment.
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            timeout_keep_alive=30,
            limit_concurrency=1000,
        ),
        platform.clock,
        app.state.drain,
    )


def run(
    setup: ServiceSetup,
    host: str = LOOPBACK,
    port: int = 0,
    announce: Callable[[str], None] | None = None,
    *,
    listener: int | None = None,
) -> None:
    """Serve until interrupted or terminated, from the main thread.

    `announce` is called with the base URL when connections are accepted. `listener` is the descriptor of an inherited
    socket to accept from, instead of an own one. Raise ServeFault if the address is not available. The platform is
    closed at the end.
    """
    try:
        with listen(host, port) if listener is None else socket.socket(fileno=listener) as accepting:
            address = base_url(accepting)

            async def started(_: Platform) -> None:
                if announce is not None:
                    announce(address)

            server = make_server(setup.platform, (started,), setup.duties)
            with _ended_by_signals(server):
                server.run(sockets=[accepting])
    finally:
        setup.platform.close()


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Generator[None]:
    """Treat a signal that stops the server as a regular end.

    It may arrive before uvicorn listens for it, and uvicorn raises it again afterwards.
    """

    def end(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    before = signal.signal(signal.SIGTERM, end)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def base_url(listener: socket.socket) -> str:
    """Return the base URL of a socket that listens."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
