"""The provisioning service: users, domains and caller ids (provisioning contract 4)."""

from __future__ import annotations

import uuid
from typing import Any

import sqlalchemy as sa

from console.api.annotations import Variant
from console.api.operations import provisioning as ops
from console.records.provisioning import ProvisionedAttributes, ProvisionedCredentials, ProvisionedUser, SipProvision
from console.service.domain import caller_ids, domains, identities, people, provisioning, sessions, sip_mappings, tokens
from console.service.domain.caller_ids import caller_ids as caller_id_table
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from console.service.domain.sessions import SESSIONS
from tests.contract.case import CaseSetup, Steps, case

HERE = "desk.example"
BAD_ATTRIBUTES = {"attributes": {"domain": HERE, "sip_mapping": {"password": "x"}}}


def _dora(setup: CaseSetup, **attributes: Any) -> ProvisionedUser:
    """Create a user in both services."""
    given = ProvisionedUser(
        username="dora",
        email="dora@desk.example",
        first_name="Dora",
        last_name="Vidal",
        email_verified=True,
        attributes=ProvisionedAttributes(domain=HERE, phone_number="+34600111222", **attributes),
    )
    return provisioning.create(setup.platform, given, ProvisionedCredentials(password="first"))


# -- domains ----------------------------------------------------------------------------------------------------------


@case(ops.ListProvisionedDomains)
def list_domains(setup: CaseSetup) -> Steps:
    domains.add(setup.platform, "north.example", parent=HERE)
    answer = yield ops.ListProvisionedDomains(name="north.example", name_contains="NORTH")
    (domain,) = answer
    assert (domain.id, domain.domain, domain.parent) == ("north.example", "north.example", HERE)
    assert "login" in domain.services
    is_later = setup.variant is Variant.LATER
    assert (domain.remote_sip_register, domain.anonymous_capabilities) == ((False, ()) if is_later else (None, None))


@case(
    ops.CreateProvisionedDomain,
    bad={
        400: {
            "domain": [
                {"domain": ""},
                {},
                {"domain": "west.example", "parent": "none"},
                {"domain": "west.example", "origins": ["("]},
                {"domain": "west.example", "services": {"login": "password"}},
            ]
        },
        409: {"domain": [{"domain": HERE}]},
    },
)
def create_domain(setup: CaseSetup) -> Steps:
    domain = ops.NewProvisionedDomain(
        domain="south.example",
        parent=HERE,
        enable_anonymous=True,
        anonymous_capabilities=("+chat",),
        origins=("https://south\\.example",),
        remote_sip_register=True,
        services={"login": ("password",), "meetings": ()},
    )
    answer = yield ops.CreateProvisionedDomain(domain=domain)
    is_later = setup.variant is Variant.LATER
    assert (answer.domain, answer.parent, answer.enable_anonymous) == ("south.example", HERE, True)
    assert answer.remote_sip_register == (True if is_later else None)
    stored = setup.need(DOMAINS, "south.example")
    assert stored.services == {"login": ("password",), "meetings": ()}
    assert stored.guest_capabilities == (("+chat",) if is_later else ())
    assert stored.origins == ("https://south\\.example",)


@case(
    ops.UpdateProvisionedDomain,
    bad={400: {"domain": ["Not a Name"], "parent": ["north.example"], "origins": [["("]]}, 409: {"domain": ["guests"]}},
)
def update_domain(setup: CaseSetup) -> Steps:
    domains.add(setup.platform, "north.example", parent=HERE)
    answer = yield ops.UpdateProvisionedDomain(
        id="north.example", domain="polar.example", enable_anonymous=True, services={"login": ()}
    )
    assert (answer.enable_anonymous, answer.services, answer.parent) == (True, {"login": ()}, HERE)
    assert setup.need(DOMAINS, "polar.example").enable_anonymous is True


