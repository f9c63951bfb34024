"""The report in words: sections of sentences and tables, the same in all formats."""

from __future__ import annotations

from collections.abc import Iterable

from console.base.text import SafeText, clean
from console.kinds.tables import TABLES
from console.recording.notes import Note
from console.report.parts import Heading, Moment, Row, Section, Table, clock
from console.report.report import Report
from console.views.render_context import RenderContext
from console.views.words import amount, in_sentence, of_number, plural, span_words

LONGEST = 120
"""Most cells of a text in a table."""
_NOTEWORTHY_MS = 5_000
"""A time that was not known is not worth a word if it is shorter."""


def sections(report: Report, render: RenderContext, notes: tuple[Note, ...] = ()) -> tuple[Section, ...]:
    """Return the report in words. `notes` are those of the time."""
    made = _Words(report, render)
    return (
        made.summary(),
        *((made.notes(notes),) if notes else ()),
        made.episodes(),
        made.alerts(),
        made.queues(),
        made.skills(),
        made.chats(),
        made.outages(),
        made.quality(),
        made.own(),
    )


def _heads(*titles: str) -> tuple[Heading, ...]:
    """Return headings; those that begin with `>` have numbers, those with `~` before that are minor."""
    return tuple(Heading(each.lstrip("~>"), ">" in each[:2], each.startswith("~")) for each in titles)


def _cells(*values: object) -> tuple[SafeText, ...]:
    return tuple(clean(each, LONGEST) for each in values)


