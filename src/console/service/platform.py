"""Shared state of the service: database, clock, settings.

The domain is plain functions in `service/domain/`, one file per subject, which take the platform first and are called
by requests and by the simulator. A function that changes data opens `platform.write()` itself, which nests; see
`store/database.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from console.api.annotations import Variant
from console.base.clock import Clock, SystemClock
from console.base.frozen import Frozen, field
from console.service.auth.caller import NOBODY, Caller
from console.service.auth.offers import Offers
from console.service.auth.passwords import Cost, Passwords
from console.service.auth.sealing import seals_of
from console.service.handlers import load_handlers
from console.service.http.idempotency import UnderWay
from console.service.http.proxies import Proxies
from console.service.http.response_cache import ResponseCache
from console.service.http.throttle import OwnThrottle, Rate, SharedThrottle, Throttle
from console.service.refusal import Refusal
from console.service.store.cursors import Cursors
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from console.service.store.row_cache import RowCache
from console.service.store.transaction import Transaction
from console.service.transports.options import Smtp, Webhook

if TYPE_CHECKING:
    from console.service.transports.transport import Transport

TRIES_SECONDS = 60.0
"""Time in which wrong attempts at a secret count."""


class ServiceSettings(Frozen):
    """Settings of a service instance. Durations in seconds."""

    variant: Variant = Variant.LATER
    """The variant of the contract."""
    session_seconds: int = 12 * 3600
    token_seconds: int = 3600
    refresh_seconds: int = 30 * 24 * 3600
    allow_guests: bool = True
    """Whether anonymous logins are accepted at all; domains decide as well."""
    most_guests: int = 1000
    """Most anonymous users at a time."""
    password_cost: Cost = field(default_factory=Cost)
    keep_events: int = 50_000
    """Number of events stored for resuming."""
    login_tries: int = 10
    """Failed logins per account within a minute."""
    address_login_tries: int = 100
    """Failed logins per address within a minute: an office may share one."""
    account_rate: float = 300
    """Requests a second of one account, with a burst of ten seconds' worth. 0 means no limit."""
    address_rate: float = 2000
    """The same for one address, for all accounts."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose `X-Forwarded-For` is trusted; see `proxies.py`."""
    default_timezone: str = "Europe/Madrid"
    default_locale: str = "es-ES"
    """Defaults of new users (contract 2.2)."""
    caller_ids: bool = False
    """Whether the caller-id table is activated (provisioning contract 4)."""
    show_secrets: bool = False
    """Whether answers include the passwords of SIP pools and mappings for admins, and listed tokens and secrets of
    credentials for admins and their owners."""
    remote_sip: bool = False
    """Whether remote SIP registration is activated (provisioning contract 2.1)."""
    key_file: Path | None = None
    """The key that encrypts secrets in the database; by default next to the file of the database."""
    smtp: Smtp | None = None
    """The mail server; without one, mails are stored as unsent."""
    webhook: Webhook | None = None
    """The receiver of SMS, pushes and notices to users; without one, they are stored as unsent."""


class Platform:
    """The state that all domain functions share."""

    def __init__(
        self,
        database: Database | None = None,
        clock: Clock | None = None,
        settings: ServiceSettings | None = None,
    ) -> None:
        """Use a database, in memory by default, and create its missing tables."""
        self.clock: Clock = clock or SystemClock()
        self.settings = settings or ServiceSettings()
        self.new_id: Callable[[], str] = lambda: secrets.token_hex(8)
        """Creates the ids of new records. A seeded simulator replaces it while it acts."""
        load_handlers()
        self.database = database or Database(None, self.clock.now_ms)
        try:
            self.database.create_tables()
            self.seals = seals_of(self.database, self.settings.key_file)
        except DatabaseFault:
            self.database.close()
            raise
        self.passwords = Passwords(self.settings.password_cost)
        self.transports: Mapping[str, Transport] = _transports(self.settings)
        """Transports of deliveries, by mechanism."""
        self.proxies = Proxies(self.settings.trusted_proxies)
        self.cursors = Cursors(bytes.fromhex(self.database.fact("cursor key", lambda: secrets.token_hex(32))))
        self.forget()
        self.started_ms = self.database.started(self.clock.now_ms())
        """Start of the service, of several nodes the first one's, in ms since the epoch; statistics count from it."""

    def forget(self) -> None:
        """Reset all state in memory: request rates, requests in progress, cached answers and lists, offers.

        Called at the start, and after the database's content was replaced.
        """
        settings = self.settings
        self.login_tries = self.throttle(settings.login_tries)
        self.address_login_tries = self.throttle(settings.address_login_tries)
        self.account_rate = Rate(self.clock, settings.account_rate)
        self.address_rate = Rate(self.clock, settings.address_rate)
        self.under_way = UnderWay()
        # Versions in memory begin anew with each process.
        self.response_cache = ResponseCache(self.database.epoch if self.database.is_remote else secrets.token_hex(4))
        self.row_cache = RowCache(self.database)
        self.offers = Offers(self.database)

    def throttle(self, most: int) -> Throttle:
        """Return a limit of wrong attempts, which count at all nodes of the database together."""
        if self.database.is_remote:
            return SharedThrottle(self.database, self.clock, most, TRIES_SECONDS)
        return OwnThrottle(self.clock, most, TRIES_SECONDS)

    @property
    def variant(self) -> Variant:
        """The variant of the contract."""
        return self.settings.variant

    def now_ms(self) -> int:
        """Return the time in ms since the epoch."""
        return self.clock.now_ms()

    def read(self) -> AbstractContextManager[Transaction]:
        """Read one consistent state of the database."""
        return self.database.read()

    def write(self) -> AbstractContextManager[Transaction]:
        """Change the database, all or nothing; nests."""
        return self.database.write()

    def close(self) -> None:
        """Close the database and the password threads."""
        self.passwords.close()
        self.database.close()


def _transports(settings: ServiceSettings) -> Mapping[str, Transport]:
    """Create the configured transports. They are imported here because most services have none."""
    transports: list[Transport] = []
    if settings.smtp is not None:
        # Takes 5 ms, with its library.
        from console.service.transports.smtp import MailTransport

        transports.append(MailTransport(settings.smtp))
    if settings.webhook is not None:
        # Takes 70 ms, with httpx.
        from console.service.transports.webhook import WebhookTransport

        transports.append(WebhookTransport(settings.webhook))
    return {mechanism: transport for transport in transports for mechanism in transport.mechanisms}


__all__ = ["NOBODY", "Caller", "Platform", "Refusal", "ServiceSettings"]
