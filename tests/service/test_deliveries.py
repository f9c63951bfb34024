"""Mails, SMS and pushes are sent to a real mail server and a real webhook, however these behave."""

from __future__ import annotations

import random
import threading
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from console.records.deliveries import Delivery
from console.service.auth.passwords import Cost
from console.service.domain import deliveries
from console.service.domain.deliveries import DELIVERIES, KEPT_MS, deliver
from console.service.http.app import build_app
from console.service.platform import Platform, ServiceSettings
from console.service.refusal import Refusal
from console.service.store.database import Database
from console.service.store.faults import StorageFault
from console.service.transports import sending
from console.service.transports.message import GIVEN_UP_MS, Message
from console.service.transports.options import smtp_of
from tests.client.certificates import Authority, server_context
from tests.service.transports import Hooks, Mails, mail_server, sending_from, silent_server, webhook

CODE = Message("sms", "+34600111444", "phone code", "ana", {"code": "12345678"}, 900_000)
MAIL = Message(
    "email",
    "ana@desk.example",
    "meeting created",
    "meeting-1",
    {"name": "Plän", "validSince": 1_790_000_000_000, "currentTimezone": "Europe/Madrid", "roomId": "room-1"},
)
PUSH = Message("push", "token-of-a-device", "push", "phone-1", {"notification": {"title": "Hello", "body": "You"}})


@pytest.fixture
def mails() -> Generator[Mails]:
    with mail_server() as found:
        yield found


@pytest.fixture
def hooks() -> Generator[Hooks]:
    with webhook() as found:
        yield found


# -- delivery ---------------------------------------------------------------------------------------------------------


async def test_a_mail_is_delivered_with_its_own_id(mails: Mails) -> None:
    async with sending_from(mails=mails) as desk:
        desk.put(MAIL)
        sent = await desk.until_state("sent")
    (mail,) = mails.taken
    assert mail["To"] == "ana@desk.example"
    assert mail["Subject"] == "Meeting: Plän"
    assert mail["Message-ID"] == f"<{sent.id}@127.0.0.1>"
    assert "Begins: 2026-09-21 16:13 (Europe/Madrid)" in mail.get_content()
    assert (sent.attempts, sent.last_error, sent.next_attempt_at) == (1, None, None)


async def test_an_sms_is_delivered_signed_and_with_the_code_that_lists_mask(hooks: Hooks) -> None:
    async with sending_from(hooks=hooks) as desk:
        desk.put(CODE, PUSH)
        sent = await desk.until_state("sent")
    by_type = {each["type"]: each for each in hooks.taken}
    assert by_type["sms"]["data"]["recipient"] == "+34600111444"
    assert by_type["sms"]["data"]["text"] == "Your code is 12345678. It is valid for 15 minutes."
    assert by_type["push"]["data"]["content"] == {"notification": {"title": "Hello", "body": "You"}}
    assert by_type["push"]["data"]["recipient"] == "token-of-a-device"
    assert hooks.forged == 0
    assert sent.id in hooks.ids


async def test_a_receiver_with_another_secret_refuses_and_the_delivery_waits(hooks: Hooks) -> None:
    async with sending_from(hooks=hooks, secret=b"quite another secret") as desk:
        desk.put(CODE)
        await desk.until(lambda: desk.one.attempts)
        assert desk.one.state == "pending"
        assert "401" in (desk.one.last_error or "")
    assert (hooks.forged, hooks.taken) == (1, [])


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
@pytest.mark.parametrize("implicit", [False, True])
async def test_mail_is_sent_encrypted_to_a_trusted_server_and_to_no_other(tmp_path: Path, implicit: bool) -> None:
    authority = Authority(tmp_path)
    context = server_context(authority.leaf("good"))
    with mail_server(tls=context, implicit=implicit, password="open sesame") as mails:
        url = mails.url + ("?" if implicit else "?starttls=required&")
        known = smtp_of(f"{url}ca={authority.file}", "open sesame", "desk@desk.example")
        async with sending_from(smtp=known) as desk:
            desk.put(MAIL)
            await desk.until_state("sent")
        assert (mails.encrypted, mails.users) == ([True], ["mailer"])
        async with sending_from(smtp=smtp_of(url.rstrip("?&"), "open sesame")) as desk:
            desk.put(MAIL)
            await desk.until(lambda: desk.one.attempts)
            assert "certificate" in (desk.one.last_error or "").lower()
        assert len(mails.taken) == 1


async def test_a_password_is_not_sent_to_a_server_without_encryption() -> None:
    with mail_server() as mails:
        async with sending_from(smtp=smtp_of(f"{mails.url}?starttls=required")) as desk:
            desk.put(MAIL)
            await desk.until(lambda: desk.one.attempts)
            assert desk.one.state == "pending"
        assert mails.asked == 0


