"""Users and domains of the provisioning service, created and changed together with the records of the core service.

Provisioning contract 2.1, 2.2 and 4.
"""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from console.api.annotations import Variant
from console.base.frozen import replace
from console.records.addresses import USER_PREFIX
from console.records.domains import Domain
from console.records.people import User
from console.records.provisioning import (
    ProvisionedAttributes,
    ProvisionedCredentials,
    ProvisionedDomain,
    ProvisionedUser,
    SipProvision,
)
from console.service.auth.caller import Caller
from console.service.auth.passwords import LONGEST_PASSWORD
from console.service.domain import accounts, domains, identities, logouts, people, renamed_domains, sip_mappings, tokens
from console.service.domain.identities import identities as table
from console.service.domain.people import USERS
from console.service.domain.relations import address_of
from console.service.domain.remote_sip import remote_sip
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.platform import Platform
from console.service.refusal import Refusal, conflict, forbidden, invalid, missing
from console.service.store.transaction import Transaction

_USER_INPUTS = {
    "domain": "attributes.domain",
    "alias": "first_name",
    "mobilePhone": "attributes.phone_number",
    "mobilePhone.": "attributes.phone_number",
    "capabilities": "attributes.capabilities",
    "credential.": "attributes.sip_mapping.",
}
"""Input names of the core service, mapped to the names of the provisioning service."""
_DOMAIN_INPUTS = {"anonymousCapabilities": "anonymous_capabilities"}
_CORE = ("parent", "origins", "enable_anonymous", "anonymous_capabilities", "services")


@contextmanager
def _inputs_named(names: Mapping[str, str], prefix: str = "") -> Generator[None]:
    """Rename the inputs in refusals of the core service by `names`, below `prefix`. Other names stay.

    A name that ends in a dot applies to all names with this prefix.
    """
    try:
        yield
    except Refusal as refusal:
        if not refusal.problems:
            raise
        problems = [replace(problem, path=prefix + _renamed(problem.path, names)) for problem in refusal.problems]
        join = "; ".join(f"{problem.path}: {problem.message}" for problem in problems)
        raise Refusal(refusal.status, join, problems) from None


def _renamed(path: str, names: Mapping[str, str]) -> str:
    if path in names:
        return names[path]
    for name, here in names.items():
        if name.endswith(".") and path.startswith(name):
            return here + path.removeprefix(name) if here.endswith(".") else here
    return path


# -- domains ---------------------------------------------------------------------------------------------------------


def create_domain(platform: Platform, caller: Caller, provisioned_domain: ProvisionedDomain) -> ProvisionedDomain:
    """Create a domain in both services; refusals as for `domains.create`."""
    values = provisioned_domain.model_dump(exclude_unset=True)
    with platform.write() as tx, _inputs_named(_DOMAIN_INPUTS, "domain."):
        domain = domains.create(platform, caller, provisioned_domain.domain or "", _for_core(platform, values))
        _set_remote_sip(platform, tx, domain.id, provisioned_domain.remote_sip_register)
        return shown_domain(platform, tx, domain)


def update_domain(platform: Platform, domain_id: str, fields: Mapping[str, Any]) -> ProvisionedDomain:
    """Change the given fields of a domain that are not None, in both services; another `domain` renames it."""
    with platform.write() as tx, _inputs_named(_DOMAIN_INPUTS):
        domain = renamed_domains.update(platform, domain_id, fields.get("domain"), _for_core(platform, fields))
        _set_remote_sip(platform, tx, domain.id, fields.get("remote_sip_register"))
        return shown_domain(platform, tx, domain)


