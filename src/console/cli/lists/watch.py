"""`console watch`: a list with its changes, as a table for people or as JSON lines for programs."""

from __future__ import annotations

import shutil
import sys
import time
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from console.base.text import clean
from console.cli.completers import completed_by
from console.cli.connection import Where, add_where, choose
from console.cli.exits import Exit, Failure
from console.cli.lists.rows import Wanted, wanted, watched
from console.cli.live_backend import Followed, followed
from console.cli.output import one_line, text_table
from console.live.delta import Delta, Freshness, Health
from console.records.extent import Extent
from console.views.combined import CombinedRows
from console.views.export import to_object
from console.views.spans import span
from console.views.view import View
from console.views.wording import NAMING, dash, share

BEAT_SECONDS = 0.1
REDRAW_SECONDS = 1.0
_UNLISTED = "unlisted"
"""The change of a row that is not among the loaded ones any more, which may still exist."""
NAMES_SECONDS = 3.0
"""How long the first lines wait for the lists with the names of people."""


def declare_watch(parser: ArgumentParser) -> None:
    """Declare `console watch`."""
    name = parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help=(
            "calls, queues, conferences, presence, agents, skills, chats, alerts, templates, groups, users, "
            "sessions or alarms."
        ),
    )
    completed_by(name, watched)
    parser.add_argument("--rules", action="store_true", help="Follow what needs attention instead of a list.")
    parser.add_argument("--once", action="store_true", help="Print what needs attention now and stop.")
    parser.add_argument(
        "--filter", "-f", metavar="TEXT", default="", help="Filter, as on the screens: state:queued age>2m."
    )
    parser.add_argument("--sort", metavar="TEXT", help="Column to sort by; - before it for descending order.")
    parser.add_argument("--columns", metavar="TEXT", help="Columns in order, separated by commas; all for all columns.")
    parser.add_argument("--for", dest="length", metavar="TEXT", help="Stop after this time, such as 30, 5s or 8h.")
    parser.add_argument("--changes", type=int, metavar="NUMBER", help="Stop after this many changes.")
    parser.add_argument("--jsonl", action="store_true", help="Print JSON lines even on a terminal.")
    add_where(parser)
    parser.set_defaults(run=watch)


def watch(
    *,
    name: str | None,
    rules: bool,
    once: bool,
    filter: str,
    sort: str | None,
    columns: str | None,
    length: str | None,
    changes: int | None,
    jsonl: bool,
    where: Where,
) -> int:
    """Follow changes to calls, alerts, groups, ... until interrupted; or with --rules, what needs attention.

    With --jsonl, or if the output is not a terminal, each line is a JSON object. Its `change` is `upsert` (with `key`
    and `record`), `remove` (with `key`), `unlisted` (with `key`: the row is not loaded any more, but may still exist)
    or `freshness` (with `state`, an optional `reason`, and `cut` if not all rows were loaded). The first lines are an
    `upsert` for each existing row and a `freshness`. If the list could not be read at all, the command exits with 1 if
    the service refused it, otherwise with 3.

    With --rules, each line is an episode of a rule that began, was renewed, was muted or ended, or a `notice` with the
    ways in which it was told, as configured. With --once, it prints the open episodes, and exits with 5 if
    one of them is critical or a warning, with 1 if none is, but a list cannot be read, or not whole.
    """
    seconds = None if length is None else _seconds(length)
    if rules or once or name is None:
        if name is not None or not rules:
            raise Failure(Exit.USAGE, "name a list, or use --rules without one; --once needs --rules")
        # Takes 5 ms, which only --rules needs.
        from console.cli.rules.evaluation import watch_rules

        return watch_rules(choose(where, channel=True), once=once, seconds=seconds)
    chosen = choose(where, channel=True)
    asked = wanted(name, filter, sort, columns, chosen.config)
    deadline = None if seconds is None else time.monotonic() + seconds
    with followed(chosen) as running:
        follow = _Lines if jsonl or not sys.stdout.isatty() else _Picture
        follower = follow(running, asked, changes)
        while (deadline is None or time.monotonic() < deadline) and not follower.done:
            running.check()
            follower.beat()
            time.sleep(BEAT_SECONDS)
        follower.check_known()
    return Exit.OK


def _seconds(length: str) -> float:
    wanted = span(length)
    if wanted is None or wanted.ms <= 0:
        raise Failure(Exit.USAGE, f"--for {length!r} is not a time such as 30, 5s or 8h")
    return wanted.ms / 1000


