"""Run faults against consoles that watch a changing service, and observe the consoles meanwhile."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from tests.background import Running
from tests.faults.kinds import FaultKind
from tests.faults.story import REMEMBERED_SECONDS, Rows, Story
from tests.faults.world import ADMINS, World

LOOK_SECONDS = 0.1
QUIET_SECONDS = 0.25
"""Pause of the service between two bursts of changes."""
HEALED_QUIET_SECONDS = 1.0
"""The same after all faults have ended: consoles that have not recovered wait up to 30 s for their next attempt."""
LONGEST = 60.0
"""Maximum wait in seconds for a console to be correct again."""
SPREAD_SECONDS = 4.0
"""Period over which the faults begin. If all consoles returned at once, the test would measure the machine."""


async def play(service: Running, kinds: Sequence[FaultKind], seed: int) -> list[Story]:
    """Run every kind of fault on a console of its own at a random moment; return the stories when all are over."""
    lot = random.Random(seed)
    world = World(service, lot)
    await world.open()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(world.close)
        stories: list[Story] = []
        for number, kind in enumerate(kinds):
            story = Story(kind, service.core_url, (ADMINS[number % 2], "demo"), seed * 1000 + number)
            stories.append(await stack.enter_async_context(story))
        await _meanwhile(stories, world, lambda: all(story.live for story in stories), 30)
        faults = [asyncio.ensure_future(_fault(story)) for story in stories]
        await _meanwhile(stories, world, lambda: all(each.converged is not None for each in stories), LONGEST)
        await asyncio.gather(*faults)
        truth = await world.truth()
        await _still(stories, truth)
        for story in stories:
            story.wrong = story.difference(truth)
    return stories


async def _still(stories: list[Story], truth: Rows) -> None:
    """Wait until the last changes are shown everywhere, or should be."""
    end = time.monotonic() + LONGEST
    while any(story.difference(truth) for story in stories) and time.monotonic() < end:
        await _pause()


async def _pause() -> None:
    await asyncio.sleep(LOOK_SECONDS)


async def _fault(story: Story) -> None:
    await asyncio.sleep(story.lot.random() * SPREAD_SECONDS)
    await story.strike()
    await asyncio.sleep(story.kind.least and story.kind.least + story.lot.random())
    await story.heal()


async def _meanwhile(stories: list[Story], world: World, over: Callable[[], bool], seconds: float) -> None:
    """Change rows, observe all consoles, and compare them whenever the service pauses, until the end."""
    end = time.monotonic() + seconds
    truths: deque[tuple[float, Rows]] = deque()
    while not over() and time.monotonic() < end:
        world.burst()
        truths.appendleft((time.monotonic(), await world.truth()))
        healed = all(story.healed is not None for story in stories)
        still = time.monotonic() + (HEALED_QUIET_SECONDS if healed else QUIET_SECONDS)
        while len(truths) > 1 and truths[-2][0] < time.monotonic() - REMEMBERED_SECONDS:
            truths.pop()
        while time.monotonic() < still:
            for story in stories:
                story.look(truths)
            await _pause()
