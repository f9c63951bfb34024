"""`console metrics`: serves the figures of a running console to Prometheus."""

from __future__ import annotations

import os
import signal
from argparse import ArgumentParser
from types import FrameType

from console.base.signal_pipe import SignalPipe
from console.cli.connection import Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.live_backend import followed
from console.cli.option_values import port_number
from console.config.paths import places
from console.kinds.catalogue import LIVE
from console.rules.reading import load_rules

BEAT_SECONDS = 0.5


def declare_metrics(parser: ArgumentParser) -> None:
    """Declare `console metrics`."""
    parser.add_argument(
        "--port",
        type=port_number,
        metavar="NUMBER",
        default=9464,
        help="Port to listen on; 0 for a free one, which is printed. Default: %(default)s.",
    )
    parser.add_argument(
        "--address",
        metavar="TEXT",
        default="127.0.0.1",
        help="Address to listen on. Anybody who reaches it can read the figures. Default: %(default)s.",
    )
    add_where(parser)
    parser.set_defaults(run=metrics)


def metrics(*, port: int, address: str, where: Where) -> int:
    """Follow the service, and serve its figures at /metrics in the OpenMetrics format, until interrupted.

    docs/monitoring.md lists the figures; docs/monitoring/ has a Grafana dashboard and alerting rules.
    """
    # Takes 30 ms, with its library, which the help of the command need not wait for.
    from console.cli.checks.figures import LiveFigures, RequestFigures, new_registry, serve

    chosen = choose(where, channel=True)
    registry = new_registry()
    requests = RequestFigures(registry)
    signals = SignalPipe()

    def end(_number: int, _frame: FrameType | None) -> None:
        signals.notify()

    with followed(chosen, requests.answered, load_rules(places(os.environ))) as running:
        running.backend.show(LIVE)
        registry.register(LiveFigures(running.backend, running.render))
        try:
            server = serve(registry, address, port)
        except OSError as error:
            raise Failure(Exit.CONNECTION, f"cannot listen at {address}:{port}: {error.strerror}") from error
        try:
            signal.signal(signal.SIGTERM, end)
            print(f"http://{address}:{server.server_port}/metrics", flush=True)
            while not signals.wait(BEAT_SECONDS):
                running.check()
        finally:
            server.shutdown()
    return Exit.OK
