"""The filter language."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from console.base.collation import fold
from console.base.frozen import replace
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.tables import TABLES
from console.records.people import Session, User
from console.records.traffic import Call
from console.views.filter import Filter, FilterFault, parse
from console.views.render_context import RenderContext
from console.views.terms import glob
from tests.for_each import for_each
from tests.kinds.wild import KINDS, NOW, records, render_context, world

CALL = Call(
    id="c1",
    caller="+34600100200",
    callee="svc-user:u7",
    state="connected",
    date=NOW - 150_000,
    queue_position=4,
    context={"skill": "support"},
)
USERS = {"users": {"u7": User(id="u7", alias="José Ruiz")}}


def holds(text: str, call: Call = CALL, now_ms: int = NOW) -> bool:
    return parse(text, CALLS).matches(call, render_context(USERS, now_ms))


@for_each(
    "text",
    [
        "",
        "   ",
        "caller:+34*",
        "caller:600",
        "CALLER:+34600100200",
        "state:connected",
        "state:conn",
        "state:CONNECTED",
        "state=connected",
        "state:!queued",
        "!state:queued",
        "state!=queued",
        "state:queued,connected",
        "state:!queued,ringing",
        "age>2m",
        "age>=150s",
        "age<3m",
        "age:2m",
        "age=2:30",
        "queue>0",
        "queue:4",
        "queue=1,4",
        "queue>=4",
        "queue<5",
        "queue!=3",
        "callee:jose",
        'callee:"jose ruiz"',
        "callee:svc-user:u7",
        "jose",
        '"José Ruiz"',
        "support",
        "!nonsense",
        "!!jose",
        "jo*iz",
        'target:""',
        'end:""',
        "svc-user:u7",
        "caller:600 callee:jose age>1m",
        "recording:no",
        "began>2020-01-01",
        "began<5m",
        "began:2026-09-21",
        "faults:0",
        'caller:"+34600',
        'caller:"+34 6"*',
        'caller:*"34 6"*',
        'caller:+"34 600"*',
        'caller:"+33 6"*,"+34 6"*',
        'caller=*"100 200"',
        'callee:jos*" ru"*',
        '"sé ru"*',
        '*"sé ru"*',
        '!"sé  ru"*',
        'callee:jose" ruiz"',
        "state:queued,connected,",
    ],
)
def test_matching_filters(text: str) -> None:
    assert holds(text)


@for_each(
    "text",
    [
        "caller:34*",
        "state:nnected",
        "state=conn",
        "state:!connected",
        "!state:connected",
        "state!=connected",
        "state:queued,ringing",
        "state:!queued,connected",
        "age>3m",
        "age:3m",
        "queue:5",
        "queue>4",
        "!jose",
        "jose marta",
        'caller:""',
        "talk>0",
        "recording:yes",
        "began<2m",
        "began>2026-09-22",
        "began>2026-09-21",
        '"ruiz josé"',
        'caller:"34 6"*',
        'caller:*"34 6"',
        'caller:!"+34 6"*',
        '!"sé ru"*',
    ],
)
def test_filters_that_do_not_match(text: str) -> None:
    assert not holds(text)


@for_each(
    "seconds, shown",
    [(90.5, "1:30"), (3599.9, "59:59"), (3630, "1h 00m"), (90_030, "1d 01h"), (101 * 86_400 + 5_000, "101d")],
)
def test_a_filter_on_a_duration_agrees_with_the_shown_cell(seconds: float, shown: str) -> None:
    now_ms = NOW - 150_000 + int(seconds * 1000)
    assert CALLS.column("age").cell(CALL, render_context(USERS, now_ms)).text == shown
    typed = shown.replace(" ", "")
    found = [
        operator for operator in ("=", "<=", ">=", "<", ">", "!=") if holds(f"age{operator}{typed}", now_ms=now_ms)
    ]
    assert found == ["=", "<=", ">="]


def test_a_missing_number_is_never_more_or_less() -> None:
    call = Call(id="c2")
    assert not holds("queue>0", call)
    assert not holds("queue<9", call)
    assert holds("!queue>0", call)


@for_each(
    "text, position, words",
    [
        ("staet:x", 0, "state"),
        ("jose staet:x", 5, "state"),
        ("!calee:x", 1, "calle"),
        ("zzzzzz:1", 0, "Fields: state, flags, caller"),
        ("age>foo", 4, "30s"),
        ("age>", 4, "needs a value"),
        ("queue:many", 6, "number"),
        ("queue:nan", 6, "number"),
        ("state>queued", 6, "state:word"),
        ("jose !", 5, "needs a term"),
        ("age>1m,2m", 7, "one value"),
        ("recording:maybe", 10, "yes or no"),
        ("began:soon", 6, "date"),
    ],
)
def test_an_error_has_a_position_and_a_suggestion(text: str, position: int, words: str) -> None:
    with pytest.raises(FilterFault) as fault:
        parse(text, CALLS)
    assert fault.value.position == position
    assert words in fault.value.message
    assert f"(at {position + 1})" in str(fault.value)


PIECES = st.sampled_from(
    [
        "state",
        "age",
        "queue",
        "caller",
        "began",
        "recording",
        ":",
        "=",
        "!",
        ">",
        "<=",
        ",",
        "*",
        '"',
        " ",
        "2m",
        "x",
        "1",
    ]
)


@given(st.lists(PIECES | st.text(max_size=4), max_size=10).map("".join))
@example('"')
@example('!"')
@example("state:,")
@example("a:\x00")
def test_any_text_is_parsed_or_refused_at_a_position_within_it(text: str) -> None:
    wanted = read(text)
    if isinstance(wanted, FilterFault):
        assert 0 <= wanted.position <= len(text)
    else:
        assert wanted.evaluate(CALL, render_context(USERS))[0] is wanted.matches(CALL, render_context(USERS))


def read(text: str) -> Filter[Call] | FilterFault:
    try:
        return parse(text, CALLS)
    except FilterFault as fault:
        return fault


@given(st.data())
def test_a_negated_term_matches_exactly_the_other_records(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(KINDS)))
    table, record, known = TABLES[kind], data.draw(records(kind)), data.draw(world(("users", "presence")))
    column = data.draw(st.sampled_from(table.columns))
    value = {"text": "a", "number": "1", "flag": "yes", "age": "2m", "time": "1h"}[column.kind]
    operator = data.draw(
        st.sampled_from([":", "="] + ([">", "<="] if column.kind in {"number", "age", "time"} else []))
    )
    term = f"{column.id}{operator}{value}"
    seen = render_context(known)
    assert parse(f"!{term}", table).matches(record, seen) is not parse(term, table).matches(record, seen)


@given(st.data())
def test_before_the_next_check_the_time_changes_no_result(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["calls", "alerts", "sessions", "conferences"]))
    table, record = TABLES[kind], data.draw(records(kind))
    ids = [column.id for column in table.columns if column.kind == "age"]
    column, operator = data.draw(st.sampled_from(ids)), data.draw(st.sampled_from([">", ">=", "<", "<=", ":"]))
    wanted = parse(f"{column}{operator}{data.draw(st.sampled_from(['0', '30s', '2m', '1h']))}", table)
    before, again = wanted.evaluate(record, render_context())
    step = data.draw(st.integers(0, 10_000_000))
    if again is None or NOW + step < again:
        assert wanted.matches(record, replace(render_context(), now_ms=NOW + step)) is before


def test_a_countdown_that_ends_is_checked_when_it_ends() -> None:
    session = Session.model_validate({"id": "s", "from": NOW - 1_000, "expires": NOW + 5_000})
    wanted = parse("left<30s", TABLES["sessions"])
    assert wanted.evaluate(session, render_context()) == (True, NOW + 5_000)
    ended = replace(render_context(), now_ms=NOW + 5_000)
    assert wanted.evaluate(session, ended) == (False, None)


@given(st.text(alphabet="ab*", max_size=8), st.text(alphabet="ab", max_size=10))
def test_a_star_matches_anything(pattern: str, text: str) -> None:
    def simple(pattern: str, text: str) -> bool:
        if not pattern:
            return not text
        if pattern[0] == "*":
            return simple(pattern[1:], text) or (bool(text) and simple(pattern, text[1:]))
        return bool(text) and text[0] == pattern[0] and simple(pattern[1:], text[1:])

    if "*" in pattern:
        assert glob(pattern)(text) is simple(pattern, text)


NAMES = {
    "lukasz zolc": "Łukasz Żółć",
    "soren orsted": "Søren Ørsted",
    "dorde": "Đorđe",
    "strasse": "Straße",
    "istanbul": "İstanbul",
    "isik": "I\u015eIK \u0131\u015f\u0131k",
    "aesir": "Æsir",
    "oeuvre": "Œuvre",
    "thor": "Þór",
    "full 123": "\uff26\uff55\uff4c\uff4c \uff11\uff12\uff13",
    "finance": "ﬁnance",
    "ροδοσ": "Ῥόδος",
}


@for_each("typed, name", NAMES.items())
def test_names_are_found_as_they_are_typed_without_their_letters(typed: str, name: str) -> None:
    assert typed in fold(name)
    assert fold(typed) == typed


@for_each(
    "pasted",
    (
        *("+34600111222", "+34 600 111 222", "+34-600-111-222", "0034600111222", "00 34 600 11 12 22", "600 111 222"),
        *("600-111-222", "600.111.222", "(600) 111-222", "+34 (0)600 111 222", "+34\u00a0600\u2011111\u2013222"),
        *(
            "\uff0b\uff13\uff14\uff16\uff10\uff10\uff11\uff11\uff11\uff12\uff12\uff12",
            "\u202a+34 600 111 222\u202c",
            "600/111222",
            "+34 600*",
            "(+34)*",
            "\u0660\u0660\u0663\u0664\u0666\u0660\u0660\u0661\u0661\u0661\u0662\u0662\u0662",
            "+\u0969\u096a \u096c\u0966\u0966 111 222",
        ),
    ),
)
def test_a_number_is_found_as_people_write_it(pasted: str) -> None:
    found, other = Call(id="a", caller="+34600111222"), Call(id="b", caller="+34600111333")
    for text in (f'"{pasted}"', f'caller:"{pasted}"'):
        wanted = parse(text, CALLS)
        assert wanted.matches(found, render_context()), text
        assert wanted.matches(other, render_context()) is ("*" in pasted), text


@pytest.mark.parametrize("typed", ["25:00", "24:00", "10:60", "1:5", "10:42:61", "\u0662\u0665:\u0660\u0660"])
def test_a_mistyped_time_of_day_is_refused_instead_of_read_as_minutes(typed: str) -> None:
    for operator in ("<", ">", "="):
        with pytest.raises(FilterFault, match="began takes a date, a time or a length such as 2h"):
            parse(f"began{operator}{typed}", CALLS)


def test_case_and_accents_are_ignored() -> None:
    assert fold("JOSÉ Ñandú STRASSE") == fold("josé nandu straße")


@for_each(
    "now, text, shown",
    (
        # 2026-10-25: summer time ends at 03:00 in Madrid. 2027-03-28: it begins at 02:00.
        ("2026-10-25T12:00Z", "began=02:30", ["00:30Z", "01:30Z"]),
        ("2026-10-25T12:00Z", "began=2026-10-25T02:30", ["00:30Z", "01:30Z"]),
        ("2026-10-25T12:00Z", "began=01:59", ["23:59Z"]),
        ("2026-10-25T12:00Z", "began=03:00", ["02:00Z"]),
        ("2026-10-25T12:00Z", "began>=02:30", ["00:30Z", "01:30Z", "02:00Z"]),
        ("2026-10-25T12:00Z", "began=2026-10-25", ["23:59Z", "00:30Z", "01:30Z", "02:00Z"]),
        ("2027-03-28T12:00Z", "began>02:30", ["01:00Z", "01:05Z"]),
        ("2027-03-28T12:00Z", "began>=02:30", ["01:00Z", "01:05Z"]),
        ("2027-03-28T12:00Z", "began<02:30", ["00:59Z"]),
        ("2027-03-28T12:00Z", "began<=02:59", ["00:59Z"]),
        ("2027-03-28T12:00Z", "began=02:00", []),
        ("2027-03-28T12:00Z", "began=03:00", ["01:00Z"]),
        ("2027-03-28T12:00Z", "began>01:59", ["01:00Z", "01:05Z"]),
        ("2027-03-28T12:00Z", "began=2027-03-28", ["00:59Z", "01:00Z", "01:05Z"]),
    ),
)
def test_a_clock_time_matches_what_the_clock_shows_when_it_is_set(now: str, text: str, shown: list[str]) -> None:
    noon = datetime.fromisoformat(now)
    times = ["00:59", "01:00", "01:05"] if noon.year == 2027 else ["23:59", "00:30", "01:30", "02:00"]
    render = RenderContext(round(noon.timestamp() * 1000), ZoneInfo("Europe/Madrid"))
    found: list[str] = []
    for time in times:
        hour, minute = map(int, time.split(":"))
        at = noon.replace(hour=hour, minute=minute) - timedelta(days=hour == 23)
        if parse(text, CALLS).matches(Call(id="c", date=round(at.timestamp() * 1000)), render):
            found.append(f"{time}Z")
    assert found == shown