@dataclass
class _Follower(ABC):
    running: Followed
    asked: Wanted
    most: int | None = None
    """Number of JSON lines or pictures to print; None for no limit."""
    printed: int = 0
    view: View[Any] = field(init=False)
    was_known: bool = False
    """Whether the list was read once, and not refused."""
    _version: int = 0
    _health: Health = field(default_factory=Health)
    _known: object = None
    """State of the caller and of people when the view was last drawn."""

    def __post_init__(self) -> None:
        table = self.asked.table
        self.view = self.asked.view(self.running.render())
        self._combined = CombinedRows(table) if table.combined is not None else None
        self.running.backend.show(frozenset({table.kind, *(table.follows if self._combined else ())}))

    def _take(self) -> tuple[Mapping[str, Any], bool]:
        """Update the view. Return the records whose texts may differ, and whether the freshness changed."""
        before, self._health = self._health, self.running.backend.health(self.asked.table.kind)
        self.was_known |= self.is_known
        delta = self._delta()
        if delta.whole or delta.upserts or delta.removes:
            self.view.apply(delta)
        known = (self.running.backend.me, *(len(self.running.backend.records(kind)) for kind in NAMING))
        renamed = known != self._known
        if renamed:
            self._known = known
            self.view.look(self.running.render())
        self.view.tick(int(time.time() * 1000))
        changed = self.view.records if renamed else delta.upserts
        return changed, (before.state, before.cut) != (self._health.state, self._health.cut)

    def _delta(self) -> Delta[Any]:
        """Return the changes since the last call."""
        backend, kind = self.running.backend, self.asked.table.kind
        if self._combined is not None:
            changed, gone = self._combined.changes(backend.records, self.running.render)
            return Delta(0, False, changed, gone)
        delta = backend.delta(kind, self._version)
        self._version = delta.version
        return delta

    @property
    def is_known(self) -> bool:
        """Return whether the list was read, and is not refused."""
        return self._health.extent is not Extent.UNKNOWN

    def check_known(self) -> None:
        """Raise Failure if the list could not be read at all."""
        if not self.was_known:
            code = Exit.FAILED if self._health.state is Freshness.REFUSED else Exit.CONNECTION
            reason = self._health.reason or "it did not arrive in time"
            raise Failure(code, f"{self.asked.table.title} cannot be read: {reason}")

    @property
    def is_whole(self) -> bool:
        """Return whether a row that is not listed is known to be gone."""
        backend, table = self.running.backend, self.asked.table
        kinds = (table.kind, *(table.follows if self._combined else ()))
        return all(backend.health(kind).extent is Extent.WHOLE for kind in kinds)

    @property
    def done(self) -> bool:
        """Return whether the requested number was printed."""
        return self.most is not None and self.printed >= self.most

    @property
    def freshness(self) -> str:
        """The freshness in words, with the reasons."""
        health = self._health
        age = "" if health.age is None or health.state is Freshness.LIVE else f" {health.age:.0f} s"
        reasons = "; ".join(value for value in (health.cut, health.reason) if value)
        return f"{health.state.value}{age}" + (f": {reasons}" if reasons else "")

    @abstractmethod
    def beat(self) -> None:
        """Check for changes, and print them."""


class _Lines(_Follower):
    """Prints every change as a line of JSON."""

    _printed: dict[str, str]
    """The last line of each row by its key, or that it is not listed any more."""
    _ready = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._printed = {}
        self._until = time.monotonic() + NAMES_SECONDS

    def beat(self) -> None:
        if not self._is_ready():
            return
        changed, fresher = self._take()
        if self._health.state is not Freshness.LOADING:
            self._print_rows(changed)
        if fresher:
            change = {"change": "freshness", "kind": self.asked.table.kind, "state": self._health.state.value}
            reasons = {"reason": clean(self._health.reason), "cut": clean(self._health.cut)}
            self._print_change(change | {name: text for name, text in reasons.items() if text})
        sys.stdout.flush()

    def _is_ready(self) -> bool:
        """Return whether the lists with the names of people were requested, so that the first lines have them."""
        if not self._ready:
            loading = any(self.running.backend.health(kind).state is Freshness.LOADING for kind in NAMING)
            self._ready = not loading or time.monotonic() > self._until
        return self._ready

    def _print_rows(self, changed: Mapping[str, Any]) -> None:
        kind = self.asked.table.kind
        keys = set(self.view.keys)
        missing = [key for key in self._printed if key not in keys]
        is_whole = not missing or self.is_whole
        for key in missing:
            if is_whole or key in self.view.records:
                del self._printed[key]
                self._print_change({"change": "remove", "kind": kind, "key": key})
            elif self._printed[key] != _UNLISTED:
                self._printed[key] = _UNLISTED
                self._print_change({"change": _UNLISTED, "kind": kind, "key": key})
        for key in self.view.keys:
            if key in self._printed and key not in changed:
                continue
            row = to_object(self.view.records[key], self.asked.columns, self.view.render_context)
            text = one_line({"change": "upsert", "kind": kind, "key": key, "record": row})
            if self._printed.get(key) != text:
                self._printed[key] = text
                self._print(text)

    def _print_change(self, change: Mapping[str, Any]) -> None:
        self._print(one_line(change))

    def _print(self, line: str) -> None:
        if not self.done:
            self.printed += 1
            print(line)


class _Picture(_Follower):
    """Draws the list every second, in the size of the terminal."""

    _drawn = 0.0

    def beat(self) -> None:
        changed, fresher = self._take()
        if not (changed or fresher) and time.monotonic() - self._drawn < REDRAW_SECONDS:
            return
        self._drawn = time.monotonic()
        size = shutil.get_terminal_size()
        room = max(1, size.lines - 3)
        rows = list(self.view.shown())
        many = share(self.view.matched, self.view.total) if self.is_known else dash(self.view.render_context)
        title = f"{self.asked.table.title}  {many}  {self.freshness}"
        lines = [
            clean(title),
            *text_table(rows[:room], self.asked.columns, self.view.render_context, room=size.columns),
        ]
        if len(rows) > room:
            lines.append(clean(f"and {len(rows) - room} more"))
        sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in lines) + "\x1b[J")
        sys.stdout.flush()
        self.printed += 1
