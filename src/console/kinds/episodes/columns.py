"""The table of episodes: what needs attention, since when, how bad it was, who saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.config.schema import SavedView
from console.kinds.catalogue import LIVE
from console.kinds.episodes.facts import muted, need_attention, over, since, unseen
from console.kinds.episodes.states import SEVERITIES, STATES
from console.records.episodes import Episode
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, pair, several, text_line
from console.views.render_context import RenderContext
from console.views.states import symbol
from console.views.table import Link, Table


def name(episode: Episode, _render: RenderContext) -> SafeText:
    """Return the name of an episode in a sentence."""
    return clean(f"{episode.title or episode.rule or ''}: {episode.words or ''}", 100)


def _shown_since(episode: Episode, _render: RenderContext) -> float | None:
    return wording.at(episode.ended_at) if over(episode) else since(episode)


def _lasted(episode: Episode, render: RenderContext) -> float | None:
    return render.lasted(wording.at(episode.began_at), wording.at(episode.ended_at))


def _title_cell(episode: Episode, render: RenderContext) -> Cell:
    """Return the title with the symbol of the severity, or of the state if it has ended or is muted."""
    quiet = over(episode) or muted(episode)
    look = STATES.look(episode.state) if quiet else SEVERITIES.look(episode.severity)
    return Cell(clean(f"{symbol(look, render)} {episode.title or wording.dash(render)}"), look.tone)


def _count_cell(episode: Episode, render: RenderContext) -> Cell:
    count = episode.count or 0
    return Cell(clean(drawn(f"×{wording.amount(count)}", render.symbols)) if count > 1 else clean(""))


def _detail(episode: Episode, render: RenderContext) -> tuple[Section, ...]:
    lines = (
        labelled("State", [STATES.cell(episode.state, render)]),
        labelled("Severity", [SEVERITIES.cell(episode.severity, render)]),
        labelled("Worst", [SEVERITIES.cell(episode.worst, render)]),
        pair("What", episode.words, render, Tone.STRONG),
        pair("Rule", episode.rule, render),
        pair("Rows", f"{wording.count(episode.count, render)}, at most {wording.count(episode.most, render)}", render),
        pair("Waits since", wording.moment(wording.at(episode.since_at), render), render),
        pair("Began", wording.moment(wording.at(episode.began_at), render), render),
        pair("Renewed", wording.moment(wording.at(episode.renewed_at), render), render),
        pair("Seen", wording.moment(wording.at(episode.seen_at), render), render),
        pair("Ended", wording.moment(wording.at(episode.ended_at), render), render),
        pair("Cause", episode.cause, render),
        pair("List", episode.list, render),
        pair("Filter", episode.filter, render),
        pair("Id", episode.key, render),
    )
    sections = [*faults_section(episode), Section("episode", "Summary", lines)]
    if len(episode.keys) > 1:
        lines = several(episode.keys, text_line)
        sections.append(Section("rows", f"Rows {len(episode.keys)}", lines))
    if wording.at(episode.muted_until) is not None:
        muted_lines = (
            pair("Until", wording.moment(wording.at(episode.muted_until), render), render),
            pair("By", episode.muted_by, render),
            pair("Reason", episode.reason, render),
        )
        sections.append(Section("muted", "Muted", muted_lines))
    return tuple(sections)


def _totals(episodes: Iterable[Episode], render: RenderContext) -> Line:
    counts = Counter(episode.state or "unknown" for episode in episodes)
    line = [Cell(clean(need_attention(counts.pop("active", 0))), Tone.STRONG)]
    for state, many in sorted(counts.items(), key=lambda item: STATES.look(item[0]).rank):
        line += [gap(), STATES.counted(state, many, render)]
    return tuple(line)


def links(episode: Episode, render: RenderContext) -> tuple[Link, ...]:
    """Return a link to the record, if there is only one."""
    only_key = episode.keys[:1] if len(episode.keys) == 1 and episode.list in LIVE else ()
    return tuple(Link(episode.list or "", episode.list or "", key) for key in only_key)


TABLE: Table[Episode] = Table(
    kind="episodes",
    title="Needs attention",
    one="",
    order="-since",
    columns=columns.marked(
        (
            columns.custom("title", "Title", 12, lambda episode, _render: episode.title, _title_cell),
            columns.state(STATES, lambda episode: episode.state, width=9, ended=over, priority=2),
            # The title has its symbol, as on Home, and the detail its word.
            columns.state(
                SEVERITIES, lambda episode: episode.severity, id="severity", title="Severity", width=10, priority=9
            ),
            columns.text("words", "What", 42, lambda episode, _render: episode.words, grows=True, aliases=("what",)),
            columns.custom(
                "count",
                "",
                5,
                lambda episode, _render: wording.number(episode.count),
                _count_cell,
                kind="number",
                right=True,
                aliases=("rows",),
                about="number of rows, if there are several",
            ),
            columns.age(
                "since",
                "Since",
                _shown_since,
                rank=lambda episode, _render: int(over(episode)),
                about="how long it has waited; once ended, time since then",
                aliases=("age",),
            ),
            columns.state(SEVERITIES, lambda episode: episode.worst, id="worst", title="Worst", width=10, priority=2),
            columns.flag("unseen", "New", 4, lambda episode, _render: unseen(episode), priority=1, aliases=("new",)),
            columns.time("seen", "Seen", 12, lambda episode: episode.seen_at, priority=3, shows="seenAt"),
            columns.left("muted", "Muted", lambda episode, _render: episode.muted_until, priority=2),
            columns.prose("reason", "Reason", 16, lambda episode: episode.reason, priority=4),
            columns.text("rule", "Rule", 16, lambda episode, _render: episode.rule, priority=5),
            columns.lasting("lasted", "Lasted", _lasted, priority=4),
            columns.time("began", "Began", 12, lambda episode: episode.began_at, priority=5),
            columns.time("ended", "Ended", 12, lambda episode: episode.ended_at, priority=9, shows="endedAt"),
            columns.text("cause", "Cause", 16, lambda episode, _render: episode.cause, priority=9),
            columns.number("most", "Most", 5, lambda episode, _render: episode.most, priority=9),
            columns.text("list", "List", 12, lambda episode, _render: episode.list, priority=9),
            columns.flag("mine", "Mine", 4, lambda episode, _render: episode.mine, priority=9),
            columns.identity(lambda episode: episode.id),
        )
    ),
    name=name,
    detail=_detail,
    totals=_totals,
    links=links,
    # Their number is told.
    self_changing=frozenset(("keys", "sinceAt", "renewedAt", "about", "place")),
    views={
        "Going on": SavedView("!state:ended", "-since"),
        "Ended": SavedView("state:ended", "since"),
    },
)
