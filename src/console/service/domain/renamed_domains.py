"""Rename a domain, in one transaction with all references to it (contract 4.4; provisioning 4).

The id of a domain is its name, so the id changes as well. Texts that merely contain the name stay: e-mail addresses,
web origins, rooms at the chat server, data of credentials for gateways, and history.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from console.records.domains import Domain
from console.service.domain import directories, domains, permissions
from console.service.domain.address_books import STATIC_CONTACTS
from console.service.domain.conferences import CONFERENCES
from console.service.domain.contacts import CONTACTS
from console.service.domain.domains import DOMAINS, GUESTS
from console.service.domain.following import UserChange, follow_users
from console.service.domain.logouts import DOMAIN_LOGOUTS
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.domain.people import USERS
from console.service.domain.quality import ALARMS, statistics
from console.service.domain.recorded import RECORDINGS
from console.service.domain.remote_sip import remote_sip
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.events.visibility import has
from console.service.platform import Platform
from console.service.refusal import conflict
from console.service.store.documents import Documents
from console.service.store.json_sql import array_at, text_at
from console.service.store.transaction import Transaction


def update(platform: Platform, domain_id: str, name: str | None, given: Mapping[str, Any]) -> Domain:
    """Change the given fields of a domain (see `domains.update`), and rename it if `name` differs.

    Refuse with 400 an invalid name, with 409 a name in use, and the domain of guests, whose name is fixed.
    """
    with platform.write() as tx:
        domain = DOMAINS.need(tx, domain_id)
        if name is not None and name != domain.name:
            domain = _rename(platform, tx, domain, name)
        return domains.update(platform, domain.id, given)


def _rename(platform: Platform, tx: Transaction, domain: Domain, name: str) -> Domain:
    if domain.id == GUESTS:
        raise conflict(f"the domain {GUESTS} cannot be renamed: it is the domain of anonymous users")
    domains.check_name(tx, name)
    former, renamed = domain.id, domain.model_copy(update={"id": name, "domain": name})
    DOMAINS.remove(tx, former)
    DOMAINS.put(tx, renamed)
    below = DOMAINS.records(tx, DOMAINS.c.parent == former)
    DOMAINS.put_many(tx, [domain.model_copy(update={"parent": name}) for domain in below])
    # Move the pool before its users: an identity belongs to a user of the same domain.
    for kind in (SIP_IDENTITIES, RECORDINGS):
        _each(tx, kind, kind.c.domain == former, {"domain": name})
    mappings = SIP_MAPPINGS.records(tx, SIP_MAPPINGS.c.domain == former)
    SIP_MAPPINGS.put_many(tx, mappings, domain={mapping.key: name for mapping in mappings})
    _users(platform, tx, former, name)
    for kind in (SESSIONS, ENDED):
        _each(tx, kind, text_at(kind.c.body, "domain") == former, {"domain": name})
    _each(tx, ALARMS, text_at(ALARMS.c.body, "domain") == former, {"domain": name}, as_stored=True)
    contacts = CONTACTS.records(tx, CONTACTS.c.domain == former)
    CONTACTS.put_many(tx, contacts, domain={contact.key: name for contact in contacts})
    directory = STATIC_CONTACTS.records(tx, STATIC_CONTACTS.c.domain == former)
    STATIC_CONTACTS.remove_many(tx, [contact.key for contact in directory])
    STATIC_CONTACTS.put_many(tx, [contact.model_copy(update={"domain": name}) for contact in directory])
    _conferences(tx, former, name)
    directories.rename(platform, tx, former, name)
    permissions.rename(tx, permissions.of_domain(former), permissions.of_domain(name))
    _rest(tx, former, name)
    return renamed


def _users(platform: Platform, tx: Transaction, former: str, name: str) -> None:
    changed: dict[str, UserChange] = {}
    for user in USERS.records(tx, USERS.c.domain == former):
        changed[user.id] = UserChange(user, user.model_copy(update={"domain": name}))
    USERS.put_many(tx, [change.after for change in changed.values()])
    in_domain = sa.select(USERS.c.key).where(USERS.c.domain == name)
    follow_users(platform, tx, changed, lambda column: column.in_(in_domain))


def _conferences(tx: Transaction, former: str, name: str) -> None:
    def renamed(names: Any) -> list[str]:
        return list(dict.fromkeys(name if each == former else each for each in names))

    conferences = CONFERENCES.records(tx, has(array_at(CONFERENCES.c.body, "domains"), former))
    CONFERENCES.put_many(
        tx,
        [conference.model_copy(update={"domains": tuple(renamed(conference.domains))}) for conference in conferences],
    )
    domains_of = array_at(MISSED_CALLS.c.body, "meta.conferenceLog.domains")
    missed = [json.loads(body) for body in MISSED_CALLS.bodies(tx, has(domains_of, former))]
    for wire in missed:
        log = wire["meta"]["conferenceLog"]
        log["domains"] = renamed(log["domains"])
    MISSED_CALLS.put_many(tx, map(MISSED_CALLS.record.model_validate, missed))


def _rest(tx: Transaction, former: str, name: str) -> None:
    """Rename records with the domain's name as key, and those without events."""
    logout = DOMAIN_LOGOUTS.get(tx, former)
    if logout is not None:
        spared = DOMAIN_LOGOUTS.need_row(tx, former).spared
        DOMAIN_LOGOUTS.remove(tx, former)
        DOMAIN_LOGOUTS.put(tx, logout.model_copy(update={"id": name, "domain": name}), spared=spared)
    tx.run(sa.update(remote_sip).where(remote_sip.c.domain == former).values(domain=name))
    of_domain = sa.select(statistics.c.id, statistics.c.body).where(text_at(statistics.c.body, "domain") == former)
    rows = [{"sought": row.id, "body": _with_domain(row.body, name)} for row in tx.rows(of_domain)]
    if rows:
        tx.run(sa.update(statistics).where(statistics.c.id == sa.bindparam("sought")), rows)


def _with_domain(body: str, name: str) -> str:
    return json.dumps({**json.loads(body), "domain": name}, separators=(",", ":"), ensure_ascii=False)


def _each(
    tx: Transaction,
    kind: Documents[Any],
    which: sa.ColumnElement[bool],
    changes: Mapping[str, Any],
    *,
    as_stored: bool = False,
) -> None:
    """Change the records of a kind; use `as_stored` if the stored text differs from the record's own."""
    rows = tx.rows(sa.select(kind.table).where(which).order_by(kind.c.key))
    if as_stored:
        wires = {row.key: {**json.loads(row.body), **changes} for row in rows}
        texts = {key: json.dumps(wire, separators=(",", ":"), ensure_ascii=False) for key, wire in wires.items()}
        kind.put_many(tx, map(kind.read, texts.values()), texts)
    else:
        kind.put_many(tx, [kind.read(row.body).model_copy(update=dict(changes)) for row in rows])
