"""Generate domains with permissions, credentials, settings and OAuth2 clients of a scenario.

They are generated and stored in one step, based on the users of the scenario.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from console.api.annotations import Variant
from console.records.access import Credential, OAuthClient, RecordingPermission, VoicemailPermission
from console.records.people import User, UserSetting
from console.service.domain import clients, credentials, domains, permissions
from console.service.domain.clients import CLIENTS
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.settings import SETTINGS
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.scenarios.draft import LOGINS, PLAIN, SEEDED_AGENTS, Draft
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


def store_domains(platform: Platform, draft: Draft) -> None:
    """Create a scenario's domains: its own, those of the file below it, and the one of anonymous users.

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


def _secret(rng: Random) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(33))
