"""The age of what begins in the future, as the service tells or after a clock was set back."""

from __future__ import annotations

from typing import Any

from console.kinds.tables import TABLES
from console.records.traffic import Call
from console.views.export import to_object
from console.views.filter import parse
from tests.for_each import for_each
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