class _Words:
    """Puts figures into words."""

    def __init__(self, report: Report, render: RenderContext) -> None:
        self.report = report
        self._render = render

    def at(self, at_ms: int) -> SafeText:
        """Return a moment."""
        return clock(at_ms, self.report, self._render)

    def unknown(self, *kinds: str) -> tuple[SafeText, ...]:
        """Return what is not known of some lists."""
        found: list[SafeText] = []
        missing = [each for each in kinds if each not in self.report.lists]
        if missing:
            return (clean(f"Not known: the {_named(missing)} were not recorded."),)
        ms = self.report.known.missing_ms(*kinds)
        if ms >= _NOTEWORTHY_MS:
            found.append(clean(f"The {_named(kinds)} were not known for {span_words(ms)} of the time."))
        parts = [each for each in kinds if each in self.report.partial]
        if parts:
            found.append(clean(f"Only the {_named(parts)} that the logged-in user sees are counted."))
        return tuple(found)

    def summary(self) -> Section:
        """Return the key figures, and what was not recorded."""
        report, known = self.report, self.report.known
        facts: list[SafeText] = []
        if report.calls is not None:
            offered, answered, abandoned = (
                sum(getattr(each, name) for each in report.calls.queues)
                for name in ("offered", "answered", "abandoned")
            )
            facts.append(
                clean(f"{plural(offered, 'call')} offered, {amount(answered)} answered, {amount(abandoned)} abandoned.")
            )
        if report.alerts is not None:
            facts.append(
                clean(f"{plural(report.alerts.sent, 'alert')}, {amount(report.alerts.accepted)} of them accepted.")
            )
        if known.outages:
            down = sum(each.end_ms - each.start_ms for each in known.outages)
            facts.append(clean(f"The service could not be reached for {span_words(down)}."))
        rows = tuple(
            Row(_cells(self.at(gap.start_ms), self.at(gap.end_ms), span_words(gap.end_ms - gap.start_ms), gap.reason))
            for gap in known.gaps
            if gap.end_ms - gap.start_ms >= _NOTEWORTHY_MS
        )
        if rows:
            facts.append(clean("Some of the time was not recorded: what happened then is in none of the figures."))
        for each in report.damage:
            facts.append(clean(f"The recording is damaged: {each}"))
        tables = (Table("Not recorded", _heads("From", "To", ">Length", "Reason"), rows),) if rows else ()
        return Section("summary", "Summary", tuple(facts), tables)

    def notes(self, notes: tuple[Note, ...]) -> Section:
        """Return the hand-over notes."""
        rows = tuple(
            Row(_cells(self.at(each.at_ms), each.author, each.text), self._moment(each.moment_ms, each.kind, each.key))
            for each in notes
        )
        return Section("notes", "Hand-over notes", (), (Table("", _heads("Written", "By", "Note"), rows),))

    def episodes(self) -> Section:
        """Return what needed attention."""
        rules = self.report.rules
        rows = tuple(
            Row(
                _cells(
                    each.title,
                    each.severity,
                    amount(each.episodes),
                    span_words(each.ms),
                    self.at(each.longest_at),
                    span_words(each.longest_ms),
                    each.longest_words,
                    amount(each.seen),
                    "" if each.seen_median_ms is None else span_words(each.seen_median_ms),
                    ", ".join(each.seen_by),
                ),
                self._moment(each.longest_at + 1_000, "episodes", each.longest_id),
            )
            for each in rules or ()
        )
        heads = _heads(
            "Rule",
            "Worst",
            ">Episodes",
            ">Total",
            "Longest from",
            ">Lasted",
            "About",
            "~>Seen",
            "~>After (median)",
            "~By",
        )
        facts = (clean("Nothing needed attention."),) if rules == () else ()
        return Section(
            "episodes", "What needed attention", (*facts, *self.unknown("episodes")), _table("", heads, rows)
        )

    def alerts(self) -> Section:
        """Return who accepted alerts after how long."""
        found = self.report.alerts
        if found is None:
            return Section("alerts", "Alerts", self.unknown("alerts"))
        facts = [
            f"{plural(found.sent, 'alert')} {of_number(found.sent, 'was')} sent or open, "
            f"{amount(found.accepted)} accepted."
        ]
        if found.median_ms is not None and found.slowest:
            slowest = found.slowest[0]
            facts.append(
                f"Accepted after {span_words(found.median_ms)} in the middle (median), "
                f"{span_words(slowest.accepted_ms or 0)} at most."
            )
        if found.never_many > len(found.never):
            facts.append(f"{amount(found.never_many)} were not accepted; the first {len(found.never)} are listed.")
        people = tuple(
            Row(_cells(who, amount(many), "" if ms is None else span_words(ms))) for who, many, ms in found.by
        )
        slow = tuple(
            Row(
                _cells(self.at(each.sent_ms), each.title, each.accepted_by, span_words(each.accepted_ms or 0)),
                self._moment(each.sent_ms, "alerts", each.alert),
            )
            for each in found.slowest
        )
        never = tuple(
            Row(
                _cells(self.at(each.sent_ms), each.title, each.state),
                self._moment(each.sent_ms, "alerts", each.alert),
            )
            for each in found.never
        )
        return Section(
            "alerts",
            "Alerts",
            (*map(clean, facts), *self.unknown("alerts")),
            (
                *_table("Accepted by", _heads("Who", ">Alerts", ">After (median)"), people),
                *_table("Slowest", _heads("Sent", "Alert", "Accepted by", ">After"), slow),
                *_table("Never accepted", _heads("Sent", "Alert", "State"), never),
            ),
        )

    def queues(self) -> Section:
        """Return the queues with their service level and worst waits."""
        found = self.report.calls
        if found is None:
            return Section("queues", "Queues", self.unknown("calls"))
        used = [each for each in found.queues if each.offered]
        rows = tuple(
            Row(
                _cells(
                    each.name,
                    amount(each.offered),
                    amount(each.answered),
                    amount(each.abandoned),
                    amount(each.moved),
                    amount(each.waiting),
                    amount(each.unknown),
                    "" if each.in_time_percent is None else f"{each.in_time_percent:.0f} %",
                    span_words(each.waits[0].ms) if each.waits else "",
                    self.at(each.waits[0].ended_ms) if each.waits else "",
                ),
                self._moment(each.waits[0].ended_ms - 1_000, "calls", each.waits[0].call) if each.waits else None,
            )
            for each in used
        )
        heads = _heads(
            "Queue", ">Offered", ">Answered", ">Abandoned", "~>Moved", "~>Waiting", "~>Not known", ">In time",
            ">Worst wait", "Until",
        )  # fmt: skip
        waits = sorted(
            ((wait, each.name) for each in used for wait in each.waits), key=lambda each: -each[0].ms
        )[:10]  # fmt: skip
        worst = tuple(
            Row(
                _cells(self.at(wait.ended_ms), queue, wait.caller, span_words(wait.ms), wait.ending),
                self._moment(wait.ended_ms - 1_000, "calls", wait.call),
            )
            for wait, queue in waits
        )
        facts = (
            (clean(f"In time: answered within {span_words(found.breach_ms)}, of the calls answered or abandoned."),)
            if rows
            else (clean("No call waited."),)
        )
        return Section(
            "queues",
            "Queues",
            (*facts, *self.unknown("calls")),
            (
                *_table("", heads, rows),
                *_table("Worst waits", _heads("Until", "Queue", "Caller", ">Waited", "Ending"), worst),
            ),
        )

    def skills(self) -> Section:
        """Return the times with too few agents."""
        found = self.report.skills
        if found is None:
            return Section("skills", "Understaffed skills", self.unknown("agents", "skills"))
        rows = tuple(
            Row(
                _cells(
                    each.skill,
                    amount(each.times),
                    span_words(each.ms),
                    amount(each.fewest),
                    f"{self.at(each.longest[0][0])} to {self.at(each.longest[0][1])}",
                ),
                self._moment(each.longest[0][0] + 1_000, "skills", each.skill),
            )
            for each in found
        )
        facts = () if rows else (clean("No skill was understaffed."),)
        heads = _heads("Skill", ">Times", ">Total", ">Fewest agents", "Longest")
        return Section(
            "skills", "Understaffed skills", (*facts, *self.unknown("agents", "skills")), _table("", heads, rows)
        )

    def chats(self) -> Section:
        """Return the chats of each agent."""
        found = self.report.agents
        if found is None:
            return Section("chats", "Chats", self.unknown("agents"))
        rows = tuple(
            Row(
                _cells(each.name, amount(each.handled), amount(each.handed_over), amount(each.taken_over)),
                self._moment(self.report.last_ms, "agents", each.agent),
            )
            for each in found
        )
        facts = () if rows else (clean("Nobody had a support chat."),)
        heads = _heads("Agent", ">Handled", ">Handed over", ">Taken over")
        return Section("chats", "Chats", (*facts, *self.unknown("agents")), _table("", heads, rows))

    def outages(self) -> Section:
        """Return when the service, or a list of it, could not be reached."""
        report, known = self.report, self.report.known
        facts: list[str] = []
        rows = tuple(
            Row(
                _cells(
                    self.at(each.start_ms), self.at(each.end_ms), span_words(each.end_ms - each.start_ms), each.reason
                ),
                self._moment(each.start_ms + 1_000, "connection", ""),
            )
            for each in known.outages
        )
        if not rows:
            facts.append("The service could be reached all the time that was recorded.")
        restarts = tuple(
            Row(_cells(self.at(each)), self._moment(each, "connection", "")) for each in report.restarts or ()
        )
        if report.restarts is None:
            facts.append("Not known: whether the service restarted was not recorded.")
        lists: list[tuple[int, str]] = []
        for kind in report.lists:
            ms = sum(end - start for start, end in known.missing(kind).parts)
            if ms >= _NOTEWORTHY_MS:
                lists.append((ms, kind))
        other = tuple(Row(_cells(_named([kind]), span_words(ms))) for ms, kind in sorted(lists, reverse=True))
        return Section(
            "outages",
            "Outages",
            tuple(map(clean, facts)),
            (
                *_table("Not reached", _heads("From", "To", ">Length", "Reason"), rows),
                *_table("Restarts of the service", _heads("At"), restarts),
                *_table("Lists that were not current while the service was reached", _heads("List", ">Length"), other),
            ),
        )

    def quality(self) -> Section:
        """Return the worst calls."""
        found = self.report.quality
        if found is None:
            return Section("quality", "Call quality", self.unknown("alarms"))
        facts = [f"{plural(found.alarms, 'quality alarm')} of {plural(found.calls, 'call')}."]
        if found.percent is not None:
            facts.append(f"That is {found.percent:.1f} % of the {plural(found.talked, 'answered call')}.")
        rows = tuple(
            Row(
                _cells(
                    self.at(each.at_ms), each.name, "" if each.loss_percent is None else f"{each.loss_percent:.1f} %"
                ),
                self._moment(each.at_ms + 1_000, "alarms", each.alarm),
            )
            for each in found.worst
        )
        heads = _heads("At", "Call", ">Loss")
        return Section(
            "quality",
            "Call quality",
            (*map(clean, facts), *self.unknown("alarms")),
            _table("Worst calls", heads, rows),
        )

    def own(self) -> Section:
        """Return own changes."""
        found = self.report.own
        rows = tuple(
            Row(
                _cells(self.at(each.at_ms), each.who, each.words, each.result, each.reason),
                self._moment(each.at_ms, "", each.key),
            )
            for each in found
        )
        facts = () if rows else (clean("Nothing was changed with the console."),)
        heads = _heads("At", "~Who", "Change", "Result", "Reason")
        return Section("own", "Own changes", facts, _table("", heads, rows))

    def _moment(self, at_ms: int, kind: str, key: str) -> Moment:
        """Return a moment of which something was recorded: the nearest, if it is outside."""
        recorded = self.report.known.recorded.parts
        return Moment(min(max(at_ms, recorded[0][0]), recorded[-1][1]), kind, key)


def _table(title: str, headings: tuple[Heading, ...], rows: tuple[Row, ...]) -> tuple[Table, ...]:
    return (Table(title, headings, rows),) if rows else ()


def _named(kinds: Iterable[str]) -> str:
    return " and ".join(in_sentence(TABLES[each].title) if each in TABLES else each for each in kinds)
