"""The event channel: complete, limited to what the caller may list, and closed when the login ends."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from console.api.events import Heartbeat, Reset
from console.service.domain import groups, people
from console.service.domain.people import USERS
from console.service.events import stream
from console.service.http.request_head import MOST_HEADERS
from tests.background import Running, start_background
from tests.faults.figures import record
from tests.manual_clock import ManualClock
from tests.service.channels import Open, close_code, confirmed, heard, next_event, rename, subscribed, told
from tests.service.over_http import LogIn, Serve, data, fill, grant, log_in


def test_the_answer_to_a_subscription_contains_the_offset_and_the_valid_topics(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    message = confirmed(open_channel(as_user("eva"), "groups", "nothing", "users"))
    assert (message.epoch, message.offset) == (service.database.epoch, service.database.head)
    assert message.topics == ("groups", "users")


def test_events_are_numbered_without_a_gap_despite_other_topics(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    eva = as_user("eva")
    channel = open_channel(eva, "groups")
    subscribed = confirmed(channel)
    last = subscribed.offset
    shown: object = None
    for number in range(5):
        with service.platform.write() as tx:
            USERS.put(tx, people.need_user(tx, "pat").model_copy(update={"alias": f"Pat {number}"}))
        rename(service, f"Night {number}")
        event = next_event(channel)
        assert (event.after, event.kind, event.key) == (last, "upsert", "night")
        assert event.offset == last + 2
        assert told(event)["name"] == f"Night {number}"
        last, shown = event.offset, told(event)
    (group,) = data(eva.get("/groups"))["groupList"]
    assert group == shown


def test_resuming_replays_missed_events_and_continues(service: Running, as_user: LogIn, open_channel: Open) -> None:
    eva = as_user("eva")
    seen = service.database.head
    rename(service, "A")
    rename(service, "B")
    channel = open_channel(eva, "groups", resume=(service.database.epoch, seen))
    subscribed = confirmed(channel)
    assert subscribed.offset == seen
    first, second = next_event(channel), next_event(channel)
    rename(service, "C")
    third = next_event(channel)
    assert [told(each)["name"] for each in (first, second, third)] == ["A", "B", "C"]
    assert [each.after for each in (first, second, third)] == [seen, first.offset, second.offset]


@pytest.mark.parametrize("fault", ["epoch", "future", "trimmed", "far"])
def test_an_offset_that_is_no_longer_stored_resets_and_events_follow_from_there(
    service: Running, as_user: LogIn, open_channel: Open, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    eva = as_user("eva")
    epoch, offset = service.database.epoch, service.database.head
    if fault == "epoch":
        epoch = "another"
    elif fault == "future":
        offset += 1000
    elif fault == "trimmed":
        # The newest one is always kept.
        rename(service, "A")
        rename(service, "B")
        service.database.trim(0)
    else:
        monkeypatch.setattr(stream, "LONGEST_REPLAY", 20)
        with service.platform.write():
            for number in range(21):
                rename(service, str(number))
    channel = open_channel(eva, "groups", resume=(epoch, offset))
    reset = heard(channel)
    assert isinstance(reset, Reset)
    assert (reset.epoch, reset.offset) == (service.database.epoch, service.database.head)
    rename(service, "B again")
    assert next_event(channel).after == reset.offset


def test_resuming_at_the_end_of_a_trimmed_stream_is_no_reset(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    eva = as_user("eva")
    service.database.trim(0)
    confirmed(open_channel(eva, "groups", resume=(service.database.epoch, service.database.head)))


def test_users_receive_only_events_of_records_in_their_lists(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    bob, pat = as_user("bob"), as_user("pat")
    bobs, pats = open_channel(bob, "groups", "sessions"), open_channel(pat, "groups", "sessions")
    confirmed(bobs)
    start = confirmed(pats)
    log_in(service, "carla").close()
    rename(service, "Not for Pat")
    assert told(next_event(bobs))["name"] == "Not for Pat"
    with service.platform.read() as tx:
        owner = people.need_user(tx, "pat")
    groups.create(service.platform, owner, "For Pat", "pats")
    event = next_event(pats)
    assert (event.key, event.after) == ("pats", start.offset)


def test_a_user_who_can_no_longer_see_a_record_receives_its_removal(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    ana, bob = as_user("ana"), as_user("bob")
    channel = open_channel(bob, "groups")
    confirmed(channel)
    data(ana.post("/groups/night/participants/remove", json={"targetUserId": "bob"}))
    event = next_event(channel)
    assert (event.kind, event.key, told(event)) == ("remove", "night", None)
    data(ana.post("/groups/night/participants", json={"targetUserId": "bob"}))
    again = next_event(channel)
    assert (again.kind, again.after) == ("upsert", event.offset)


def test_each_notify_request_reaches_those_named_and_plain_updates_do_not(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    eva, pat, bob = as_user("eva"), as_user("pat"), as_user("bob")
    log = {"id": "conf-1", "roomId": "room-1", "participants": [{"address": "svc-user:bob"}]}
    hears = {name: open_channel(client, "conferences") for name, client in (("pat", pat), ("bob", bob))}
    for channel in hears.values():
        heard(channel)
    for _ in range(2):
        data(eva.post("/conferences/notify", json={"conferenceLog": log, "svcUris": ["svc-user:pat"]}))
    data(eva.put("/conferences", json={"conferenceLog": {**log, "roomId": "room-2"}}))
    data(eva.post("/conferences/notify", json={"conferenceLog": log, "svcUris": ["svc-user:bob", "svc-user:pat"]}))
    of_pat = [next_event(hears["pat"]) for _ in range(3)]
    assert [(each.kind, each.key, told(each)["roomId"]) for each in of_pat] == [
        ("notice", "conf-1", "room-1"),
        ("notice", "conf-1", "room-1"),
        ("notice", "conf-1", "room-1"),
    ]
    assert [each.after for each in of_pat[1:]] == [each.offset for each in of_pat[:-1]]
    of_bob = [next_event(hears["bob"]) for _ in range(4)]
    assert [(each.kind, told(each)["roomId"]) for each in of_bob] == [
        ("upsert", "room-1"),
        ("upsert", "room-2"),
        ("upsert", "room-1"),
        ("notice", "room-1"),
    ]
    assert data(pat.get("/conferences")) == []
    assert pat.get("/conferences/conf-1").status_code == 403


def test_resuming_respects_the_same_visibility_and_a_heartbeat_has_the_newest_offset(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    pat = as_user("pat")
    seen = service.database.head
    rename(service, "Not for Pat")
    channel = open_channel(pat, "groups", resume=(service.database.epoch, seen))
    confirmed(channel)
    began = time.monotonic()
    beat = heard(channel)
    assert time.monotonic() - began < 6
    assert isinstance(beat, Heartbeat)
    assert (beat.epoch, beat.offset, beat.after) == (service.database.epoch, service.database.head, seen)


def test_revoking_the_session_closes_the_channel_at_once(as_user: LogIn, open_channel: Open) -> None:
    ana = as_user("ana")
    channel = open_channel(ana, "groups")
    confirmed(channel)
    (session,) = data(ana.get("/sessions/own"))
    began = time.monotonic()
    data(ana.post("/sessions/revoke", json={"id": session["id"]}))
    assert close_code(channel) == 4501
    ended = time.monotonic() - began
    record("S9", ended < 2, f"channel closed after {ended:.2f} s", "2 s")
    assert ended < 2
    assert ana.get("/groups").status_code == 401


def test_revoking_a_bare_token_closes_the_channel_within_two_seconds(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    token = data(grant(as_user("nobody"), "ana"))["access_token"]
    with httpx.Client(base_url=service.core_url, headers={"Authorization": f"Bearer {token}"}) as ana:
        channel = open_channel(ana, "groups")
        confirmed(channel)
        began = time.monotonic()
        data(ana.post("/oauth2/revoke", json={"token": token}))
        assert close_code(channel) == 4501
        ended = time.monotonic() - began
        record("S9", ended < 2, f"channel of a bare token after {ended:.2f} s", "2 s")
        assert ended < 2


def test_after_a_change_of_role_the_subscriber_is_reset(service: Running, as_user: LogIn, open_channel: Open) -> None:
    channel = open_channel(as_user("pat"), "groups")
    confirmed(channel)
    with service.platform.write() as tx:
        USERS.put(tx, people.need_user(tx, "pat").model_copy(update={"role": "admin"}))
    reset = heard(channel)
    assert isinstance(reset, Reset)
    rename(service, "Now for Pat too")
    assert next_event(channel).after == reset.offset


def test_without_a_login_the_channel_closes(as_user: LogIn, open_channel: Open) -> None:
    assert close_code(open_channel(as_user("nobody"))) == 4501


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", '{"type":"other"}', '{"type":"subscribe"}', b"\x00", "x" * 65_537]
)
def test_an_invalid_subscription_closes_the_channel(as_user: LogIn, open_channel: Open, text: str | bytes) -> None:
    channel = open_channel(as_user("eva"))
    channel.send(text)
    assert close_code(channel) in {4500, 1009}


def test_a_client_that_connects_too_often_is_told_to_wait(serve: Serve) -> None:
    service = serve(ManualClock(), account_rate=0.5)
    with log_in(service, "eva") as eva:
        headers = {"Authorization": eva.headers["Authorization"]}
        for _ in range(5):
            with connect(service.events_url, additional_headers=headers, proxy=None):
                pass
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(service.events_url, additional_headers=headers, proxy=None),
        ):
            pass
    assert refused.value.response.status_code == 429
    assert int(refused.value.response.headers["Retry-After"]) > 0


def test_a_handshake_with_too_many_headers_is_refused(service: Running) -> None:
    headers = {f"x-{number}": "y" for number in range(MOST_HEADERS)}
    with pytest.raises(InvalidStatus) as refused, connect(service.events_url, additional_headers=headers, proxy=None):
        pass
    assert refused.value.response.status_code == 431


def test_subscribing_again_changes_the_topics(service: Running, as_user: LogIn, open_channel: Open) -> None:
    channel = open_channel(as_user("eva"), "users")
    confirmed(channel)
    channel.send(json.dumps({"type": "subscribe", "topics": ["groups"]}))
    again = confirmed(channel)
    assert again.topics == ("groups",)
    rename(service, "X")
    assert next_event(channel).after == again.offset


def test_stopping_the_service_closes_channels_with_a_code_to_reconnect() -> None:
    with ExitStack() as stack:
        with start_background(fill) as service, log_in(service, "eva") as eva:
            channel = stack.enter_context(subscribed(service.events_url, eva, "groups"))
            confirmed(channel)
        assert close_code(channel) == 4002
