"""The titles of the tabs, as far as there is room for them."""

from __future__ import annotations

import pytest

from console.base.text import cells
from console.ui.widgets.frame import TabLabel, fitting_titles


def tab(title: str, count: str = "", short: str = "") -> TabLabel:
    counted = [f"{each} {count}" if count else "" for each in (title, short or title)]
    return TabLabel(title, "1", title, short or title, *counted)


TABS = [
    tab("Home"),
    tab("Calls", "128"),
    tab("Conferences", "9", "Conf"),
    tab("Presence", "212", "Pres"),
    tab("Agents", "38"),
    tab("Alerts", "3"),
    tab("Groups", "30"),
    tab("Admin"),
]


@pytest.mark.parametrize(
    ("width", "here", "titles"),
    [
        (101, "Home", "Home|Calls 128|Conferences 9|Presence 212|Agents 38|Alerts 3|Groups 30|Admin"),
        (100, "Home", "Home|Calls 128|Conf 9|Presence 212|Agents 38|Alerts 3|Groups 30|Admin"),
        (93, "Home", "Home|Calls 128|Conf 9|Pres 212|Agents 38|Alerts 3|Groups 30|Admin"),
        (93, "Conferences", "Home|Calls 128|Conf 9|Pres 212|Agents 38|Alerts 3|Groups 30|Admin"),
        (97, "Conferences", "Home|Calls 128|Conferences 9|Pres 212|Agents 38|Alerts 3|Groups 30|Admin"),
        (78, "Home", "Home|Calls 128|Conf 9|Pres|Agents|Alerts|Groups|Admin"),
        (78, "Alerts", "Home|Calls 128|Conf|Pres|Agents|Alerts 3|Groups|Admin"),
        (75, "Home", "Home|Calls|Conf|Pres|Agents|Alerts|Groups|Admin"),
        (60, "Calls", "|Calls 128||||||"),
    ],
)
def test_titles_are_shortened_one_by_one_and_the_current_one_last(width: int, here: str, titles: str) -> None:
    fitting = fitting_titles(TABS, here, width)
    assert "|".join(fitting.values()) == titles
    assert sum(cells(title) + 4 for title in fitting.values() if title) <= width


@pytest.mark.parametrize("width", range(76, 102))
def test_there_is_no_room_left_for_a_whole_word(width: int) -> None:
    fitting = fitting_titles(TABS, "Home", width)
    room = width - sum(cells(title) + 4 for title in fitting.values())
    shortened = [each for each in TABS if fitting[each.name] in {each.short, each.short_counted}]
    assert all(cells(each.title) - cells(each.short) > room for each in shortened if each.short != each.title)