# -- failures ---------------------------------------------------------------------------------------------------------


async def test_a_failed_delivery_is_retried_after_longer_and_longer_pauses(mails: Mails) -> None:
    mails.answers = ["451 later"] * 3
    async with sending_from(mails=mails) as desk:
        desk.put(MAIL)
        pauses: list[float] = []
        for attempt in range(1, 4):
            await desk.until(lambda attempt=attempt: desk.one.attempts == attempt, passing=0.5)
            waiting = desk.one
            assert waiting.state == "pending"
            assert waiting.last_error == "refused: 451 later"
            pauses.append((waiting.next_attempt_at or 0) - desk.clock.now_ms())
            desk.clock.advance(pauses[-1] / 1000)
        sent = await desk.until_state("sent", passing=1)
    assert sent.attempts == 4
    assert 2_000 <= pauses[0] <= 5_000 < 7_000 <= pauses[1] <= 15_000 < 22_000 <= pauses[2] <= 45_000
    assert len(mails.taken) == 1


def test_pauses_grow_to_a_limit_and_vary() -> None:
    chance = random.Random(1)
    pauses = [[sending.pause_after(tries, chance) for _ in range(50)] for tries in range(1, 13)]
    for number, found in enumerate(pauses):
        longest = min(sending.LONGEST_PAUSE, 5.0 * 3.0**number)
        assert all(longest / 2 <= each <= longest for each in found)
        assert len(set(found)) > 40


@pytest.mark.parametrize(("message", "answer"), [(MAIL, "550 no such user"), (CODE, 422)])
async def test_a_permanently_refused_delivery_is_given_up_at_once(
    mails: Mails, hooks: Hooks, message: Message, answer: Any
) -> None:
    (mails.answers if message is MAIL else hooks.answers).append(answer)
    async with sending_from(mails=mails, hooks=hooks) as desk:
        desk.put(message)
        dead = await desk.until_state("dead")
    assert dead.attempts == 1
    assert str(answer)[:3] in (dead.last_error or "")


async def test_a_delivery_is_given_up_in_the_end_and_an_admin_can_resend_it(hooks: Hooks) -> None:
    hooks.answers = [500] * sending.MOST_ATTEMPTS
    async with sending_from(hooks=hooks) as desk:
        desk.put(PUSH)
        dead = await desk.until_state("dead", passing=1800)
        assert dead.attempts == sending.MOST_ATTEMPTS
        assert (dead.next_attempt_at, hooks.taken) == (None, [])
        deliveries.retry(desk.platform, dead.id)
        sent = await desk.until_state("sent", passing=60)
        assert sent.attempts == sending.MOST_ATTEMPTS + 1
        with pytest.raises(Refusal, match="was sent"):
            deliveries.retry(desk.platform, dead.id)
    assert len(hooks.taken) == 1
    assert set(hooks.ids) == {dead.id}, "every attempt has the same id"


async def test_a_retry_delay_requested_by_the_receiver_is_respected(hooks: Hooks) -> None:
    hooks.answers, hooks.headers = [429], {"Retry-After": "1000"}
    async with sending_from(hooks=hooks) as desk:
        desk.put(PUSH)
        await desk.until(lambda: desk.one.attempts)
        assert (desk.one.next_attempt_at or 0) - desk.clock.now_ms() == 1_000_000


@pytest.mark.parametrize("drop", ["drop", 0])
async def test_a_delivery_without_an_answer_is_repeated_with_the_same_id(mails: Mails, hooks: Hooks, drop: Any) -> None:
    by_mail = drop == "drop"
    (mails.answers if by_mail else hooks.answers).append(drop)
    async with sending_from(mails=mails, hooks=hooks) as desk:
        desk.put(MAIL if by_mail else CODE)
        sent = await desk.until_state("sent", passing=5)
        assert sent.attempts == 2
    if by_mail:
        assert [each["Message-ID"] for each in mails.taken] == [f"<{sent.id}@127.0.0.1>"] * 2
    else:
        assert hooks.ids == [sent.id, sent.id]


async def test_nothing_is_sent_while_the_receiver_is_down_and_waiting_costs_no_attempts() -> None:
    with webhook() as gone:
        url = gone.url
    async with sending_from(url=url) as desk:
        desk.put(*(Message("push", f"token-of-device-{number}", "push", "phone") for number in range(40)))
        await desk.until(lambda: desk.platform.transports["push"].down)
        await desk.until(lambda: sum(int(each.attempts or 0) for each in desk.all()) >= 8, passing=0.5)
        assert "127.0.0.1" in (desk.platform.transports["push"].down or "")
        assert "key=k" not in str([each.last_error for each in desk.all()])
        assert max(int(each.attempts or 0) for each in desk.all()) <= 3
        assert {each.state for each in desk.all()} == {"pending"}


