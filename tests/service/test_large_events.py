"""Stored data never close another user's channel: records too large for an event must be listed again."""

from __future__ import annotations

import json

from console.api.annotations import Variant
from console.api.events import Event, Heartbeat, Subscribed
from console.client.dialects import read_message
from console.service.auth.caller import Caller
from console.service.domain import people
from console.service.domain.people import USERS
from console.service.events.hub import LARGEST_EVENT, MOST_QUEUED, EncodedChange, Subscriber
from console.service.store.outbox import OutboxEntry
from tests.background import Running
from tests.service.channels import Open, confirmed, next_event, rename, subscribed, told
from tests.service.inside import inside
from tests.service.over_http import LogIn


def test_a_change_that_is_too_large_is_announced_without_its_record(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    channel = open_channel(as_user("eva"), "groups")
    start = confirmed(channel)
    for _ in range(5):
        rename(service, "x" * LARGEST_EVENT)
        rename(service, "y" * LARGEST_EVENT)
    rename(service, "Short")
    after = start.offset
    for _ in range(10):
        event = next_event(channel)
        assert (event.kind, event.topic, event.key, event.after) == ("relist", "groups", "night", after)
        assert bytes(event.body) == b"null"
        after = event.offset
    event = next_event(channel)
    assert (event.kind, event.after, told(event)["name"]) == ("upsert", after, "Short")


def test_too_many_waiting_events_are_replaced_by_one_announcement_per_topic(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    channel = open_channel(as_user("eva"), "groups", "users", "calls")
    start = confirmed(channel)
    with service.platform.write() as tx:
        for number in range(20):
            USERS.put(tx, people.need_user(tx, "pat").model_copy(update={"alias": f"{number}" + "x" * 50_000}))
            rename(service, f"{number}" + "x" * 50_000)
        head = tx.head
    after, relisted = start.offset, set[str]()
    while after < head:
        event = next_event(channel)
        assert event.after == after
        after = event.offset
        relisted |= {event.topic} if event.kind == "relist" else set()
    assert relisted == {"users", "groups"}
    rename(service, "Short")
    assert next_event(channel).after == head


def test_a_slow_reader_is_told_to_list_again_and_stays_connected(service: Running, as_user: LogIn) -> None:
    eva = as_user("eva")
    with subscribed(service.events_url, eva, "groups", stalls=True) as slow:
        start = confirmed(slow)
        for number in range(200):
            rename(service, f"{number} " + "x" * 100_000)
        after, kinds = start.offset, set[str]()
        while after < service.database.head:
            event = next_event(slow)
            assert event.after == after
            after = event.offset
            kinds.add(event.kind)
        assert "relist" in kinds
        rename(service, "Short")
        assert told(next_event(slow))["name"] == "Short"
    assert eva.get("/groups").status_code == 200


async def test_the_events_waiting_for_a_subscriber_are_bounded() -> None:
    with inside() as desk, desk.platform.read() as tx:
        eva = Caller(people.need_user(tx, "eva"))
    subscriber = Subscriber(eva)
    subscriber.listen(["groups", "users"])
    subscriber.begin(Subscribed(epoch="e", offset=0, topics=("groups", "users")))
    for number in range(1, 3000):
        body = json.dumps({"name": "x" * 2000})
        change = OutboxEntry(
            number, "groups" if number % 3 else "users", "upsert", "k", body, None, {"domain": "", "key": ""}
        )
        subscriber.offer(EncodedChange(change, Variant.LATER))
        subscriber.beat(Heartbeat(epoch="e", offset=number, after=number))
    assert subscriber.closing is None
    texts = await subscriber.next()
    assert sum(map(len, texts)) <= MOST_QUEUED
    messages = [read_message(each) for each in texts]
    assert isinstance(messages[0], Subscribed)
    after = 0
    for message in messages:
        if isinstance(message, Event):
            assert message.after == after
            after = message.offset
        elif isinstance(message, Heartbeat):
            assert message.after == after
    assert after == 2999


async def test_a_subscriber_that_reads_nothing_is_disconnected() -> None:
    subscriber = Subscriber(Caller())
    for number in range(100_000):
        subscriber.begin(Subscribed(epoch="e", offset=number, topics=()))
        if subscriber.closing is not None:
            break
    assert subscriber.closing == (4001, "too slow")
