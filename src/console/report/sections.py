"""The report in words: sections of sentences and tables, the same in all formats."""

from __future__ import annotations

from collections.abc import Iterable

from console.base.text import SafeText, clean, of_number
from console.kinds.tables import TABLES
from console.recording.notes import Note
from console.records.state_words import display_word
from console.report.parts import ColumnHeading, ReportMoment, ReportSection, ReportTable, Row, clock
from console.report.report import Report
from console.views.generated_table import value_text
from console.views.render_context import RenderContext
from console.views.wording import amount, in_sentence, known_count, known_share, percent, plural, span_words

LONGEST = 120
"""Most cells of a text in a table."""
_NOTEWORTHY_MS = 5_000
"""A time that was not known is not worth a word if it is shorter."""


def sections(report: Report, render: RenderContext, notes: tuple[Note, ...] = ()) -> tuple[ReportSection, ...]:
    """Return the report in words. `notes` are from that time."""
    report_texts = _Words(report, render)
    return (
        report_texts.summary(),
        *((report_texts.notes(notes),) if notes else ()),
        report_texts.episodes(),
        report_texts.alerts(),
        report_texts.queues(),
        report_texts.skills(),
        report_texts.chats(),
        report_texts.outages(),
        report_texts.quality(),
        report_texts.own(),
    )


def _heads(*titles: str) -> tuple[ColumnHeading, ...]:
    """Return headings; those that begin with `>` have numbers, those with `~` before that are minor."""
    return tuple(ColumnHeading(title.lstrip("~>"), ">" in title[:2], title.startswith("~")) for title in titles)


