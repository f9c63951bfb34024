"""Lets faults strike consoles that watch a service in motion, and looks at them all the while."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from console.service.serve import Running
from tests.faults.kinds import FaultKind
from tests.faults.story import REMEMBERED_SECONDS, Rows, Story
from tests.faults.world import ADMINS, World

LOOK_SECONDS = 0.1
QUIET_SECONDS = 0.25
"""How long the service stands still between two bursts of changes."""
HEALED_QUIET_SECONDS = 1.0
"""The same once nothing is struck any more: whoever is not true again yet waits for its next try, for up to 30 s."""
LONGEST = 60.0
"""Seconds after which nobody waits any more for a console to be true again."""
SPREAD_SECONDS = 4.0
"""Over which the faults begin: consoles that all come back at once would measure the machine."""


async def play(service: Running, kinds: Sequence[FaultKind], seed: int) -> list[Story]:
    """Let every kind of fault strike a console of its own at a random moment; return them when all is over."""
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
    """Wait until all that was changed last is shown everywhere, or should be."""
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
    """Change rows, look at all consoles, and compare them whenever the service stands still, until it is over."""
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