def _for_core(platform: Platform, fields: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {name: fields[name] for name in _CORE if fields.get(name) is not None}
    if platform.variant is Variant.EARLIER:
        wanted.pop("anonymous_capabilities", None)
    return wanted


def _set_remote_sip(platform: Platform, tx: Transaction, domain: str, wanted: bool | None) -> None:
    if wanted is None or platform.variant is Variant.EARLIER:
        return
    if wanted and not platform.settings.remote_sip:
        raise forbidden("remote SIP registration must be activated by the system administrator first")
    tx.run(sa.delete(remote_sip).where(remote_sip.c.domain == domain))
    if wanted:
        tx.run(sa.insert(remote_sip).values(domain=domain))


def shown_domain(platform: Platform, tx: Transaction, domain: Domain) -> ProvisionedDomain:
    """Return a domain in the format of the provisioning service's variant."""
    later = platform.variant is Variant.LATER
    registers = tx.row(sa.select(remote_sip.c.domain).where(remote_sip.c.domain == domain.id)) is not None
    return ProvisionedDomain(
        id=domain.id,
        domain=domain.name,
        parent=domain.parent,
        origins=domain.origins,
        enable_anonymous=bool(domain.enable_anonymous),
        anonymous_capabilities=domain.guest_capabilities if later else None,
        remote_sip_register=registers if later else None,
        services={name: tuple(str(item) for item in what) for name, what in domain.services.items()},
    )


# -- users -----------------------------------------------------------------------------------------------------------


def create(
    platform: Platform, provisioned_user: ProvisionedUser, credentials: ProvisionedCredentials | None
) -> ProvisionedUser:
    """Create a user in the identity store and in the core service, with password and SIP mapping if given.

    Refuse with 409 if the domain has the name, with 400 an invalid value; then nothing is stored.
    """
    attributes = provisioned_user.attributes
    if not attributes.domain:
        raise invalid("user.attributes.domain", "is needed", "required")
    identity_id = str(uuid.uuid4())
    wanted = {
        "id": identity_id,
        "role": "user",
        "username": provisioned_user.username,
        "domain": attributes.domain,
        "email": provisioned_user.email,
        "alias": provisioned_user.first_name,
        "capabilities": attributes.capabilities,
        "mobile_phone": (attributes.phone_number,) if attributes.phone_number else None,
    }
    with platform.write() as tx, _inputs_named(_USER_INPUTS, "user."):
        user = accounts.create(platform, wanted)
        identities.add(
            tx,
            identity_id,
            user.id,
            enabled=provisioned_user.enabled is not False,
            last_name=provisioned_user.last_name,
            email_verified=bool(provisioned_user.email_verified) and platform.variant is Variant.LATER,
        )
        if credentials is not None:
            _set_password(platform, tx, identity_id, user, credentials)
        if attributes.sip_mapping is not None:
            _map(platform, tx, identity_id, user, attributes.sip_mapping)
        return need(platform, tx, identity_id)


def update(
    platform: Platform,
    caller: Caller,
    identity_id: str,
    fields: Mapping[str, Any],
    attributes: ProvisionedAttributes,
    credentials: ProvisionedCredentials | None,
) -> ProvisionedUser:
    """Change the given fields of a user that are not None; an empty text removes a value.

    Disabling also ends all sessions. Refuse with 409 to disable the last admin.
    """
    with platform.write() as tx, _inputs_named(_USER_INPUTS):
        row = identities.need(tx, identity_id)
        before = people.need_user(tx, row.user)
        changes: dict[str, Any] = {
            "username": fields.get("username"),
            "email": fields.get("email"),
            "alias": fields.get("first_name"),
            "domain": attributes.domain,
            "capabilities": attributes.capabilities,
            "mobile_phone": _phones(before, attributes.phone_number),
        }
        changes = {name: value for name, value in changes.items() if value is not None}
        user = accounts.update(platform, caller, before.id, changes)
        own_names = ("enabled", "last_name", "email_verified")
        own = {name: fields[name] for name in own_names if fields.get(name) is not None}
        if own.get("enabled") is False and row.enabled:
            _check_admins(tx, user)
            logouts.log_out_user(tx, user.id)
        identities.change(tx, identity_id, **own)
        if credentials is not None:
            _set_password(platform, tx, identity_id, user, credentials)
        if attributes.sip_mapping is not None:
            _map(platform, tx, identity_id, user, attributes.sip_mapping)
        return need(platform, tx, identity_id)


def _phones(user: User, first: str | None) -> tuple[str, ...] | None:
    """Return the user's telephones with the given one first, which is the one of the identity system."""
    if first is None:
        return None
    others = [value for value in user.mobile_phone[1:] if value != first]
    return (first, *others) if first else tuple(others)


def _check_admins(tx: Transaction, user: User) -> None:
    others = (USERS.c.role == "admin", USERS.c.key != user.id, USERS.c.key.not_in(identities.disabled_users()))
    if user.role == "admin" and not USERS.count(tx, *others):
        raise conflict("this is the last admin who can log in")


def _set_password(
    platform: Platform, tx: Transaction, identity_id: str, user: User, provisioned_credentials: ProvisionedCredentials
) -> None:
    if provisioned_credentials.password is not None:
        if not 0 < len(provisioned_credentials.password) <= LONGEST_PASSWORD:
            raise invalid("credentials.password", f"must have 1 to {LONGEST_PASSWORD} characters", "length")
        people.set_password(platform, user.id, platform.passwords.hash(provisioned_credentials.password))
        # Tokens obtained with the old password must not stay valid.
        tokens.drop(tx, [user.id], ("access", "refresh"))
    elif people.password_hash_of(tx, user.id) is None:
        raise invalid("credentials.password", "is needed: the user has none", "required")
    if provisioned_credentials.password is not None or provisioned_credentials.temporary is not None:
        identities.change(tx, identity_id, temporary=bool(provisioned_credentials.temporary))


def _map(platform: Platform, tx: Transaction, identity_id: str, user: User, sip_provision: SipProvision) -> None:
    """Change the user's SIP mapping in the core service, and the fields that only the identity system has."""
    row = SIP_MAPPINGS.row(tx, user.address)
    if sip_provision.username == "":
        if row is not None:
            sip_mappings.remove(platform, user.address)
        identities.change(tx, identity_id, sip_domain=None, sip_auth_proxy=None)
        return
    username = sip_provision.username or (row.username if row is not None else None)
    if username is None:
        raise invalid("attributes.sip_mapping.username", "is needed", "required")
    if row is None or username != row.username or sip_provision.password is not None:
        sip_mappings.set_mapping(platform, user.address, username, sip_provision.password or None)
    if platform.variant is Variant.LATER:
        extra = {"sip_domain": sip_provision.sip_domain, "sip_auth_proxy": sip_provision.sip_auth_proxy}
        proxy = sip_provision.sip_auth_proxy
        if proxy and not proxy.startswith(("sip:", "sips:")):
            raise invalid("attributes.sip_mapping.sip_auth_proxy", "must be a SIP URI", "format")
        identities.change(tx, identity_id, **{name: value for name, value in extra.items() if value is not None})


# -- output -----------------------------------------------------------------------------------------------------------

_SHOWN = (
    sa.select(
        table,
        *(USERS.c[name] for name in ("username", "domain", "email", "alias", "capabilities", "mobile_phone")),
        SIP_MAPPINGS.c.username.label("sip_username"),
    )
    .join(USERS.table, USERS.c.key == table.c.user)
    .outerjoin(SIP_MAPPINGS.table, SIP_MAPPINGS.c.key == USER_PREFIX + table.c.user)
)


def listed(
    platform: Platform,
    tx: Transaction,
    *where: sa.ColumnElement[bool],
    limit: int | None = None,
    offset: int | None = None,
) -> list[dict[str, Any]]:
    """Return users in wire format, sorted by domain and name. Conditions are on `identities` and on `USERS`."""
    query = _SHOWN.where(*where).order_by(USERS.c.domain, USERS.c.username, table.c.id).limit(limit).offset(offset)
    return [_wire(platform, tx, row) for row in tx.rows(query)]


def need(platform: Platform, tx: Transaction, identity_id: str) -> ProvisionedUser:
    """Return a user by the id in the identity system; refuse with 404 if there is none."""
    return _only(listed(platform, tx, table.c.id == identity_id), identity_id)


def need_named(platform: Platform, tx: Transaction, domain: str, username: str) -> ProvisionedUser:
    """Return a user by domain and name; refuse with 404 if there is none."""
    same = listed(platform, tx, USERS.c.domain == domain, USERS.c.username == username)
    return _only(same, f"{username} in {domain}")


def _only(found: Sequence[dict[str, Any]], name: str) -> ProvisionedUser:
    if not found:
        raise missing("user", name)
    return ProvisionedUser.model_validate(found[0])


def _wire(platform: Platform, tx: Transaction, row: sa.Row[Any]) -> dict[str, Any]:
    """Build a user in the format of the platform's variant. Passwords are omitted unless the settings show them."""
    later = platform.variant is Variant.LATER
    mapping = {"username": row.sip_username}
    if platform.settings.show_secrets and row.sip_username is not None:
        mapping["password"] = sip_mappings.credential_of(platform, tx, address_of(row.user)).password
    if later:
        mapping |= {"sip_domain": row.sip_domain, "sip_auth_proxy": row.sip_auth_proxy}
    attributes = {
        "domain": row.domain,
        "phone_number": next(iter(row.mobile_phone), None),
        "capabilities": row.capabilities,
        "sip_mapping": _given(mapping) if row.sip_username is not None else None,
    }
    return _given(
        {
            "id": row.id,
            "username": row.username,
            "email": row.email,
            "enabled": row.enabled,
            "first_name": row.alias,
            "last_name": row.last_name,
            "email_verified": row.email_verified if later else None,
            "attributes": _given(attributes),
        }
    )


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def user_of(tx: Transaction, identity_id: str) -> str:
    """Return the core service's id of an identity's user; refuse with 404 if there is none."""
    return str(identities.need(tx, identity_id).user)
