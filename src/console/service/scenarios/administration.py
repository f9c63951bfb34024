"""Generate what administrators see of a scenario.

Domains with permissions, credentials, settings and OAuth2 clients; identities, SIP data, push tokens, resolved users
and caller ids. They are generated and stored in one step, based on the users and groups of the scenario.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import sqlalchemy as sa

from console.api.annotations import Variant
from console.records.access import Credential, OAuthClient, RecordingPermission, VoicemailPermission
from console.records.people import User, UserSetting
from console.records.sip import SipCredential, SipIdentity, SipMapping
from console.service.domain import clients, credentials, domains, permissions
from console.service.domain.addresses import resolved_users
from console.service.domain.caller_ids import caller_ids
from console.service.domain.clients import CLIENTS
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.identities import identities
from console.service.domain.push import push_tokens
from console.service.domain.relations import user_id_of
from console.service.domain.settings import SETTINGS
from console.service.domain.sip import SIP_IDENTITIES, seal_password
from console.service.domain.sip_mappings import SIP_MAPPINGS, Owner
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, PLAIN, SEEDED_AGENTS, Draft
from console.service.scenarios.spec import DomainPlan, fault
from console.service.store.transaction import Transaction

_SETTINGS = {
    "web": {"theme": ("dark", "light", "system"), "language": ("es", "en", "ca"), "notifications": ("on", "off")},
    "desktop": {"ringtone": ("chime", "classic", "marimba"), "start-with-system": ("true", "false")},
    "mobile": {"data-saver": ("off", "on")},
}
"""Settings of programs: possible values by source and key."""
_OTHERS = 12
"""Number of users, in addition to the seeded accounts, with any of these: independent of the size of the scenario."""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
FIRST_EXTENSION = 7001
_NAMESPACE = uuid.UUID("6a1f7c52-2f5e-4a5d-9f3e-6f0f5a1f2f10")
_UNMAPPED = frozenset({"carla", "pat"})
"""Two accounts have no SIP mapping, so that one can be assigned to them."""


def store_domains(platform: Platform, draft: Draft) -> None:
    """Create a scenario's domains: its own, the file's below it, and the one of anonymous users.

    Raise ConfigFault with the error.
    """
    root = draft.spec.domain
    host = root.replace(".", r"\.")
    domains.add_guests(platform)
    try:
        _store_domain(platform, DomainPlan(domain=root, origins=(rf"https://([a-z0-9-]+\.)?{host}(:[0-9]+)?",)), None)
        for plan in draft.spec.domains:
            _store_domain(platform, plan, plan.parent or root)
    except Refusal as refusal:
        raise fault(refusal.message, "domains") from refusal


def _store_domain(platform: Platform, plan: DomainPlan, parent: str | None) -> None:
    grouped = platform.variant is Variant.EARLIER
    given = {
        "origins": plan.origins,
        "enable_anonymous": plan.anonymous,
        "anonymous_capabilities": tuple(
            (capability,) if grouped else capability for capability in plan.anonymous_capabilities
        ),
    }
    domains.add(platform, plan.domain, parent, plan.services or domains.SERVICES)
    domains.update(platform, plan.domain, given)
    if plan.recording is not None:
        recording = RecordingPermission(recording_type=plan.recording, recording_profile=plan.profile)
        voicemail = VoicemailPermission(enabled=plan.voicemail)
        permissions.create(platform, permissions.of_domain(plan.domain), recording, voicemail)


def store_administration(platform: Platform, tx: Transaction, draft: Draft) -> None:
    """Generate and store settings, credentials, own permissions and OAuth2 clients."""
    people = list(draft.users.values())[: len(LOGINS) + _OTHERS]
    _settings(tx, people, draft.dice("settings"))
    _credentials(platform, tx, people, draft.dice("credentials"))
    _clients(platform, tx, draft)
    if draft.spec.domains:
        never = RecordingPermission(recording_type="none", recording_profile="never")
        permissions.create(platform, permissions.of_user(PLAIN), never, VoicemailPermission(enabled=True))


def _settings(tx: Transaction, people: Sequence[User], rng: Random) -> None:
    for user in people:
        for source, kept in _SETTINGS.items():
            if user.id not in LOGINS and rng.random() < 0.5:
                continue
            for key, values in kept.items():
                setting = UserSetting(id=f"{user.id}-{key}@{source}", source=source, user=user.id, setting_key=key)
                SETTINGS.load(tx, [setting.model_copy(update={"value": rng.choice(values)})])


def _credentials(platform: Platform, tx: Transaction, people: Sequence[User], rng: Random) -> None:
    for user in people:
        if user.id in SEEDED_AGENTS or rng.random() < 0.5:
            public = {"username": f"{user.username}-phone", "realm": user.domain}
            _credential(platform, tx, user, "gateway", "svc-ims", public, {"password": _secret(rng)})
        if user.id == PLAIN or rng.random() < 0.2:
            public = {"provider": "cloud", "subject": user.email}
            _credential(platform, tx, user, "cloud", "oauth2", public, {"refreshToken": _secret(rng)})


def _credential(
    platform: Platform,
    tx: Transaction,
    user: User,
    source: str,
    kind: str,
    public: Mapping[str, str | None],
    secret: Mapping[str, str],
) -> None:
    credential = Credential(id=f"{user.id}-{kind}@{source}", source=source, type=kind, user=user.id, domain=user.domain)
    credential = credential.model_copy(update={"data": dict(public), "lease": 0})
    CREDENTIALS.load(tx, [credential], sealed=credentials.sealed(platform, credential.id, secret))


def _clients(platform: Platform, tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("clients")
    for number, plan in enumerate(draft.spec.clients):
        client = OAuthClient(id=f"client-{number + 1}", name=plan.name, client_id=f"{rng.getrandbits(96):024x}")
        client = client.model_copy(update={"redirect_uri": plan.redirect_uri})
        CLIENTS.load(tx, [client], sealed=clients.sealed(platform, client.id, _secret(rng)))


def _secret(rng: Random, length: int = 33) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(length))


def store_reach(platform: Platform, tx: Transaction, draft: Draft) -> None:
    """Generate and store the rest, as `[reach]` of the scenario defines; every user has an identity."""
    _identities(tx, draft)
    _sip(platform, tx, draft)
    _push_tokens(tx, draft)
    _resolved(tx, draft)
    _caller_ids(tx, draft)


def _identities(tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("identities")
    rows = [
        {
            "id": str(uuid.uuid5(_NAMESPACE, user.id)),
            "user": user.id,
            "enabled": rng.random() > 0.06 or user.id in LOGINS or user.id in draft.sessions,
            "temporary": False,
            "last_name": _last_name(user),
            "email_verified": user.id in LOGINS or rng.random() < 0.9,
        }
        for user in draft.users.values()
    ]
    tx.run(sa.insert(identities), rows)


def _last_name(user: User) -> str | None:
    return (user.alias or "").partition(" ")[2] or None


def _sip(platform: Platform, tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("sip")
    plan = draft.spec.reach
    owners = _owners(draft)[: max(0, plan.sip_identities - plan.sip_spare)]
    loaded_identities: list[tuple[SipIdentity, dict[str, Any]]] = []
    loaded_mappings: list[tuple[SipMapping, dict[str, Any]]] = []
    for number in range(plan.sip_identities):
        owner = owners[number] if number < len(owners) else None
        identity = SipIdentity(
            id=f"sip-{number + 1}",
            username=str(FIRST_EXTENSION + number),
            available=owner is None,
            domain=draft.spec.domain if owner is None else owner.domain,
        )
        sealed = seal_password(platform, identity.id, _secret(rng, 16))
        loaded_identities.append((identity, {"password": sealed, "assigned": "" if owner is None else owner.uri}))
        if owner is not None:
            mapping = SipMapping(owner=owner.uri, mapping=SipCredential(username=identity.username or ""))
            columns = {"type": owner.type, "owner": owner.id, "domain": owner.domain, "identity": identity.id}
            loaded_mappings.append((mapping, columns))
    SIP_IDENTITIES.load_each(tx, loaded_identities)
    SIP_MAPPINGS.load_each(tx, loaded_mappings)


def _owners(draft: Draft) -> list[Owner]:
    """Return the owners of SIP mappings in the order of assignment: seeded accounts, some groups, other users."""
    users = [Owner("user", user.id, user.domain or "") for user in draft.users.values() if user.id not in _UNMAPPED]
    groups = [
        Owner("group", group.group_id, group.owner.domain or "")
        for group in list(draft.groups.values())[::3]
        if group.owner is not None
    ]
    logins = [owner for owner in users if owner.id in LOGINS]
    return [*logins, *groups, *(owner for owner in users if owner.id not in LOGINS)]


def _push_tokens(tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("push")
    rows = [
        {
            "user": user.id,
            "device": f"{user.username}-{kind}",
            "type": kind,
            "token": f"{rng.getrandbits(256):064x}",
            "registered": draft.ago(rng.uniform(3600, 90 * 86_400)),
        }
        for user in draft.users.values()
        if rng.random() < draft.spec.reach.with_push
        for kind in (rng.choice(("apns", "fcm")),)
    ]
    if rows:
        tx.run(sa.insert(push_tokens), rows)


def _resolved(tx: Transaction, draft: Draft) -> None:
    rows: list[dict[str, Any]] = []
    for login in LOGINS:
        followed = [draft.users[user_id_of(address) or ""] for address in draft.followed.get(login, ())]
        # Only admins find users of other domains.
        seen = [user.id for user in followed if login == ADMIN or user.domain == draft.spec.domain]
        kept = seen[: draft.spec.reach.resolved]
        rows += [{"user": login, "other": other, "number": number} for number, other in enumerate(kept)]
    if rows:
        tx.run(sa.insert(resolved_users), rows)


def _caller_ids(tx: Transaction, draft: Draft) -> None:
    rng = draft.dice("caller ids")
    rows = [
        {"name": f"{names.TEAMS[number % len(names.TEAMS)]} {place}", "value": names.landline(rng)}
        for number, place in enumerate(names.PLACES[: draft.spec.reach.caller_ids])
    ]
    if rows:
        tx.run(sa.insert(caller_ids), rows)
