"""Addresses in another form: names, links, counts, directions and requests mean the same people."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from console.api.operations.presence import SubscribePresence, UpdatePresence
from console.api.operations.resolution import ResolveAddresses, UpdateSubscriptions
from console.base.frozen import replace
from console.commands.lookup import is_me, person
from console.commands.resolve import resolve_people
from console.kinds.alerts.columns import TABLE as ALERTS
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.calls.related import calls_of_user
from console.kinds.groups.columns import TABLE as GROUPS
from console.kinds.presence.columns import TABLE as PRESENCE
from console.kinds.presence.facts import presence_of
from console.kinds.sip_mappings.columns import TABLE as MAPPINGS
from console.records.addresses import Addresses, Pattern
from console.records.people import Group, User
from console.records.record import Record
from console.records.resolution import ResolvedAddresses, ResolvedUser
from console.records.sip import SipMapping
from console.records.support import Alert, Presence
from console.records.traffic import Call
from console.views.filter import parse
from console.views.render_context import RenderContext
from tests.kinds.action_world import plan, requests, situation
from tests.kinds.reading import known
from tests.kinds.wild import render_context

ANA, EVA = User(id="17", username="ana", alias="Ana"), User(id="18", username="eva", alias="Eva")
SHAPES = [("wac-user:", ""), ("sip:", "@voice.example"), ("svc-user:", "")]


def address(prefix: str, suffix: str, user: User) -> str:
    return f"{prefix}{user.id}{suffix}"


def world(prefix: str, suffix: str) -> Mapping[str, Mapping[str, Record]]:
    ana = address(prefix, suffix, ANA)
    return known(
        users=[ANA, EVA],
        presence=[Presence(address=ana, online=True, activity="busy", note="back soon")],
        groups=[Group(group_id="5", name="Sales", participants=("17", "18"))],
        calls=[
            Call(id="in", caller="+34600111222", callee=ana, users=(ana,), state="connected"),
            Call(id="out", caller=ana, callee="+34600111222", state="connected"),
            Call(id="internal", caller=ana, callee=address(prefix, suffix, EVA), state="connected"),
        ],
    )


def configured(prefix: str, suffix: str) -> RenderContext:
    forms = Addresses(Pattern(prefix, suffix), Pattern("wac-group:"))
    return replace(render_context(world(prefix, suffix)), me="17", addresses=forms)


@pytest.mark.parametrize(("prefix", "suffix"), SHAPES)
class TestConfigured:
    def test_calls_have_names_and_directions(self, prefix: str, suffix: str) -> None:
        render = configured(prefix, suffix)
        for name in ("in", "out", "internal"):
            call = render.find("calls", name)
            assert isinstance(call, Call)
            assert CALLS.column("direction").value(call, render) == name
        internal = render.find("calls", "internal")
        assert isinstance(internal, Call)
        assert CALLS.column("caller").cell(internal, render).text == "Ana"
        assert CALLS.column("callee").cell(internal, render).text == "Eva"
        assert {each.id for each in calls_of_user("17", render)} == {"in", "out", "internal"}

    def test_links_lead_to_records_that_exist(self, prefix: str, suffix: str) -> None:
        render = configured(prefix, suffix)
        call = render.find("calls", "out")
        assert isinstance(call, Call)
        found = [(each.kind, each.key) for each in CALLS.links(call, render)]
        assert found == [("presence", address(prefix, suffix, ANA)), ("users", "17")]
        assert all(render.find(kind, key) for kind, key in found)

    def test_a_presence_belongs_to_its_user(self, prefix: str, suffix: str) -> None:
        render = configured(prefix, suffix)
        found = presence_of("17", render)
        assert found is not None
        assert PRESENCE.column("name").cell(found, render).text == "Ana"
        assert PRESENCE.column("groups").cell(found, render).text == "Sales"
        assert PRESENCE.column("id").cell(found, render).text == address(prefix, suffix, ANA)

    def test_a_group_counts_its_members(self, prefix: str, suffix: str) -> None:
        render = configured(prefix, suffix)
        group = render.find("groups", "5")
        assert isinstance(group, Group)
        assert GROUPS.column("online").value(group, render) == 1

    def test_own_alerts_are_recognized(self, prefix: str, suffix: str) -> None:
        render = configured(prefix, suffix)
        mine, other = (Alert(alert_id="a", from_=address(prefix, suffix, each)) for each in (ANA, EVA))
        assert [ALERTS.column("mine").value(each, render) for each in (mine, other)] == [True, False]

    def test_requests_have_the_deployments_addresses(self, prefix: str, suffix: str) -> None:
        acting = replace(situation(ANA), render=configured(prefix, suffix))
        (status,) = requests(plan("me.set", acting, (), activity="busy"))
        assert status == UpdatePresence(address=address(prefix, suffix, ANA), online=True, activity="busy")
        (follow,) = requests(plan("users.follow", replace(acting, role="admin"), (EVA,)))
        assert follow == SubscribePresence(address=address(prefix, suffix, EVA))
        lists = ResolvedAddresses(
            resolved=(ResolvedUser(id="18"),), subscribed=(address(prefix, suffix, EVA), "+34600")
        )
        (stop,) = requests(plan("users.unfollow", acting, (EVA,), lists=lists))
        assert stop == UpdateSubscriptions(resolved=(address(prefix, suffix, EVA),), subscribed=("+34600",))

    def test_names_in_actions_mean_the_same_person(self, prefix: str, suffix: str) -> None:
        acting = replace(situation(ANA), render=configured(prefix, suffix))
        assert is_me(acting, address(prefix, suffix, ANA))
        assert not is_me(acting, address(prefix, suffix, EVA))
        assert person(acting.render, address(prefix, suffix, EVA)) == "Eva"
        (found,) = resolve_people(address(prefix, suffix, EVA), acting.render)
        assert found.user == EVA


def test_the_owner_of_a_mapping_is_a_user_or_a_group() -> None:
    render = configured("wac-user:", "")
    user, group, other = (SipMapping(owner=each) for each in ("wac-user:17", "wac-group:5", "wac-group:6"))
    assert [MAPPINGS.column("type").value(each, render) for each in (user, group)] == ["user", "group"]
    assert [MAPPINGS.column("owner").cell(each, render).text for each in (user, group)] == ["Ana", "Sales"]
    assert MAPPINGS.column("owner").cell(other, render).text == "▲ 6"
    assert [each.key for each in (*MAPPINGS.links(user, render), *MAPPINGS.links(group, render))] == ["17", "5"]


def test_the_address_of_a_known_user_may_have_any_prefix() -> None:
    render = replace(render_context(world("wac-user:", "")), me="99")
    call = render.find("calls", "internal")
    assert isinstance(call, Call)
    assert CALLS.column("direction").value(call, render) == "internal"
    assert CALLS.column("caller").cell(call, render).text == "Ana"
    stranger, group, own = (Call(id="x", caller=each) for each in ("wac-user:77", "wac-group:17", "wac-user:99"))
    assert CALLS.column("caller").cell(stranger, render).text == "wac-user:77"
    assert CALLS.column("caller").cell(group, render).text == "wac-group:17"
    assert CALLS.column("direction").value(own, render) == "out"


@pytest.mark.parametrize("typed", ["wac-user:17", "svc-user:17", "acme-group:5", "sip:17@voice.example"])
def test_a_pasted_address_is_a_word_of_a_filter(typed: str) -> None:
    render = configured("wac-user:", "")
    calls = [each for each in render.lookup("calls").values() if isinstance(each, Call)]
    shown = [each.key for each in calls if parse(typed, CALLS).matches(each, render)]
    assert shown == (["in", "out", "internal"] if typed == "wac-user:17" else [])


def test_resolved_addresses_are_those_that_were_asked_for() -> None:
    answer = ResolvedAddresses(resolved=(ResolvedUser(id="17"),), subscribed=("wac-user:17",))
    asked = ResolveAddresses(addresses=("wac-user:17", "wac-user:18"))
    assert asked.passed_over(answer) == ("wac-user:18",)
    replaced = UpdateSubscriptions(resolved=("wac-user:17",), subscribed=("wac-user:17", "wac-user:18", "+34600"))
    assert replaced.passed_over(answer) == ("wac-user:18",)