def _log_out(setup: CaseSetup, request: type[ops.LogOutDomain | ops.LogOutDomainOfUsers]) -> Steps:
    answer = yield request(id=HERE)
    assert (answer.id, answer.sessions) == (HERE, answer.ended)
    assert answer.sessions > 0
    assert answer.finished_at == setup.clock.now_ms()
    assert [each.user for each in setup.records(SESSIONS, SESSIONS.c.domain == HERE)] == ["eva"]


@case(ops.LogOutDomain)
def log_out_domain(setup: CaseSetup) -> Steps:
    yield from _log_out(setup, ops.LogOutDomain)


@case(ops.LogOutDomainOfUsers)
def log_out_domain_of_users(setup: CaseSetup) -> Steps:
    yield from _log_out(setup, ops.LogOutDomainOfUsers)


# -- users ------------------------------------------------------------------------------------------------------------


@case(ops.ListProvisionedUsers, bad={400: {"paginate[page]": ["0"]}})
def list_users(setup: CaseSetup) -> Steps:
    _dora(setup)
    answer = yield ops.ListProvisionedUsers.model_validate(
        {
            "username": "DOR",
            "email": "@desk",
            "phone_number": "+34600111222",
            "domain": HERE,
            "email_verified": True,
            "paginate[max]": 5,
            "paginate[page]": 1,
        }
    )
    (dora,) = answer
    assert (dora.username, dora.first_name, dora.last_name, dora.enabled) == ("dora", "Dora", "Vidal", True)
    assert dora.email_verified == (True if setup.variant is Variant.LATER else None)


@case(
    ops.CreateProvisionedUser,
    bad={
        400: {
            "user": [
                {"username": "", "attributes": {"domain": HERE}},
                {"attributes": {"domain": HERE}},
                {"username": "nora"},
                {"username": "nora", "attributes": {"domain": "none"}},
                {"username": "nora", "email": "none", "attributes": {"domain": HERE}},
                {"username": "nora", "attributes": {"domain": HERE, "phone_number": "mobile"}},
                {"username": "nora", "attributes": {"domain": HERE}, "credentials": {"password": ""}},
                {"username": "nora", "attributes": {"domain": HERE}, "credentials": {"temporary": True}},
                {"username": "nora", **BAD_ATTRIBUTES},
                {"username": "nora", "attributes": {"domain": HERE, "sip_mapping": {"username": "7100"}}},
                {"username": "nora", "enabled": "perhaps", "attributes": {"domain": HERE}},
            ]
        },
        409: {"user": [{"username": "ana", "attributes": {"domain": HERE}}]},
    },
)
def create_user(setup: CaseSetup) -> Steps:
    user = ops.NewProvisionedUser(
        username="nora",
        email="nora@desk.example",
        first_name="Nora",
        last_name="Soler",
        attributes=ProvisionedAttributes(
            domain=HERE,
            phone_number="+34600333444",
            capabilities=("+chat", "+call-history"),
            sip_mapping=SipProvision(
                username="7300", password="hush", sip_domain="sip.desk.example", sip_auth_proxy="sip:proxy.desk.example"
            ),
        ),
        credentials=ProvisionedCredentials(password="first word", temporary=True),
    )
    answer = yield ops.CreateProvisionedUser(user=user)
    is_later = setup.variant is Variant.LATER
    assert uuid.UUID(answer.id)
    assert (answer.username, answer.first_name, answer.enabled) == ("nora", "Nora", True)
    assert answer.attributes.sip_mapping.password is None
    assert answer.attributes.sip_mapping.sip_domain == ("sip.desk.example" if is_later else None)
    with setup.platform.read() as tx:
        identity = identities.need(tx, answer.id)
        user = USERS.need(tx, identity.user)
        assert (user.username, user.domain, user.role, user.alias) == ("nora", HERE, "user", "Nora")
        assert (user.mobile_phone, user.capabilities) == (("+34600333444",), ("+chat", "+call-history"))
        assert identity.temporary is True
        credential = sip_mappings.credential_of(setup.platform, tx, user.address)
        assert (credential.username, credential.password) == ("7300", "hush")
        assert people.password_hash_of(tx, user.id)
    assert not any(secret in str(setup.dump()) for secret in ("hush", "first word"))