@pytest.mark.parametrize("greeting", [b"", b"220 hello\r\n", b"220-" + b"x" * 100_000])
async def test_a_silent_server_delays_no_other_delivery(
    hooks: Hooks, greeting: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.service.transports.smtp.ATTEMPT_SECONDS", 0.3)
    async with (
        silent_server(greeting) as port,
        sending_from(smtp=smtp_of(f"smtp://127.0.0.1:{port}"), hooks=hooks) as desk,
    ):
        desk.put(MAIL, CODE)
        await desk.until(lambda: hooks.taken)
        await desk.until(lambda: all(each.attempts for each in desk.all()))
        hanging = next(each for each in desk.all() if each.mechanism == "email")
        assert hanging.state == "pending"
        assert hanging.last_error


async def test_a_webhook_that_does_not_answer_times_out(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks.hold = threading.Event()
    async with sending_from(hooks=hooks) as desk:
        with monkeypatch.context() as patched:
            patched.setattr("console.service.transports.webhook.ATTEMPT_SECONDS", 0.3)
            desk.put(CODE)
            await desk.until(lambda: desk.one.attempts)
        assert "did not answer in time" in (desk.one.last_error or "")
        hooks.hold.set()
        await desk.until_state("sent", passing=5)
    assert len(hooks.ids) == 2
    assert len(set(hooks.ids)) == 1


async def test_hostile_recipients_and_titles_reach_nobody_else(mails: Mails) -> None:
    hostile = [
        "a@b.example\r\nBcc: eve@x.example",
        "a@b.example, eve@x.example",
        "<eve@x.example>@b",
        "@",
        "a@" + "b" * 400,
        "=?utf-8?q?a=0D=0ABcc:eve?=@b.example",
    ]
    async with sending_from(mails=mails) as desk:
        desk.put(*(Message("email", each, "meeting created", "m", {"name": "x"}) for each in hostile))
        await desk.until_state("dead")
        assert {each.last_error for each in desk.all()} == {"the recipient is not a mail address"}
        assert mails.asked == 0
        desk.put(Message("email", "ana@desk.example", "meeting created", "n", {"name": "x\r\nBcc: eve@x.example\0"}))
        await desk.until(lambda: mails.taken)
    (mail,) = mails.taken
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Meeting: x Bcc: eve@x.example"


@pytest.mark.parametrize(
    "name",
    [
        "=?utf-8?q?x=0D=0AReply-To:_eve@x.example=0D=0A=0D=0A<b>pay_me</b>?=",
        "=?utf-8?b?eA0KQmNjOiBldmVAeC5leGFtcGxl?=",
        "a =?iso-8859-1?q?x=0ABcc:_eve@x.example?= =?utf-8?q?=0A=0Ay?=",
    ],
)
async def test_an_encoded_word_in_a_title_writes_no_header_and_no_body(mails: Mails, name: str) -> None:
    async with sending_from(mails=mails) as desk:
        desk.put(Message("email", "ana@desk.example", "meeting created", "n", {"name": name}))
        await desk.until(lambda: mails.taken)
    (mail,) = mails.taken
    usual = {"From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version"}
    assert {*mail.keys()} - usual <= {"Content-Type", "Content-Transfer-Encoding", "X-Peer", "X-MailFrom", "X-RcptTo"}
    assert str(mail["Subject"]).split() == f"Meeting: {name.replace('=?', '= ?')}".split(), "long ones are folded"
    assert not str(mail.get_payload()).lstrip().startswith("<b>")


# -- restarts ---------------------------------------------------------------------------------------------------------


async def test_a_delivery_under_way_when_the_service_ended_is_sent_at_the_next_start(
    hooks: Hooks, tmp_path: Path
) -> None:
    hooks.hold = threading.Event()
    async with sending_from(hooks=hooks, path=tmp_path / "desk.db") as desk:
        desk.put(CODE)
        await desk.until(lambda: hooks.ids)
        before = desk.one
    assert (before.state, before.attempts) == ("pending", 0)
    hooks.hold.set()
    async with sending_from(hooks=hooks, path=tmp_path / "desk.db") as desk:
        after = await desk.until_state("sent")
    assert after.id == before.id
    assert hooks.ids == [before.id, before.id], "sent at least once, and both times under one id"


async def test_the_outcome_of_an_attempt_is_stored_when_the_store_works_again(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = [True, True]

    def note_sent(platform: Platform, delivery_id: str) -> None:
        if full:
            full.pop()
            raise StorageFault("the disk is full")
        kept(platform, delivery_id)

    kept = deliveries.note_sent
    monkeypatch.setattr(deliveries, "note_sent", note_sent)
    async with sending_from(hooks=hooks) as desk:
        desk.put(CODE)
        await desk.until_state("sent", passing=1)
    assert len(hooks.ids) == 1, "it is not sent again meanwhile"


async def test_a_service_without_a_working_transport_reports_so(hooks: Hooks, tmp_path: Path) -> None:
    hooks.answers = [500]
    async with sending_from(hooks=hooks, path=tmp_path / "desk.db") as desk:
        desk.put(CODE)
        await desk.until(lambda: desk.one.attempts)
    async with sending_from(path=tmp_path / "desk.db") as desk:
        unsent = await desk.until_state("unsent")
        assert unsent.last_error == "no transport"
        with pytest.raises(Refusal, match="no transport for sms"):
            deliveries.retry(desk.platform, unsent.id)
    async with sending_from(hooks=hooks, path=tmp_path / "desk.db") as desk:
        await desk.until(lambda: desk.platform.transports)
        assert desk.one.state == "unsent", "a transport that comes later sends no old messages by itself"
        deliveries.retry(desk.platform, unsent.id)
        await desk.until_state("sent")


async def test_health_and_log_report_when_a_transport_is_down(hooks: Hooks, caplog: pytest.LogCaptureFixture) -> None:
    hooks.answers = [503]
    async with sending_from(hooks=hooks) as desk:
        http = httpx.AsyncClient(transport=httpx.ASGITransport(build_app(desk.platform)), base_url="http://desk")
        async with http:
            assert (await http.get("/health")).json()["transports"] == {"webhook": "up"}
            desk.put(PUSH)
            await desk.until(lambda: desk.one.attempts)
            assert (await http.get("/health")).json()["transports"] == {"webhook": "down"}
            assert "webhook: deliveries wait: http://127.0.0.1:" in caplog.text
            await desk.until_state("sent", passing=5)
            assert (await http.get("/health")).json()["transports"] == {"webhook": "up"}
            assert "webhook: works again" in caplog.text


# -- storage ----------------------------------------------------------------------------------------------------------


async def test_an_expired_code_is_not_sent() -> None:
    with webhook() as gone:
        url = gone.url
    async with sending_from(url=url) as desk:
        desk.put(CODE, PUSH)
        desk.clock.advance(901)
        deliveries.keep_time(desk.platform)
        found = {each.mechanism: each for each in desk.all()}
        assert (found["sms"].state, found["push"].state) == ("dead", "pending")
        assert (found["sms"].last_error or "").startswith("expired before it could be sent")
        with pytest.raises(Refusal, match="expired"):
            deliveries.retry(desk.platform, found["sms"].id)
        desk.clock.advance(GIVEN_UP_MS / 1000)
        deliveries.keep_time(desk.platform)
        assert {each.state for each in desk.all()} == {"dead"}
        desk.clock.advance(KEPT_MS / 1000 + 1)
        deliveries.keep_time(desk.platform)
        assert desk.all() == ()


async def test_the_numbers_of_waiting_and_stored_deliveries_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "MOST_PENDING", 3)
    monkeypatch.setattr(deliveries, "MOST_KEPT", 4)
    with webhook() as gone:
        url = gone.url
    async with sending_from(url=url) as desk:
        desk.put(*(Message("push", f"token-of-device-{number}", "push", "phone") for number in range(9)))
        states = sorted(each.state or "" for each in desk.all())
        assert states == ["dead"] * 6 + ["pending"] * 3
        deliveries.keep_time(desk.platform)
        states = sorted(each.state or "" for each in desk.all())
        assert states == ["dead"] * 4 + ["pending"] * 3


def test_neither_store_nor_events_contain_a_code_in_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    with closing(Platform(Database(path), settings=ServiceSettings(password_cost=Cost.cheap()))) as platform:
        with platform.write() as tx:
            deliver(platform, tx, [CODE, PUSH])
        record = next(each for each in _records(platform) if each.mechanism == "sms")
        assert deliveries.revealed(platform, record.id).secret == "12345678"
    content = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert b"12345678" not in content
    assert b"token-of-a-device" not in content


def _records(platform: Platform) -> tuple[Delivery, ...]:
    with platform.read() as tx:
        return DELIVERIES.records(tx)


@pytest.mark.parametrize(
    ("url", "tls", "port"),
    [
        ("smtp://mail.example", "auto", 25),
        ("smtp://ana@mail.example:587", "required", 587),
        ("smtp://ana@localhost", "auto", 25),
        ("smtp://ana@mail.example?starttls=off", "off", 25),
        ("smtps://ana@mail.example", "implicit", 465),
    ],
)
def test_a_password_is_sent_to_other_machines_encrypted_unless_configured_otherwise(
    url: str, tls: str, port: int
) -> None:
    found = smtp_of(url, "open sesame")
    assert (found.tls, found.port) == (tls, port)
    assert "sesame" not in repr(found)
    assert "sesame" not in repr(ServiceSettings(smtp=found))
