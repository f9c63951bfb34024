"""The columns of queues."""

from __future__ import annotations

from console.base.frozen import replace
from console.base.text import cells
from console.kinds.calls import WAIT
from console.kinds.queues import IN_TIME
from console.kinds.queues.columns import TABLE, breach_cell, calls_in, in_time_cell, waiting_cell
from console.records.queues import Queue
from console.views.cell import Tone
from console.views.filter import parse
from tests.for_each import for_each
from tests.kinds.sample_records import NOW, call, render_context_of


def test_by_how_much_a_wait_is_late_is_never_cut() -> None:
    render, width = render_context_of(), TABLE.column("breach").width
    minute = 60_000
    texts = {wait: breach_cell(Queue(longest_at=NOW - wait * minute), render) for wait in (1, 14, 125, 3000)}
    assert [cell.text for cell in texts.values()] == ["in 1:00", "12:00", "2h 03m", "2d 01h"]
    assert all(cells(cell.text) <= width for cell in texts.values())
    assert [cell.tone is Tone.BAD for cell in texts.values()] == [False, True, True, True]


def test_the_time_until_a_limit_of_hours_or_days_is_never_cut() -> None:
    hour, width = 3_600_000, TABLE.column("breach").width
    for untimed in (0, 1):
        queue = Queue(longest_at=NOW, untimed=untimed)
        for hours in (0.5, 14.07, 99, 2399):
            goal = replace(WAIT, bad=hours * hour)
            assert cells(breach_cell(queue, render_context_of({WAIT.name: goal})).text) <= width, (hours, untimed)


def test_only_all_calls_are_100_percent_and_only_none_are_0() -> None:
    def shown(served: int, in_time: int) -> str:
        return in_time_cell(Queue(served_60=served, in_time_60=in_time, abandoned_60=0), "60", render_context_of()).text

    assert [shown(250, in_time) for in_time in (250, 249, 199, 1, 0)] == ["100 %", "99 %", "79 %", "1 %", "0 %"]


@for_each("in_time, said, tone", [(199, "79 %", Tone.WARN), (200, "80 %", Tone.PLAIN), (201, "80 %", Tone.PLAIN)])
def test_a_share_that_is_shown_as_the_goal_has_reached_it(in_time: int, said: str, tone: Tone) -> None:
    cell = in_time_cell(Queue(served_60=250, in_time_60=in_time, abandoned_60=0), "60", render_context_of())
    assert (cell.text, cell.tone) == (said, tone)


def test_a_fractional_goal_is_missed_by_the_whole_number_below_it() -> None:
    goal = replace(IN_TIME, warn=79.5)
    cell = in_time_cell(
        Queue(served_60=250, in_time_60=199, abandoned_60=0), "60", render_context_of({IN_TIME.name: goal})
    )
    assert (cell.text, cell.tone) == ("79 %", Tone.WARN)


def test_a_filter_on_a_share_agrees_with_the_shown_cell() -> None:
    queue = Queue(served_60=250, in_time_60=199, abandoned_60=0)
    assert TABLE.column("in-time-60").cell(queue, render_context_of()).text == "79 %"
    found = [
        operator
        for operator in ("=", "<=", ">=", "<", ">", "!=")
        if parse(f"in-time-60{operator}79", TABLE).matches(queue, render_context_of())
    ]
    assert found == ["=", "<=", ">="]


def test_waiting_calls_without_a_time_come_after_the_longest_wait() -> None:
    calls = [call("a", "queued", None, target="sales"), call("b", "queued", 30, target="sales")]
    calls.append(call("c", "queued", 90, target="sales"))
    found = calls_in(Queue(queue="sales", waiting=3), render_context_of(calls=calls))
    assert [each.id for each in found] == ["c", "b", "a"]


def test_a_caller_who_sees_only_own_calls_is_not_told_that_no_call_has_waited() -> None:
    quiet, mine = Queue(queue="sales", trend=(None, 0, 0)), Queue(queue="support", trend=(0, 2, 0))
    for role, expected in (("user", ["–", "▂"]), ("admin", ["··", "·▂·"])):
        render = replace(render_context_of(), role=role, symbols="full")
        shown = [TABLE.column("trend").cell(queue, render).text.strip() for queue in (quiet, mine)]
        assert shown == expected
        hours = [{section.id for section in TABLE.detail(queue, render)} for queue in (quiet, mine)]
        assert ["hour" in ids for ids in hours] == [role == "admin", True]


def test_a_caller_who_sees_only_own_calls_is_not_told_that_no_call_waits() -> None:
    quiet, mine = Queue(queue="sales", waiting=0), Queue(queue="support", waiting=1)
    for role, of_quiet, head in (("user", "–", "1 of yours waiting"), ("admin", "0", "1 waiting")):
        render = replace(render_context_of(), role=role)
        assert [waiting_cell(queue, render).text for queue in (quiet, mine)] == [of_quiet, "1"]
        assert TABLE.totals is not None
        assert head in "".join(cell.text for cell in TABLE.totals((quiet, mine), render))
