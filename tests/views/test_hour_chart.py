from __future__ import annotations

from zoneinfo import ZoneInfo

from console.base.frozen import replace
from console.views.hour_chart import hour_chart
from console.views.render_context import RenderContext

RENDER = RenderContext(1_763_545_337_000, ZoneInfo("Europe/Madrid"), symbols="ascii")


def lines(*values: int | None, render: RenderContext = RENDER) -> list[str]:
    return ["".join(cell.text for cell in line).rstrip() for each in hour_chart(values, render) for line in each.lines]


def test_the_hour_has_its_scale_its_span_and_its_peak() -> None:
    chart = lines(0, 4, None, 2)
    assert chart[0].split()[0] == "4+"
    assert "#########" in chart[0]
    assert chart[-2].split() == ["09:42", "now"]
    assert chart[-1] == "at most 4 waiting calls at a time"


def test_an_hour_without_a_waiting_call_says_so_as_far_as_it_is_known() -> None:
    assert lines(0, 0)[-1] == "no call has waited in this hour"
    assert lines(None, 0)[-1] == "no call is known to have waited in this hour"


def test_an_hour_of_which_nothing_is_known_has_no_chart() -> None:
    assert lines() == lines(None, None) == []


def test_own_changes_of_the_hour_are_dots_and_the_last_one_has_words() -> None:
    changes = [(RENDER.now_ms - 1000 * ago, f"accepted Fire {ago}") for ago in (3700, 1810, 30)]
    chart = lines(4, 0, 0, render=replace(RENDER, changes=lambda: changes))
    assert [place for place, sign in enumerate(chart[0]) if sign == "*"] == [5 + 17, 5 + 35]
    assert chart[-1] == "* accepted Fire 30 10:41"
    assert lines(4, 0, 0, render=replace(RENDER, changes=lambda: changes[:1])) == lines(4, 0, 0)
