"""Notices by webhook: signed, tried again, with the certificates of the profile, and never in the way."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path

import pytest

from console.client.endpoint import Endpoint, Tls
from console.notices.notice import notice_of
from console.notices.ways.lane import Lane
from console.notices.ways.way import NotDelivered
from console.notices.ways.webhook import WebhookWay
from tests.client.certificates import Authority
from tests.faults.hostile_texts import FEW, HOSTILE
from tests.notices.played import episode
from tests.notices.receiver import Received, Receiver, receiving
from tests.patience import PATIENCE

SECRET = b"0123456789abcdef-canary"


def way(url: str, secret: bytes | None = SECRET, endpoint: Endpoint | None = None, attempts: int = 4) -> WebhookWay:
    return WebhookWay(url, lambda: secret, lambda _profile: endpoint, attempts, first_pause=0.01)


def signature(received: Received, secret: bytes = SECRET) -> str:
    """Return the signature that the specification demands."""
    told = f"{received.headers['webhook-id']}.{received.headers['webhook-timestamp']}.".encode() + received.body
    return "v1," + base64.b64encode(hmac.new(secret, told, hashlib.sha256).digest()).decode()


def test_a_notice_is_posted_as_signed_json() -> None:
    with receiving(204) as receiver:
        way(receiver.url).send(notice_of(episode("a", words="Ana waits"), "desk"))
    (received,) = receiver.received
    assert received.headers["webhook-signature"] == signature(received)
    assert abs(int(received.headers["webhook-timestamp"]) - time.time()) < 60
    found = json.loads(received.body)
    assert (found["type"], found["id"]) == ("notice", received.headers["webhook-id"])
    assert found["data"] == notice_of(episode("a", words="Ana waits"), "desk").to_object()


def test_without_a_secret_nothing_is_signed() -> None:
    with receiving(204) as receiver:
        way(receiver.url, None).send(notice_of(episode("a"), "desk"))
    assert "webhook-signature" not in receiver.received[0].headers


def test_a_receiver_that_fails_gets_the_same_message_again() -> None:
    with receiving(503, 429, 500, 200) as receiver:
        way(receiver.url).send(notice_of(episode("a"), "desk"))
    assert len({each.headers["webhook-id"] for each in receiver.received}) == 1
    assert len({each.body for each in receiver.received}) == 1
    assert len(receiver.received) == 4
    assert all(each.headers["webhook-signature"] == signature(each) for each in receiver.received)


class Outage:
    """A receiver's outage, on a clock that runs only while the webhook waits."""

    def __init__(self, receiver: Receiver, seconds: float) -> None:
        self._receiver, self._seconds = receiver, seconds
        self.passed = 0.0

    def wait(self, seconds: float) -> bool:
        self.passed += seconds
        if self.passed >= self._seconds:
            self._receiver.statuses = [204]
        return False


def test_no_message_of_an_outage_of_an_hour_is_lost() -> None:
    with receiving(503) as receiver:
        outage = Outage(receiver, 3_600)
        lane = Lane(WebhookWay(receiver.url, lambda: SECRET, lambda _: None, wait=outage.wait))
        for number in range(6):
            lane.put(notice_of(episode(str(number)), "desk"))
        assert lane.close(4 * PATIENCE)
        assert outage.passed >= 3_600
        assert lane.failure() == "", "nothing was given up"
    arrived = list(dict.fromkeys(json.loads(each.body)["data"]["keys"][0] for each in receiver.received))
    assert arrived == [str(number) for number in range(6)]
    assert len({each.headers["webhook-id"] for each in receiver.received}) == 6


def test_a_person_learns_of_an_outage_while_the_message_is_still_tried() -> None:
    with receiving(503) as receiver:
        lane = Lane(way(receiver.url, attempts=10_000))
        lane.put(notice_of(episode("a"), "desk"))
        end = time.monotonic() + PATIENCE
        while not (failure := lane.failure()):
            assert time.monotonic() < end
        assert "answered 503" in failure
        assert lane.failure() == ""
        lane.close()


