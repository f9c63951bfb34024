"""How a filter goes on while it is typed: fields, and values with the number of their rows."""

from __future__ import annotations

import pytest

from console.kinds.tables import TABLES
from console.records.traffic import Call
from console.views import completion
from console.views.completion import completions
from console.views.filter import parse
from tests.for_each import for_each
from tests.kinds.sample_records import render_context_of

CALLS = [
    *(Call(id=f"q{number}", state="queued", caller=f"+3491{number}") for number in range(3)),
    Call(id="r", state="ringing", caller="+34919"),
]
RENDER = render_context_of()


def offered(text: str) -> list[tuple[str, str]]:
    return [(each.words, each.text) for each in completions(text, TABLES["calls"], CALLS, RENDER)]


@for_each(
    "text, expected",
    [
        ("state:", [("queued 3", "state:queued"), ("ringing 1", "state:ringing")]),
        ("age>1m !state:R", [("ringing 1", "age>1m !state:ringing")]),
        ("state:queued,", [("queued 3", "state:queued,queued"), ("ringing 1", "state:queued,ringing")]),
        ('state:"ri', [("ringing 1", "state:ringing")]),
        ("state=q", [("queued 3", "state=queued")]),
        ("state:x", []),
        ("state:queued", []),
        ("age:", []),
        ("nothing:", []),
        ("", []),
        ("dest", [("destination:", "destination:")]),
        ("x !dest", [("destination:", "x !destination:")]),
        ('"quoted te', []),
    ],
)
def test_fields_and_values_continue_the_last_term(text: str, expected: list[tuple[str, str]]) -> None:
    assert offered(text) == expected


def test_every_offered_value_is_a_filter_that_finds_its_rows() -> None:
    names = ["sales", "a, b", "Ana María", "x:y", "*", "!"]
    calls = [Call(id=str(number), state=name) for number, name in enumerate(names)]
    for each in completions("state=", TABLES["calls"], calls, RENDER):
        found = [call.state for call in calls if parse(each.text, TABLES["calls"]).matches(call, RENDER)]
        assert each.words.removesuffix(" 1") in found, each.text


def test_a_field_with_many_values_offers_none_and_numbers_of_a_part_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "MOST_VALUES", 3)
    assert offered("caller:") == []
    monkeypatch.setattr(completion, "MOST_ROWS", 2)
    assert offered("state:")[0][0] == "queued ≥ 2"
