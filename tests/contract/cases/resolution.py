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
from tests.contract.case import Bad, Ground, case

ANA, BOB, CARLA = "svc-user:ana", "svc-user:bob", "svc-user:carla"


def _user(ground: Ground, user_id: str) -> User:
    with ground.platform.read() as tx:
        return people.need_user(tx, user_id)


def _following(ground: Ground, user_id: str) -> set[str]:
    with ground.platform.read() as tx:
        return {each.address for each in PRESENCE.records(tx) if user_id in followers_of(tx, each.address)}


def _nobody_followed_by_pat(ground: Ground) -> Caller:
    pat = Caller(_user(ground, "pat"))
    presence.leave(ground.platform, pat, _following(ground, "pat"))
    with ground.platform.write():
        addresses.replace(ground.platform, pat, (), ())
    return pat


def _at_gateway(ground: Ground, *user_ids: str) -> None:
    for number, user_id in enumerate(user_ids):
        sip_mappings.set_mapping(ground.platform, f"svc-user:{user_id}", f"77{number}", "secret")


def _asks_list(ground: Ground) -> ListResolved:
    pat = _nobody_followed_by_pat(ground)
    _at_gateway(ground, "ana")
    addresses.resolve(ground.platform, pat, ["ana@desk.example"])
    presence.follow(ground.platform, pat, [BOB])
    return ListResolved()


@case(ListResolved, by="pat", asks=_asks_list, not_for=("guest",))
def list_resolved(ground: Ground, answer: Any) -> None:
    assert [(each.id, each.username, each.gateway_username) for each in answer.resolved] == [("ana", "ana", "770")]
    assert answer.subscribed == (ANA, BOB)


def _asks_resolve(ground: Ground) -> ResolveAddresses:
    _nobody_followed_by_pat(ground)
    bob = _user(ground, "bob")
    dialled = bob.mobile_phone[0].replace("+34", "0034 ")
    return ResolveAddresses(addresses=("ANA@desk.example", dialled, CARLA, "+34000", "nobody@desk.example"))


@case(
    ResolveAddresses,
    by="pat",
    asks=_asks_resolve,
    not_for=("guest",),
    bad=(Bad({"addresses": [3]}), Bad({"addresses": {"address": ANA}})),
)
def resolve(ground: Ground, answer: Any) -> None:
    assert [each.id for each in answer.resolved] == ["ana", "bob", "carla"]
    assert answer.subscribed == (ANA, BOB, CARLA)
    assert _following(ground, "pat") == {ANA, BOB, CARLA}


def _asks_update(ground: Ground) -> UpdateSubscriptions:
    addresses.resolve(ground.platform, _nobody_followed_by_pat(ground), [ANA, BOB])
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
def update(ground: Ground, answer: Any) -> None:
    assert [each.id for each in answer.resolved] == ["bob", "carla"]
    assert answer.subscribed == (CARLA,)
    assert _following(ground, "pat") == {CARLA}


def _asks_find(ground: Ground) -> ResolveAddress:
    _nobody_followed_by_pat(ground)
    _at_gateway(ground, "bob")
    return ResolveAddress(addresses="770")


@case(
    ResolveAddress,
    by="pat",
    asks=_asks_find,
    not_for=("guest",),
    bad=(Bad({"addresses": "nobody at all"}, 404), Bad({"addresses": ""}), Bad({"addresses": 3})),
)
def find(ground: Ground, answer: Any) -> None:
    bob = _user(ground, "bob")
    assert (answer.id, answer.gateway_username, answer.email) == ("bob", "770", bob.email)
    assert (answer.mobile_phone, answer.land_line_number) == (bob.mobile_phone, bob.land_line_number)
    assert _following(ground, "pat") == set()


def _asks_username(ground: Ground) -> GetGatewayUsername:
    _at_gateway(ground, "ana", "bob")
    return GetGatewayUsername(id="bob")


@case(
    GetGatewayUsername,
    by="pat",
    asks=_asks_username,
    not_for=("guest",),
    bad=(Bad({"id": "nobody at all"}, 404), Bad({"id": "carla"}, 404), Bad({"id": 3})),
)
def gateway_username(ground: Ground, answer: Any) -> None:
    assert answer == "771"


def _asks_user(ground: Ground) -> GetGatewayUser:
    _at_gateway(ground, "ana", "bob")
    return GetGatewayUser(value="771", username="bob")


@case(
    GetGatewayUser,
    by="pat",
    asks=_asks_user,
    not_for=("guest",),
    bad=(Bad({"value": "none"}, 404), Bad({"username": "ana"}, 404), Bad({"value": None}), Bad({"value": ""})),
)
def gateway_user(ground: Ground, answer: Any) -> None:
    assert answer == "bob"


def _asks_group(ground: Ground) -> ListGatewayUsernames:
    with ground.platform.read() as tx:
        mapped = [each.id for each in USERS.records(tx) if sip_mappings.gateway_username_of(tx, each.id)]
    for user_id in mapped:
        sip_mappings.remove(ground.platform, f"svc-user:{user_id}")
    _at_gateway(ground, "ana", "carla")
    return ListGatewayUsernames(groupname="Night shift")


@case(
    ListGatewayUsernames,
    by="bob",
    asks=_asks_group,
    not_for=("pat", "guest"),
    bad=(Bad({"groupname": "none"}, 404),),
)
def gateway_usernames_of_group(ground: Ground, answer: Any) -> None:
    assert answer == ("771",)
