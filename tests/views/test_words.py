"""The text of values."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.base.frozen import replace
from console.kinds.conferences.columns import reason
from console.records.people import User
from console.records.support import Agent, Presence
from console.views import wording
from console.views.render_context import RenderContext
from console.views.spans import moment, span
from tests.for_each import for_each
from tests.kinds.wild import ABSURD_NUMBERS, NOW, anything, render_context

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


@for_each(
    "ms, said",
    [
        (0, "0:00"),
        (-4_999, "0:00"),
        (-33_000, "in 0:33"),
        (7_900, "0:07"),
        (2 * MINUTE + 31 * SECOND, "2:31"),
        (14 * MINUTE + 2 * SECOND, "14:02"),
        (59 * MINUTE + 59_999, "59:59"),
        (HOUR + 4 * MINUTE, "1h 04m"),
        (23 * HOUR + 59 * MINUTE, "23h 59m"),
        (3 * DAY + 7 * HOUR, "3d 07h"),
        (99 * DAY + 7 * HOUR, "99d 07h"),
        (100 * DAY + 7 * HOUR, "100d"),
    ],
)
def test_ages_are_short_and_say_what_is_still_to_come(ms: int, said: str) -> None:
    assert wording.age(ms, render_context()) == said


def test_missing_values_are_a_dash() -> None:
    assert wording.age(None, render_context()) == "\N{EN DASH}"
    assert wording.age(None, render_context(symbols="ascii")) == "-"
    assert (
        wording.clock(None, render_context())
        == wording.size(None, render_context())
        == wording.count(None, render_context())
        == "\N{EN DASH}"
    )


def test_a_time_of_today_is_a_clock_time_and_another_day_is_named() -> None:
    assert wording.clock(NOW, render_context()) == "15:33:20" or wording.clock(NOW, render_context())[2] == ":"
    assert wording.clock(NOW - 2 * DAY, render_context()).startswith("19 Sep ")
    assert wording.clock(NOW - 400 * DAY, render_context()) == "2025-08-17"


def test_a_moment_is_shown_with_zone_and_distance() -> None:
    assert wording.moment(NOW - 151_000, render_context()).endswith(" CEST, 2:31 ago")
    assert wording.moment(NOW + 60_000, render_context()).endswith(" CEST, in 1:00")


@given(anything)
def test_any_value_is_a_time_or_nothing_and_can_be_formatted(value: object) -> None:
    at = wording.at(value)
    assert at is None or at > 0
    assert wording.clock(at, render_context())
    assert wording.moment(at, render_context())
    assert wording.count(value, render_context())


@pytest.mark.parametrize(
    ("amount", "said"), [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (412_000_000, "412 MB"), (1e15, "1000 TB")]
)
def test_sizes_have_units(amount: float, said: str) -> None:
    assert wording.size(amount, render_context()) == said


@for_each(
    "size",
    [
        sign * 1000.0**power * step * (1 + off)
        for sign in (1, -1)
        for power in range(5)
        for step in (1, 9.95, 10, 99.5, 100, 999.5, 1000)
        for off in (-1e-3, -6e-4, -4e-4, -1e-9, 0, 1e-9, 4e-4, 6e-4, 1e-3)
        if power < 4 or step < 900
    ],
)
def test_a_size_near_an_edge_has_at_most_three_digits(size: float) -> None:
    shown, unit = wording.size(size, render_context()).split(" ")
    assert re.fullmatch(r"-?(\d|\d\d|\d\d\d)" if unit == "B" else r"-?(\d\.\d|\d\d|\d\d\d)", shown), f"{shown} {unit}"
    assert unit == "B" or abs(float(shown)) >= 1
    exact = size / 1000.0 ** ("B", "kB", "MB", "GB", "TB").index(unit)
    assert abs(float(shown) - exact) <= (0.501 if "." not in shown else 0.0501)


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (45_000, "45s"),
        (360_000, "6m"),
        (90 * MINUTE, "1h 30m"),
        (0, "0s"),
        (200, "200ms"),
        (700, "700ms"),
        (1_700, "1s"),
        (59_900, "59s"),
    ],
)
def test_durations_are_formatted_in_words(ms: float, said: str) -> None:
    assert wording.duration(ms) == said


def test_a_user_is_shown_by_the_best_name() -> None:
    presence = Presence(address="svc-user:u7", display_name="Ana R.")
    agent = Agent(id="u7", display_name="Ana Ruiz")
    user = User(id="u7", username="ana", alias="Ana")
    everything = {"presence": {presence.key: presence}, "agents": {"u7": agent}, "users": {"u7": user}}
    assert wording.name("svc-user:u7", render_context(everything)) == "Ana R."
    assert wording.name("svc-user:u7", render_context({**everything, "presence": {}})) == "Ana Ruiz"
    assert wording.name("svc-user:u7", render_context({"users": {"u7": user}})) == "Ana"
    assert wording.name("svc-user:u7", render_context()) == "u7"
    assert wording.name("svc-user:0123456789abcdef", render_context()) == "01234567"


def test_other_addresses_lose_only_their_scheme() -> None:
    assert wording.name("+34600100200", render_context()) == "+34600100200"
    assert wording.name("sip:ana@desk.example", render_context()) == "ana@desk.example"
    assert wording.name(None, render_context()) is None
    assert wording.name("", render_context()) is None


@for_each(
    "text, ms",
    [
        ("30s", 30_000),
        ("2m", 120_000),
        ("1h", HOUR),
        ("1h04", HOUR + 4 * MINUTE),
        ("1h30m", 90 * MINUTE),
        ("3d07h", 3 * DAY + 7 * HOUR),
        ("3d 07h", 3 * DAY + 7 * HOUR),
        ("1h 04m", HOUR + 4 * MINUTE),
        ("2:31", 151_000),
        ("1:02:03", HOUR + 123_000),
        ("90", 90_000),
        ("1.5m", 90_000),
        ("250ms", 250),
    ],
)
def test_durations_are_parsed_as_they_are_written(text: str, ms: float) -> None:
    found = span(text)
    assert found is not None
    assert found.ms == ms


@pytest.mark.parametrize("text", ["", "m", "2x", "1ms5", "-3m", "1h m", "²m"])
def test_an_invalid_duration_is_refused(text: str) -> None:
    assert span(text) is None


@given(st.integers(0, 10**11))
def test_a_formatted_age_parses_as_the_same_value_within_its_unit(ms: int) -> None:
    found = span(wording.span_words(ms))
    assert found is not None
    assert found.ms <= ms < found.ms + found.unit


@given(st.text(max_size=20))
def test_any_text_is_a_moment_or_nothing(text: str) -> None:
    found = moment(text)
    if found is not None:
        start, end = found.ms(render_context())
        assert start < end


def test_a_clock_time_means_today() -> None:
    found = moment("10:30")
    assert found is not None
    start, end = found.ms(render_context())
    assert end - start == MINUTE
    assert wording.clock(start, render_context()) == "10:30:00"
    tomorrow, _ = found.ms(replace(render_context(), now_ms=NOW + DAY))
    assert tomorrow - start == DAY


@pytest.mark.parametrize("text", ["01:59", "02:00", "02:30", "02:59", "03:00", "2026-10-25T02:59"])
def test_a_minute_has_sixty_seconds_when_the_clock_is_set_back(text: str) -> None:
    found = moment(text)
    assert found is not None
    day = datetime(2026, 10, 25, 12, tzinfo=ZoneInfo("Europe/Madrid"))
    render = RenderContext(round(day.timestamp() * 1000), ZoneInfo("Europe/Madrid"))
    start, end = found.ms(render)
    assert end - start == MINUTE
    assert wording.clock(start, render) == f"{text[-5:]}:00"


def test_a_title_in_a_sentence_keeps_its_acronyms() -> None:
    titles = ("SIP identities", "OAuth2 clients", "Alert templates", "Calls", "")
    assert [wording.in_sentence(each) for each in titles] == [
        "SIP identities",
        "OAuth2 clients",
        "alert templates",
        "calls",
        "",
    ]
    assert [wording.capitalized(each) for each in ("assign SIP identity", "")] == ["Assign SIP identity", ""]


@pytest.mark.parametrize(
    ("identifier", "shown"),
    [
        ("3f2b8c1d-9a4e-4b7c-8d2f-0a1b2c3d4e5f", "3f2b8c1d"),
        ("9f86d081884c7d65", "9f86d081"),
        ("request-t1234", "request-t1234"),
        ("conference-000123456", "conference-000123456"),
        ("1745020000000123456", "1745020000000123456"),
        ("01932c07-6c2a-7e3b-8f11-5d2a9c0b7e44", "01932c07…f11-5d2a9c0b7e44"),
        ("node-7.desk.example/session/00000000412", "node-7.d…sion/00000000412"),
    ],
)
def test_an_id_is_cut_only_where_the_rest_distinguishes_it(identifier: str, shown: str) -> None:
    assert wording.short(identifier) == shown


@for_each("number", ABSURD_NUMBERS)
def test_any_number_of_json_has_a_text(number: float) -> None:
    render = render_context()
    texts = [wording.age(number, render), wording.size(number, render), wording.count(number, render)]
    texts += [wording.clock(number, render), wording.moment(number, render), reason(number, render)]
    texts += [
        wording.seconds_words(number),
        wording.duration(number),
        wording.amount(number),
        wording.share(number, number),
    ]
    assert all(text and text.isprintable() and len(text) <= 60 for text in texts), texts


def test_only_a_whole_is_100_percent_and_only_nothing_is_0() -> None:
    shown = [wording.percent(value, 1) for value in (100, 99.96, 50.04, 0.04, 0, 250)]
    assert shown == ["100.0", "99.9", "50.0", "0.1", "0.0", "250.0"]
