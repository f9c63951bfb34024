"""Resolving addresses, and the gateway's names for users (contract 4.8)."""

from __future__ import annotations

from typing import Any

from console.api.operations.resolution import (
    GetGatewayUser,
    GetGatewayUsername,
    ListGatewayUsernames,
    ListResolved,
    ResolveAddress,
    ResolveAddresses,
    UpdateSubscriptions,
)
from console.records.people import User
from console.service.caller import Caller
from console.service.domain import addresses, people, presence, sip_mappings
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE, followers_of
from tests.contract.case import Bad, CaseSetup, case

ANA, BOB, CARLA = "svc-user:ana", "svc-user:bob", "svc-user:carla"


def _user(setup: CaseSetup, user_id: str) -> User:
    with setup.platform.read() as tx:
        return people.need_user(tx, user_id)


def _following(setup: CaseSetup, user_id: str) -> set[str]:
    with setup.platform.read() as tx:
        return {each.address for each in PRESENCE.records(tx) if user_id in followers_of(tx, each.address)}


def _nobody_followed_by_pat(setup: CaseSetup) -> Caller:
    pat = Caller(_user(setup, "pat"))
    presence.leave(setup.platform, pat, _following(setup, "pat"))
    with setup.platform.write():
        addresses.replace(setup.platform, pat, (), ())
    return pat


def _at_gateway(setup: CaseSetup, *user_ids: str) -> None:
    for number, user_id in enumerate(user_ids):
        sip_mappings.set_mapping(setup.platform, f"svc-user:{user_id}", f"77{number}", "secret")


def _asks_list(setup: CaseSetup) -> ListResolved:
    pat = _nobody_followed_by_pat(setup)
    _at_gateway(setup, "ana")
    addresses.resolve(setup.platform, pat, ["ana@desk.example"])
    presence.follow(setup.platform, pat, [BOB])
    return ListResolved()


@case(ListResolved, by="pat", asks=_asks_list, not_for=("guest",))
def list_resolved(setup: CaseSetup, answer: Any) -> None:
    assert [(each.id, each.username, each.gateway_username) for each in answer.resolved] == [("ana", "ana", "770")]
    assert answer.subscribed == (ANA, BOB)


def _asks_resolve(setup: CaseSetup) -> ResolveAddresses:
    _nobody_followed_by_pat(setup)
    bob = _user(setup, "bob")
    dialled = bob.mobile_phone[0].replace("+34", "0034 ")
    return ResolveAddresses(addresses=("ANA@desk.example", dialled, CARLA, "+34000", "nobody@desk.example"))


@case(
    ResolveAddresses,
    by="pat",
    asks=_asks_resolve,
    not_for=("guest",),
    bad=(Bad({"addresses": [3]}), Bad({"addresses": {"address": ANA}})),
)
def resolve(setup: CaseSetup, answer: Any) -> None:
    assert [each.id for each in answer.resolved] == ["ana", "bob", "carla"]
    assert answer.subscribed == (ANA, BOB, CARLA)
    assert _following(setup, "pat") == {ANA, BOB, CARLA}


def _asks_update(setup: CaseSetup) -> UpdateSubscriptions:
    addresses.resolve(setup.platform, _nobody_followed_by_pat(setup), [ANA, BOB])
    return UpdateSubscriptions(resolved=(BOB, CARLA), subscribed=(CARLA,))


@case(
    UpdateSubscriptions,
    by="pat",
    asks=_asks_update,
    not_for=("guest",),
    bad=(
        Bad({"resolved": ["nobody at all"]}),
        Bad({"subscribed": [ANA, "svc-user:nobody at all"]}),
        Bad({"resolved": None}),
        Bad({"subscribed": None}),
        Bad({"subscribed": ANA}),
    ),
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert [each.id for each in answer.resolved] == ["bob", "carla"]
    assert answer.subscribed == (CARLA,)
    assert _following(setup, "pat") == {CARLA}


def _asks_find(setup: CaseSetup) -> ResolveAddress:
    _nobody_followed_by_pat(setup)
    _at_gateway(setup, "bob")
    return ResolveAddress(address="770")


@case(
    ResolveAddress,
    by="pat",
    asks=_asks_find,
    not_for=("guest",),
    bad=(Bad({"addresses": "nobody at all"}, 404), Bad({"addresses": ""}), Bad({"addresses": 3})),
)
def find(setup: CaseSetup, answer: Any) -> None:
    bob = _user(setup, "bob")
    assert (answer.id, answer.gateway_username, answer.email) == ("bob", "770", bob.email)
    assert (answer.mobile_phone, answer.land_line_number) == (bob.mobile_phone, bob.land_line_number)
    assert _following(setup, "pat") == set()


def _asks_username(setup: CaseSetup) -> GetGatewayUsername:
    _at_gateway(setup, "ana", "bob")
    return GetGatewayUsername(id="bob")


@case(
    GetGatewayUsername,
    by="pat",
    asks=_asks_username,
    not_for=("guest",),
    bad=(Bad({"id": "nobody at all"}, 404), Bad({"id": "carla"}, 404), Bad({"id": 3})),
)
def gateway_username(setup: CaseSetup, answer: Any) -> None:
    assert answer == "771"


def _asks_user(setup: CaseSetup) -> GetGatewayUser:
    _at_gateway(setup, "ana", "bob")
    return GetGatewayUser(value="771", username="bob")


@case(
    GetGatewayUser,
    by="pat",
    asks=_asks_user,
    not_for=("guest",),
    bad=(Bad({"value": "none"}, 404), Bad({"username": "ana"}, 404), Bad({"value": None}), Bad({"value": ""})),
)
def gateway_user(setup: CaseSetup, answer: Any) -> None:
    assert answer == "bob"


def _asks_group(setup: CaseSetup) -> ListGatewayUsernames:
    with setup.platform.read() as tx:
        mapped = [each.id for each in USERS.records(tx) if sip_mappings.gateway_username_of(tx, each.id)]
    for user_id in mapped:
        sip_mappings.remove(setup.platform, f"svc-user:{user_id}")
    _at_gateway(setup, "ana", "carla")
    return ListGatewayUsernames(groupname="Night shift")


@case(
    ListGatewayUsernames,
    by="bob",
    asks=_asks_group,
    not_for=("pat", "guest"),
    bad=(Bad({"groupname": "none"}, 404),),
)
def gateway_usernames_of_group(setup: CaseSetup, answer: Any) -> None:
    assert answer == ("771",)
