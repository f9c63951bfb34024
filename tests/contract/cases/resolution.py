"""Resolving addresses, and the gateway's names for users (contract 4.8)."""

from __future__ import annotations

from console.api.operations import resolution as ops
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.domain import addresses, people, presence, sip_mappings
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE, followers_of
from tests.contract.case import CaseSetup, Steps, case

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


@case(ops.ListResolved, by="pat")
def list_resolved(setup: CaseSetup) -> Steps:
    pat = _nobody_followed_by_pat(setup)
    _at_gateway(setup, "ana")
    addresses.resolve(setup.platform, pat, ["ana@desk.example"])
    presence.follow(setup.platform, pat, [BOB])
    answer = yield ops.ListResolved()
    assert [(each.id, each.username, each.gateway_username) for each in answer.resolved] == [("ana", "ana", "770")]
    assert answer.subscribed == (ANA, BOB)


@case(ops.ResolveAddresses, by="pat", bad={400: {"addresses": [[3], {"address": ANA}]}})
def resolve(setup: CaseSetup) -> Steps:
    _nobody_followed_by_pat(setup)
    bob = _user(setup, "bob")
    dialled = bob.mobile_phone[0].replace("+34", "0034 ")
    answer = yield ops.ResolveAddresses(addresses=("ANA@desk.example", dialled, CARLA, "+34000", "nobody@desk.example"))
    assert [each.id for each in answer.resolved] == ["ana", "bob", "carla"]
    assert answer.subscribed == (ANA, BOB, CARLA)
    assert _following(setup, "pat") == {ANA, BOB, CARLA}


@case(
    ops.UpdateSubscriptions,
    by="pat",
    bad={400: {"resolved": [["nobody at all"]], "subscribed": [[ANA, "svc-user:nobody at all"]]}},
)
def update(setup: CaseSetup) -> Steps:
    addresses.resolve(setup.platform, _nobody_followed_by_pat(setup), [ANA, BOB])
    answer = yield ops.UpdateSubscriptions(resolved=(BOB, CARLA), subscribed=(CARLA,))
    assert [each.id for each in answer.resolved] == ["bob", "carla"]
    assert answer.subscribed == (CARLA,)
    assert _following(setup, "pat") == {CARLA}


@case(ops.ResolveAddress, by="pat", bad={400: {"addresses": [""]}, 404: {"addresses": ["nobody at all"]}})
def find(setup: CaseSetup) -> Steps:
    _nobody_followed_by_pat(setup)
    _at_gateway(setup, "bob")
    answer = yield ops.ResolveAddress(address="770")
    bob = _user(setup, "bob")
    assert (answer.id, answer.gateway_username, answer.email) == ("bob", "770", bob.email)
    assert (answer.mobile_phone, answer.land_line_number) == (bob.mobile_phone, bob.land_line_number)
    assert _following(setup, "pat") == set()


@case(ops.GetGatewayUsername, by="pat", bad={404: {"id": ["nobody at all", "carla"]}})
def gateway_username(setup: CaseSetup) -> Steps:
    _at_gateway(setup, "ana", "bob")
    answer = yield ops.GetGatewayUsername(id="bob")
    assert answer == "771"


@case(ops.GetGatewayUser, by="pat", bad={404: {"value": ["none"], "username": ["ana"]}})
def gateway_user(setup: CaseSetup) -> Steps:
    _at_gateway(setup, "ana", "bob")
    answer = yield ops.GetGatewayUser(value="771", username="bob")
    assert answer == "bob"


@case(ops.ListGatewayUsernames, by="bob", not_for=("pat",))
def gateway_usernames_of_group(setup: CaseSetup) -> Steps:
    with setup.platform.read() as tx:
        mapped = [each.id for each in USERS.records(tx) if sip_mappings.gateway_username_of(tx, each.id)]
    for user_id in mapped:
        sip_mappings.remove(setup.platform, f"svc-user:{user_id}")
    _at_gateway(setup, "ana", "carla")
    answer = yield ops.ListGatewayUsernames(groupname="Night shift")
    assert answer == ("771",)
