"""Every key in the footer or help has a visible effect, or shows why not."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping

import pytest
import pytest_asyncio

from console.clock import SystemClock
from console.kinds.view_keys import VIEW_KEYS
from console.screens.console_screen import ConsoleScreen
from console.screens.specs import SCREENS, ScreenSpec, spec_of
from console.service.serve import Running
from console.widgets.dialogs import dialog
from tests.behaviour.driver import Seat, seat
from tests.services import Services, world

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUICK = 0.001
"""Seconds during which dialogs ignore keys."""
LEAVES = {"view.quit"}
"""The key that ends the console has tests of its own."""


class StillClock(SystemClock):
    """The time of day stands still, so that nothing on the screen changes by itself; the monotonic clock runs."""

    def __init__(self) -> None:
        self._now_ms = super().now_ms()

    def now_ms(self) -> int:
        return self._now_ms


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def still(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The supervisor at a console whose time of day stands still and whose dialogs accept keys at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialog, "DEAF_SECONDS", QUICK)
        async with seat(floor, tmp_path_factory.mktemp("still"), size=(80, 24), clock=StillClock()) as seated:
            yield seated


def keys_here(who: Seat) -> dict[str, str]:
    """Return the first key of everything in help, by id."""
    screen = who.app.screen
    assert isinstance(screen, ConsoleScreen)
    ids = [action.id for action in screen.actions_here()] + [each.id for each in screen.view_keys()]
    found = {each: keys[0] for each in ids if (keys := who.context.keys.get(each)) and each not in LEAVES}
    shown = {key.key for key in screen.footer_keys()}
    assert shown <= {who.context.key_words(each) for each in ids}, "help shows what the footer shows"
    return found


def body(who: Seat) -> str:
    """Return the text of the screen without the top line, which shows the age of the data."""
    return who.screen_text().partition("\n")[2]


async def settled(who: Seat) -> str:
    """Return the text of the screen once all messages have been shown and it no longer changes."""
    assert isinstance(who.app.screen, ConsoleScreen)
    who.app.screen.beat(True)
    last = ""
    while (now := body(who)) != last:
        last = now
        await who.pilot.pause()
    return now


async def try_keys(who: Seat, keys: Mapping[str, str], spec: ScreenSpec, kind: str) -> list[str]:
    """Press each key and return those that changed nothing twice.

    A first failure may be due to the key before: its effect may have been painted late, and this key may have reverted
    it.
    """
    dead: list[str] = []
    for key, identifier in {key: identifier for identifier, key in keys.items()}.items():
        if not await shows_something(who, key, spec, kind) and not await shows_something(who, key, spec, kind):
            dead.append(f"{identifier} ({key})")
    return dead


async def shows_something(who: Seat, key: str, spec: ScreenSpec, kind: str) -> bool:
    """Press a key, return whether the screen changed, and restore the screen."""
    screen = who.app.screen
    assert isinstance(screen, ConsoleScreen)
    screen.toasts.say([])
    before = await settled(who)
    await who.press(key)
    try:
        await who.until(lambda: who.app.screen is not screen or body(who) != before, seconds=1)
    except AssertionError:
        different = False
    else:
        different = True
    if kind:
        await who.look_at(kind)
    else:
        await who.go_to(spec.name)
    await who.until(lambda: who.app.screen is screen)
    return different


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bare(services: Services, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """The same with a scenario in which most lists are empty."""
    with pytest.MonkeyPatch.context() as patch, services.anew(world("empty")) as running:
        patch.setattr(dialog, "DEAF_SECONDS", QUICK)
        async with seat(running, tmp_path_factory.mktemp("bare"), size=(80, 24), clock=StillClock()) as seated:
            yield seated


@pytest.mark.parametrize("spec", SCREENS, ids=[spec.name for spec in SCREENS])
async def test_every_key_that_is_shown_works(still: Seat, spec: ScreenSpec) -> None:
    await try_screen(still, spec)


@pytest.mark.parametrize("name", ["home", "calls", "groups"])
async def test_every_key_works_on_an_empty_list(bare: Seat, name: str) -> None:
    await try_screen(bare, spec_of(name))


async def try_screen(who: Seat, spec: ScreenSpec) -> None:
    """Try every key of every list of a screen; those that work everywhere only once."""
    everywhere = {each.id for each in VIEW_KEYS if each.where == "everywhere"}
    for kind in spec.kinds or ("",):
        if kind:
            await who.look_at(kind)
            await who.until(lambda: who.cursor or not who.shown)
        else:
            await who.go_to(spec.name)
        keys = keys_here(who)
        again = bool(kind) and kind != spec.kinds[0]
        dead = await try_keys(
            who, {each: key for each, key in keys.items() if not (again and each in everywhere)}, spec, kind
        )
        assert not dead, f"{spec.name}, {kind}: {dead}"