@case(ops.GetProvisionedUser)
def get_user(setup: CaseSetup) -> Steps:
    _dora(setup)
    answer = yield ops.GetProvisionedUser(domain=HERE, username="dora")
    assert (answer.username, answer.attributes.domain) == ("dora", HERE)
    assert answer.attributes.phone_number == "+34600111222"


@case(
    ops.UpdateProvisionedUser,
    bad={
        400: {
            "username": [""],
            "email": ["none"],
            "attributes": [{"domain": "none"}, {"sip_mapping": {"sip_auth_proxy": "proxy"}}],
            "credentials": [{"password": ""}],
        },
        409: {"username": ["ana"]},
    },
)
def update_user(setup: CaseSetup) -> Steps:
    dora = _dora(setup, capabilities=("+chat",), sip_mapping=SipProvision(username="7400", password="hush"))
    answer = yield ops.UpdateProvisionedUser(
        id=dora.id,
        first_name="Dorotea",
        email="dorotea@desk.example",
        attributes=ProvisionedAttributes(phone_number="+34600999888"),
        credentials=ProvisionedCredentials(password="second", temporary=True),
    )
    assert (answer.first_name, answer.last_name, answer.email) == ("Dorotea", "Vidal", "dorotea@desk.example")
    with setup.platform.read() as tx:
        identity = identities.need(tx, answer.id)
        user = USERS.need(tx, identity.user)
        assert (user.alias, user.email, user.mobile_phone) == ("Dorotea", "dorotea@desk.example", ("+34600999888",))
        assert user.capabilities == ("+chat",)
        assert sip_mappings.credential_of(setup.platform, tx, user.address).username == "7400"
        assert identity.temporary is True


@case(ops.LogOutUser)
def log_out_user(setup: CaseSetup) -> Steps:
    dora = _dora(setup)
    with setup.platform.read() as tx:
        user = people.need_user(tx, identities.need(tx, dora.id).user)
    sessions.create(setup.platform, user, None)
    sessions.create(setup.platform, user, None)
    tokens.issue(setup.platform, user.id)
    answer = yield ops.LogOutUser(id=dora.id)
    assert answer.message == "OK"
    assert setup.count(SESSIONS, SESSIONS.c.user == user.id) == 0
    with setup.platform.read() as tx:
        assert tokens.listed(tx, user.id, "access") == tokens.listed(tx, user.id, "refresh") == ()


# -- caller ids -------------------------------------------------------------------------------------------------------


@case(ops.ListCallerIds)
def list_caller_ids(setup: CaseSetup) -> Steps:
    with setup.platform.write() as tx:
        tx.run(sa.delete(caller_id_table))
    for name, value in (("Sales", "+34911000001"), ("Sales night", "+34911000002"), ("Billing", "+34911000003")):
        caller_ids.create(setup.platform, name, value)
    answer = yield ops.ListCallerIds.model_validate({"nameContains": "sales", "paginate[max]": 1, "paginate[page]": 2})
    assert [(each.name, each.value) for each in answer.entries] == [("Sales night", "+34911000002")]
    assert answer.total == 2


@case(ops.CreateCallerId, bad={409: {"name": ["Known"]}})
def create_caller_id(setup: CaseSetup) -> Steps:
    caller_ids.create(setup.platform, "Known", "+34911000001")
    answer = yield ops.CreateCallerId(name="New", value="+34911000002")
    assert (answer.name, answer.value) == ("New", "+34911000002")
    with setup.platform.read() as tx:
        assert tx.value(sa.select(caller_id_table.c.value).where(caller_id_table.c.name == "New")) == "+34911000002"
