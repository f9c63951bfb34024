"""The list of queues, computed from calls, agents and skills."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from console.base.frozen import replace
from console.kinds.calls.facts import WaitOrder, waits_exact
from console.kinds.derived_kind import DerivedKind
from console.kinds.presence.facts import Availability
from console.kinds.queues.facts import SkillStaff, Staff, breach_ms, group_staff
from console.kinds.queues.passages import Passage, Passages, What, Windows
from console.live.delta import CURRENT, Health
from console.live.history import COMPUTED
from console.records.queues import Queue
from console.records.record import read
from console.views.wording import has_begun

if TYPE_CHECKING:
    from console.live.backend_api import ListsApi
    from console.views.render_context import RenderContext


MOST = 1_000
"""Most queues, whatever the service sends."""
_MINUTE_MS = 60_000
_SAMPLE_MS = 2_000


class Queues(DerivedKind[Queue]):
    """The queues by name. A changed call costs the same however many calls there are."""

    def __init__(self, kind: str, backend: ListsApi, render: Callable[[], RenderContext]) -> None:
        """Create an empty list."""
        super().__init__(kind, backend, render)
        self._version = 0
        self._lines: dict[str, Line] = {}
        """By name, the one that changed last at the end."""
        self._passages = Passages(self._lines)
        self._staff = SkillStaff(backend)
        self._observation = Observation()
        self._changed: set[str] = set()
        self._minute = self._day = 0
        self._groups_due = 0
        self._sampled = 0
        self._full = False

    def health(self, of: Callable[[str], Health]) -> Health:
        """Return the freshness of the calls; agents and skills may be unknown."""
        health = of("calls")
        return replace(health, cut=f"only the first {MOST} queues are shown") if self._full else health

    def update(self) -> None:
        """Follow the changes of calls, agents and skills."""
        render = self.render()
        self._go_on(render)
        health, delta = self.backend.health("calls"), self.backend.delta("calls", self._version)
        self._version = delta.version
        before = self._observation.has_figures, self._observation.unseen_ms
        observed = self._observation.note(health, render.now_ms)
        if delta.whole or delta.upserts or delta.removes:
            for passage in self._passages.follow(delta, render.now_ms, observed=observed):
                self._take(passage, breach_ms(render))
        skills = self._staff.update()
        for name in skills & self._staff.skills.keys():
            self._line(name)
        if skills:
            self._changed |= {name for name, line in self._lines.items() if name in skills or line.skill in skills}
        self._changed |= self._grouped(render)
        if before != (self._observation.has_figures, self._observation.unseen_ms):
            self._changed |= self._lines.keys()
        self._write(render)
        self._sample(render)

    def _sample(self, render: RenderContext) -> None:
        """Add the numbers of all queues to the history, while the calls are observed."""
        history = getattr(self.backend, "history", None)  # lists that were fetched once have none
        if history is None or not self._observation.observes or not self._observation.has_figures:
            return
        if render.now_ms - self._sampled < _SAMPLE_MS and render.now_ms >= self._sampled:
            return
        self._sampled, exact = render.now_ms, waits_exact(render)
        waits = [wait[1] for line in self._lines.values() if (wait := line.waits.longest()) is not None]
        since, longest = min((value for value in waits if value is not None), default=render.now_ms), None
        if exact and has_begun(since, render.now_ms) and not any(line.waits.untimed for line in self._lines.values()):
            longest = max(0, render.now_ms - since)
        history.add(
            {
                "calls_waiting": sum(len(line.waits) for line in self._lines.values()) if exact else None,
                "longest_wait": longest,
                "agents_free": self._staff.free,
            },
            COMPUTED,
        )

    def _go_on(self, render: RenderContext) -> None:
        """Begin a new minute: figures of the last minutes change without calls."""
        minute = render.now_ms // _MINUTE_MS
        if minute == self._minute:
            return
        self._minute = minute
        day = datetime.fromtimestamp(render.now_ms / 1000, render.zone).toordinal()
        if day != self._day:
            self._day = day
            self._observation.begin_day()
        for name, line in list(self._lines.items()):
            line.windows.advance(minute, day)
            if self._observation.observes:
                line.windows.waiting(len(line.waits))
            if self._forgettable(name, line) and not line.windows.has_today:
                del self._lines[name]
        self._full = self._full and len(self._lines) >= MOST
        self._changed |= self._lines.keys() | self.collection.snapshot().keys()

    def _forgettable(self, name: str, line: Line) -> bool:
        return not len(line.waits) and name not in self._staff.skills

    def _line(self, name: str) -> Line | None:
        """Return the line of a queue; None if there are too many, and calls wait in all of them."""
        line = self._lines.get(name)
        if line is not None:
            return line
        if len(self._lines) >= MOST:
            idle = next((name for name, other in self._lines.items() if self._forgettable(name, other)), None)
            self._full = True
            if idle is None:
                return None
            del self._lines[idle]
            self._changed.add(idle)
        line = self._lines[name] = Line(Windows(self._minute, self._day))
        if self._observation.observes:
            line.windows.waiting(0)
        self._changed.add(name)
        return line

    def _take(self, passage: Passage, breach: float) -> None:
        what, key, wait, waited = passage
        line = self._line(wait.queue) if what is What.WAITS else self._lines.get(wait.queue)
        if line is None:
            return
        if what is What.WAITS:
            self._lines[wait.queue] = self._lines.pop(wait.queue)
            line.waits.add(key, wait.since)
            line.windows.waiting(len(line.waits))
            line.skill = wait.skill or line.skill
        else:
            line.waits.drop(key)
            if what is What.SERVED:
                line.windows.served(in_time=None if waited is None else waited < breach)
            elif what is What.ABANDONED:
                line.windows.abandoned()
            elif what is What.UNKNOWN:
                line.windows.unknown()
        self._changed.add(wait.queue)

    def _grouped(self, render: RenderContext) -> set[str]:
        """Return the queues of groups, once a second: their members may have changed."""
        second = render.now_ms // 1000
        if second == self._groups_due:
            return set()
        self._groups_due = second
        return {name for name in self._lines if render.addresses.group_id(name) is not None}

    def _write(self, render: RenderContext) -> None:
        upserts: dict[str, Queue] = {}
        removes = [name for name in self._changed if name not in self._lines]
        for name in self._changed & self._lines.keys():
            row, before = self._row(name, self._lines[name], render), self.collection.get(name)
            if before is None or row != before.encoded():
                upserts[name] = read(Queue, row, name)
        self._changed.clear()
        self.collection.change(upserts, removes)

    def _row(self, name: str, line: Line, render: RenderContext) -> bytes:
        longest = line.waits.longest()
        key, since = longest or (None, None)
        call = render.find("calls", key) if key is not None else None
        skills = self._staff.skills
        skill = name if name in skills else line.skill if line.skill in skills else None
        group = render.addresses.group_id(name) if skill is None else None
        staff = self._staff.of(skill) if skill is not None else group_staff(group, render) if group else None
        return Queue.row_of(
            queue=name,
            skill=skill,
            group=group,
            waiting=len(line.waits),
            longest_at=since,
            untimed=line.waits.untimed,
            longest=key,
            caller=getattr(call, "caller", None),
            **_staff(staff),
            **self._figures(line),
        )

    def _figures(self, line: Line) -> dict[str, Any]:
        if not self._observation.has_figures:
            return {"trend": ()}
        return {
            **line.windows.figures,
            "trend": line.windows.trend,
            "since_at": self._observation.since_at,
            "unseen_ms": self._observation.unseen_ms,
        }


def _staff(staff: Staff | None) -> dict[str, int | None]:
    if staff is None:
        return {}
    doubtful = staff.get(Availability.UNKNOWN, 0)
    # Beside agents of unknown state, none is not known.
    free, busy, away = (staff.get(state, 0) or (None if doubtful else 0) for state in _STATES)
    return {"free": free, "busy": busy, "away": away, "doubtful": doubtful}


_STATES = (Availability.FREE, Availability.BUSY, Availability.AWAY)


LIST = Queues


class Line:
    """A queue: its waiting calls, and the numbers of those that left."""

    def __init__(self, windows: Windows) -> None:
        """Begin without calls."""
        self.windows = windows
        self.skill: str | None = None
        """The skill that its calls ask for."""
        self.waits = WaitOrder()


FIRST_MS = 1_000
"""From this time on, figures are shown: a single list tells nothing about what passed."""


class Observation:
    """Limits of the console's knowledge: calls are not counted for times in which it did not see them."""

    def __init__(self) -> None:
        """Begin without observation."""
        self.since_at: float | None = None
        """When it began, in ms since the epoch."""
        self.unseen_ms = 0.0
        """How long nothing was observed since then, today."""
        self.has_figures = False
        """Whether anything was observed for a while."""
        self._gap_from: float | None = None

    @property
    def observes(self) -> bool:
        """Whether the calls are observed now."""
        return self.since_at is not None and self._gap_from is None

    def note(self, health: Health, now_ms: float) -> bool:
        """Note the freshness of the calls. Return whether their changes since the last time were observed."""
        if health.state not in CURRENT:
            if self.observes:
                self._gap_from = now_ms - 1000 * (health.age or 0)
            return False
        if self.since_at is None:
            self.since_at = now_ms
            return False
        # Not after now, also when a clock is set back.
        self.since_at = min(self.since_at, now_ms)
        self.has_figures = self.has_figures or now_ms - self.since_at >= FIRST_MS
        if self._gap_from is None:
            return True
        self.unseen_ms += max(0, now_ms - self._gap_from)
        self._gap_from = None
        return False

    def begin_day(self) -> None:
        """Count the time without observation from zero."""
        self.unseen_ms = 0.0
