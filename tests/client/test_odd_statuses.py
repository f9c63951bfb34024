"""Statuses that no service of the contract sends: no list takes a part for the whole, and each retries in measure."""

from __future__ import annotations

import httpx
import pytest

from console.api.errors import Accepted, ApiError, BadAnswer, Unreachable
from console.api.operations.support import AcceptAlert
from console.api.operations.traffic import GetCall, ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.live.delta import Freshness
from tests.client.canned import Canned
from tests.live.fake_service import Rig
from tests.live.until import until_async

ROW = b'{"id":"c1","state":"ringing"}'


def client_of(status: int, body: bytes) -> Client:
    return Client(
        Endpoint("http://desk.example/core"), transport=Canned(lambda _: httpx.Response(status, content=body))
    )


@pytest.mark.parametrize(
    "answer",
    [
        (202, b"[]", "status 202, and has no answer yet"),
        (204, b"", "the answer is empty"),
        (206, b"[" + ROW + b"]", "status 206, with only a part of the answer"),
        (207, b"[" + ROW + b"]", "status 207, with several answers"),
        (226, b"[" + ROW + b"]", "status 226, with the differences"),
        (304, b"", "status 304, not with an answer"),
        (407, b"", "a proxy before the service requires a login"),
        (425, b"", "the service answered 425"),
        (600, b"[]", "the service answered 600"),
        (999, b"[]", "the service answered 999"),
    ],
)
async def test_rows_stay_with_their_age_after_an_odd_status(answer: tuple[int, bytes, str]) -> None:
    status, body, words = answer
    async with Rig(events=False) as rig:
        for number in range(3):
            rig.service.put(f"c{number}", state="ringing")
        rig.show()
        await until_async(lambda: len(rig.shown()) == 3)
        times = 0

        def odd(request: httpx.Request) -> httpx.Response | None:
            nonlocal times
            if request.url.path != "/calls":
                return None
            times += 1
            return httpx.Response(status, content=body)

        rig.service.answer = odd
        await rig.pass_time(60)
        health = rig.engine.health("calls")
        assert len(rig.shown()) == 3
        assert health.state in {Freshness.STALE, Freshness.OFFLINE}
        assert words in health.reason
        assert health.age is not None
        assert health.age >= 55
        assert 4 <= times <= 60
        rig.service.answer = lambda _request: None
        await rig.pass_time(6)
        assert rig.engine.health("calls").state is Freshness.POLLING


@pytest.mark.parametrize("status", [202, 206, 226])
async def test_a_part_of_a_record_is_not_read_as_the_record(status: int) -> None:
    with pytest.raises(BadAnswer, match=f"status {status}") as caught:
        await client_of(status, ROW).send(GetCall(id="c1"))
    assert "gateway" in str(caught.value.advice)


async def test_a_change_that_a_proxy_before_the_service_refuses_was_certainly_not_made() -> None:
    with pytest.raises(Unreachable) as caught:
        await client_of(407, b"").send(AcceptAlert(alert_id="a1"))
    assert type(caught.value) is Unreachable
    with pytest.raises(Accepted):
        await client_of(202, b"").send(AcceptAlert(alert_id="a1"))


async def test_a_change_with_several_answers_is_not_taken_for_done() -> None:
    with pytest.raises(BadAnswer, match="status 207, with several answers"):
        await client_of(207, b'{"id":"a1","state":"accepted"}').send(AcceptAlert(alert_id="a1"))


async def test_only_redirects_are_said_to_need_another_address() -> None:
    with pytest.raises(ApiError) as caught:
        await client_of(304, b"").send(ListCalls())
    assert "edirect" not in str(caught.value.advice)
