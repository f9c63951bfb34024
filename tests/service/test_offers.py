"""Offers are visible to the people they are for and nobody else, from the offer to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import closing

import pytest

from console.api.events import Event
from console.records.support import AlertTemplate
from console.service.auth.passwords import Cost
from console.service.domain import agents, alerts, appearing, chats, notifications, templates
from console.service.events.hub import Hub
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from tests.manual_clock import ManualClock
from tests.service.watching import Ear, caller_of
from tests.services import Beginning, LentClock

TOPIC = "notifications"
Happening = Callable[[Platform, ManualClock], None]


@pytest.fixture(scope="module")
def quiet() -> Generator[tuple[Platform, Beginning]]:
    clock = LentClock(ManualClock())
    with closing(Platform(None, clock, ServiceSettings(password_cost=Cost.cheap()))) as platform:
        fill(platform, "quiet")
        agents.create_skill(platform, "chess", ("ana", "bob"))
        for each in ("ana", "bob"):
            appearing.set_activity(platform, each, "busy")
        with closing(Beginning(platform, clock)) as beginning:
            yield platform, beginning


def offer_chat(platform: Platform, key: str = "c-1") -> None:
    """Request a chat as pat for which no agent is free."""
    chats.start(platform, caller_of(platform, "pat"), key, {"skill": "chess"})


def send_alert(platform: Platform, retries: int = 0) -> None:
    """Send an alert from pat to ana and bob that lasts a minute."""
    template = AlertTemplate(
        template_id="fire",
        title="Fire",
        payload="Out!",
        number_of_retries=retries,
        time_in_ms_between_retries=1_000,
        time_to_expire=60_000,
    )
    templates.create(platform, template)
    templates.attach(platform, "fire", ["ana", "bob"])
    alerts.send(platform, caller_of(platform, "pat"), "fire", "a-1")


def heard(
    quiet: tuple[Platform, Beginning], happens: Happening, before: Happening | None = None
) -> dict[str, list[str]]:
    """Return the offers in the events that each user receives during an action."""
    platform, beginning = quiet

    async def play() -> dict[str, list[str]]:
        clock = ManualClock()
        beginning.put_back(clock)
        hub = Hub(platform)
        hub.attach(asyncio.get_running_loop())
        try:
            if before is not None:
                before(platform, clock)
                await asyncio.sleep(0)
            ears = {
                name: Ear(platform, hub, caller_of(platform, name), TOPIC)
                for name in ("ana", "bob", "carla", "eva", "pat")
            }
            happens(platform, clock)
            told = {name: [_said(each) for each in await ear.events()] for name, ear in ears.items()}
            return {name: said for name, said in told.items() if said}
        finally:
            hub.detach(1001, "over")

    return asyncio.run(play())


def _said(event: Event) -> str:
    return f"{event.kind} {event.key}"


def dismiss(platform: Platform, kind: str, subject: str, user: str) -> None:
    with platform.write() as tx:
        notifications.settle_for(tx, kind, subject, user)


def pass_time(platform: Platform, clock: ManualClock, seconds: float) -> None:
    clock.advance(seconds)
    alerts.keep_time(platform)


def test_a_chat_without_an_available_agent_is_offered_to_the_agents_of_its_skill(
    quiet: tuple[Platform, Beginning],
) -> None:
    told = heard(quiet, lambda platform, _: offer_chat(platform))
    assert told == {"ana": ["upsert c-1"], "bob": ["upsert c-1"]}


CHAT_ENDS: dict[str, Happening] = {
    "taken by the other": lambda platform, _: chats.take(platform, caller_of(platform, "bob"), "c-1"),
    "finished": lambda platform, _: chats.finish(platform, "c-1"),
    "given to who is free": lambda platform, _: appearing.set_activity(platform, "bob", "available"),
}
ALERT_ENDS: dict[str, Happening] = {
    "accepted by the other": lambda platform, _: alerts.accept(platform, caller_of(platform, "bob"), "a-1"),
    "cancelled": lambda platform, _: alerts.cancel(platform, "a-1"),
    "expired": lambda platform, clock: pass_time(platform, clock, 60),
}


@pytest.mark.parametrize("end", CHAT_ENDS)
def test_an_accepted_chat_is_withdrawn_from_all_others(quiet: tuple[Platform, Beginning], end: str) -> None:
    told = heard(quiet, CHAT_ENDS[end], before=lambda platform, _: offer_chat(platform))
    assert told == {"ana": ["remove c-1"], "bob": ["remove c-1"]}


@pytest.mark.parametrize("end", ALERT_ENDS)
def test_an_accepted_alert_is_withdrawn_from_all_others(quiet: tuple[Platform, Beginning], end: str) -> None:
    told = heard(quiet, ALERT_ENDS[end], before=lambda platform, _: send_alert(platform))
    assert told == {"ana": ["remove a-1"], "bob": ["remove a-1"]}


def test_a_user_who_rejects_an_offer_loses_it_and_the_other_keeps_it(quiet: tuple[Platform, Beginning]) -> None:
    told = heard(
        quiet,
        lambda platform, _: dismiss(platform, chats.OFFER, "c-1", "ana"),
        before=lambda platform, _: offer_chat(platform),
    )
    assert told == {"ana": ["remove c-1"], "bob": ["upsert c-1"]}


def test_a_rejected_alert_is_offered_again_at_its_next_retry(quiet: tuple[Platform, Beginning]) -> None:
    def rejected(platform: Platform, _: ManualClock) -> None:
        send_alert(platform, retries=1)
        dismiss(platform, alerts.NOTICE, "a-1", "ana")

    told = heard(quiet, lambda platform, clock: pass_time(platform, clock, 1), before=rejected)
    assert told["ana"] == ["upsert a-1"]


def test_a_chat_with_the_id_of_an_alert_does_not_affect_it(quiet: tuple[Platform, Beginning]) -> None:
    told = heard(
        quiet, lambda platform, _: offer_chat(platform, "a-1"), before=lambda platform, _: send_alert(platform)
    )
    assert told == {"ana": ["upsert chat:a-1"], "bob": ["upsert chat:a-1"]}
