"""Times are read in every unit and form that services send, and nothing else is taken for one."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from console.records.moments import LATEST_MS, at
from tests.for_each import for_each

MOMENT = 1_790_000_000_000
"""21 September 2026, 14:13:20 UTC."""


@for_each(
    "sent",
    [
        1_790_000_000,
        1_790_000_000.0,
        1_790_000_000_000,
        1_790_000_000_000_000,
        1_790_000_000_000_000_000,
        "1790000000",
        "1790000000.0",
        " 1790000000000 ",
        "1790000000000000",
        "1790000000000000000",
        "2026-09-21T14:13:20Z",
        "2026-09-21T14:13:20.000000+00:00",
        "2026-09-21T16:13:20+02:00",
        "2026-09-21 14:13:20",
        "20260921T141320Z",
        "2026-09-21T16:13:20.000+02:00[Europe/Madrid]",
        "/Date(1790000000000)/",
        "/Date(1790000000000+0200)/",
    ],
)
def test_a_time_is_the_same_in_every_unit_and_form(sent: object) -> None:
    assert at(sent) == MOMENT


@for_each("sent", [None, True, False, 0, -1, -1.5, "0", "-1", [], {}, 1, 1.5, 3_600, 86_400_000, "60"])
def test_a_value_that_means_never_is_no_time(sent: object) -> None:
    assert at(sent) is None


@for_each(
    "sent",
    [
        *(1e308, -1e308, float("nan"), float("inf"), 10**400, -(10**400), LATEST_MS, 10**14, 8 * 10**15),
        *(
            "9" * 400,
            "1" * 18,
            "2026-13-45",
            "2026-13-45T25:61:00Z",
            "tomorrow",
            "",
            "\x1b[2J",
            "\ud800",
            "+34600111222",
        ),
        *("2026-09-21T14:13:20[", "/Date(x)/", "[Europe/Madrid]"),
        *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "١٧٩٠٠٠٠٠٠٠"),
    ],
)
def test_a_hostile_value_is_no_time(sent: object) -> None:
    assert at(sent) is None


@given(st.one_of(st.integers(), st.floats(), st.text(), st.datetimes().map(str)))
@example("1970-01-01 00:01")
def test_every_time_is_before_the_year_2200_and_reads_as_itself(sent: object) -> None:
    found = at(sent)
    assert found is None or (0 < found < LATEST_MS and at(found) == found)
