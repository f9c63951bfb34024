"""The table of the connection: one row."""

from __future__ import annotations

from console.base.text import SafeText, clean
from console.kinds.connection.facts import clock_words, lost
from console.kinds.connection.states import STATES
from console.records.connection import Connection
from console.views import columns, wording
from console.views.cell import Section, Tone
from console.views.lines import faults_section, labelled, pair
from console.views.render_context import RenderContext
from console.views.table import Table


def _name(_connection: Connection, _render: RenderContext) -> SafeText:
    return clean("this console")


def _restart(connection: Connection, render: RenderContext) -> str | None:
    at = wording.at(connection.restarted_at)
    return None if at is None else str(wording.clock(at, render))


def _detail(connection: Connection, render: RenderContext) -> tuple[Section, ...]:
    lines = (
        labelled("State", [STATES.cell(connection.state, render)]),
        pair("Since", wording.moment(wording.at(connection.since_at), render), render),
        pair("Reason", connection.reason, render),
        pair("Restarted", wording.moment(wording.at(connection.restarted_at), render), render),
        pair("Clocks", clock_words(connection) or None, render),
        pair("Journal", connection.journal or "can be written", render, Tone.BAD if connection.journal else Tone.PLAIN),
        *([pair("Recording", connection.recording, render, Tone.WARN)] if connection.recording else []),
    )
    return (*faults_section(connection), Section("connection", "Connection", lines))


TABLE: Table[Connection] = Table(
    kind="connection",
    title="Connection",
    one="connection",
    order="state",
    columns=columns.marked(
        (
            columns.state(STATES, lambda connection: connection.state),
            columns.age("age", "Since", lambda connection, _render: connection.since_at),
            columns.prose("reason", "Reason", 24, lambda connection: connection.reason, grows=True),
            columns.age(
                "restarted", "Restarted", lambda connection, _render: connection.restarted_at, width=9, priority=1
            ),
            columns.prose("journal", "Journal", 20, lambda connection: connection.journal, grows=True, priority=1),
            columns.prose("clock", "Clock", 20, clock_words, grows=True, priority=9),
            columns.prose(
                "recording", "Recording", 20, lambda connection: connection.recording, grows=True, priority=9
            ),
            columns.age(
                "journal-since",
                "No journal",
                lambda connection, _render: connection.journal_since,
                width=10,
                priority=9,
            ),
            columns.age(
                "clock-since", "Clock since", lambda connection, _render: connection.clock_since, width=11, priority=9
            ),
            columns.age(
                "recording-since",
                "Unrecorded",
                lambda connection, _render: connection.recording_since,
                width=10,
                priority=9,
            ),
            columns.flag("lost", "Lost", 4, lambda connection, _render: lost(connection), priority=9),
            columns.text("restart", "Restart", 12, _restart, priority=9, about="when the service started again"),
            columns.identity(lambda connection: connection.id),
        )
    ),
    name=_name,
    detail=_detail,
)