def test_a_secret_that_cannot_be_read_for_a_moment_loses_nothing() -> None:
    asked: list[int] = []

    def secret() -> bytes:
        asked.append(1)
        if len(asked) < 3:
            raise ValueError("the keyring is locked")
        return SECRET

    with receiving(204) as receiver:
        WebhookWay(receiver.url, secret, lambda _: None, first_pause=0.01).send(notice_of(episode("a"), "desk"))
    assert len(receiver.received) == 1


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (404, 1), (302, 4), (500, 4)])
def test_a_notice_is_given_up_with_the_status_and_redirects_are_not_followed(status: int, attempts: int) -> None:
    with receiving(status) as receiver, pytest.raises(NotDelivered, match=f"127.0.0.1.* answered {status}"):
        way(receiver.url).send(notice_of(episode("a"), "desk"))
    assert len(receiver.received) == attempts


def test_the_receiver_may_ask_for_a_longer_pause() -> None:
    with receiving(503, 204, retry_after="1") as receiver:
        begin = time.monotonic()
        way(receiver.url).send(notice_of(episode("a"), "desk"))
        assert time.monotonic() - begin >= 1


def test_hostile_texts_are_values_in_the_body_and_nowhere_else() -> None:
    with receiving(204) as receiver:
        hook = way(receiver.url)
        for text in (*FEW, *HOSTILE[::8]):
            hook.send(notice_of(episode(text, title=text, words=text, list=text, keys=(text,)), text))
    plain = {"host", "accept", "accept-encoding", "connection", "user-agent", "content-length"}
    own = {"content-type", "idempotency-key", "webhook-id", "webhook-timestamp", "webhook-signature"}
    for each in receiver.received:
        assert each.headers.keys() == plain | own
        assert each.body.isascii()
        assert not any(code < 0x20 or code == 0x7F for code in each.body)
        assert each.path == "/notices"
        json.loads(each.body)


def test_the_certificates_are_those_of_the_profile(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "ca")
    with receiving(204, certificate=authority.leaf("hook")) as receiver:
        trusting = Endpoint("https://desk.example/core", None, tls=Tls(authority.file))
        way(receiver.url, endpoint=trusting).send(notice_of(episode("a"), "desk"))
        assert len(receiver.received) == 1
        with pytest.raises(NotDelivered, match="certificate"):
            way(receiver.url, attempts=1).send(notice_of(episode("a"), "desk"))
    assert len(receiver.received) == 1


def test_the_reason_of_a_failure_does_not_contain_the_secret_or_the_path() -> None:
    def unreadable() -> bytes:
        raise ValueError("secret_command pass ended with 1")

    with pytest.raises(NotDelivered, match="secret_command pass ended with 1"):
        WebhookWay("http://127.0.0.1:1/t0ken", unreadable, lambda _: None, 1).send(notice_of(episode("a"), "desk"))
    with pytest.raises(NotDelivered) as failed:
        way("http://127.0.0.1:1/t0ken", attempts=1).send(notice_of(episode("a"), "desk"))
    assert "canary" not in str(failed.value)
    assert "t0ken" not in str(failed.value)


def test_a_receiver_that_does_not_answer_delays_nobody() -> None:
    with receiving(204) as receiver:
        receiver.hold.clear()
        lane = Lane(way(receiver.url))
        begin = time.monotonic()
        for number in range(500):
            lane.put(notice_of(episode(str(number)), "desk"))
        assert time.monotonic() - begin < 1
        assert "some were dropped" in lane.failure()
        assert lane.failure() == ""
        lane.close()
        receiver.hold.set()


def test_waiting_for_another_attempt_ends_with_the_console() -> None:
    with receiving(503, retry_after="60") as receiver:
        hook = way(receiver.url)
        lane = Lane(hook)
        lane.put(notice_of(episode("a"), "desk"))
        end = time.monotonic() + 10
        while not receiver.received:
            assert time.monotonic() < end
        assert not lane.close()
        hook.close()
