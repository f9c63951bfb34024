"""The answer of a captive portal, login page or proxy is never taken for success or an empty list."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest
import pytest_asyncio

from console.base.frozen import replace
from console.live.command import Stage
from console.live.delta import Freshness
from console.service.domain.alerts import ALERTS
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.service_base import Base, fresh
from tests.portal import Instead, Portal, portal_to

pytestmark = pytest.mark.asyncio(loop_scope="module")
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def portal(floor: Running) -> Generator[Portal]:
    with portal_to(floor.base_url) as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def behind(floor: Running, portal: Portal, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor, connected through the portal and polling."""
    moved = replace(floor, base_url=portal.base_url)
    async with seat(moved, tmp_path_factory.mktemp("behind"), events=False, size=(120, 30)) as seated:
        yield seated


@pytest.fixture(autouse=True)
def opened(portal: Portal) -> Generator[None]:
    portal.stopped.clear()
    yield
    portal.open()


async def accepting(behind: Seat, base: Base) -> tuple[str, str]:
    """Move the cursor to an alert; return its id and title."""
    title = fresh("Line down")
    alert = base.alert(title=title)
    behind.backend.refresh("alerts")
    await behind.look_at("alerts", alert)
    return alert, title


@pytest.mark.parametrize("reaches", [False, True], ids=["it never arrives", "only the answer is lost"])
async def test_a_change_answered_with_an_html_page_is_unknown_and_verified(
    behind: Seat, base: Base, portal: Portal, reaches: bool
) -> None:
    alert, title = await accepting(behind, base)
    portal.close("/alerts/accept")
    portal.swallow = not reaches
    await behind.press("a")
    await behind.sees(
        f"Accept: {title}  unknown: the answer was not from the service (text/html from {portal.host}, POST"
    )
    assert f"√ Accepted {title}" not in behind.screen_text()
    assert behind.backend.commands.tickets()[0].stage is Stage.UNKNOWN
    assert portal.stopped.count("POST /core/alerts/accept") == 1, "it was sent again"
    expected = "accepted" if reaches else "active"
    await behind.until(lambda: getattr(behind.backend.records("alerts")[alert], "state", "") == expected)
    assert base.stored(ALERTS, alert).get("acceptedBy") == ("eva" if reaches else None)


async def test_a_refusal_with_a_success_status_is_shown_as_a_refusal(behind: Seat, base: Base, portal: Portal) -> None:
    _, title = await accepting(behind, base)
    portal.close("/alerts/accept", instead=Instead(b'{"error": "not on this shift"}', headers=JSON))
    await behind.press("a")
    await behind.sees(f"Accept: {title}  refused: not on this shift")


@pytest.mark.parametrize(
    ("instead", "words"),
    [
        (Instead(), "the answer was not from the service (text/html from"),
        (Instead(b"", headers=JSON), "the answer is empty (application/json from"),
        (Instead(b"{}", headers=JSON), "the answer is an object without a list"),
        (Instead(b"", 302, {"Location": "https://sso.example/login"}), "the answer was a redirect to a login page"),
    ],
    ids=["a page", "nothing", "an object", "a redirect"],
)
async def test_the_last_rows_of_a_list_stay_with_the_reason(
    behind: Seat, portal: Portal, instead: Instead, words: str
) -> None:
    await behind.look_at("calls")
    await behind.until(lambda: behind.backend.health("calls").state is Freshness.POLLING)
    before = behind.shown
    portal.close("/calls", instead=instead)
    await behind.press("ctrl+r")
    # "STALE" alone may still be on the screen from before.
    await behind.sees(words[:30])
    assert "STALE" in behind.screen_text()
    assert words in behind.backend.health("calls").reason
    assert behind.shown == before
    assert len(before) > 10
    portal.open()
    await behind.until(lambda: behind.backend.health("calls").state is Freshness.POLLING)


async def test_an_empty_list_is_shown_as_empty(behind: Seat, portal: Portal) -> None:
    await behind.look_at("groups")
    portal.close("/groups/page", instead=Instead(b'{"data": []}', headers=JSON))
    await behind.press("ctrl+r")
    await behind.sees("There are no groups")
    assert behind.backend.health("groups").state is Freshness.POLLING
