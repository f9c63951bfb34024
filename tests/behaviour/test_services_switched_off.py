"""Operations that the caller's domain does not offer are refused with the reason, until they are offered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest
import pytest_asyncio

from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.records.people import User
from console.service.domain import domains
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.services import Services, world

USER = User(id="bob", username="bob")
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def switched(services: Services) -> Generator[Running]:
    with services.anew(world("quiet")) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def eva(switched: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    async with seat(switched, tmp_path_factory.mktemp("eva")) as found:
        yield found


async def test_services_switched_off_are_explained_in_lists_and_actions_until_they_are_on_again(
    eva: Seat, switched: Running
) -> None:
    platform = switched.platform
    domain = eva.context.backend.me.user.domain if eva.context.backend.me else ""
    assert domain
    services = dict.fromkeys(domains.SERVICES, ())

    def reason() -> str | None:
        return blocked(by_id("presence.follow"), eva.context.situation(), (USER,))

    assert reason() is None
    domains.update(platform, domain, {"services": {name: () for name in services if name != "presence"}})
    await eva.until(lambda: reason() == "Your domain does not offer presence.")
    domains.update(platform, domain, {"services": services})
    await eva.until(lambda: reason() is None)
