"""The top line fits every width: parts are complete or absent, and the most important ones are always shown."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.base.text import cells, clean
from console.live.delta import Freshness, Health
from console.ui.widgets.styled_line import piece
from console.ui.widgets.top_line import Paused, TopFacts, placed
from console.views.cell import Tone
from tests.for_each import for_each

NOW = 1_763_545_337_000
USUAL: dict[str, Any] = {
    "profile": clean("busy"),
    "who": clean("eva"),
    "domain": clean("desk.example"),
    "role": clean("admin"),
    "presence": piece("◊ away", Tone.WARN),
    "read_only": False,
    "health": Health(Freshness.LIVE, 0),
    "paused": None,
    "alerts": 6,
    "own_alerts": False,
    "oldest_alert_ms": 1_434_000,
    "longest_wait_ms": 158_000,
    "own_waits": False,
    "wait_tone": Tone.BAD,
    "now_ms": NOW,
    "zone": ZoneInfo("Europe/Madrid"),
    "symbols": "full",
}
WIDTHS = range(56, 200)


def said(width: int, **differing: Any) -> str:
    return "".join(each.text for part in placed(TopFacts(**{**USUAL, **differing}), width) for each in part.pieces)


SITUATIONS: list[dict[str, Any]] = [
    {},
    {"read_only": True},
    {"health": Health(Freshness.OFFLINE, 3942.0, "refused", retry_in=33.0)},
    {"paused": Paused(seconds=75, behind=1204)},
    {"paused": Paused(seconds=5, behind=0), "health": Health(Freshness.STALE, 12.0), "read_only": True},
    {"own_alerts": True, "own_waits": True},
    {"past_speed": 60},
    {"past_speed": 60, "file": clean("incident.rec")},
    {"alerts": 0, "oldest_alert_ms": None, "longest_wait_ms": None},
    {"recorded": True},
    {"recorded": False, "read_only": True},
    {"profile": clean("north-europe-1"), "who": clean("a.very-long-name.of-23"), "symbols": "ascii"},
]


@for_each("differing", SITUATIONS)
def test_the_clock_is_complete_or_absent_and_nothing_is_wider_than_the_line(differing: dict[str, Any]) -> None:
    for width in WIDTHS:
        line = said(width, **differing)
        assert "10:42:17" in line or "10:4" not in line, line
        if width >= 80:
            assert cells(clean(line)) == width, line


@for_each("differing", SITUATIONS)
@for_each("width", [58, 78, 118])
def test_the_own_presence_and_the_alerts_are_always_shown(width: int, differing: dict[str, Any]) -> None:
    line = said(width, **differing)
    assert "◊ away" in line
    facts = {**USUAL, **differing}
    assert ("6" in line) is bool(facts["alerts"])
    assert ("READ-ONLY" in line) is facts["read_only"]


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (58, "busy › eva  ◊ away        LIVE 0s   ▲ 6 23:54   wait 2:38"),
        (78, "busy › eva  ◊ away   LIVE 0s   ▲ 6 alerts 23:54   longest wait 2:38   10:42:17"),
        (
            118,
            "busy › eva@desk.example  ◊ away  admin"
            "                LIVE 0s   ▲ 6 alerts 23:54   longest wait 2:38   10:42:17 Madrid",
        ),
    ],
)
def test_the_content_at_common_widths(width: int, expected: str) -> None:
    assert " ".join(said(width).split()) == " ".join(expected.split())


def test_a_paused_list_is_never_called_live() -> None:
    for width in WIDTHS:
        line = said(width, paused=Paused(seconds=75, behind=1204))
        assert "LIVE" not in line
        assert "PAUSED 1:15, 1 204 behind" in line
    assert "PAUSED 5s " in said(80, paused=Paused(seconds=5, behind=0))


def test_a_lost_connection_is_shown_also_for_a_paused_list() -> None:
    line = said(118, paused=Paused(seconds=75, behind=3), health=Health(Freshness.OFFLINE, 42.0, retry_in=8.0))
    assert "PAUSED 1:15, 3 behind   OFFLINE 42s retry in 8s" in line


def test_the_next_attempt_takes_precedence_over_the_user_and_the_profile() -> None:
    line = said(58, health=Health(Freshness.OFFLINE, 42.0, retry_in=8.0), alerts=0, longest_wait_ms=None)
    assert "retry in 8s" in line


def test_numbers_of_own_records_are_labelled_as_own() -> None:
    assert "▲ your 6 alerts 23:54   your longest wait 2:38" in said(118, own_alerts=True, own_waits=True)
    assert "▲ your 6 23:54   your wait 2:38" in said(78, own_alerts=True, own_waits=True)


@pytest.mark.parametrize("width", [58, 78, 118])
def test_that_the_lists_are_recorded_is_shown_in_every_width(width: int) -> None:
    assert "LIVE 0s ●" in said(width, recorded=True)
    assert "●" not in said(width)


def test_the_word_for_recording_is_shown_where_everything_else_is() -> None:
    assert "LIVE 0s ● rec " in said(150, recorded=True)
    assert "LIVE 0s * rec " in said(150, recorded=True, symbols="ascii")


@pytest.mark.parametrize("width", [78, 118])
def test_a_fault_of_the_recording_is_shown_in_words(width: int) -> None:
    assert "NOT RECORDED" in said(width, recorded=False)


def test_an_age_is_told_only_of_what_began():
    ahead = said(160, oldest_alert_ms=-33_000, longest_wait_ms=-33_000, oldest_alert_exact=False, waits_exact=False)
    assert "alerts in 0:33" in ahead
    assert "longest wait in 0:33" in ahead
