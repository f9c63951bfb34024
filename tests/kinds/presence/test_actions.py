"""Actions on presence: following, status and notes, and undo."""

from __future__ import annotations

import pytest

from console.api.operations.presence import SubscribePresence, SubscribePresences, UpdatePresence
from console.api.operations.resolution import ListResolved, UpdateSubscriptions
from console.commands.action import ChoiceAsk, TextAsk
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.presence.following import read_addresses
from console.live.command import Basis
from console.live.merging import taking_back
from console.records.resolution import ResolvedAddresses, ResolvedUser
from console.records.support import Presence
from tests.kinds.action_world import (
    ANA,
    BOB,
    CARLA,
    DAN,
    EVA,
    SALES,
    asks_of,
    plan,
    requests,
    situation,
)


def test_one_several_or_all_unfollowed_users_are_followed() -> None:
    at = situation(BOB)
    assert requests(plan("presence.follow", at, addresses="dan")) == [SubscribePresence(address="svc-user:u-dan")]
    assert requests(plan("presence.follow", at, addresses="dan\nsip:x@y\n+34600\nana\nnobody")) == [
        SubscribePresences(addresses=("svc-user:u-dan", "sip:x@y", "+34600"))
    ]
    with pytest.raises(ValueError, match="already follow this"):
        plan("presence.follow", at, addresses="ana")
    with pytest.raises(ValueError, match="No address or known user"):
        plan("presence.follow", at, addresses="nobody")
    assert len(read_addresses("bob\nnobody\nsip:x", at.render)[1]) == 3


def test_users_and_groups_are_followed() -> None:
    at = situation(BOB)
    assert requests(plan("users.follow", at, (ANA, CARLA, DAN))) == [
        SubscribePresences(addresses=("svc-user:u-carla", "svc-user:u-dan"))
    ]
    assert blocked(by_id("users.follow"), at, (ANA,)) == "You already follow Ana."
    assert requests(plan("groups.follow", at, (SALES,))) == [
        SubscribePresences(addresses=("svc-user:u-bob", "svc-user:u-carla"))
    ]
    followed = SALES.model_copy(update={"participants": ("u-ana", "u-eva")})
    assert blocked(by_id("groups.follow"), at, (followed,)) == "You already follow everybody in Sales."
    nobody = SALES.model_copy(update={"participants": ()})
    assert blocked(by_id("groups.follow"), at, (nobody,)) == "Sales has no members."


LISTS_NOW = ResolvedAddresses(resolved=(ResolvedUser(id="u-bob"),), subscribed=("svc-user:u-ana", "svc-user:u-dan"))


def test_unfollowing_one_user_keeps_all_others() -> None:
    at = situation(BOB)
    (step,) = plan("users.unfollow", at, (ANA,), lists=LISTS_NOW)
    assert step.request == UpdateSubscriptions(resolved=("svc-user:u-bob",), subscribed=("svc-user:u-dan",))
    assert step.inverse == (UpdateSubscriptions(resolved=("svc-user:u-bob",), subscribed=LISTS_NOW.subscribed),)
    assert step.basis == Basis(ListResolved(), {"subscribed": LISTS_NOW.subscribed})
    assert step.words == "unfollowed Ana"
    (both,) = plan("users.unfollow", at, (ANA, DAN, CARLA), lists=LISTS_NOW)
    assert both.words == "unfollowed 2 addresses"
    with pytest.raises(ValueError, match="You do not follow Carla"):
        plan("users.unfollow", at, (CARLA,), lists=LISTS_NOW)
    with pytest.raises(ValueError, match="does not say whom you follow"):
        plan("users.unfollow", at, (ANA,))
    assert blocked(by_id("users.unfollow"), at, (CARLA,)) == "You do not follow Carla."


def test_undoing_a_follow_restores_both_lists() -> None:
    (step,) = plan("users.follow", situation(BOB), (CARLA,), lists=LISTS_NOW)
    assert step.request == SubscribePresence(address="svc-user:u-carla")
    assert step.inverse == (UpdateSubscriptions(resolved=("svc-user:u-bob",), subscribed=LISTS_NOW.subscribed),)
    after = (*LISTS_NOW.subscribed, "svc-user:u-carla")
    assert taking_back(step, step.inverse[0]) == Basis(ListResolved(), {"subscribed": after})
    (blind,) = plan("users.follow", situation(BOB), (CARLA,))
    assert not blind.inverse, "who does not know the lists cannot put them back"


def test_an_admin_who_sees_everybody_can_still_follow() -> None:
    assert blocked(by_id("users.follow"), situation(EVA), (ANA,)) is None
    assert requests(plan("users.follow", situation(EVA), (ANA,))) == [SubscribePresence(address="svc-user:u-ana")]


def test_own_presence_is_set_with_a_digit_and_undone() -> None:
    (ask,) = asks_of(by_id("me.set"), situation(), ())
    assert isinstance(ask, ChoiceAsk)
    assert ask.digits
    assert [each.value for each in ask.choices] == ["available", "busy", "away", "dnd", "offline", "note", "leave"]
    assert (ask.choices[-2].key, ask.choices[-2].leads_to) == ("n", "me.note")
    assert (ask.choices[-1].key, ask.choices[-1].leads_to) == ("", "groups.leave-all")
    (step,) = plan("me.set", situation(), activity="away")
    assert step.request == UpdatePresence(address="svc-user:u-eva", online=True, activity="away")
    assert step.inverse == (UpdatePresence(address="svc-user:u-eva", online=True, activity="available"),)
    (step,) = plan("me.set", situation(), activity="offline")
    assert isinstance(step.request, UpdatePresence)
    assert step.request.online is False


def test_an_unknown_own_presence_cannot_be_restored() -> None:
    (step,) = plan("me.set", situation(presence=()), activity="busy")
    assert step.inverse == ()
    (step,) = plan("me.set", situation(ANA, presence=()), activity="busy")
    assert step.inverse == (UpdatePresence(address="svc-user:u-ana", online=True, activity="available"),)
    with pytest.raises(ValueError, match="note is not a status"):
        plan("me.set", situation(), activity="note")


def test_a_note_is_set_and_undone() -> None:
    (ask,) = asks_of(by_id("me.note"), situation(), ())
    assert isinstance(ask, TextAsk)
    assert ask.initial == "at the desk"
    assert not ask.required
    (step,) = plan("me.note", situation(), note="back 15:30")
    assert step.request == UpdatePresence(address="svc-user:u-eva", note="back 15:30")
    assert step.inverse == (UpdatePresence(address="svc-user:u-eva", note="at the desk"),)
    (step,) = plan("me.note", situation(presence=(Presence(address="svc-user:u-eva"),)), note="")
    assert step.inverse == (UpdatePresence(address="svc-user:u-eva", note=""),)
    (step,) = plan("me.note", situation(ANA, presence=()), note="x")
    assert step.inverse == ()
