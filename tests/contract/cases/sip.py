"""SIP identities and mappings (contract 4.8)."""

from __future__ import annotations

from typing import Any

from console.api.operations.sip import (
    CreateSipIdentity,
    DeleteSipIdentity,
    DeleteSipMapping,
    GetSipIdentity,
    GetSipMapping,
    ListSipIdentities,
    ListSipMappings,
    NewSipCredential,
    PageSipMappings,
    SetSipMapping,
    UpdateSipIdentity,
)
from console.records.sip import SipIdentity
from console.service.caller import Caller
from console.service.domain import domains, people, sip, sip_mappings
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import SIP_MAPPINGS
from tests.contract.case import Bad, CaseSetup, case

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
    with setup.platform.read() as tx:
        eva = Caller(people.need_user(tx, "eva"))
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


def _asks_create(setup: CaseSetup) -> CreateSipIdentity:
    _fresh_pool(setup)
    return CreateSipIdentity(username="8002", password="hush", target_domain=THERE)


@case(
    CreateSipIdentity,
    asks=_asks_create,
    not_for=("ana", "guest"),
    bad=(
        Bad({"username": ""}),
        Bad({"username": None}),
        Bad({"password": None}),
        Bad({"targetDomain": "none"}),
        Bad({"targetDomain": HERE, "username": "8001"}, 409),
    ),
)
def create_identity(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    found = _identity(setup, "8002", THERE)
    assert found is not None
    assert found.available is True
    with setup.platform.read() as tx:
        assert sip.password_of(setup.platform, tx, found.id) == "hush"
        assert "hush" not in SIP_IDENTITIES.need_row(tx, found.id).password


def _asks_list(setup: CaseSetup) -> ListSipIdentities:
    _fresh_pool(setup)
    _pool(setup, "8002")
    _pool(setup, "8003", THERE)
    sip_mappings.set_mapping(setup.platform, ANA, "8001", None)
    return ListSipIdentities(available=True)


@case(
    ListSipIdentities,
    by="bob",
    asks=_asks_list,
    not_for=("guest",),
    bad=(Bad({"domain": THERE}, 403), Bad({"available": "perhaps"})),
)
def list_identities(setup: CaseSetup, answer: Any) -> None:
    assert [(each.username, each.available, each.password) for each in answer] == [("8002", True, None)]


@case(
    GetSipIdentity,
    asks=lambda setup: GetSipIdentity(id=_fresh_pool(setup), domain=HERE),
    not_for=("guest",),
    bad=(Bad({"id": "none"}, 404), Bad({"domain": THERE}, 404)),
)
def get_identity(setup: CaseSetup, answer: Any) -> None:
    assert (answer.username, answer.available, answer.domain, answer.password) == ("8001", True, HERE, None)


def _asks_update(setup: CaseSetup) -> UpdateSipIdentity:
    identity = _fresh_pool(setup)
    _pool(setup, "8002")
    return UpdateSipIdentity(id=identity, username="8009", password="hush", available=False)


@case(
    UpdateSipIdentity,
    asks=_asks_update,
    not_for=("ana", "guest"),
    bad=(
        Bad({"id": "none"}, 404),
        Bad({"domain": THERE}, 404),
        Bad({"username": "8002"}, 409),
        Bad({"username": ""}),
        Bad({"available": "perhaps"}),
    ),
)
def update_identity(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Updated"
    found = _identity(setup, "8009")
    assert found is not None
    assert found.available is False
    with setup.platform.read() as tx:
        assert sip.password_of(setup.platform, tx, found.id) == "hush"


@case(
    DeleteSipIdentity,
    asks=lambda setup: DeleteSipIdentity(id=_fresh_pool(setup)),
    not_for=("ana", "guest"),
    bad=(Bad({"id": "none"}, 404), Bad({"domain": THERE}, 404)),
)
def delete_identity(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Deleted"
    assert _identity(setup, "8001") is None


# -- mappings ---------------------------------------------------------------------------------------------------------


def _asks_get_mapping(setup: CaseSetup) -> GetSipMapping:
    _fresh_pool(setup)
    sip_mappings.set_mapping(setup.platform, ANA, "8001", None)
    return GetSipMapping(owner_uri=ANA)


@case(
    GetSipMapping,
    by="ana",
    asks=_asks_get_mapping,
    not_for=("bob", "guest"),
    bad=(Bad({"ownerUri": BOB}, 403), Bad({"ownerUri": ""})),
)
def get_mapping(setup: CaseSetup, answer: Any) -> None:
    assert (answer.username, answer.password) == ("8001", "password of 8001")


def _asks_set_mapping(setup: CaseSetup) -> SetSipMapping:
    _fresh_pool(setup)
    _pool(setup, "8002")
    sip_mappings.set_mapping(setup.platform, NIGHT, "8002", None)
    sip_mappings.set_mapping(setup.platform, BOB, "9000", "own")
    return SetSipMapping(owner_uri=NIGHT, credential=NewSipCredential(username="8001"))


@case(
    SetSipMapping,
    asks=_asks_set_mapping,
    not_for=("ana", "guest"),
    bad=(
        Bad({"ownerUri": "night"}),
        Bad({"ownerUri": "svc-group:none"}),
        Bad({"ownerUri": "svc-user:none"}),
        Bad({"ownerUri": None}),
        Bad({"credential": {"username": ""}}),
        Bad({"credential": {"username": "not of the pool"}}),
        Bad({"credential": {"username": "9000", "password": "x"}}, 409),
        Bad({"credential": None}),
    ),
)
def set_mapping(setup: CaseSetup, answer: Any) -> None:
    assert (answer.username, answer.password) == ("8001", "password of 8001")
    assert (_is_available(setup, "8001"), _is_available(setup, "8002")) == (False, True)


def _asks_delete_mapping(setup: CaseSetup) -> DeleteSipMapping:
    _fresh_pool(setup)
    sip_mappings.set_mapping(setup.platform, ANA, "8001", None)
    return DeleteSipMapping(owner_uri=ANA)


@case(
    DeleteSipMapping,
    asks=_asks_delete_mapping,
    not_for=("ana", "guest"),
    bad=(Bad({"ownerUri": BOB}, 404), Bad({"ownerUri": ""})),
)
def delete_mapping(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _is_available(setup, "8001")
    with setup.platform.read() as tx:
        assert SIP_MAPPINGS.count(tx) == 0


def _three_mappings(setup: CaseSetup) -> None:
    _fresh_pool(setup)
    for owner, username in ((BOB, "8002"), (ANA, "8001"), (NIGHT, "9001")):
        sip_mappings.set_mapping(setup.platform, owner, username, "x")


def _asks_list_mappings(setup: CaseSetup) -> ListSipMappings:
    _three_mappings(setup)
    return ListSipMappings(limit="1", last_match=ANA)


@case(
    ListSipMappings,
    asks=_asks_list_mappings,
    not_for=("ana", "guest"),
    bad=(Bad({"limit": "0"}), Bad({"limit": "many"})),
)
def list_mappings(setup: CaseSetup, answer: Any) -> None:
    assert [(each.owner, each.mapping.username, each.mapping.password) for each in answer] == [(BOB, "8002", None)]


def _asks_page_mappings(setup: CaseSetup) -> PageSipMappings:
    _three_mappings(setup)
    return PageSipMappings.model_validate({"page[size]": 1, "ownerType": "user", "username[partial]": "800"})


@case(
    PageSipMappings,
    asks=_asks_page_mappings,
    not_for=("ana", "guest"),
    bad=(Bad({"page[size]": "0"}), Bad({"page[after]": "x"}), Bad({"ownerType": "robot"})),
)
def page_mappings(setup: CaseSetup, answer: Any) -> None:
    assert [each.owner for each in answer.data] == [ANA]
    assert (answer.meta.page.total, answer.meta.page.max_size) == (2, 500)
    assert answer.meta.page.next
    assert answer.data[0].mapping.password is None
