"""Words of states and roles are compared in one form."""

from __future__ import annotations

import pytest

from console.kinds.tables import TABLES
from console.records.state_words import (
    AWAY,
    BUSY,
    CONNECTED,
    ENDED,
    RINGING,
    display_word,
    normalized,
    role,
)
from console.records.traffic import Call
from console.views.filter import parse
from tests.kinds.wild import render_context


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("STATE_QUEUED", "queued"),
        ("CALL_STATE_ON_HOLD", "onhold"),
        ("AGENT_STATUS_DO_NOT_DISTURB", "donotdisturb"),
        ("Do-not disturb", "donotdisturb"),
        ("STATUS_", "status"),
        ("STATE_2", "state2"),
        ("state_of_mind", "stateofmind"),
        ("ROLE_ADMIN", "admin"),
    ],
)
def test_the_prefix_of_an_enumeration_is_no_part_of_a_word(word: str, expected: str) -> None:
    assert normalized(word) == expected


@pytest.mark.parametrize(
    ("sent", "expected"),
    [("ADMIN", "admin"), ("ROLE_ADMIN", "admin"), ("User", "user"), ("boss", "boss"), ("Boss", "Boss"), (None, "")],
)
def test_a_role_is_known_in_any_spelling(sent: str | None, expected: str) -> None:
    assert role(sent) == expected


@pytest.mark.parametrize(
    ("word", "shown"), [("CALL_STATE_ON_HOLD", "on hold"), ("STATUS_LUNCH_BREAK", "lunch break"), ("QUEUED", "QUEUED")]
)
def test_a_word_is_shown_without_the_prefix_of_an_enumeration(word: str, shown: str) -> None:
    assert display_word(word) == shown


@pytest.mark.parametrize("typed", ["state:queued", "state=queued", "state:STATE_Q", "queued"])
def test_a_state_is_found_as_sent_and_as_shown(typed: str) -> None:
    found = parse(typed, TABLES["calls"])
    render = render_context()
    assert found.evaluate(Call(id="a", state="STATE_QUEUED"), render)[0]
    assert not found.evaluate(Call(id="b", state="STATE_ENDED"), render)[0]


@pytest.mark.parametrize(
    ("word", "group"),
    [
        ("in-progress", CONNECTED),
        ("ALERTING", RINGING),
        ("dialing", RINGING),
        ("DISCONNECTED", ENDED),
        ("InACall", BUSY),
        ("OutOfOffice", AWAY),
    ],
)
def test_words_of_common_platforms_are_known(word: str, group: frozenset[str]) -> None:
    assert normalized(word) in group
