"""`console serve`: runs the embedded service in the foreground."""

from __future__ import annotations

import os
import signal
import sys
import threading
import zoneinfo
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from console.api.annotations import Variant
from console.cli.databases import database_of, key_of
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.cli.transports import hook, mail
from console.service.platform import ServiceSettings
from console.service.proxies import Proxies
from console.service.serve import ServeFault, open_service, run
from console.service.store.faults import DatabaseFault

_DEFAULTS = ServiceSettings()


def serve(
    *,
    world: str | None = None,
    db: Path | None = None,
    database: str | None = None,
    database_password_file: Path | None = None,
    key: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    seed: int | None = None,
    speed: float = 1.0,
    variant: Literal["later", "earlier"] = "later",
    caller_ids: bool = False,
    remote_sip: bool = False,
    show_secrets: bool = False,
    default_timezone: str = _DEFAULTS.default_timezone,
    default_locale: str = _DEFAULTS.default_locale,
    account_rate: float = _DEFAULTS.account_rate,
    address_rate: float = _DEFAULTS.address_rate,
    trusted_proxy: list[str] | None = None,
    smtp: str | None = None,
    mail_from: str | None = None,
    smtp_password_file: Path | None = None,
    webhook: str | None = None,
    webhook_secret_file: Path | None = None,
    until_stdin_closes: Annotated[bool, Parameter(show=False)] = False,
) -> int:
    """Run the embedded service until it is interrupted. Prints its base URL when it is ready.

    The accounts of the included scenarios (eva, ana, bob, carla and pat, password `demo`) are for tests only.

    Parameters
    ----------
    world
        Scenario to load: quiet, busy, incident, empty, large, or a file. Ignored if the database already has users.
    db
        SQLite database file. By default, data is kept in memory only.
    database
        PostgreSQL database instead of a file, such as postgresql://service@db.example/desk; or set CONSOLE_DATABASE.
    database_password_file
        File with the password of the database, readable only by you; or set CONSOLE_DATABASE_PASSWORD.
    key
        File with the key that encrypts secrets in the database, created with it. Default: next to the SQLite file; with
        --database, in the directory of the state.
    host
        Address to listen on.
    port
        Port to listen on; 0 for any free port.
    seed
        Seed of the simulation; the same seed gives the same events.
    speed
        Simulated seconds per second; 0 stops the simulation.
    variant
        Variant of the API contract to use.
    caller_ids
        Activate the caller-id table of the provisioning service.
    remote_sip
        Let domains enable remote SIP registration.
    show_secrets
        Show admins the passwords of SIP pools and mappings, and show tokens and the secrets of credentials to admins
        and owners. Only tokens issued with this option can be shown; an encrypted copy of each is kept.
    default_timezone
        Time zone for new users without one, such as Europe/Madrid.
    default_locale
        Locale for new users without one, such as es-ES.
    account_rate
        Requests per second allowed for one account, with bursts of ten seconds' worth. 0 for no limit.
    address_rate
        Requests per second allowed for one network address, for all accounts together. 0 for no limit.
    trusted_proxy
        Address or network of a proxy whose X-Forwarded-For header is trusted; may be repeated. Default: none.
    smtp
        Mail server, such as smtps://user@mail.example:465 or smtp://localhost:25. By default, no mail is sent.
    mail_from
        Sender of mails. Default: no-reply at the name of the server.
    smtp_password_file
        File with the password of the mail server, readable only by you; or set CONSOLE_SMTP_PASSWORD.
    webhook
        URL to post SMS, push notifications and user notices to, signed. By default, they are not sent.
    webhook_secret_file
        File with the signing secret of the webhook, readable only by you; or set CONSOLE_WEBHOOK_SECRET.
    until_stdin_closes
        Stop when standard input closes.
    """
    if speed < 0:
        raise Failure(Exit.USAGE, "--speed must not be negative")
    if account_rate < 0 or address_rate < 0:
        raise Failure(Exit.USAGE, "--account-rate and --address-rate must not be negative")
    if default_timezone not in zoneinfo.available_timezones():
        raise Failure(Exit.USAGE, f"--default-timezone: unknown time zone {default_timezone}")
    try:
        Proxies(trusted_proxy or ())
    except ValueError as error:
        raise Failure(Exit.USAGE, f"--trusted-proxy: {error}") from error
    if until_stdin_closes:
        threading.Thread(target=_end_with_stdin, name="parent watch", daemon=True).start()
    place = database_of(db, database, database_password_file, os.environ)
    try:
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
        upgraded = setup.platform.database.upgraded
        if upgraded is not None:
            backup = f"; backup: {upgraded.backup}" if upgraded.backup else ""
            name = setup.platform.database.name
            talk(f"{name}: upgraded from schema {upgraded.before} to {upgraded.after}{backup}")
            for title in upgraded.titles:
                talk(f"  {title}")
        run(setup, host, port, lambda address: print(address, flush=True))
    except (DatabaseFault, ServeFault) as fault:
        raise Failure(Exit.FAILED, str(fault)) from fault
    if not until_stdin_closes:
        talk("the service has stopped")
    return Exit.OK


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
