"""Thresholds of the configuration."""

from __future__ import annotations

from console.config.schema import ThresholdLevels
from console.kinds.agents import LOAD
from console.kinds.calls import WAIT
from console.kinds.catalogue import THRESHOLDS
from console.kinds.skills import ONLINE
from console.views.cell import Tone
from console.views.thresholds import configured, level
from tests.for_each import for_each
from tests.kinds.sample_records import render_context_of

# -- thresholds ------------------------------------------------------------------------------------------------------


@for_each("name", THRESHOLDS)
def test_a_configured_threshold_is_in_the_unit_that_users_write(name: str) -> None:
    usual = THRESHOLDS[name]
    written = ThresholdLevels(usual.warn / usual.unit, usual.bad / usual.unit)
    assert configured({name: written}, THRESHOLDS) == {name: usual}


def test_thresholds_of_ages_are_in_seconds_and_those_of_numbers_unchanged() -> None:
    levels = {
        "calls.wait": ThresholdLevels(45, 90),
        "skills.online": ThresholdLevels(3, 1),
        "agents.load": ThresholdLevels(2, 3),
    }
    found = configured(levels, THRESHOLDS)
    seen = render_context_of(found)
    assert level(WAIT, seen).tone(46_000) is Tone.WARN
    assert [level(ONLINE, seen).tone(many) for many in (4, 3, 1)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
    assert [level(LOAD, seen).tone(many) for many in (1, 2, 3)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
