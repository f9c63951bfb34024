"""The age of what begins in the future, as the service tells or after a clock was set back."""

from __future__ import annotations

from typing import Any

from console.kinds.calls.facts import waits
from console.kinds.status.summary import numbers
from console.kinds.tables import TABLES
from console.records.queues import Queue
from console.records.support import Alert, SupportChat
from console.records.traffic import Call
from console.ui.screens.wall_boards import BoardLook, figures
from console.views.cell import Line
from console.views.export import to_object
from console.views.filter import parse
from console.views.render_context import RenderContext
from tests.for_each import for_each
from tests.kinds.reading import part
from tests.kinds.sample_records import NOW as TODAY
from tests.kinds.sample_records import render_context_of
from tests.kinds.wild import NOW, render_context

CALLS: Any = TABLES["calls"]
AGE = CALLS.column("age")


@for_each(
    "begins",
    [(-33_000, "0:33", 33), (0, "0:00", 0), (3_000, "0:00", 0), (33_000, "in 0:33", -33), (3_900_000, "in 1h", -3900)],
)
def test_an_age_is_told_only_of_what_began(begins: tuple[int, str, int]) -> None:
    ahead_ms, words, seconds = begins
    call, render = Call.model_validate({"id": "c", "state": "queued", "date": NOW + ahead_ms}), render_context()
    cell = AGE.cell(call, render)
    assert (cell.text, to_object(call, [AGE], render)) == (words, {"age": seconds})
    assert len(cell.text) <= AGE.width
    assert parse("age<15m", CALLS).matches(call, render)
    assert parse("age>20s", CALLS).matches(call, render) is (seconds == 33)


def _queue(since_ms: float) -> RenderContext:
    waiting = {"id": "c", "state": "queued", "date": since_ms, "target": "support"}
    return render_context_of(
        calls=[Call.model_validate(waiting)],
        queues=[Queue(queue="support", waiting=1, longest_at=since_ms, longest="c")],
        alerts=[Alert(alert_id="a", state="active", created_at=since_ms)],
        chats=[SupportChat(chat_id="s", context={"startedAt": since_ms})],
    )


def _said(line: Line) -> str:
    return "".join(cell.text for cell in line)


@for_each("kind", ["calls", "queues", "alerts", "chats"])
@for_each("began", [(-33_000, "0:33"), (33_000, "in 0:33")])
def test_totals_tell_an_age_only_of_what_began(kind: str, began: tuple[int, str]) -> None:
    ahead_ms, words = began
    render = _queue(TODAY + ahead_ms)
    line = TABLES[kind].totals(list(render.lookup(kind).values()), render)
    assert _said(line).rpartition("est ")[2].startswith(words)


@for_each("began", [(-33_000, "0:33"), (33_000, "in 0:33")])
def test_tiles_and_boards_tell_a_wait_only_of_what_began(began: tuple[int, str]) -> None:
    ahead_ms, words = began
    render = _queue(TODAY + ahead_ms)
    assert words == numbers(waits(render), render)["wait"].second
    assert any(text.text == words for row in figures(render, BoardLook()) for text in row)
    detail = part(render.lookup("calls")["c"], "calls", "summary", render)
    assert any(line.split(maxsplit=1) == ["Total", words] for line in detail)
