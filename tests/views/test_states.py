"""What states look like, and when numbers get loud."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.signs import SIGNS
from console.text import cells, clean
from console.views import states
from console.views.cell import Tone
from console.views.thresholds import DEFAULTS, Steady, Threshold
from tests.kinds.wild import render_context

LOOKS = [
    look
    for kind in ("calls", "conferences", "invites", "alerts", "presence", "alarms")
    for state in ("connected", "ringing", "queued", "servererror", "active", "away", "dnd", "critical", "low", "ended")
    for look in (states.look(kind, state),)
]


@pytest.mark.parametrize(
    ("state", "said"),
    [("connected", "● connected"), ("ringing", "◊ ringing"), ("queued", "≡ queued"), ("servererror", "× server error")],
)
def test_known_states_have_symbol_and_word(state: str, said: str) -> None:
    assert states.cell("calls", state, render_context()).text == said
    assert states.cell("calls", state, render_context(symbols="ascii")).text.isascii()


def test_a_state_is_known_however_it_is_spelled() -> None:
    assert states.look("calls", "Server-Error") == states.look("calls", "servererror")
    assert states.look("presence", "Do not disturb") == states.look("presence", "dnd")


def test_an_unknown_state_is_shown_as_it_came_but_clean() -> None:
    shown = states.cell("calls", "hyper\x1b[2J", render_context())
    assert shown.text.startswith("· hyper")
    assert "\x1b" not in shown.text
    assert shown.tone is Tone.PLAIN


@pytest.mark.parametrize("look", LOOKS)
def test_symbols_take_one_cell_in_either_set(look: states.Look) -> None:
    assert cells(clean(look.symbol)) == 1
    assert SIGNS[look.symbol].isascii()


@given(st.text())
def test_any_state_has_a_look(state: str) -> None:
    assert states.look("calls", state).symbol


@pytest.mark.parametrize(
    ("online", "doing", "said"),
    [
        (False, "busy", "offline"),
        (True, None, "online"),
        (True, "away", "away"),
        (None, None, None),
        (None, "dnd", "dnd"),
    ],
)
def test_being_offline_outweighs_any_activity(online: bool | None, doing: str | None, said: str | None) -> None:
    assert states.activity(online, doing) == said


def test_a_number_gets_loud_at_its_levels() -> None:
    wait = DEFAULTS["calls.wait"]
    assert [wait.tone(ms) for ms in (59_000, 60_000, 120_000)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
    assert wait.tone(None) is Tone.PLAIN


def test_a_number_on_the_edge_does_not_flicker() -> None:
    steady = Steady(Threshold(10, 20))
    assert [steady.see(value) for value in (9.9, 10, 9.5, 10, 8.9, 9.5, 21, 18.5, 17)] == [
        Tone.PLAIN,
        Tone.WARN,
        Tone.WARN,
        Tone.WARN,
        Tone.PLAIN,
        Tone.PLAIN,
        Tone.BAD,
        Tone.BAD,
        Tone.WARN,
    ]


def test_low_numbers_can_be_the_loud_ones() -> None:
    left = Threshold(300, 60, below=True)
    assert [left.tone(value) for value in (301, 300, 60)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
    assert left.tone(65, before=Tone.BAD) is Tone.BAD
    assert left.tone(67, before=Tone.BAD) is Tone.WARN
