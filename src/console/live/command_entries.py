"""The commands of one console in the order of their decisions, with what is known of their execution."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from console.frozen import Frozen
from console.live.command import Ticket, next_undo, secret_of

KEPT = 1_000
"""Number of tickets that are stored, in addition to those in progress or with a secret that was not shown yet."""


class DueTime(Frozen, order=True):
    """A time on both clocks: the monotonic one stops while the machine is suspended."""

    monotonic: float = 0.0
    wall: float = 0.0


@dataclass
class CommandEntry:
    """A command with the state of its execution."""

    ticket: Ticket
    due: DueTime = field(default_factory=DueTime)
    """When to send it: when it was decided, or at the end of its hold."""
    go: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it need not be held any longer: it is to be sent, or was undone."""
    after: tuple[CommandEntry, ...] = ()
    """Earlier commands about the same records, which are sent first."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    undoes: int | None = None

    @property
    def keys(self) -> frozenset[str]:
        """The keys of its records."""
        return frozenset(step.key for step in self.ticket.command.steps)

    @property
    def watching(self) -> bool:
        """Whether to undo it when the console quits."""
        steps = self.ticket.command.steps
        return any(step.watching for step in steps) and self.ticket.can_undo


class CommandEntries(OrderedDict[int, CommandEntry]):
    """Entries by number of the command, the newest last. Not safe for threads."""

    def unfinished(self, keys: frozenset[str]) -> tuple[CommandEntry, ...]:
        """Return the commands in progress about some records."""
        return tuple(each for each in self.values() if each.ticket.under_way and not each.keys.isdisjoint(keys))

    def undoable(self, number: int | None) -> CommandEntry | None:
        """Return the command of a number, or the newest one, if it can be undone."""
        if number is not None:
            entry = self.get(number)
            return entry if entry is not None and entry.ticket.can_undo else None
        ticket = next_undo(entry.ticket for entry in reversed(self.values())).ticket
        return self[ticket.command.number] if ticket is not None else None

    def forget_old(self) -> None:
        """Remove the oldest commands beyond `KEPT`."""
        for number in list(self):
            if len(self) <= KEPT:
                return
            entry = self[number]
            if not entry.ticket.under_way and not entry.watching and not secret_of(entry.ticket):
                del self[number]
