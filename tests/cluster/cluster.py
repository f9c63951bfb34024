"""A PostgreSQL server on a small file system, two nodes as processes, and balancers on every line between them."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.cluster.balancer import Balancer
from tests.live.until import until
from tests.postgresql import Server

DISK = "320m"
"""Size of the server's file system."""
ROLE = "node"
"""The account of the nodes at the server: no superuser, so that its connections can be limited."""
PROGRAM = """
import sys
from pathlib import Path
from console.base.clock import SystemClock
from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.serve import open_service, run

url, folder, name, port = sys.argv[1:]

class SetBack(SystemClock):
    def now_ms(self):
        return super().now_ms() - 3_600_000 * offset.exists()

offset = Path(folder, name + ".set-back")
settings = ServiceSettings(password_cost=Cost.cheap(), key_file=Path(folder, "key"), account_rate=0, address_rate=0)
setup = open_service(url, world="empty", speed=0, settings=settings, clock=SetBack())
run(setup, port=int(port), announce=lambda url: print(url, flush=True))
"""


@dataclass
class Node:
    """A node in a process of its own, at a port that it keeps."""

    name: str
    url: str
    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def base_url(self) -> str:
        """Its address, without a balancer."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it serves; again while the database is not there."""
        until(self._starts, seconds=60)

    def _starts(self) -> bool:
        command = [sys.executable, "-c", PROGRAM, self.url, str(self.folder), self.name, str(self.port)]
        with (self.folder / "nodes.log").open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        if not line:
            self.kill()
            return False
        self.port = int(line.rpartition(":")[2])
        return True

    def kill(self) -> None:
        """Kill it, if it runs."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()

    @contextmanager
    def stopped(self) -> Generator[None]:
        """Suspend the process during the block."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @contextmanager
    def set_back(self) -> Generator[None]:
        """Set the node's clock back by an hour during the block."""
        mark = self.folder / f"{self.name}.set-back"
        mark.touch()
        try:
            yield
        finally:
            mark.unlink()


@dataclass
class Cluster:
    """Everything that can fail."""

    server: Server
    nodes: tuple[Node, ...]
    lines: tuple[Balancer, ...]
    """Between each node and the database."""
    fronts: tuple[Balancer, ...]
    """Before each node."""
    balancer: Balancer
    """Before all fronts."""
    has_small_disk: bool

    @property
    def admin_url(self) -> str:
        """The database, without a balancer, as a superuser."""
        return self.server.url("service")

    def execute(self, *statements: str) -> None:
        """Execute statements as a superuser."""
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    @contextmanager
    def full_disk(self) -> Generator[None]:
        """Fill the file system of the server during the block, and start the server if it has given up."""
        ballast = self.server.folder / "ballast"
        try:
            with ballast.open("wb", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(bytes(65_536))
            yield
        finally:
            ballast.unlink()
            # A server that cannot write its log ends; if it recovers by itself, it answers soon.
            until(lambda: self.server.answers() or not self.server.is_running, seconds=60)
            if not self.server.is_running:
                self.server.start()

    @contextmanager
    def exhausted(self) -> Generator[None]:
        """Accept no more connections of nodes during the block, and end those that they have."""
        end = f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '{ROLE}'"
        self.execute(f"ALTER ROLE {ROLE} CONNECTION LIMIT 0", end)
        try:
            yield
        finally:
            self.execute(f"ALTER ROLE {ROLE} CONNECTION LIMIT -1")


@contextmanager
def _small_server() -> Generator[tuple[Server, bool]]:
    """Run a server that syncs, on a small file system if one can be mounted; return whether it could."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    is_small = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        server = Server(folder, durable=True)
        try:
            yield server, is_small
        finally:
            server.stop()
    finally:
        if is_small:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def running(folder: Path, lot: random.Random) -> AsyncGenerator[Cluster]:
    """Run a server, two nodes and their balancers."""
    with _small_server() as (server, is_small):
        with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
            for statement in (
                f"CREATE ROLE {ROLE} LOGIN",
                f"CREATE DATABASE service OWNER {ROLE}",
                # The log must not fill the small disk by itself.
                "ALTER SYSTEM SET max_wal_size = '64MB'",
                "ALTER SYSTEM SET min_wal_size = '32MB'",
                "SELECT pg_reload_conf()",
            ):
                admin.execute(statement.encode())
        async with AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(Balancer([server.port], lot)) for _ in range(2)]
            urls = [f"postgresql://{ROLE}@127.0.0.1:{line.port}/service" for line in lines]
            nodes = tuple(Node(name, url, folder) for name, url in zip("ab", urls, strict=True))
            for node in nodes:
                stack.callback(node.kill)
                await asyncio.to_thread(node.start)
            fronts = [await stack.enter_async_context(Balancer([node.port], lot)) for node in nodes]
            balancer = await stack.enter_async_context(Balancer([front.port for front in fronts], lot))
            yield Cluster(server, nodes, tuple(lines), tuple(fronts), balancer, is_small)
