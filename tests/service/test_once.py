"""One idempotency key, one change: however often and concurrently a request is sent."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import sqlalchemy as sa

from console.service.domain import tokens
from console.service.domain.groups import GROUPS
from console.service.domain.meetings import MEETINGS
from tests.faults.figures import count, record
from tests.service.inside import Inside

ROUNDS = max(3, 10 * count("FAULTS_COUNT", 0))
AT_ONCE = 50


async def at_once(desk: Inside, path: str, body: Any, key: str) -> set[tuple[int, bytes]]:
    """Send the same request with one key many times at once; return the distinct answers."""
    headers = {"Idempotency-Key": key}
    async with desk.client("ana") as ana:
        asked = (ana.post(path, json=body, headers=headers) for _ in range(AT_ONCE))
        return {(each.status_code, each.content) for each in await asyncio.gather(*asked)}


async def test_fifty_parallel_requests_with_one_key_are_one_change_with_one_answer(desk: Inside) -> None:
    wrong = 0
    for number in range(ROUNDS):
        answers = await at_once(desk, "/groups", {"name": f"once {number}"}, f"press {number}")
        with desk.platform.read() as tx:
            made = GROUPS.count(tx, GROUPS.c.name == f"once {number}")
        wrong += (len(answers), made) != (1, 1)
    record("S8", not wrong, f"{AT_ONCE} at once, {ROUNDS} rounds: {wrong} wrong", "1 effect")
    assert not wrong


async def test_a_change_that_waits_for_a_password_hash_is_made_once(desk: Inside) -> None:
    meeting = {"name": "Once", "language": "en", "password": "secret"}
    answers = await at_once(desk, "/meetings", meeting, "press")
    (made,) = {answer for answer in answers if answer[0] == 200}
    # Others are told that the first request is still in progress, and when to retry.
    assert {status for status, _ in answers} == {200, 409}
    with desk.platform.read() as tx:
        assert MEETINGS.count(tx, MEETINGS.c.name == "Once") == 1
    assert await at_once(desk, "/meetings", meeting, "press") == {made}


LOG_IN = {"grant_type": "password", "username": "ana", "password": "demo"}


async def log_in(desk: Inside, key: str, password: str = "demo", address: str = "127.0.0.1") -> httpx.Response:
    asked = {**LOG_IN, "password": password}
    return await desk.ask("nobody", "POST", "/oauth2/token", asked, {"Idempotency-Key": key}, address)


async def test_of_logins_at_once_with_one_key_one_is_made_and_the_others_are_told_to_wait(desk: Inside) -> None:
    answers = await asyncio.gather(*(log_in(desk, "press") for _ in range(AT_ONCE)))
    assert sorted({each.status_code for each in answers}) == [200, 409]
    assert {each.headers["Retry-After"] for each in answers if each.status_code == 409} == {"1"}
    (first,) = {each.content for each in answers if each.status_code == 200}
    assert (await log_in(desk, "press")).content == first
    with desk.platform.read() as tx:
        assert len(tokens.listed(tx, "ana", "access")) == 1


async def test_a_key_can_be_used_again_when_its_request_was_refused(desk: Inside) -> None:
    assert (await log_in(desk, "press", "wrong")).status_code == 401
    assert (await log_in(desk, "press")).status_code == 200


async def test_keys_without_a_login_belong_to_the_address(desk: Inside) -> None:
    one, other = await log_in(desk, "1", address="10.0.0.1"), await log_in(desk, "1", address="10.0.0.2")
    assert one.json()["access_token"] != other.json()["access_token"]


async def test_a_known_key_does_not_help_to_guess_a_password(desk: Inside) -> None:
    desk.platform.address_login_tries = desk.platform.throttle(3)
    assert (await log_in(desk, "press")).status_code == 200
    guessed = [(await log_in(desk, "press", f"guess {number}")).status_code for number in range(5)]
    assert guessed == [409, 409, 409, 429, 429]
    # The right password is no longer distinguished from wrong ones either.
    assert (await log_in(desk, "press")).status_code == 429


async def test_a_stolen_refresh_token_ends_its_family_even_with_a_key(desk: Inside) -> None:
    pair = (await log_in(desk, "press")).json()
    asked = {"grant_type": "refresh_token", "refresh_token": pair["refresh_token"]}

    async def refresh(key: str) -> httpx.Response:
        return await desk.ask("nobody", "POST", "/oauth2/token", asked, {"Idempotency-Key": key})

    first = await refresh("one")
    assert (await refresh("one")).content == first.content
    assert (await refresh("two")).status_code == 401
    with desk.platform.read() as tx:
        assert not tokens.listed(tx, "ana", "access")


async def test_an_answer_with_a_secret_is_stored_encrypted(desk: Inside) -> None:
    headers = {"Idempotency-Key": "press"}
    made = (await desk.ask("eva", "POST", "/oauth2/clients", {"name": "Console"}, headers)).json()
    with desk.platform.read() as tx:
        (kept,) = tx.rows(sa.text("SELECT body FROM idempotency"))
    assert made["clientSecret"].encode() not in kept.body
    assert (await desk.ask("eva", "POST", "/oauth2/clients", {"name": "Console"}, headers)).json() == made
