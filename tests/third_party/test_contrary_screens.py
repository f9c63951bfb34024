"""The screens, headers and details of the console say what the contrary deployment holds."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

import pytest
import pytest_asyncio

from console.live.delta import Freshness
from tests.behaviour.driver import Seat
from tests.third_party import contrary as contraries
from tests.third_party.contrary import Running
from tests.third_party.seat import seat_at

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(contrary: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    home = tmp_path_factory.mktemp("home")
    (home / "config.toml").write_text(contrary.config, encoding="utf-8")
    async with seat_at(home / "config.toml", contraries.PASSWORD, size=(200, 70)) as seated:
        for kind in ("conferences", "agents", "skills", "chats", "presence", "sessions", "alarms", "status"):
            await seated.until(lambda kind=kind: seated.backend.records(kind))
        yield seated


async def sees_all(eva: Seat, fragments: Iterable[str]) -> None:
    """Wait for each fragment on the screen; runs of blanks count as one."""
    for each in fragments:
        await eva.until(lambda each=each: each in " ".join(eva.screen_text().split()))


async def test_the_header_says_who_works_and_what_waits(eva: Seat) -> None:
    await sees_all(eva, ["contrary › eva@far.example ● available", "admin", "POLLING", "▲ 3 alerts", "UTC"])


async def test_home_has_the_figures_of_the_service_and_what_needs_attention(eva: Seat) -> None:
    await eva.go_to("home")
    await sees_all(
        eva,
        [
            *("up 1d 01h", "memory 412 MB, heap 25%", "calls: 30 in 30 min, 60 in 60 min", "230 calls since the start"),
            *("Waiting, longest", "wac-group:t1", "×38"),
            *("chat about billing, Person 140", "alert Line 1 down"),
            *("alert Line 3 down", "alert Line 2 down"),
            *("night: nobody at work", "sales: nobody at work", "billing: only 1 at work"),
            "alarms of call quality in the last 15 min ×3",
        ],
    )


TOTALS = {
    "calls": ["230 calls", "≡ 39 queued, longest", "● 57 connected"],
    "conferences": ["7 conferences", "● 4 active", "5 invites failed", "4 people inside"],
    "presence": [
        "10 addresses",
        "Person 10",
        "● 1 available",
        "■ 1 on the phone",
        "◊ 1 away",
        "○ 7 offline",
    ],
    "agents": ["4 agents", "● 1 free ■ 1 busy understaffed: billing, night, sales ◊ 1 away", "○ 1 offline"],
    "alerts": ["3 open alerts, oldest", "× 1 expired", "√ 1 accepted", "○ 1 cancelled"],
    "groups": ["3 groups", "3 owned by you"],
}


async def test_the_totals_of_each_screen_are_those_of_the_deployment(eva: Seat) -> None:
    for kind, fragments in TOTALS.items():
        await eva.look_at(kind)
        await sees_all(eva, fragments)


DETAILS: dict[tuple[str, str], list[str]] = {
    ("calls", "11"): [
        "State ● connected",
        "Caller +34600000011",
        "Callee Person 78 wac-user:78",
        "Target wac-group:t1",
        "Anonymous guest-0011",
        "Person 12 +0:00 √ normal",
        "shop s11",
        "Id 11",
    ],
    ("conferences", "506"): [
        "State ● active",
        "Room room-6",
        "Inside 1 of 2",
        "Domains far.example, other.example",
        "○ not answered in time",
        "Person 8 486 busy",
    ],
    ("presence", "wac-user:2"): [
        "State ■ on the phone",
        "Name Person 2",
        "Username ana@far.example",
        "Role user",
        "Note back at",
        "Picture https://pics.example/2.png",
        "Groups 2",
        "Calls 2",
    ],
    ("agents", "2"): ["State ■ on the phone", "Chats 1", "Person 140 talk-71", "Voice 1", "Person 4 502"],
    ("groups", "t1"): [
        "Team 1 3 of 3 online 3 members",
        "1 ● Person 1",
        "2 ■ Person 2",
        "3 ◊ Person 3",
        "3/3 Person 1 simultaneous yes",
    ],
    ("users", "2"): [
        "Username ana@far.example",
        "Role user",
        "Presence ■ on the phone",
        "Email p2@far.example",
        "Mobile +34600000002",
        "Landline 9100002",
        "Time zone Europe/Lisbon",
        "Language pt-PT",
    ],
    ("alarms", "73"): [
        "Urgency ▲ critical",
        "Section audio",
        "loss > 3 relative",
        "opus",
        "5 of 100 lost, 900",
    ],
    ("sip-identities", "121"): ["User name line-1", "State used", "User Person 2"],
    ("domains", "1"): [
        "Domain far.example",
        "Subdomains other.example",
        "Users 120",
        "2 of 3 free",
        "Guests stay 1h 30m",
    ],
    ("phonebooks", "1"): ["Gate", "+34111", "Subscribers 2", "2 Person 2, Person 3"],
}


async def test_the_detail_of_a_record_is_that_of_the_deployment_without_secrets(eva: Seat) -> None:
    for (kind, key), fragments in DETAILS.items():
        await eva.look_at(kind, key)
        await sees_all(eva, fragments)
        assert "sip-secret" not in eva.screen_text()


async def test_hints_bring_changes_while_the_badge_says_polling(eva: Seat, contrary: Running) -> None:
    await eva.look_at("alerts")
    await eva.sees("Line 1 down")
    await eva.until(lambda: contrary.data.streams)
    contrary.data.sirens["s1"]["headline"] = "Line 1 is down again"
    contrary.data.tell("/sirens")
    await eva.sees("Line 1 is down again")
    assert eva.backend.health("alerts").state is Freshness.POLLING
