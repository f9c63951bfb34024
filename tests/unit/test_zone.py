"""The console shows the time that `date` shows, in every form of TZ, and reads times that the clock shows twice."""

from __future__ import annotations

import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from console.base.zone import zone_of
from console.views.past import clock_text, past_ms, past_times, short_clock_text
from console.views.render_context import RenderContext
from console.views.spans import moment
from tests.for_each import for_each

ZONES = (
    *("Europe/Madrid", ":Europe/Madrid", "/usr/share/zoneinfo/Asia/Kolkata", ":/usr/share/zoneinfo/Asia/Kolkata"),
    *(
        "CET-1CEST,M3.5.0,M10.5.0/3",
        ":CET-1CEST,M3.5.0,M10.5.0/3",
        "<+0530>-5:30",
        "IST-5:30",
        "UTC-3",
        "UTC0",
        "JST-9",
    ),
    *("EST5EDT", "EST5EDT,M3.2.0,M11.1.0", "NZST-12NZDT,M9.5.0,M4.1.0/3", "<-03>3", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"),
    *("CET-1CEST", "AAA+4:30:15", "YYY-14", "IST-2IDT,M3.4.4/26,M10.5.0", "GMT0BST,J60/2,J300/2", "MST7"),
    *("", ":", "Nowhere/Place", "/nonexistent", "Europe", "garbage", "../../etc/passwd", "/etc/passwd", "A5"),
)
MOMENTS = (1_767_225_600, 1_783_000_000, 1_792_890_000, 1_792_893_600, 1_774_742_400, 1_774_746_000)
"""In winter, in summer, and near both changes of the clock."""
MADRID = ZoneInfo("Europe/Madrid")
TWICE = datetime(2026, 10, 25, 2, 30, tzinfo=MADRID)
HOUR_MS = 3_600_000


@for_each("text", ZONES)
def test_every_form_of_the_variable_gives_the_time_of_date(text: str, tmp_path: Path):
    zone = zone_of(None, {"TZ": text}, tmp_path / "none")
    for at in MOMENTS:
        command = ["date", "-d", f"@{at}", "+%Y-%m-%d %H:%M:%S"]
        shown = subprocess.run(command, env={**os.environ, "TZ": text}, capture_output=True, text=True, check=True)
        assert f"{datetime.fromtimestamp(at, zone):%Y-%m-%d %H:%M:%S}" == shown.stdout.strip(), at


@for_each("rule", ("ABC-24", "ABC24", "ABC+24:59:59", "ABC23DEF-24,M3.5.0,M10.5.0"))
def test_a_rule_a_day_or_more_from_utc_is_utc(rule: str, tmp_path: Path):
    assert zone_of(None, {"TZ": rule}, tmp_path / "none").key == "UTC"


def test_a_rule_that_was_recorded_is_read_again():
    rule = zone_of(None, {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"})
    assert zone_of(rule.key, {"TZ": "UTC"}).utcoffset(TWICE.replace(month=7)) == timedelta(hours=2)


def ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


@for_each("minutes", range(0, 24 * 60, 7))
def test_a_time_of_day_is_the_last_one_before_now_in_the_hour_that_comes_twice(minutes: int):
    now = ms(TWICE.replace(hour=4))
    at = now - minutes * 60_000
    clock = datetime.fromtimestamp(at / 1000, MADRID)
    typed = past_ms(f"{clock:%H:%M}", now, MADRID)
    assert typed is not None
    assert f"{datetime.fromtimestamp(typed / 1000, MADRID):%H:%M}" == f"{clock:%H:%M}"
    assert typed >= at
    if clock.hour != 2:
        assert typed == at


def test_between_the_two_times_the_first_one_is_the_last_before_now():
    between = ms(TWICE) + HOUR_MS // 2
    assert past_ms("02:30", between, MADRID) == ms(TWICE)
    assert past_ms("02:30", between + HOUR_MS, MADRID) == ms(TWICE) + HOUR_MS


@for_each("day, hours", (("2026-10-25", 25), ("2026-03-29", 23), ("2026-10-24", 24)))
def test_a_day_from_midnight_to_midnight_has_its_hours(day: str, hours: int):
    later = ms(datetime(2026, 10, 27, tzinfo=MADRID))
    for first in (day, f"{day} 00:00"):
        times = past_times(first, "00:00", later, MADRID)
        assert times is not None
        assert times[1] - times[0] == hours * HOUR_MS


@for_each("minutes", range(-180, 180, 10))
def test_a_printed_moment_is_read_as_the_same_moment(minutes: int):
    at = ms(TWICE) + minutes * 60_000
    assert past_ms(clock_text(at, MADRID), at + 24 * HOUR_MS, MADRID) == at


@for_each("minutes", range(-180, 180, 10))
def test_a_printed_moment_of_today_is_read_as_the_same_moment(minutes: int):
    at, now = ms(TWICE) + minutes * 60_000, ms(TWICE) + 6 * HOUR_MS
    text = short_clock_text(at, now, MADRID)
    assert past_ms(text, now, MADRID) == at
    assert len(text) == len("02:30:00") or "02:" in text or minutes < -150


def test_a_time_that_the_clock_skips_is_the_moment_at_which_it_is_set_forward():
    """A filter takes it for the same moment."""
    later, forward = (ms(datetime(2026, 3, 29, hour, tzinfo=MADRID)) for hour in (6, 3))
    assert past_ms("2026-03-29 02:30", later, MADRID) == past_ms("02:59:59", later, MADRID) == forward
    assert past_times("02:30", "04:00", later, MADRID) == (forward, forward + HOUR_MS)
    typed = moment("2026-03-29T02:30")
    assert typed is not None
    assert typed.ms(RenderContext(later, MADRID)) == (forward, forward)


@for_each("zone", ("Asia/Tokyo", "America/New_York", "UTC"))
@for_each("text", ("0001-01-01 00:00+14:00", "-1e9d", "-99999999d", "-739999d"))
def test_a_moment_before_all_dates_is_no_moment(zone: str, text: str):
    now = ms(TWICE)
    assert past_ms(text, now, ZoneInfo(zone)) is None
    assert past_times(text, "now", now, ZoneInfo(zone)) is None