def _cells(*values: object) -> tuple[SafeText, ...]:
    return tuple(clean(value, LONGEST) for value in values)


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
        safe_texts: list[SafeText] = []
        missing = [kind for kind in kinds if kind not in self.report.lists]
        if missing:
            return (clean(f"Not known: the {_named(missing)} were not recorded."),)
        ms = self.report.known.missing_ms(*kinds)
        if ms >= _NOTEWORTHY_MS:
            safe_texts.append(clean(f"The {_named(kinds)} were not known for {span_words(ms)} of the time."))
        if cut := [kind for kind in kinds if kind in self.report.known.cut]:
            safe_texts.append(clean(f"Not all {_named(cut)} were listed: there may be more."))
        if unread := [kind for kind in kinds if kind in self.report.unread]:
            safe_texts.append(clean(f"Not all {_named(unread)} could be read: there may be more."))
        parts = [kind for kind in kinds if kind in self.report.partial]
        if parts:
            safe_texts.append(clean(f"Only the {_named(parts)} that the logged-in user sees are counted."))
        return tuple(safe_texts)

    def tells_none(self, *kinds: str) -> bool:
        """Return whether there was nothing if nothing was counted: the lists were current at some time, and whole."""
        return bool(self.report.known.of(*kinds).parts) and not any(map(self._is_partial, kinds))

    def _is_partial(self, kind: str) -> bool:
        """Return whether a list had more rows than were read."""
        return kind in self.report.known.cut or kind in self.report.unread

    def summary(self) -> ReportSection:
        """Return the key figures, and what was not recorded."""
        report, known = self.report, self.report.known
        facts: list[SafeText] = []
        if report.calls is not None:
            offered, answered, abandoned = (
                sum(getattr(queue, name) for queue in report.calls.queues)
                for name in ("offered", "answered", "abandoned")
            )
            counts = f"{plural(offered, 'call')} offered, {amount(answered)} answered, {amount(abandoned)} abandoned."
            facts += self._counted("calls", offered, counts)
        if report.alerts is not None:
            counts = f"{plural(report.alerts.sent, 'alert')}, {amount(report.alerts.accepted)} of them accepted."
            facts += self._counted("alerts", report.alerts.sent, counts)
        if known.outages:
            down = sum(outage.end_ms - outage.start_ms for outage in known.outages)
            facts.append(clean(f"The service could not be reached for {span_words(down)}."))
        rows = tuple(
            Row(_cells(self.at(gap.start_ms), self.at(gap.end_ms), span_words(gap.end_ms - gap.start_ms), gap.reason))
            for gap in known.gaps
            if gap.end_ms - gap.start_ms >= _NOTEWORTHY_MS
        )
        if rows:
            facts.append(clean("Some of the time was not recorded: what happened then is in none of the figures."))
        for value in report.damage:
            facts.append(clean(f"The recording is damaged: {value}"))
        if report.notes_fault:
            facts.append(clean(f"The hand-over notes are missing: {report.notes_fault}."))
        tables = (ReportTable("Not recorded", _heads("From", "To", ">Length", "Reason"), rows),) if rows else ()
        return ReportSection("summary", "Summary", tuple(facts), tables)

    def _counted(self, kind: str, many: int, counts: str) -> tuple[SafeText, ...]:
        """Return the key figures of a list, and what is not known of it that no other fact of the summary tells."""
        known = self.report.known
        failed = sum(end - start for start, end in known.missing(kind).parts) >= _NOTEWORTHY_MS
        doubts = self.unknown(kind) if failed or self._is_partial(kind) else ()
        return (clean(counts), *doubts) if many or self.tells_none(kind) else doubts

    def notes(self, notes: tuple[Note, ...]) -> ReportSection:
        """Return the hand-over notes."""
        rows = tuple(
            Row(_cells(self.at(note.at_ms), note.author, note.text), self._moment(note.moment_ms, note.kind, note.key))
            for note in notes
        )
        return ReportSection("notes", "Hand-over notes", (), (ReportTable("", _heads("Written", "By", "Note"), rows),))

    def episodes(self) -> ReportSection:
        """Return what needed attention."""
        rules = self.report.rules
        rows = tuple(
            Row(
                _cells(
                    rule.title,
                    rule.severity,
                    amount(rule.episodes),
                    span_words(rule.ms),
                    self.at(rule.longest_at),
                    span_words(rule.longest_ms),
                    rule.longest_words,
                    amount(rule.seen),
                    "" if rule.seen_median_ms is None else span_words(rule.seen_median_ms),
                    ", ".join(rule.seen_by),
                ),
                self._moment(rule.longest_at + 1_000, "episodes", rule.longest_id),
            )
            for rule in rules or ()
        )
        heads = _heads(
            "Rule",
            "Worst",
            ">Times",
            ">Total",
            "Longest from",
            ">Lasted",
            "About",
            "~>Seen",
            "~>After (median)",
            "~By",
        )
        facts = (clean("Nothing needed attention."),) if rules == () and self.tells_none("episodes") else ()
        return ReportSection(
            "episodes", "What needed attention", (*facts, *self.unknown("episodes")), _table("", heads, rows)
        )

    def alerts(self) -> ReportSection:
        """Return who accepted alerts after how long."""
        figures = self.report.alerts
        if figures is None or not (figures.sent or figures.undated or self.tells_none("alerts")):
            return ReportSection("alerts", "Alerts", self.unknown("alerts"))
        facts = [
            f"{plural(figures.sent, 'alert')} {of_number(figures.sent, 'was')} sent or open, "
            f"{amount(figures.accepted)} accepted."
        ]
        if figures.median_ms is not None and figures.slowest:
            slowest = figures.slowest[0]
            facts.append(
                f"Accepted after {span_words(figures.median_ms)} in the middle (median), "
                f"{span_words(slowest.accepted_ms or 0)} at most"
                + (f", without {amount(figures.untimed)} of unknown duration." if figures.untimed else ".")
            )
        if figures.undated:
            facts.append(f"{plural(figures.undated, 'more alert')} without a time of sending.")
        if figures.unknown:
            facts.append(f"Of {plural(figures.unknown, 'alert')}, it is not known whether somebody accepted.")
        if figures.never_many > len(figures.never):
            facts.append(f"{amount(figures.never_many)} were not accepted; the first {len(figures.never)} are listed.")
        people = tuple(
            Row(_cells(who, amount(many), "" if ms is None else span_words(ms))) for who, many, ms in figures.by
        )
        slow = tuple(
            Row(
                _cells(
                    self.at(alert.sent_ms),
                    alert.title,
                    alert.accepted_by,
                    "" if alert.accepted_ms is None else span_words(alert.accepted_ms),
                ),
                self._moment(alert.sent_ms, "alerts", alert.alert),
            )
            for alert in figures.slowest
        )
        never = tuple(
            Row(
                _cells(self.at(alert.sent_ms), alert.title, display_word(alert.state)),
                self._moment(alert.sent_ms, "alerts", alert.alert),
            )
            for alert in figures.never
        )
        return ReportSection(
            "alerts",
            "Alerts",
            (*map(clean, facts), *self.unknown("alerts")),
            (
                *_table("Accepted by", _heads("Who", ">Alerts", ">After (median)"), people),
                *_table("Slowest", _heads("Sent", "Alert", "Accepted by", ">After"), slow),
                *_table("Never accepted", _heads("Sent", "Alert", "State"), never),
            ),
        )

    def queues(self) -> ReportSection:
        """Return the queues with their service level and worst waits."""
        figures = self.report.calls
        if figures is None:
            return ReportSection("queues", "Queues", self.unknown("calls"))
        used = [queue for queue in figures.queues if queue.offered]
        rows = tuple(
            Row(
                _cells(
                    queue.name,
                    amount(queue.offered),
                    amount(queue.answered),
                    amount(queue.abandoned),
                    amount(queue.moved),
                    amount(queue.waiting),
                    amount(queue.unknown),
                    "" if share is None else known_share(share, self._render, exact=queue.in_time_exact),
                    f"{'≥ ' if queue.untimed else ''}{span_words(queue.waits[0].ms)}" if queue.waits else "",
                    self.at(queue.waits[0].ended_ms) if queue.waits else "",
                ),
                self._moment(queue.waits[0].ended_ms - 1_000, "calls", queue.waits[0].call) if queue.waits else None,
            )
            for queue in used
            for share in (queue.in_time_percent,)
        )
        heads = _heads(
            "Queue", ">Offered", ">Answered", ">Abandoned", "~>Moved", "~>Waiting", "~>Not known", ">In time",
            ">Worst wait", "Until",
        )  # fmt: skip
        waits = sorted(
            ((wait, queue.name) for queue in used for wait in queue.waits),
            key=lambda entry: -entry[0].ms,
        )[:10]  # fmt: skip
        worst = tuple(
            Row(
                _cells(self.at(wait.ended_ms), queue, wait.caller, span_words(wait.ms), wait.ending),
                self._moment(wait.ended_ms - 1_000, "calls", wait.call),
            )
            for wait, queue in waits
        )
        facts = (clean("No call waited."),) if self.tells_none("calls") else ()
        if rows:
            within = span_words(figures.breach_ms)
            facts = (clean(f"In time: answered within {within}, of the calls answered or abandoned."),)
        return ReportSection(
            "queues",
            "Queues",
            (*facts, *self.unknown("calls")),
            (
                *_table("", heads, rows),
                *_table("Worst waits", _heads("Until", "Queue", "Caller", ">Waited", "Ending"), worst),
            ),
        )

    def skills(self) -> ReportSection:
        """Return the times with too few agents."""
        skills = self.report.skills
        if skills is None:
            return ReportSection("skills", "Understaffed skills", self.unknown("agents", "skills"))
        rows = tuple(
            Row(
                _cells(
                    skill.skill,
                    amount(skill.times),
                    span_words(skill.ms),
                    amount(skill.fewest),
                    f"{self.at(skill.longest[0][0])} to {self.at(skill.longest[0][1])}",
                ),
                self._moment(skill.longest[0][0] + 1_000, "skills", skill.skill),
            )
            for skill in skills
        )
        in_doubt = self.report.skills_in_doubt
        none = not rows and self.tells_none("agents", "skills")
        facts = (clean("No skill was understaffed."),) if none and not in_doubt else ()
        if in_doubt:
            facts = (clean(f"Not always known to have had enough agents: {value_text(in_doubt)}."),)
        heads = _heads("Skill", ">Times", ">Total", ">Fewest", "Longest")
        return ReportSection(
            "skills", "Understaffed skills", (*facts, *self.unknown("agents", "skills")), _table("", heads, rows)
        )

    def chats(self) -> ReportSection:
        """Return the chats of each agent."""
        agents = self.report.agents
        if agents is None:
            return ReportSection("chats", "Chats", self.unknown("agents"))
        rows = tuple(
            Row(
                _cells(agent.name, amount(agent.handled), amount(agent.handed_over), amount(agent.taken_over)),
                self._moment(self.report.last_ms, "agents", agent.agent),
            )
            for agent in agents
        )
        in_doubt = self.report.chats_in_doubt
        none = not rows and not in_doubt and self.tells_none("agents")
        facts = (clean("Nobody had a support chat."),) if none else ()
        if in_doubt:
            facts = (clean(f"Not all chats are known of: {value_text(in_doubt)}."),)
        heads = _heads("Agent", ">Handled", ">Handed over", ">Taken over")
        return ReportSection("chats", "Chats", (*facts, *self.unknown("agents")), _table("", heads, rows))

    def outages(self) -> ReportSection:
        """Return when the service, or a list of it, could not be reached."""
        report, known = self.report, self.report.known
        facts: list[str] = []
        rows = tuple(
            Row(
                _cells(
                    self.at(outage.start_ms),
                    self.at(outage.end_ms),
                    span_words(outage.end_ms - outage.start_ms),
                    outage.reason,
                ),
                self._moment(outage.start_ms + 1_000, "connection", ""),
            )
            for outage in known.outages
        )
        if known.link_missing_ms >= _NOTEWORTHY_MS:
            ms = known.link_missing_ms
            facts.append(f"Not known for {span_words(ms)} of the recorded time: whether the service could be reached.")
        elif not rows and known.recorded.parts:
            facts.append("The service could be reached all the time that was recorded.")
        restarts = tuple(
            Row(_cells(self.at(restart)), self._moment(restart, "connection", "")) for restart in report.restarts or ()
        )
        if report.restarts is None:
            facts.append("Not known: whether the service restarted was not recorded.")
        lists: list[tuple[int, str]] = []
        for kind in report.lists:
            ms = sum(end - start for start, end in known.missing(kind).parts)
            if ms >= _NOTEWORTHY_MS:
                lists.append((ms, kind))
        other = tuple(Row(_cells(_named([kind]), span_words(ms))) for ms, kind in sorted(lists, reverse=True))
        return ReportSection(
            "outages",
            "Outages",
            tuple(map(clean, facts)),
            (
                *_table("Not reached", _heads("From", "To", ">Length", "Reason"), rows),
                *_table("Restarts of the service", _heads("At"), restarts),
                *_table("Lists that were not current while the service was reached", _heads("List", ">Length"), other),
            ),
        )

    def quality(self) -> ReportSection:
        """Return the worst calls."""
        figures = self.report.quality
        if figures is None or not (figures.alarms or figures.undated or self.tells_none("alarms")):
            return ReportSection("quality", "Call quality", self.unknown("alarms"))
        exact = not figures.without_call
        calls = f"{known_count(figures.calls, self._render, exact=exact)} {of_number(figures.calls, 'call')}"
        facts = [f"{plural(figures.alarms, 'quality alarm')} of {calls}."]
        if figures.percent is not None and (exact or figures.calls):
            share = f"{'' if exact else 'at least '}{percent(figures.percent, 1)} %"
            facts.append(f"That is {share} of the {plural(figures.talked, 'answered call')}.")
        if figures.undated:
            facts.append(f"{plural(figures.undated, 'more alarm')} without a time.")
        rows = tuple(
            Row(
                _cells(
                    self.at(call.at_ms),
                    call.name,
                    "" if call.loss_percent is None else f"{percent(call.loss_percent, 1)} %",
                ),
                self._moment(call.at_ms + 1_000, "alarms", call.alarm),
            )
            for call in figures.worst
        )
        heads = _heads("At", "Call", ">Loss")
        return ReportSection(
            "quality",
            "Call quality",
            (*map(clean, facts), *self.unknown("alarms")),
            _table("Worst calls", heads, rows),
        )

    def own(self) -> ReportSection:
        """Return own changes."""
        changes = self.report.own
        rows = tuple(
            Row(
                _cells(self.at(change.at_ms), change.who, change.words, change.result, change.reason),
                self._moment(change.at_ms, "", change.key),
            )
            for change in changes
        )
        facts = () if rows else (clean("Nothing was changed with the console."),)
        heads = _heads("At", "~Who", "Change", "Result", "Reason")
        return ReportSection("own", "Own changes", facts, _table("", heads, rows))

    def _moment(self, at_ms: int, kind: str, key: str) -> ReportMoment:
        """Return a moment of which something was recorded: the nearest, if it is outside."""
        recorded = self.report.known.recorded.parts
        return ReportMoment(min(max(at_ms, recorded[0][0]), recorded[-1][1]), kind, key)


def _table(title: str, headings: tuple[ColumnHeading, ...], rows: tuple[Row, ...]) -> tuple[ReportTable, ...]:
    return (ReportTable(title, headings, rows),) if rows else ()


def _named(kinds: Iterable[str]) -> str:
    titles = {kind: in_sentence(TABLES[kind].title) if kind in TABLES else kind for kind in kinds}
    return " and ".join((titles | {"episodes": "things that needed attention"})[kind] for kind in titles)
