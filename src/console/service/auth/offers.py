"""Services of domains, needed for every request and therefore cached."""

from __future__ import annotations

import json

import sqlalchemy as sa

from console.api.services import offers, service_of, service_of_topic
from console.service.auth.caller import Caller
from console.service.refusal import Refusal, forbidden
from console.service.store.database import Database
from console.service.store.json_sql import text_at
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

_DOMAINS = "domains"
"""The name of the table. Its module imports the platform, which imports this module."""


class Offers:
    """The services of all domains, read again after a change of a domain."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: tuple[int, dict[str, frozenset[str]]] = (-1, {})
        """The services by domain, and the version of the domains that has them."""

    def of(self, tx: Transaction, domain: str) -> frozenset[str]:
        """Return the names of the services of a domain; empty for an unknown domain."""
        version = self._database.version(tx, _DOMAINS)
        if _DOMAINS in tx.touched:
            return self._read(tx, domain)
        if version != self._known[0]:
            self._known = (version, {})
        # Another thread may replace it.
        names = self._known[1]
        services = names.get(domain)
        if services is None:
            services = names[domain] = self._read(tx, domain)
        return services

    def check(self, tx: Transaction, caller: Caller, operation: str) -> None:
        """Refuse with 403 an operation whose service the caller's domain does not offer.

        Called for every request; the database is read only after a change of a domain.
        """
        service = service_of(operation)
        if service is not None and not caller.is_nobody and not offers(self.of(tx, caller.domain), service):
            raise not_offered(caller.domain, service)

    def has_topic(self, tx: Transaction, caller: Caller, topic: str) -> bool:
        """Return whether the caller's domain offers the events of a topic."""
        service = service_of_topic(topic)
        return service is None or offers(self.of(tx, caller.domain), service)

    def _read(self, tx: Transaction, domain: str) -> frozenset[str]:
        table = metadata.tables[_DOMAINS]
        named = text_at(table.c.body, "services")
        return frozenset(json.loads(tx.value(sa.select(named).where(table.c.key == domain)) or "{}"))


def not_offered(domain: str, service: str) -> Refusal:
    """Return the refusal for a service that a domain does not offer."""
    return forbidden(f"the domain {domain} does not offer {service}")
