"""Lists as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest

from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.tables import TABLES
from console.records.queues import Queue
from console.records.traffic import Call
from console.views.export import to_csv, to_json, to_jsonl
from tests.for_each import for_each
from tests.kinds.wild import NOW, render_context

COLUMNS = [CALLS.column(each) for each in ("id", "caller", "age", "queue", "began", "recording")]
CALL = Call(id="c1", caller="+34600100200", date=NOW - 1500, state="queued", data={"recording": True})


def test_csv_has_ids_first_then_plain_values_with_times_in_iso_and_ages_in_seconds() -> None:
    assert to_csv([CALL], COLUMNS, render_context()) == (
        "id,caller,age,queue,began,recording\nc1,+34600100200,1.5,,2026-09-21T16:13:18.500+02:00,yes\n"
    )


@pytest.mark.parametrize("evil", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd"])
def test_names_are_not_executed_by_a_spreadsheet(evil: str) -> None:
    (row,) = list(csv.reader(io.StringIO(to_csv([Call(id="c1", caller=evil)], COLUMNS[1:2], render_context()))))[1:]
    assert row == ["'" + evil]


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
BLANKS = ("", " ", "  ", "\u00a0", "\u3000", "\u2003", " \u00a0 ")


@for_each("blank", BLANKS)
@for_each("sign", SIGNS)
@for_each("rest", ("1+1", "SUM(1)", "cmd|' /C calc'!A0", "1-2", "1-2(3)", "1.5-2", "600-111-222"))
def test_no_blank_and_no_width_hides_a_formula(blank: str, sign: str, rest: str) -> None:
    call = Call(id="c1", caller=blank + sign + rest)
    (row,) = list(csv.reader(io.StringIO(to_csv([call], COLUMNS[1:2], render_context()))))[1:]
    assert row[0].startswith("'")


@for_each("number", ("+34600100200", "+34 600 100 200", "600-100-200", "(91) 600", "-5", "-1.5"))
def test_numbers_are_exported_as_they_are(number: str) -> None:
    call = Call(id="c1", caller=number)
    (row,) = list(csv.reader(io.StringIO(to_csv([call], COLUMNS[1:2], render_context()))))[1:]
    assert row == [number]


@for_each("number", ("+34600100200", "+34 600 100 200", "0034600100200", "600-100-200", "-5", "1/2", "+1-2(3)", "12e5"))
def test_for_excel_texts_of_digits_stay_texts(number: str) -> None:
    call = Call(id="c1", caller=number)
    text = to_csv([call], COLUMNS[1:2], render_context(), for_excel=True)
    assert next(csv.reader(io.StringIO(text.splitlines()[1]))) == [f'="{number}"']


@for_each("evil", ("=1+1", "+1+cmd", '="1"', "-2+3", "@SUM(1)"))
def test_for_excel_no_other_text_becomes_a_formula(evil: str) -> None:
    text = to_csv([Call(id="c1", caller=evil)], COLUMNS[1:2], render_context(), for_excel=True)
    assert next(csv.reader(io.StringIO(text.splitlines()[1]))) == [f"'{evil}"]


def test_for_excel_the_text_begins_with_a_byte_order_mark_and_only_texts_are_marked_as_such() -> None:
    assert to_csv([CALL], COLUMNS, render_context(), for_excel=True) == (
        '\ufeffid,caller,age,queue,began,recording\r\nc1,"=""+34600100200""",1.5,,2026-09-21T16:13:18.500+02:00,yes\r\n'
    )


def test_json_keeps_every_character_but_contains_no_control_characters() -> None:
    evil = 'a"\x1b[2J\x9b\u202e\x7f,\n日本 \U000e0001'
    call = Call(id="c1", caller=evil)
    for text in (to_json([call], COLUMNS, render_context()), to_jsonl([call], COLUMNS, render_context())):
        assert all(character.isprintable() or character == "\n" for character in text)
    assert json.loads(to_json([call], COLUMNS, render_context()))[0]["caller"] == evil
    assert json.loads(to_jsonl([call], COLUMNS, render_context()))["caller"] == evil


def test_json_lines_are_one_per_record() -> None:
    assert len(to_jsonl([CALL, CALL], COLUMNS, render_context()).splitlines()) == 2
    assert json.loads(to_json([], COLUMNS, render_context())) == []


def test_a_number_that_is_only_the_least_is_named_as_inexact() -> None:
    table = TABLES["queues"]
    columns = [table.column(each) for each in ("queue", "waiting", "longest", "breach")]
    calls = (
        Call(id="a", state="queued", target="Sales", date=NOW - 60_000),
        Call.model_validate({"id": "b", "state": {"odd": True}, "target": "Sales"}),
    )
    sales, support = Queue(queue="Sales", waiting=1, longest_at=NOW - 60_000), Queue(queue="Support")
    render = render_context({"calls": {call.key: call for call in calls}, "queues": {"Sales": sales}})
    assert table.column("waiting").cell(sales, render).text == "≥ 1"
    (row,) = json.loads(to_json([sales], columns, render))
    assert (row["waiting"], row["inexact"]) == (1, ["waiting", "longest", "breach"])
    header, first, second = csv.reader(io.StringIO(to_csv([sales, support], columns, render)))
    assert (header[-1], first[-1], second[-1]) == ("inexact", "waiting longest breach", "")
    exact = render_context({"queues": {"Sales": sales}})
    assert "inexact" not in to_json([sales], columns, exact) + to_csv([sales], columns, exact)
