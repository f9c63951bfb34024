"""What is wrong right now, worst first, and how each skill is covered: what the home screen answers unasked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar, cast

from console.collation import collated
from console.frozen import Frozen
from console.kinds.alerts import facts as alerts
from console.kinds.calls import WAIT
from console.kinds.calls import facts as calls
from console.kinds.calls.facts import Wait
from console.kinds.notifications.facts import ALERT, offered_alerts, offers, what
from console.kinds.skills.facts import Staffing, all_staffing
from console.kinds.skills.staffing import too_few
from console.text import SafeText, clean
from console.views import words
from console.views.cell import Tone
from console.views.quoting import quoted
from console.views.render_context import RenderContext
from console.views.thresholds import level

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.records.support import Skill
    from console.records.traffic import Call, CallAlarm

T = TypeVar("T")

CONCERNING = ("calls", "alerts", "agents", "skills", "alarms")
"""Kinds that something may be wrong with: before each was listed once, nobody can say that all is well."""
FAILURES_SPAN_MS = 5 * 60_000
FAILURES_FROM = 3
ALARMS_SPAN_MS = 15 * 60_000


class Concern(Frozen):
    """Something a supervisor should look at, and the record or list where it can be dealt with."""

    tone: Tone
    word: str
    what: SafeText
    since_ms: float | None
    note: SafeText
    kind: str
    """The kind of the records that it is about."""
    key: str = ""
    """The record to go to, where it is about one."""
    filter: str = ""
    """Filter to show the list with, when it is about several records."""
    opens: str = ""
    """The kind of list to go to, where that is not `kind`: the alerts for alerts that are offered."""
    keys: tuple[str, ...] = ()
    """The records that it is about, where an action may be taken on them."""
    many: int = 1
    """How many equal ones it stands for."""
    about: str = ""
    """What equal ones have in common: one more or less of them is still the same concern."""

    @property
    def identity(self) -> tuple[str, str, str]:
        """What tells it from other concerns, also when more or fewer equal ones are counted."""
        return self.word, self.kind, self.about or self.key


def covers(render: RenderContext) -> list[tuple[Skill, Staffing]]:
    """Return how each skill is staffed, the worst first."""
    return sorted(
        all_staffing(render), key=lambda each: (not each[1].understaffed, each[1].free, collated(each[0].skill))
    )


def concerns(render: RenderContext, waits: Sequence[Wait] | None = None) -> list[Concern]:
    """Return everything that needs attention: what is offered to the caller, then the worst and oldest first.

    Empty means that all is well.

    `waits` are all waits, the longest first, where they are at hand.
    """
    waiting = calls.waits(render) if waits is None else waits
    found = [*_alerts(render), *_waits(waiting, render), *_failures(render), *_understaffed(render), *_alarms(render)]
    rank = {Tone.BAD: 0, Tone.WARN: 1}
    found.sort(key=lambda each: (rank.get(each.tone, 2), each.since_ms or render.now_ms, each.identity))
    return [*_offers(render), *found]


def _alike(records: Iterable[T], of: Callable[[T], str]) -> Iterator[tuple[str, list[T]]]:
    """Iterate over groups of equal ones, in the order of the first of each."""
    groups: dict[str, list[T]] = {}
    for each in records:
        groups.setdefault(of(each), []).append(each)
    return iter(groups.items())


def _offers(render: RenderContext) -> Iterator[Concern]:
    """Say what is offered to the caller. Equal alerts are answered at once; of equal chats the oldest is."""
    for about, equal in _alike(offers(render), lambda each: f"{each.kind} {what(each)}"):
        oldest, is_alert = equal[0], equal[0].kind == ALERT
        person = words.person(oldest.from_user, render) if oldest.from_user else ""
        yield Concern(
            tone=Tone.BAD if is_alert else Tone.WARN,
            word="offered",
            what=clean(f"to you: {'alert ' if is_alert else ''}{what(oldest)}", 80),
            since_ms=words.at(oldest.created_at),
            note=clean(person if len(equal) == 1 or is_alert else "the oldest", 40),
            kind="notifications",
            key="" if len(equal) > 1 else (oldest.subject or "") if is_alert else oldest.id,
            filter="" if len(equal) == 1 or not is_alert else _active(oldest.title or oldest.subject or ""),
            opens="alerts" if is_alert else "",
            keys=tuple(each.id for each in (equal if is_alert else equal[:1])),
            many=len(equal),
            about=about,
        )


def _alerts(render: RenderContext) -> Iterator[Concern]:
    """Say which alerts are open, but for those that are said to be offered to the caller."""
    mine = offered_alerts(render)
    others = [each for each in alerts.active(render) if each.alert_id not in mine]
    for title, equal in _alike(others, lambda alert: alert.title or alert.alert_id):
        yield Concern(
            tone=Tone.BAD,
            word="alert",
            what=clean(title, 60),
            since_ms=alerts.oldest(equal),
            note=clean("not accepted"),
            kind="alerts",
            key=equal[0].alert_id if len(equal) == 1 else "",
            filter="" if len(equal) == 1 else _active(title),
            keys=tuple(each.alert_id for each in equal),
            many=len(equal),
            about=title,
        )


def _active(title: str) -> str:
    """Return the filter for the open alerts of a title."""
    return f"state:active title={quoted(title)}"


def _waits(waiting: Sequence[Wait], render: RenderContext) -> Iterator[Concern]:
    """Say for each target who has waited too long for it: the longest wait, and how many there are."""
    levels, known = level(WAIT, render), cast("Mapping[str, Call]", render.lookup("calls"))
    latest = render.now_ms - levels.warn
    long = takewhile(lambda wait: wait.since is not None and wait.since <= latest, waiting)
    for target, equal in _alike(long, lambda wait: wait.target):
        longest, alone = equal[0], len(equal) == 1
        call = known.get(longest.key)
        place = None if call is None else call.queue_position
        whole = f"{(call and call.caller) or 'unknown'} → {target or (call and call.callee) or 'unknown'}"
        yield Concern(
            tone=levels.tone(longest.ms(render.now_ms)),
            word="wait",
            what=clean(whole if alone else target or "without a target", 60),
            since_ms=longest.since,
            note=clean("the longest" if not alone else "" if place is None else f"place {words.count(place, render)}"),
            kind="calls",
            key=longest.key if alone else "",
            filter="" if alone else f"waiting:yes target={quoted(target)} age>={levels.warn / 1000:g}s",
            many=len(equal),
            about=target,
        )


def _failures(render: RenderContext) -> Iterator[Concern]:
    ends = [at for call in calls.failures(render) if (at := calls.ended_at(call)) is not None]
    recent = [at for at in ends if render.now_ms - at <= FAILURES_SPAN_MS]
    if len(recent) >= FAILURES_FROM:
        yield Concern(
            tone=Tone.BAD,
            word="calls",
            what=clean("server errors in 5 min"),
            since_ms=min(recent),
            note=clean("show calls"),
            kind="calls",
            filter="failed:yes age<=5m",
            many=len(recent),
            about="servererror",
        )


def _understaffed(render: RenderContext) -> Iterator[Concern]:
    for skill, staff in covers(render):
        if staff.understaffed:
            yield Concern(
                tone=staff.severity,
                word="staffing",
                what=clean(f"{clean(skill.skill, 24)}: {too_few(staff)}"),
                since_ms=None,
                note=clean("can take work"),
                kind="skills",
                key=skill.skill,
            )


def _alarms(render: RenderContext) -> Iterator[Concern]:
    known = cast("Iterator[CallAlarm]", iter(render.lookup("alarms").values()))
    recent = [at for each in known if (at := words.at(each.timestamp)) and render.now_ms - at <= ALARMS_SPAN_MS]
    if recent:
        yield Concern(
            tone=Tone.WARN,
            word="quality",
            what=clean("call quality alarms in 15 min"),
            since_ms=min(recent),
            note=clean("the oldest"),
            kind="alarms",
            filter="age<=15m",
            many=len(recent),
            about="quality",
        )
