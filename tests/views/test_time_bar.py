"""The bar of the recorded time: its height, colour, marks, times and words."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from console.ui.widgets.time_bar import TimeScale, time_bar
from console.views.cell import Tone

ZONE = ZoneInfo("Europe/Madrid")
BEGAN = 1_763_539_200_000
"""Wednesday, 19 November 2025, 09:00 in Madrid."""
MINUTE = 60_000


def at(minute: float) -> float:
    return BEGAN + minute * MINUTE


SCALE = TimeScale((at(0), at(60)), 72)
"""One slot a minute."""
EPISODES = [(at(5), at(9.5), "warning"), (at(8), at(9.5), "notice"), (at(30), at(31.5), "critical")]
MARKS = [(at(20), "•", "eva accepted Fire"), (at(30), "", "alert: Line down")]
KNOWN = [(at(0), at(39.5)), (at(50), at(60))]


def rows(minute: float, symbols: str = "full") -> list[str]:
    lines = time_bar(SCALE, KNOWN, EPISODES, MARKS, at(minute), ZONE, symbols)
    return ["".join(cell.text for cell in line) for line in lines]


def test_the_bar_is_as_high_as_the_number_of_open_episodes_and_empty_where_nothing_was_recorded() -> None:
    bar = "·····▁▁▁▂▂··········•·········▁▁········          ········║·"
    assert rows(58)[0] == f"09:00 {bar} 10:00"
    assert rows(58, "plain")[0] == f"09:00 {bar.replace('▁', '░').replace('▂', '▒')} 10:00"
    assert all(row.isascii() for row in rows(58, "ascii"))


def test_only_critical_episodes_have_a_colour() -> None:
    bar = time_bar(SCALE, KNOWN, EPISODES, (), at(58), ZONE, "full")[0]
    assert [(cell.text, cell.tone) for cell in bar if "▁" in cell.text or "▂" in cell.text] == [
        ("▁▁▁", Tone.QUIET),
        ("▂▂", Tone.QUIET),
        ("▁▁", Tone.BAD),
    ]


def test_below_the_moment_are_words_between_the_times() -> None:
    assert rows(3)[1].split() == ["nothing", "open", "09:30"]
    assert rows(9)[1].split() == ["2", "open", "09:30"]
    assert "eva accepted Fire" in rows(20)[1]
    assert "alert: Line down" in rows(30)[1]
    assert "1 open, 1 critical" in rows(31)[1]
    assert "not recorded" in rows(45)[1]
    assert rows(58)[1].index("09:30") == 6 + 30, "a time is below its moment"


def test_of_two_things_in_a_slot_the_words_are_those_of_the_one_at_the_moment() -> None:
    marks = [(at(40.1), "×", "link: not connected"), (at(40.6), "│", "restart")]
    for minute, happened in ((40.1, "link: not connected"), (40.6, "restart")):
        row = time_bar(SCALE, KNOWN, EPISODES, marks, at(minute), ZONE, "full")[1]
        assert happened in [cell.text for cell in row]


def test_the_bar_has_its_full_height_only_where_the_most_were_open() -> None:
    many = [(at(minute), at(25), "warning") for minute in range(1, 25)]
    bar = time_bar(SCALE, KNOWN, many, (), at(58), ZONE, "full")[0]
    text = "".join(cell.text for cell in bar)
    assert text.startswith("09:00 ·▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇████·")
