"""The console with a foreign deployment, by keys, checked in that deployment's own data."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.operating import change
from console.records.people import Group
from tests.behaviour.driver import Seat
from tests.third_party.deployment import Deployment, Host
from tests.third_party.platform import PASSWORD
from tests.third_party.seat import seat_at

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def deployment(host: Host) -> Deployment:
    return host.anew()


@pytest.fixture(scope="module")
def config(deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("home") / "config.toml"
    file.write_text(deployment.profile(), encoding="utf-8")
    return file


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(config: Path) -> AsyncGenerator[Seat]:
    """One console for all tests, which change different records."""
    async with seat_at(config, PASSWORD) as seated:
        yield seated


async def go_by_name(seated: Seat, words: str) -> None:
    await seated.go_to("home")
    await seated.press("colon")
    await seated.dialog()
    await seated.type(words)
    await seated.press("enter")


async def test_the_lists_are_polled_and_name_people(eva: Seat) -> None:
    await eva.sees("POLLING")
    await eva.look_at("calls")
    await eva.sees("3 calls")
    await eva.sees("Ana Far")
    await go_by_name(eva, "recordings")
    await eva.sees("There are no recordings.")


async def test_an_alert_is_accepted_with_a_new_session_if_the_deployment_lost_the_old_one(
    eva: Seat, deployment: Deployment
) -> None:
    deployment.platform.sessions.clear()
    await eva.until(lambda: deployment.platform.sessions)
    await eva.look_at("alerts", "s1")
    await eva.press("a")
    await eva.until(lambda: deployment.platform.sirens["s1"]["state"] == "accepted")
    await eva.until(lambda: getattr(eva.backend.records("alerts")["s1"], "state", "") == "accepted")
    assert deployment.platform.sirens["s1"]["acceptedBy"] == "p-eva"
    await eva.sees("POLLING")
    assert eva.backend.fatal is None


async def test_a_group_is_edited_and_undone(eva: Seat, deployment: Deployment) -> None:
    stored = deployment.platform.teams["dawn"]
    await eva.look_at("groups", "dawn")
    await eva.press("plus")
    await eva.dialog()
    await eva.type("carla")
    await eva.press("enter")
    await eva.until(lambda: stored["participants"] == ["p-ana", "p-bob", "p-carla"])
    await eva.until(lambda: len(eva.known("groups", "dawn", Group).participants) == 3)
    await eva.press("tab", "shift+down", "enter")
    await eva.until(lambda: stored["participants"] == ["p-bob", "p-ana", "p-carla"])
    await eva.until(lambda: eva.known("groups", "dawn", Group).participants[0] == "p-bob")
    await eva.press("minus")
    await eva.until(lambda: len(stored["participants"]) == 2)
    await eva.press("u")
    await eva.until(lambda: sorted(stored["participants"]) == ["p-ana", "p-bob", "p-carla"])


async def test_an_alert_accepted_by_somebody_else_is_refused_with_the_deployments_reason(
    eva: Seat, deployment: Deployment
) -> None:
    await eva.look_at("alerts", "s2")
    deployment.platform.sirens["s2"].update(state="accepted", acceptedBy="p-bob", resolvedAt=deployment.platform.now)
    await eva.press("a")
    await eva.sees("somebody else was faster")


async def test_what_the_deployment_lacks_is_grey_with_the_reason(eva: Seat) -> None:
    await eva.look_at("calls")
    await eva.press("r")
    await eva.sees("This deployment has no such operation.")
    situation = eva.context.situation()
    assert blocked(by_id("alerts.accept"), situation, ()) == "No record selected."
    reason = blocked(change("caller-ids.create"), situation, ())
    assert reason == "The earlier variant of the service has no such operation."
    await eva.look_at("users")
    await eva.press("n")
    await eva.dialog()
    await eva.until(lambda: re.search("Locale +not in the earlier variant", eva.screen_text()))
    for words, reason in (
        ("phonebooks", "this deployment has no such operation"),
        ("caller ids", "the earlier variant of the service has no such operation"),
    ):
        await go_by_name(eva, words)
        await eva.sees(f"The service does not show this: {reason}")
    await eva.press("ctrl+p")
    await eva.until(lambda: len(eva.app.screen_stack) > 1)
    await eva.type("run caller-ids.list")
    await eva.sees("the earlier variant of the service has no such operation")


async def test_presence_is_followed_and_set_without_a_channel(config: Path, deployment: Deployment) -> None:
    silent = config.with_name("silent.toml")
    silent.write_text(deployment.profile('events = "off"'), encoding="utf-8")
    async with seat_at(silent, PASSWORD, "ana") as ana:
        await ana.sees("POLLING")
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
    # The other console has no URL of a channel.
    assert not [each for each in deployment.platform.received if each.path.endswith("/events")]
