"""What every part of the service is given: the database, the time, the settings.

The domain itself is plain functions in `service/domain/`, one file per subject, which take the platform first and are
called by requests and by the simulator alike. A function that changes something opens `platform.write()` itself, which
nests; see `database.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from console.api.annotations import Variant
from console.clock import Clock, SystemClock
from console.frozen import Frozen, field
from console.service.caller import NOBODY, Caller
from console.service.cursors import Cursors
from console.service.database import Database, Transaction
from console.service.documents import TOPICS
from console.service.handler import load_handlers
from console.service.idempotency import UnderWay
from console.service.offers import Offers
from console.service.passwords import Cost, Passwords
from console.service.proxies import Proxies
from console.service.refusal import Refusal
from console.service.response_cache import ResponseCache
from console.service.row_cache import RowCache
from console.service.sealing import seals_of
from console.service.throttle import Rate, Throttle
from console.service.transports.options import Smtp, Webhook
from console.service.visibility import Rule

if TYPE_CHECKING:
    from console.service.transports.transport import Transport


class Settings(Frozen):
    """How a service instance behaves. Spans in seconds."""

    variant: Variant = Variant.LATER
    """Which of the contract's two forms the instance speaks."""
    session_seconds: int = 12 * 3600
    token_seconds: int = 3600
    refresh_seconds: int = 30 * 24 * 3600
    allow_guests: bool = True
    """Whether anonymous log-ins are accepted at all; each domain says so for itself."""
    most_guests: int = 1000
    """How many anonymous users there may be at once."""
    password_cost: Cost = field(default_factory=Cost)
    keep_events: int = 50_000
    """How many events stay available to those who resume."""
    login_tries: int = 10
    """How many failed log-ins one account is allowed within a minute."""
    address_login_tries: int = 100
    """How many failed log-ins one address is allowed within a minute: an office may share one."""
    account_rate: float = 300
    """How many requests a second one account may send; ten seconds' worth may come at once. 0 is no limit."""
    address_rate: float = 2000
    """The same for one address, whoever asks from there."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of the proxies whose `X-Forwarded-For` is believed; see `proxies.py`."""
    default_timezone: str = "Europe/Madrid"
    default_locale: str = "es-ES"
    """What users get who are created without their own (contract 2.2)."""
    caller_ids: bool = False
    """Whether the caller-id table is activated (provisioning contract 4)."""
    show_secrets: bool = False
    """Whether admins are shown the passwords of SIP pools and mappings, and they and their owners tokens in lists and
    the secrets of credentials."""
    remote_sip: bool = False
    """Whether remote SIP registration is activated (provisioning contract 2.1)."""
    smtp: Smtp | None = None
    """The mail server; without one mails are kept as not sent."""
    webhook: Webhook | None = None
    """The receiver of SMS, pushes and notices to users; without one they are kept as not sent."""


class Platform:
    """The state that all domain functions share."""

    def __init__(
        self,
        database: Database | None = None,
        clock: Clock | None = None,
        settings: Settings | None = None,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        """Take over a database, in memory by default, and create what tables it lacks.

        `new_id` makes the ids of new things; a seeded simulator passes its own.
        """
        self.clock: Clock = clock or SystemClock()
        self.settings = settings or Settings()
        self.new_id = new_id or (lambda: secrets.token_hex(8))
        load_handlers()
        self.database = database or Database(None, self.clock.now_ms)
        self.database.create_tables()
        self.seals = seals_of(self.database)
        self.passwords = Passwords(self.settings.password_cost)
        self.transports: Mapping[str, Transport] = _transports(self.settings)
        """What carries deliveries, by mechanism."""
        self.proxies = Proxies(self.settings.trusted_proxies)
        self.cursors = Cursors(bytes.fromhex(self.database.fact("cursor key", lambda: secrets.token_hex(32))))
        self.forget()
        self.started_ms = self.clock.now_ms()
        """When this instance began, in ms since the epoch: the reboot that statistics count from."""

    def forget(self) -> None:
        """Forget what is kept in memory alone: request rates, requests under way, answers, long lists, offers.

        The start of an instance; also for who has replaced the database's content beneath it.
        """
        settings = self.settings
        self.login_tries = Throttle(self.clock, settings.login_tries, 60.0)
        self.address_login_tries = Throttle(self.clock, settings.address_login_tries, 60.0)
        self.account_rate = Rate(self.clock, settings.account_rate)
        self.address_rate = Rate(self.clock, settings.address_rate)
        self.under_way = UnderWay()
        self.response_cache = ResponseCache()
        self.row_cache = RowCache(self.database)
        self.offers = Offers(self.database)

    @property
    def variant(self) -> Variant:
        """Which of the contract's two forms this instance speaks."""
        return self.settings.variant

    def now_ms(self) -> int:
        """Return the time in ms since the epoch."""
        return self.clock.now_ms()

    def read(self) -> AbstractContextManager[Transaction]:
        """Look at one consistent state of the database."""
        return self.database.read()

    def write(self) -> AbstractContextManager[Transaction]:
        """Change the database, all or nothing; nests."""
        return self.database.write()

    def close(self) -> None:
        """Let go of the database and the password threads."""
        self.passwords.close()
        self.database.close()


def _transports(settings: Settings) -> Mapping[str, Transport]:
    """Make the transports that are configured. They are imported then only: most services have none."""
    found: list[Transport] = []
    if settings.smtp is not None:
        from console.service.transports.smtp import MailTransport

        found.append(MailTransport(settings.smtp))
    if settings.webhook is not None:
        from console.service.transports.webhook import WebhookTransport

        found.append(WebhookTransport(settings.webhook))
    return {mechanism: each for each in found for mechanism in each.mechanisms}


def visible(topic: str) -> Rule:
    """Return who may see the rows of a kind. Raises KeyError for a topic that there is not."""
    return TOPICS[topic].rule


__all__ = ["NOBODY", "Caller", "Platform", "Refusal", "Settings", "visible"]
