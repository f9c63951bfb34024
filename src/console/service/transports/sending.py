"""The job that sends deliveries, with an independent lane per transport.

A lane sends up to `AT_ONCE` deliveries concurrently. Failed attempts are repeated after growing, partly random delays,
until the delivery is given up. While the whole transport fails, the lane tries a single delivery, with delays as well,
so that an outage costs the others no attempts.

A delivery is marked as sent after the receiver accepted it. If the service stops in between, it is sent again at the
next start: at least once, and always with the same id.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from functools import partial

from console.service.domain import deliveries
from console.service.platform import Platform
from console.service.store.faults import StorageFault
from console.service.store.outbox import OutboxEntry
from console.service.transports.message import DueMessage
from console.service.transports.transport import Failed, Rejected, Transport

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 12
"""Number of failed attempts after which a delivery is given up: about six hours."""
AT_ONCE = 4
"""Concurrent deliveries of one transport."""
LOOK_SECONDS = 0.5
"""Interval in which a lane checks for due deliveries; new ones wake it at once."""
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 3600.0
_FACTOR = 3.0
_FIRST_DOWN, _LONGEST_DOWN = 1.0, 60.0
_STORE_PAUSE = 5.0


async def send_deliveries(platform: Platform) -> None:
    """Send due deliveries until cancelled; return at once without a transport."""
    try:
        await platform.database.run(partial(deliveries.give_back, platform), writing=True)
    except StorageFault as fault:
        log.error("deliveries without a transport cannot be skipped: %s", fault)
    async with asyncio.TaskGroup() as group:
        for transport in dict.fromkeys(platform.transports.values()):
            group.create_task(_Lane(platform, transport).run())


def pause_after(tries: int, chance: random.Random) -> float:
    """Return the seconds between a failed attempt and the next: growing, with a random part."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * _FACTOR ** (tries - 1)) * chance.uniform(0.5, 1.0)


class _Lane:
    """The deliveries of one transport."""

    def __init__(self, platform: Platform, transport: Transport) -> None:
        self._platform = platform
        self._transport = transport
        self._chance = random.Random()
        self._bell = asyncio.Event()
        self._failures = 0
        """Consecutive attempts that found the transport down."""

    async def run(self) -> None:
        loop = asyncio.get_running_loop()

        def on_commit(changes: Sequence[OutboxEntry]) -> None:
            if any(change.topic == deliveries.DELIVERIES.name for change in changes):
                loop.call_soon_threadsafe(self._bell.set)

        undo = self._platform.database.on_commit(on_commit)
        try:
            while True:
                try:
                    await self._round()
                except StorageFault as fault:
                    log.error("deliveries cannot be read: %s", fault)
                    await self._platform.clock.sleep(_STORE_PAUSE)
                except Exception:  # An internal error must not end the lane.
                    log.exception("deliveries cannot be sent")
                    await self._platform.clock.sleep(_STORE_PAUSE)
        finally:
            undo()

    async def _round(self) -> None:
        """Send due deliveries, or wait for some."""
        self._bell.clear()
        dues = await self._platform.database.run(self._due)
        if not dues:
            await self._something()
            return
        async with asyncio.TaskGroup() as group:
            for due in dues:
                group.create_task(self._attempt(due))
        if self._transport.down is not None:
            await self._platform.clock.sleep(min(_LONGEST_DOWN, _FIRST_DOWN * 2 ** (self._failures - 1)))

    async def _something(self) -> None:
        """Wait until a delivery was stored or changed, at most for the check interval."""
        waiting = {
            asyncio.ensure_future(self._bell.wait()),
            asyncio.ensure_future(self._platform.clock.sleep(LOOK_SECONDS)),
        }
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waiting:
                each.cancel()

    def _due(self) -> list[DueMessage]:
        limit = 1 if self._transport.down is not None else AT_ONCE
        return deliveries.due_messages(self._platform, self._transport.mechanisms, limit)

    async def _attempt(self, due: DueMessage) -> None:
        error, again = None, None
        try:
            await self._transport.send(due)
            self._works()
        except Rejected as rejected:
            error = str(rejected)
            self._works()
        except Failed as failed:
            error = str(failed)
            if failed.down:
                self._is_down(error)
            if due.tries + 1 < MOST_ATTEMPTS:
                again = max(pause_after(due.tries + 1, self._chance), failed.after_seconds or 0.0)
        except Exception as unexpected:  # An internal error must not end the lane.
            log.exception("delivery %s cannot be sent", due.id)
            error = f"cannot be sent: {type(unexpected).__name__}"
        await self._write_down(due, error, again)

    async def _write_down(self, due: DueMessage, error: str | None, again: float | None) -> None:
        """Store the result of an attempt; retry until the database accepts it, to avoid sending it again."""
        if error is None:
            note = partial(deliveries.note_sent, self._platform, due.id)
        else:
            again_in_ms = None if again is None else round(again * 1000)
            note = partial(deliveries.note_failed, self._platform, due.id, error, again_in_ms)
        while True:
            try:
                await self._platform.database.run(note, writing=True)
                return
            except StorageFault as fault:
                log.error("the result of delivery %s cannot be stored: %s", due.id, fault)
                await self._platform.clock.sleep(_STORE_PAUSE)

    def _is_down(self, why: str) -> None:
        self._failures += 1
        if self._transport.down is None:
            log.warning("%s: deliveries wait: %s", self._transport.name, why)
        self._transport.down = why

    def _works(self) -> None:
        if self._transport.down is not None:
            log.warning("%s: works again", self._transport.name)
        self._transport.down = None
        self._failures = 0
