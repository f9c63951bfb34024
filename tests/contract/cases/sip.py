"""SIP identities and mappings (contract 4.8)."""

from __future__ import annotations

from console.api.operations import sip as ops
from console.records.sip import SipIdentity
from console.service.domain import domains, sip, sip_mappings
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import SIP_MAPPINGS
from tests.contract.case import CaseSetup, Steps, case

HERE, THERE = "desk.example", "elsewhere.example"
ANA, BOB, NIGHT = "svc-user:ana", "svc-user:bob", "svc-group:night"


def _empty(setup: CaseSetup) -> None:
    """Remove all SIP records of the scenario, and add a second domain."""
    with setup.platform.write() as tx:
        for mapping in SIP_MAPPINGS.records(tx):
            sip_mappings.remove(setup.platform, mapping.owner)
        for identity in SIP_IDENTITIES.records(tx):
            sip.delete(setup.platform, identity)
        domains.add(setup.platform, THERE)


def _pool(setup: CaseSetup, username: str = "8001", domain: str = HERE) -> str:
    eva = setup.caller("eva")
    return sip.create(setup.platform, eva, username, f"password of {username}", domain).id


def _fresh_pool(setup: CaseSetup) -> str:
    _empty(setup)
    return _pool(setup)


def _identity(setup: CaseSetup, username: str, domain: str = HERE) -> SipIdentity | None:
    with setup.platform.read() as tx:
        return sip.in_pool(tx, domain, username)


def _is_available(setup: CaseSetup, username: str) -> bool:
    found = _identity(setup, username)
    assert found is not None
    return bool(found.available)


# -- identities -------------------------------------------------------------------------------------------------------


@case(
    ops.CreateSipIdentity, bad={400: {"targetDomain": ["none"]}, 409: {("targetDomain", "username"): [(HERE, "8001")]}}
)
def create_identity(setup: CaseSetup) -> Steps:
    _fresh_pool(setup)
    answer = yield ops.CreateSipIdentity(username="8002", password="hush", target_domain=THERE)
    assert answer.message == "Created"
    found = _identity(setup, "8002", THERE)
    assert found is not None
    assert found.available is True
    with setup.platform.read() as tx:
        assert sip.password_of(setup.platform, tx, found.id) == "hush"
        assert "hush" not in SIP_IDENTITIES.need_row(tx, found.id).password


@case(ops.ListSipIdentities, by="bob", bad={403: {"domain": [THERE]}})
def list_identities(setup: CaseSetup) -> Steps:
    _fresh_pool(setup)
    _pool(setup, "8002")
    _pool(setup, "8003", THERE)
    sip_mappings.set_mapping(setup.platform, ANA, "8001", None)
    answer = yield ops.ListSipIdentities(available=True)
    assert [(each.username, each.available, each.password) for each in answer] == [("8002", True, None)]


@case(ops.GetSipIdentity, bad={404: {"domain": [THERE]}})
def get_identity(setup: CaseSetup) -> Steps:
    answer = yield ops.GetSipIdentity(id=_fresh_pool(setup), domain=HERE)
    assert (answer.username, answer.available, answer.domain, answer.password) == ("8001", True, HERE, None)


@case(ops.UpdateSipIdentity, bad={400: {"username": [""]}, 404: {"domain": [THERE]}, 409: {"username": ["8002"]}})
def update_identity(setup: CaseSetup) -> Steps:
    identity = _fresh_pool(setup)
    _pool(setup, "8002")
    answer = yield ops.UpdateSipIdentity(id=identity, username="8009", password="hush", available=False)
    assert answer.message == "Updated"
    found = _identity(setup, "8009")
    assert found is not None
    assert found.available is False
    with setup.platform.read() as tx:
        assert sip.password_of(setup.platform, tx, found.id) == "hush"


@case(ops.DeleteSipIdentity, bad={404: {"domain": [THERE]}})
def delete_identity(setup: CaseSetup) -> Steps:
    answer = yield ops.DeleteSipIdentity(id=_fresh_pool(setup))
    assert answer.message == "Deleted"
    assert _identity(setup, "8001") is None


# -- mappings ---------------------------------------------------------------------------------------------------------


@case(ops.GetSipMapping, by="ana", not_for=("bob", "guest"), bad={400: {"ownerUri": [""]}, 403: {"ownerUri": [BOB]}})
def get_mapping(setup: CaseSetup) -> Steps:
    _fresh_pool(setup)
    sip_mappings.set_mapping(setup.platform, ANA, "8001", None)
    answer = yield ops.GetSipMapping(owner_uri=ANA)
    assert (answer.username, answer.password) == ("8001", "password of 8001")


@case(
    ops.SetSipMapping,
    bad={
        400: {
            "ownerUri": ["night", "svc-group:none", "svc-user:none"],
            "credential": [{"username": ""}, {"username": "not of the pool"}],
        },
        409: {"credential": [{"username": "9000", "password": "x"}]},
    },
)
def set_mapping(setup: CaseSetup) -> Steps:
    _fresh_pool(setup)
    _pool(setup, "8002")
    sip_mappings.set_mapping(setup.platform, NIGHT, "8002", None)
    sip_mappings.set_mapping(setup.platform, BOB, "9000", "own")
    answer = yield ops.SetSipMapping(owner_uri=NIGHT, credential=ops.NewSipCredential(username="8001"))
    assert (answer.username, answer.password) == ("8001", "password of 8001")
    assert (_is_available(setup, "8001"), _is_available(setup, "8002")) == (False, True)


@case(ops.DeleteSipMapping, bad={400: {"ownerUri": [""]}, 404: {"ownerUri": [BOB]}})
def delete_mapping(setup: CaseSetup) -> Steps:
    _fresh_pool(setup)
    sip_mappings.set_mapping(setup.platform, ANA, "8001", None)
    answer = yield ops.DeleteSipMapping(owner_uri=ANA)
    assert answer.message == "No Content"
    assert _is_available(setup, "8001")
    assert setup.count(SIP_MAPPINGS) == 0


def _three_mappings(setup: CaseSetup) -> None:
    _fresh_pool(setup)
    for owner, username in ((BOB, "8002"), (ANA, "8001"), (NIGHT, "9001")):
        sip_mappings.set_mapping(setup.platform, owner, username, "x")


@case(ops.ListSipMappings, bad={400: {"limit": ["many"]}})
def list_mappings(setup: CaseSetup) -> Steps:
    _three_mappings(setup)
    answer = yield ops.ListSipMappings(limit="1", last_match=ANA)
    assert [(each.owner, each.mapping.username, each.mapping.password) for each in answer] == [(BOB, "8002", None)]


@case(ops.PageSipMappings)
def page_mappings(setup: CaseSetup) -> Steps:
    _three_mappings(setup)
    answer = yield ops.PageSipMappings.model_validate(
        {"page[size]": 1, "ownerType": "user", "username[partial]": "800"}
    )
    assert [each.owner for each in answer.data] == [ANA]
    assert (answer.meta.page.total, answer.meta.page.max_size) == (2, 500)
    assert answer.meta.page.next
    assert answer.data[0].mapping.password is None
