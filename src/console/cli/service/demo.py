"""`console demo`: the console with its own service, which always ends with it."""

from __future__ import annotations

import importlib
import os
import selectors
import subprocess
import sys
import tempfile
import threading
from argparse import ArgumentParser
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO

from console.cli.exits import Exit, Failure
from console.cli.opening import require_terminal, show
from console.cli.option_values import port_number
from console.cli.profiles.credentials import without_password
from console.cli.service.transports import VARIABLES
from console.config.paths import Places, places
from console.config.reader import load_config
from console.config.schema import Profile
from console.recording.identities import Identities, is_recorded

NAME = "demo"
USERNAME = "eva"
PASSWORD = "demo"
START_SECONDS = 60.0


def declare_demo(parser: ArgumentParser) -> None:
    """Declare `console demo`."""
    parser.add_argument(
        "--world",
        metavar="TEXT",
        default="busy",
        help="Scenario to start with: quiet, busy, incident, empty or large. Default: %(default)s.",
    )
    parser.add_argument("--seed", type=int, metavar="NUMBER", help="Seed of the simulation.")
    parser.add_argument(
        "--speed", type=float, metavar="NUMBER", default=1.0, help="Simulated seconds per second. Default: %(default)s."
    )
    parser.add_argument(
        "--port",
        type=port_number,
        metavar="NUMBER",
        default=0,
        help="Port of the service; 0 for any free port. Default: %(default)s.",
    )
    parser.add_argument(
        "--as",
        dest="user",
        metavar="TEXT",
        default=USERNAME,
        help=(
            "User to log in as: eva is an admin, ana, bob and carla are agents, pat is a user without roles. "
            "Default: %(default)s."
        ),
    )
    parser.add_argument("--theme", metavar="TEXT", help="Theme to start with.")
    parser.set_defaults(run=demo)


def demo(
    *,
    world: str,
    seed: int | None,
    speed: float,
    port: int,
    user: str,
    theme: str | None,
) -> int:
    """Open the console with an embedded service and sample data. The data is deleted when you quit."""
    require_terminal()
    config = load_config(None, os.environ, {"theme": theme})
    here = places(os.environ)
    _forget_demos(here)
    with service(world, seed=seed, speed=speed, port=port) as address:
        profile = Profile(core=f"{address}/core", provisioning=f"{address}/provisioning", username=user)
        try:
            return show(config, NAME, profile, user, PASSWORD)
        finally:
            _forget_demos(here)


def _forget_demos(here: Places) -> None:
    """Remove what was kept of demos, except of those that other consoles show now."""
    identities = Identities(here)
    for known_service in identities.all():
        if known_service.profile == NAME and not is_recorded(here, known_service):
            identities.forget(known_service)


@contextmanager
def service(world: str, *, seed: int | None = None, speed: float = 1.0, port: int = 0) -> Generator[str]:
    """Run the embedded service as a child process and yield its base URL.

    The child ends when a pipe from this process closes, so even if this process is killed. It has its own process
    group, so that keys for the console do not reach it.
    """
    # -P: a file of the current folder, such as a downloaded secrets.py, must not replace a module.
    command = [sys.executable, "-P", "-m", "console", "serve", "--until-stdin-closes", "--caller-ids", "--remote-sip"]
    command += ["--world", world, "--port", str(port), "--speed", str(speed)]
    command += ["--seed", str(seed)] if seed is not None else []
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as error_file:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=error_file,
            text=True,
            start_new_session=True,
            env={name: value for name, value in without_password(os.environ).items() if name not in VARIABLES},
        )
        try:
            # Import the application meanwhile: both together take most of the time until the first frame. Not in this
            # thread, because an interrupt during an import may be ignored.
            threading.Thread(target=importlib.import_module, args=("console.ui.runner",), daemon=True).start()
            yield _address(child, error_file)
        finally:
            child.terminate()
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()


def _address(child: subprocess.Popen[str], output: IO[str]) -> str:
    """Wait for the line with the child's address. Raise Failure with its error output if it ends."""
    assert child.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        if not selector.select(START_SECONDS):
            raise Failure(Exit.FAILED, f"the service did not start within {START_SECONDS:g} s")
    line = child.stdout.readline().strip()
    if line:
        return line
    code = child.wait()
    output.seek(0)
    lines = output.read().strip().splitlines() or ["the service ended before it was ready"]
    raise Failure(Exit.USAGE if code == Exit.USAGE else Exit.FAILED, lines[-1].removeprefix("console: "))
