"""A chart tells its scale, its span, and when the service restarted."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import App, ComposeResult

from console.base.frozen import replace
from console.kinds.status.charts import CHARTS, HOUR, curve
from console.ui.widgets.chart import ChartView
from console.views.render_context import RenderContext
from tests.idle.world import NOW_MS
from tests.kinds.wild import ZONE

NAMED = {chart.name: chart for chart in CHARTS}
RENDER = RenderContext(NOW_MS, ZONE, symbols="plain")


class OneChart(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.view = ChartView()

    def compose(self) -> ComposeResult:
        yield self.view


async def drawn(
    name: str,
    values: Sequence[float | None],
    uptime: Sequence[float | None] = (),
    render: RenderContext = RENDER,
    columns: int = 10,
) -> list[str]:
    """Return the lines of a chart, by default with ten columns."""
    app = OneChart()
    width = {"ms": 6, "bytes": 7}.get(NAMED[name].unit, 5) + columns + 2
    async with app.run_test(size=(width, 6)):
        shown = curve(NAMED[name], values, uptime, values[-1], app.view.intervals(NAMED[name], render.symbols), HOUR)
        app.view.show(NAMED[name], shown, HOUR, render)
        return app.view.said.splitlines()


async def test_a_number_has_a_scale_and_a_span() -> None:
    assert await drawn("waiting", [0, 1, 2, 3, 4, None, None, 4, 4, 2]) == [
        "Waiting  2",
        "   4┤    █  ██ ",
        "        █░  ░░ ",
        "       █░░  ░░█",
        "   0┤─█░░░  ░░░",
        "1 h  09:42  now",
    ]


async def test_a_rate_shows_the_restart_of_the_service() -> None:
    counts = [0, 60, 120, 180, 240, 300, 12, 24, 36, 48, 60, 72]
    said = await drawn("rate", counts, [*range(900, 1500, 100), *range(6)])
    assert said[0] == "Calls a minute  2"
    assert said[1].count("│") == 1
    assert said[1].index("│") == 5 + 5


async def test_a_wait_is_measured_against_its_thresholds() -> None:
    said = await drawn("longest", [150_000.0] * 10)
    assert said[1].startswith(" 3:00┤")
    assert sum("──────────" in line for line in said) == 2


async def test_a_number_without_samples_is_one_line_that_says_so() -> None:
    assert await drawn("free", [None] * 10, columns=30) == ["Free agents  no samples"]


async def test_a_number_that_is_known_for_a_moment_says_when_there_is_a_chart() -> None:
    young: list[float | None] = [None] * 39
    assert await drawn("free", [*young, 4], columns=40) == ["Free agents  4", "a chart from 10:43"]
    assert len(await drawn("free", [*young, 3, 4], columns=40)) > 1


async def test_a_wide_chart_names_its_peak_its_restart_and_its_last_value() -> None:
    uptime = [*range(100, 4100, 100), *range(100, 4100, 100)]
    values = [0, 0, 1, 8, *[2.0] * 74, 3, 3]
    lines = await drawn("waiting", values, uptime, replace(RENDER, symbols="full"), columns=45)
    assert lines[0] == "Waiting  3  peak 8 at 09:45  ┊ restarted 10:13"
    assert [line[:5] for line in lines[1:5]] == ["   8┤", "     ", "     ", "   0┤"]
    assert [line.endswith(" 3") for line in lines[1:5]] == [False, False, True, False]
    assert all(line[25] == "┊" for line in lines[1:3])


async def test_where_the_head_has_no_room_for_a_restart_the_word_is_below_its_mark() -> None:
    uptime = [*range(900, 900 + 100 * 16, 100), *range(7)]
    said = await drawn("active", [50.0] * 16 + [3.0] * 7, uptime, columns=23)
    assert "restart" not in said[0]
    assert said[-1] == "1 h  09:42       restart now"
    mark = said[1].index("│")
    assert said[-1].index("restart") <= mark <= said[-1].index("restart") + len("restart")
    narrow = await drawn("active", [50.0] * 7 + [3.0] * 3, [*range(900, 1600, 100), *range(3)])
    assert narrow[-1] == "1 h  09:42  now"


async def test_an_own_change_is_a_mark_with_its_words_or_a_word_below_it() -> None:
    changes = [(NOW_MS - 2_700_000, "accepted Fire"), (NOW_MS - 1_500_000, "ended a call")]
    render = replace(RENDER, symbols="full", changes=lambda: changes)
    wide = await drawn("waiting", [2.0, *[1.0] * 89], [*range(0, 9000, 100)], render, columns=45)
    assert wide[0].endswith("• ended a call 10:17")
    assert [place for place, sign in enumerate(wide[1]) if sign == "•"] == [5 + 11, 5 + 26]
    narrow = await drawn("waiting", [1.0] * 44, (), render, columns=22)
    assert "•" not in narrow[0]
    assert narrow[-1] == "1 h  09:42    change    now"
    assert narrow[1].index("•", 12) in range(narrow[-1].index("change"), narrow[-1].index("now"))


async def test_a_restart_and_an_own_change_both_have_a_word_below_their_marks() -> None:
    render = replace(RENDER, changes=lambda: [(NOW_MS - 1_000_000, "accepted Fire")])
    said = await drawn("active", [50.0] * 12 + [3.0] * 18, [*range(900, 2100, 100), *range(18)], render, columns=30)
    assert said[-1].split() == ["1", "h", "09:42", "restart", "change", "now"]
