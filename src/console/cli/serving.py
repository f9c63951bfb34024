"""`console serve`: the embedded service, in the foreground."""

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
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.cli.transports import hook, mail
from console.service.database import DatabaseFault
from console.service.platform import Settings
from console.service.proxies import Proxies
from console.service.serve import ServeFault, open_service, run
from console.service.world.spec import WorldFault

_DEFAULTS = Settings()


def serve(
    *,
    world: str | None = None,
    db: Path | None = None,
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
    """Run the embedded service until it is interrupted. Prints its base URL once it answers.

    The log-ins of the worlds that come along (eva, ana, bob, carla and pat, password `demo`) are for trying out only.

    Parameters
    ----------
    world
        What to begin with: quiet, busy, incident, empty, large, or a file. A database that has users keeps its own.
    db
        SQLite file to keep everything in; without one it is in memory and gone at the end.
    host
        Address to listen on.
    port
        Port to listen on; 0 takes a free one.
    seed
        Number that decides how the simulated day goes; the same one gives the same day.
    speed
        Simulated seconds per second; 0 keeps the world still.
    variant
        Which of the contract's two variants to speak.
    caller_ids
        Activate the caller-id table of the provisioning service.
    remote_sip
        Let domains enable remote SIP registration.
    show_secrets
        Show admins the passwords of SIP pools and mappings, and tokens and the secrets of credentials to them and to
        their owners. Only tokens that are issued with this option can be shown; a sealed copy of each is kept.
    default_timezone
        Time zone of users who are created without one, such as Europe/Madrid.
    default_locale
        Locale of users who are created without one, such as es-ES.
    account_rate
        Requests a second that one account may send; ten seconds' worth may come at once. 0 is no limit.
    address_rate
        The same for one network address, whoever asks from there.
    trusted_proxy
        Address or network of a proxy whose X-Forwarded-For header is believed; may be repeated. None is by default.
    smtp
        Mail server, such as smtps://user@mail.example:465 or smtp://localhost:25. Without one no mail is sent.
    mail_from
        Sender of mails; no-reply at the server's name by default.
    smtp_password_file
        File with the password for the mail server, readable by you alone; or set CONSOLE_SMTP_PASSWORD.
    webhook
        Address that SMS, pushes and notices to users are posted to, signed. Without one they are not sent.
    webhook_secret_file
        File with the secret that signs them, readable by you alone; or set CONSOLE_WEBHOOK_SECRET.
    until_stdin_closes
        End when whoever started this is gone.
    """
    if speed < 0:
        raise Failure(Exit.USAGE, "--speed must not be negative")
    if account_rate < 0 or address_rate < 0:
        raise Failure(Exit.USAGE, "--account-rate and --address-rate must not be negative")
    if default_timezone not in zoneinfo.available_timezones():
        raise Failure(Exit.USAGE, f"--default-timezone: there is no time zone {default_timezone}")
    try:
        Proxies(trusted_proxy or ())
    except ValueError as error:
        raise Failure(Exit.USAGE, f"--trusted-proxy: {error}") from error
    if until_stdin_closes:
        threading.Thread(target=_end_with_stdin, name="parent watch", daemon=True).start()
    try:
        settings = Settings(
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
        )
        setup = open_service(db, world=_world(world), seed=seed, speed=speed, settings=settings)
        upgraded = setup.platform.database.upgraded
        if upgraded is not None:
            talk(f"{db}: upgraded from schema {upgraded.before} to {upgraded.after}; backup: {upgraded.backup}")
            for title in upgraded.titles:
                talk(f"  {title}")
        run(setup, host, port, lambda address: print(address, flush=True))
    except WorldFault as fault:
        raise Failure(Exit.USAGE, str(fault)) from fault
    except (DatabaseFault, ServeFault) as fault:
        raise Failure(Exit.FAILED, str(fault)) from fault
    if not until_stdin_closes:
        talk("the service has ended")
    return Exit.OK


def _world(world: str | None) -> str | Path | None:
    """Take what looks like a path for a file, and anything else for a name."""
    if world is not None and (os.sep in world or world.endswith(".toml")):
        return Path(world)
    return world


def _end_with_stdin() -> None:
    """End the service, in good order, when standing input ends: its other end is held by who started us.

    Read without Python's buffer: a thread that sleeps inside of it holds its lock, and the interpreter cannot end.
    """
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
