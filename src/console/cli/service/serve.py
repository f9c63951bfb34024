"""`console serve`: runs the embedded service in the foreground."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import zoneinfo
from argparse import SUPPRESS, ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

from console.api.annotations import Variant
from console.cli.exits import Exit, Failure
from console.cli.option_values import port_number
from console.cli.output import talk
from console.cli.service.databases import add_database, add_key, database_of, key_of
from console.cli.service.transports import hook, mail
from console.cli.service.workers import run_workers
from console.service.http.proxies import Proxies
from console.service.http.request_log import LIMIT_MS, json_lines, slow_statements
from console.service.platform import ServiceSettings
from console.service.serve import ServeFault, open_service, run
from console.service.store.faults import DatabaseFault

_DEFAULTS = ServiceSettings()
_log = logging.getLogger(__name__)


def declare_serve(parser: ArgumentParser) -> None:
    """Declare `console serve`."""
    parser.add_argument(
        "--world",
        metavar="TEXT",
        help=(
            "Scenario to load: quiet, busy, incident, empty, large, or a file. Ignored if the database already "
            "has users."
        ),
    )
    add_database(parser)
    add_key(parser)
    parser.add_argument(
        "--host", metavar="TEXT", default="127.0.0.1", help="Address to listen on. Default: %(default)s."
    )
    parser.add_argument(
        "--port",
        type=port_number,
        metavar="NUMBER",
        default=8080,
        help="Port to listen on; 0 for any free port. Default: %(default)s.",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="NUMBER",
        default=1,
        help="Processes that serve the address together; more than one needs --database. Default: %(default)s.",
    )
    parser.add_argument(
        "--seed", type=int, metavar="NUMBER", help="Seed of the simulation; the same seed gives the same events."
    )
    parser.add_argument(
        "--speed",
        type=float,
        metavar="NUMBER",
        default=1.0,
        help="Simulated seconds per second; 0 stops the simulation. Default: %(default)s.",
    )
    parser.add_argument(
        "--variant",
        choices=("later", "earlier"),
        default="later",
        help="Variant of the API contract to use. Default: %(default)s.",
    )
    parser.add_argument(
        "--caller-ids", action="store_true", help="Activate the caller-id table of the provisioning service."
    )
    parser.add_argument("--remote-sip", action="store_true", help="Let domains enable remote SIP registration.")
    parser.add_argument(
        "--show-secrets",
        action="store_true",
        help=(
            "Show admins the passwords of SIP pools and mappings, and show tokens and the secrets of credentials "
            "to admins and owners. Only tokens issued with this option can be shown; an encrypted copy of each is "
            "kept."
        ),
    )
    parser.add_argument(
        "--default-timezone",
        metavar="TEXT",
        default=_DEFAULTS.default_timezone,
        help="Time zone for new users without one, such as Europe/Madrid. Default: %(default)s.",
    )
    parser.add_argument(
        "--default-locale",
        metavar="TEXT",
        default=_DEFAULTS.default_locale,
        help="Locale for new users without one, such as es-ES. Default: %(default)s.",
    )
    parser.add_argument(
        "--account-rate",
        type=float,
        metavar="NUMBER",
        default=_DEFAULTS.account_rate,
        help=(
            "Requests per second allowed for one account, with bursts of ten seconds' worth. 0 for no limit. "
            "Default: %(default)s."
        ),
    )
    parser.add_argument(
        "--address-rate",
        type=float,
        metavar="NUMBER",
        default=_DEFAULTS.address_rate,
        help=(
            "Requests per second allowed for one network address, for all accounts together. 0 for no limit. "
            "Default: %(default)s."
        ),
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        metavar="TEXT",
        help=("Address or network of a proxy whose X-Forwarded-For header is trusted; may be repeated. Default: none."),
    )
    parser.add_argument(
        "--smtp",
        metavar="TEXT",
        help=(
            "Mail server, such as smtps://user@mail.example:465 or smtp://localhost:25. By default, no mail is sent."
        ),
    )
    parser.add_argument(
        "--mail-from", metavar="TEXT", help="Sender of mails. Default: no-reply at the name of the server."
    )
    parser.add_argument(
        "--smtp-password-file",
        type=Path,
        metavar="FILE",
        help="File with the password of the mail server, readable only by you; or set CONSOLE_SMTP_PASSWORD.",
    )
    parser.add_argument(
        "--webhook",
        metavar="TEXT",
        help="URL to post SMS, push notifications and user notices to, signed. By default, they are not sent.",
    )
    parser.add_argument(
        "--webhook-secret-file",
        type=Path,
        metavar="FILE",
        help="File with the signing secret of the webhook, readable only by you; or set CONSOLE_WEBHOOK_SECRET.",
    )
    parser.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help=(
            "Form of the log on stderr: warnings as text, or a line of JSON for each request and each other message. "
            "Default: %(default)s."
        ),
    )
    parser.add_argument(
        "--slow-ms",
        type=float,
        metavar="NUMBER",
        default=LIMIT_MS,
        help="With --log json, statements of the database that take this many ms are logged. Default: %(default)g.",
    )
    parser.add_argument("--until-stdin-closes", action="store_true", help=SUPPRESS)
    # The descriptor of a socket that a process with workers shares with them.
    parser.add_argument("--listener", type=int, help=SUPPRESS)
    parser.set_defaults(run=serve)


def serve(
    *,
    world: str | None,
    db: Path | None,
    database: str | None,
    database_password_file: Path | None,
    key: Path | None,
    host: str,
    port: int,
    workers: int,
    seed: int | None,
    speed: float,
    variant: Literal["later", "earlier"],
    caller_ids: bool,
    remote_sip: bool,
    show_secrets: bool,
    default_timezone: str,
    default_locale: str,
    account_rate: float,
    address_rate: float,
    trusted_proxy: list[str] | None,
    smtp: str | None,
    mail_from: str | None,
    smtp_password_file: Path | None,
    webhook: str | None,
    webhook_secret_file: Path | None,
    log: Literal["text", "json"],
    slow_ms: float,
    until_stdin_closes: bool,
    listener: int | None,
) -> int:
    """Run the embedded service until it is interrupted. Prints its base URL when it is ready.

    The accounts of the included scenarios (eva, ana, bob, carla and pat, password `demo`) are for tests only.
    """
    if default_timezone not in zoneinfo.available_timezones():
        raise Failure(Exit.USAGE, f"--default-timezone: unknown time zone {default_timezone}")
    try:
        Proxies(trusted_proxy or ())
    except ValueError as error:
        raise Failure(Exit.USAGE, f"--trusted-proxy: {error}") from error
    if workers < 1:
        raise Failure(Exit.USAGE, "--workers must be at least 1")
    if until_stdin_closes:
        threading.Thread(target=_end_with_stdin, name="parent watch", daemon=True).start()
    place = database_of(db, database, database_password_file, os.environ)
    if workers > 1 and not isinstance(place, str):
        raise Failure(
            Exit.USAGE,
            "--workers: several processes can share a PostgreSQL database only. Name it with --database, such as "
            "--database postgresql://service@db.example/desk, or remove --workers.",
        )
    with ExitStack() as logging_as_json:
        if log == "json":
            logging_as_json.enter_context(json_lines(sys.stderr))
            logging_as_json.enter_context(slow_statements(slow_ms))
        report = _log.info if log == "json" else talk
        try:
            if workers > 1:
                code = run_workers(workers, sys.argv[1:], host, port, _announce)
                if code != Exit.OK:
                    return code
            else:
                settings = ServiceSettings(
                    variant=Variant(variant),
                    caller_ids=caller_ids,
                    remote_sip=remote_sip,
                    show_secrets=show_secrets,
                    default_timezone=default_timezone,
                    default_locale=default_locale,
                    account_rate=account_rate,
                    address_rate=address_rate,
                    trusted_proxies=tuple(trusted_proxy or ()),
                    smtp=mail(smtp, mail_from, smtp_password_file, os.environ),
                    webhook=hook(webhook, webhook_secret_file, os.environ),
                    key_file=key_of(key, place, os.environ),
                )
                setup = open_service(place, world=_world(world), seed=seed, speed=speed, settings=settings)
                run(setup, host, port, _announce, listener=listener)
        except (DatabaseFault, ServeFault) as fault:
            if log == "text":
                raise Failure(Exit.FAILED, str(fault)) from fault
            _log.error("%s", fault)
            return Exit.FAILED
        if not until_stdin_closes:
            report("the service has stopped")
    return Exit.OK


def _announce(address: str) -> None:
    print(address, flush=True)


def _world(world: str | None) -> str | Path | None:
    """Return a path for a text that looks like one, otherwise the name."""
    if world is not None and (os.sep in world or world.endswith(".toml")):
        return Path(world)
    return world


def _end_with_stdin() -> None:
    """Stop the service when stdin closes, which the parent process holds open.

    Read without Python's buffer: a thread that blocks in it holds its lock, and prevents the interpreter from exiting.
    """
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
