"""Clients that send too many requests or guess passwords are delayed, with a time to retry; others are not affected."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections import Counter

import httpx
import pytest
from argon2 import PasswordHasher

from console.service.auth import passwords
from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from tests.faults.figures import count, record
from tests.manual_clock import ManualClock
from tests.service.inside import Inside, inside

CHEAP = Cost.cheap()


def assert_told_to_wait(refused: httpx.Response, most: int = 60) -> None:
    assert refused.status_code == 429, refused.text
    assert 0 < int(refused.headers["Retry-After"]) <= most
    assert refused.json()["message"]


async def grant(desk: Inside, name: str, password: str, address: str = "127.0.0.1") -> httpx.Response:
    asked = {"grant_type": "password", "username": name, "password": password}
    return await desk.ask("nobody", "POST", "/oauth2/token", asked, address=address)


async def test_an_account_that_sends_too_many_requests_waits_and_others_do_not() -> None:
    clock = ManualClock()
    with inside(ServiceSettings(password_cost=CHEAP, account_rate=2), clock) as desk:
        answered = [(await desk.ask("ana", "GET", "/users/current")).status_code for _ in range(20)]
        assert answered == [200] * 20
        assert_told_to_wait(await desk.ask("ana", "GET", "/users/current", address="10.0.0.9"), most=1)
        assert (await desk.ask("bob", "GET", "/users/current")).status_code == 200
        clock.advance(1)
        assert [(await desk.ask("ana", "GET", "/users/current")).status_code for _ in range(3)] == [200, 200, 429]


async def test_an_address_that_sends_too_many_requests_waits_for_all_users() -> None:
    with inside(ServiceSettings(password_cost=CHEAP, address_rate=1), ManualClock()) as desk:
        for _ in range(10):
            assert (await desk.ask("nobody", "GET", "/users", address="10.0.0.9")).status_code == 401
        assert_told_to_wait(await desk.ask("ana", "GET", "/users", address="10.0.0.9"), most=1)
        assert (await desk.ask("ana", "GET", "/users", address="10.0.0.8")).status_code == 200


async def test_a_limit_of_zero_means_no_limit() -> None:
    with inside(ServiceSettings(password_cost=CHEAP, address_rate=0, account_rate=0), ManualClock()) as desk:
        async with desk.client("ana") as ana:
            assert {(await ana.get("/users/current")).status_code for _ in range(50)} == {200}


async def test_an_address_that_guesses_passwords_of_many_accounts_waits() -> None:
    with inside(ServiceSettings(password_cost=CHEAP, address_login_tries=3), ManualClock()) as desk:
        for name in ("ana", "bob", "nobody"):
            assert (await grant(desk, name, "no", "10.0.0.9")).status_code == 401
        assert_told_to_wait(await grant(desk, "eva", "demo", "10.0.0.9"))
        assert (await grant(desk, "eva", "demo", "10.0.0.8")).status_code == 200


async def test_parallel_guesses_get_no_further_than_successive_ones() -> None:
    with inside(ServiceSettings(password_cost=CHEAP), ManualClock()) as desk:
        answered = await asyncio.gather(*(grant(desk, "eva", f"guess {n}") for n in range(50)))
        said = Counter(each.status_code for each in answered)
        assert said.keys() == {401, 429}
        assert said[401] <= 10
        assert_told_to_wait(await grant(desk, "eva", "demo"))


async def test_many_people_of_one_office_can_log_in_at_once() -> None:
    with inside(ServiceSettings(password_cost=CHEAP), ManualClock()) as desk:
        for _ in range(5):
            answered = await asyncio.gather(*(grant(desk, name, "demo") for name in ("eva", "ana", "bob", "pat") * 5))
            assert {each.status_code for each in answered} == {200}


async def test_a_flood_of_logins_waits_in_a_short_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MOST_WAITING", 2)
    with inside(
        ServiceSettings(password_cost=Cost(memory=1024, time=2), address_login_tries=1000), ManualClock()
    ) as desk:
        answered = await asyncio.gather(*(grant(desk, f"somebody {n}", "demo") for n in range(40)))
        assert {each.status_code for each in answered} == {401, 429}
        assert_told_to_wait(next(each for each in answered if each.status_code == 429), most=1)
        assert (await grant(desk, "eva", "demo")).status_code == 200


async def test_passwords_are_hashed_outside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[str] = []
    hashed = PasswordHasher.hash

    def noted(self: PasswordHasher, password: str | bytes, *, salt: bytes | None = None) -> str:
        where.append(threading.current_thread().name)
        return hashed(self, password, salt=salt)

    with inside(ServiceSettings(password_cost=CHEAP)) as desk:
        monkeypatch.setattr(PasswordHasher, "hash", noted)
        meeting = await desk.ask("ana", "POST", "/meetings", {"name": "M", "language": "en", "password": "secret"})
        assert meeting.status_code == 200, meeting.text
        given = {"type": "basic", "source": "local", "user": "ana", "data": {"password": "another"}}
        credentials = await desk.ask("ana", "GET", "/credentials?type=basic")
        key = credentials.json()[0]["id"]
        assert (await desk.ask("ana", "PUT", f"/credentials/{key}", given)).status_code == 200
        assert (await grant(desk, "ana", "another")).status_code == 200
        changed = {"grant_type": "password", "username": "ana", "password": "another", "new_password": "a third"}
        assert (await desk.ask("nobody", "POST", "/oauth2/token", changed)).status_code == 200
        assert len(where) == 3
        assert all(each.startswith("passwords") for each in where)


async def test_an_unknown_user_takes_as_long_as_a_wrong_password() -> None:
    """Medians of alternating measurements of CPU time, which is independent of other processes."""
    samples = 40 * count("FAULTS_COUNT", 1)
    settings = ServiceSettings(
        password_cost=Cost(memory=2048, time=2), login_tries=10**6, address_login_tries=10**6, address_rate=0
    )
    spent: dict[str, list[float]] = {"ana": [], "unknown": []}
    with inside(settings) as desk:
        for _ in range(samples):
            for name, times in spent.items():
                began = time.process_time()
                assert (await grant(desk, name, "wrong")).status_code == 401
                times.append(time.process_time() - began)
    known, unknown = (statistics.median(times) for times in spent.values())
    apart = abs(known - unknown) / max(known, unknown)
    record("S10", apart < 0.2, f"medians {apart:.0%} apart in {samples} pairs", "20 %")
    assert apart < 0.35, (known, unknown)
