"""The tones of states, and the thresholds of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.base.signs import SIGNS
from console.base.text import cells, clean
from console.kinds.alarms.states import STATES as ALARMS
from console.kinds.alerts.states import STATES as ALERTS
from console.kinds.calls import WAIT
from console.kinds.calls.states import STATES as CALLS
from console.kinds.conferences.states import INVITES
from console.kinds.conferences.states import STATES as CONFERENCES
from console.kinds.presence.facts import activity_of
from console.kinds.presence.states import STATES as PRESENCE
from console.records.support import Presence
from console.views import states
from console.views.cell import Tone
from console.views.thresholds import Threshold
from tests.for_each import for_each
from tests.kinds.wild import render_context

LOOKS = [
    look
    for kind in (CALLS, CONFERENCES, INVITES, ALERTS, PRESENCE, ALARMS)
    for state in ("connected", "ringing", "queued", "servererror", "active", "away", "dnd", "critical", "low", "ended")
    for look in (kind.look(state),)
]


@pytest.mark.parametrize(
    ("state", "said"),
    [("connected", "● connected"), ("ringing", "◊ ringing"), ("queued", "≡ queued"), ("servererror", "× server error")],
)
def test_known_states_have_symbol_and_word(state: str, said: str) -> None:
    assert CALLS.cell(state, render_context()).text == said
    assert CALLS.cell(state, render_context(symbols="ascii")).text.isascii()


def test_a_state_is_recognized_in_any_spelling() -> None:
    assert CALLS.look("Server-Error") == CALLS.look("servererror")
    assert PRESENCE.look("Do not disturb") == PRESENCE.look("dnd")


def test_an_unknown_state_is_shown_unchanged_but_clean() -> None:
    shown = CALLS.cell("hyper\x1b[2J", render_context())
    assert shown.text.startswith("· hyper")
    assert "\x1b" not in shown.text
    assert shown.tone is Tone.PLAIN


@for_each("look", LOOKS)
def test_symbols_take_one_cell_in_both_sets(look: states.StateLook) -> None:
    assert cells(clean(look.symbol)) == 1
    assert SIGNS[look.symbol].isascii()


@given(st.text())
def test_any_state_has_a_style(state: str) -> None:
    assert CALLS.look(state).symbol


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
def test_offline_takes_precedence_over_any_activity(online: bool | None, doing: str | None, said: str | None) -> None:
    assert activity_of(Presence(address="svc-user:ana", online=online, activity=doing)) == said


def test_a_number_is_highlighted_at_its_thresholds() -> None:
    assert [WAIT.tone(ms) for ms in (59_000, 60_000, 120_000)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
    assert WAIT.tone(None) is Tone.PLAIN


def test_low_numbers_can_be_the_highlighted_ones() -> None:
    left = Threshold(300, 60, below=True)
    assert [left.tone(value) for value in (301, 300, 60)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
