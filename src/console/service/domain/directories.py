"""Cloud directories: credentials of the platform for the directory of a domain (contract 2.20, 4.4).

The contract returns the stored object to admins, including the secret, so the secret is stored encrypted.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from console.records.domains import DirectoryCredentials
from console.service.domain.domains import DOMAINS
from console.service.events.visibility import Admins
from console.service.platform import Platform
from console.service.refusal import conflict, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

DIRECTORIES = Documents(
    "directory_credentials",
    DirectoryCredentials,
    columns=(sa.Column("sealed", sa.Text, nullable=False),),
    rule=Admins(),
    singular="cloud directory of the domain",
    announced=False,
)


def create(platform: Platform, directory_credentials: DirectoryCredentials) -> DirectoryCredentials:
    """Store the credentials of a domain; refuse with 400 an unknown domain, with 409 if it already has credentials."""
    with platform.write() as tx:
        if DOMAINS.row(tx, directory_credentials.domain) is None:
            raise invalid("domain", f"there is no domain {directory_credentials.domain}", "reference")
        if DIRECTORIES.row(tx, directory_credentials.domain) is not None:
            raise conflict(
                f"the domain {directory_credentials.domain} has cloud directory credentials already: update them"
            )
        return _put(platform, tx, directory_credentials)


def update(platform: Platform, domain: str, given: Mapping[str, str | None]) -> DirectoryCredentials:
    """Change the given fields that are not None; refuse with 404 a domain without credentials."""
    with platform.write() as tx:
        changes = {name: value for name, value in given.items() if value is not None}
        return _put(platform, tx, need(platform, tx, domain).model_copy(update=changes))


def delete(platform: Platform, domain: str) -> None:
    """Delete the credentials of a domain; refuse with 404 a domain without credentials."""
    with platform.write() as tx:
        DIRECTORIES.take(tx, domain)


def rename(platform: Platform, tx: Transaction, former: str, domain: str) -> None:
    """Move the credentials of a domain, if any, to its new name."""
    if DIRECTORIES.row(tx, former) is not None:
        directory_credentials = need(platform, tx, former)
        DIRECTORIES.remove(tx, former)
        _put(platform, tx, directory_credentials.model_copy(update={"domain": domain}))


def need(platform: Platform, tx: Transaction, domain: str) -> DirectoryCredentials:
    """Return the credentials of a domain with their secret; refuse with 404 a domain without credentials."""
    row = DIRECTORIES.need_row(tx, domain)
    secret = platform.seals.unseal(_purpose(domain), row.sealed)
    return DIRECTORIES.read(row.body).model_copy(update={"client_secret": secret})


def _put(platform: Platform, tx: Transaction, credentials: DirectoryCredentials) -> DirectoryCredentials:
    secret = credentials.client_secret or ""
    sealed = platform.seals.seal(_purpose(credentials.domain), secret)
    DIRECTORIES.put(tx, credentials.model_copy(update={"client_secret": None}), sealed=sealed)
    return credentials


def _purpose(domain: str) -> str:
    return f"cloud directory of {domain}"
