"""The console with a foreign deployment, by keys, checked in that deployment's own data."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.operating import change
from console.records.people import Group
from console.screens.admin import AdminScreen
from tests.behaviour.driver import Seat
from tests.third_party.deployment import Deployment
from tests.third_party.platform import PASSWORD
from tests.third_party.seat import seat_at


@pytest.fixture
def config(home: Path, deployment: Deployment) -> Path:
    file = home / "config.toml"
    file.write_text(deployment.profile(), encoding="utf-8")
    return file


@pytest.fixture
def silent(home: Path, deployment: Deployment) -> Path:
    file = home / "silent.toml"
    file.write_text(deployment.profile('events = "off"'), encoding="utf-8")
    return file


@pytest.fixture
async def eva(config: Path) -> AsyncGenerator[Seat]:
    async with seat_at(config, PASSWORD) as seated:
        yield seated


def group(seated: Seat) -> Group:
    found = seated.backend.records("groups")["dawn"]
    assert isinstance(found, Group)
    return found


async def test_polling_is_shown(eva: Seat) -> None:
    await eva.sees("POLLING")
    await eva.press("2")
    await eva.sees("3 calls")
    await eva.sees("Ana Far")


async def test_without_a_url_no_channel_is_opened(deployment: Deployment, silent: Path) -> None:
    async with seat_at(silent, PASSWORD) as eva:
        await eva.sees("POLLING")
    assert not [each for each in deployment.platform.received if each.path.endswith("/events")]


async def test_an_alert_is_accepted(eva: Seat, deployment: Deployment) -> None:
    await eva.press("6")
    await eva.until(lambda: eva.cursor)
    chosen = eva.cursor
    await eva.press("a")
    await eva.until(lambda: deployment.platform.sirens[chosen]["state"] == "accepted")
    await eva.until(lambda: getattr(eva.backend.records("alerts")[chosen], "state", "") == "accepted")
    assert deployment.platform.sirens[chosen]["acceptedBy"] == "p-eva"


async def test_an_alert_accepted_by_somebody_else_is_refused_with_the_deployments_reason(
    eva: Seat, deployment: Deployment
) -> None:
    await eva.press("6")
    await eva.until(lambda: eva.cursor)
    deployment.platform.sirens[eva.cursor].update(
        state="accepted", acceptedBy="p-bob", resolvedAt=deployment.platform.now
    )
    await eva.press("a")
    await eva.sees("somebody else was faster")


async def test_a_group_is_edited_and_undone(eva: Seat, deployment: Deployment) -> None:
    stored = deployment.platform.teams["dawn"]
    await eva.press("7")
    await eva.until(lambda: eva.cursor == "dawn")
    await eva.press("plus")
    await eva.dialog()
    await eva.type("carla")
    await eva.press("enter")
    await eva.until(lambda: stored["participants"] == ["p-ana", "p-bob", "p-carla"])
    await eva.until(lambda: len(group(eva).participants) == 3)
    await eva.press("tab", "shift+down", "enter")
    await eva.until(lambda: stored["participants"] == ["p-bob", "p-ana", "p-carla"])
    await eva.until(lambda: group(eva).participants[0] == "p-bob")
    await eva.press("minus")
    await eva.until(lambda: len(stored["participants"]) == 2)
    await eva.press("u")
    await eva.until(lambda: sorted(stored["participants"]) == ["p-ana", "p-bob", "p-carla"])


async def test_presence_is_followed_and_set(config: Path, deployment: Deployment) -> None:
    async with seat_at(config, PASSWORD, "ana") as ana:
        await ana.press("4", "F")
        await ana.dialog()
        await ana.paste("bob")
        await ana.press("ctrl+y")
        await ana.until(lambda: deployment.platform.followed.get("p-ana") == ["svc-user:p-bob"])
        await ana.until(lambda: "svc-user:p-bob" in ana.backend.records("presence"))
        await ana.press("m")
        await ana.dialog()
        await ana.press("2")
        await ana.until(lambda: deployment.platform.around["svc-user:p-ana"]["activity"] == "busy")


async def test_a_user_becomes_an_agent_and_gets_a_skill(eva: Seat, deployment: Deployment) -> None:
    await eva.press("colon")
    await eva.dialog()
    await eva.type("directory users")
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, AdminScreen))
    await eva.press("slash")
    await eva.type("carla")
    await eva.press("enter")
    await eva.until(lambda: eva.cursor == "p-carla")
    await eva.press("plus")
    await eva.until(lambda: deployment.platform.agents == ["p-ana", "p-bob", "p-carla"])
    await eva.press("5")
    await eva.until(lambda: eva.cursor)
    await eva.until(lambda: "p-carla" in eva.backend.records("agents"))
    chosen = eva.cursor
    known = [skill for skill, agents in deployment.platform.talents.items() if chosen in agents]
    await eva.press("plus")
    await eva.dialog()
    await eva.press("1", "enter")
    await eva.until(
        lambda: len([1 for agents in deployment.platform.talents.values() if chosen in agents]) == len(known) + 1
    )


async def test_a_session_that_the_deployment_lost_is_renewed_silently(eva: Seat, deployment: Deployment) -> None:
    deployment.platform.sessions.clear()
    await eva.until(lambda: deployment.platform.sessions)
    await eva.press("6")
    await eva.until(lambda: eva.cursor)
    chosen = eva.cursor
    await eva.press("a")
    await eva.until(lambda: deployment.platform.sirens[chosen]["state"] == "accepted")
    await eva.sees("POLLING")
    assert eva.backend.fatal is None


async def test_actions_missing_in_the_deployment_are_grey_with_the_reason(eva: Seat) -> None:
    await eva.press("2")
    await eva.until(lambda: eva.cursor)
    await eva.press("r")
    await eva.sees("This deployment has no such operation.")
    situation = eva.context.situation()
    assert blocked(by_id("alerts.accept"), situation, ()) == "No record selected."
    reason = blocked(change("caller-ids.create"), situation, ())
    assert reason == "The earlier variant of the service has no such operation."


async def test_inputs_missing_in_the_earlier_variant_are_grey_in_forms(eva: Seat) -> None:
    await eva.press("colon")
    await eva.dialog()
    await eva.type("directory users")
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, AdminScreen))
    await eva.press("n")
    await eva.dialog()
    await eva.until(lambda: re.search("Locale +not in the earlier variant", eva.screen_text()))


async def test_a_list_missing_in_the_deployment_reports_so(eva: Seat) -> None:
    for words, reason in (
        ("phonebooks", "this deployment has no such operation"),
        ("caller ids", "the earlier variant of the service has no such operation"),
    ):
        await eva.press("colon")
        await eva.dialog()
        await eva.type(words)
        await eva.press("enter")
        await eva.sees(f"The service does not show this: {reason}")


async def test_the_palette_shows_what_the_deployment_lacks(eva: Seat) -> None:
    await eva.press("ctrl+p")
    await eva.until(lambda: len(eva.app.screen_stack) > 1)
    await eva.type("run caller-ids.list")
    await eva.sees("the earlier variant of the service has no such operation")


async def test_recordings_are_listed_in_the_format_of_the_earlier_variant(eva: Seat) -> None:
    await eva.press("colon")
    await eva.dialog()
    await eva.type("recordings")
    await eva.press("enter")
    await eva.sees("There are no recordings.")
