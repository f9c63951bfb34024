"""A held key counts once, a key pressed again counts again, and arrow keys are not affected."""

from __future__ import annotations

import pytest

from console.ui.screens.repeat import KeyRepeat, Press
from tests.for_each import for_each


def presses(*apart: float, key: str = "a") -> list[bool]:
    """Return for each press of a key, given the seconds since the previous one, whether it counts in the end."""
    repeat, now = KeyRepeat(), 100.0
    found: list[Press] = []
    for seconds in (0.0, *apart):
        now += seconds
        found.append(repeat.pressed(key, now))
    return [each.counts or (each.unsure and not each.is_held) for each in found]


@for_each("delay", [0.2, 0.25, 0.5, 0.66])
@for_each("interval", [0.015, 0.025, 0.05, 0.1])
def test_a_key_held_down_counts_once_at_any_repeat_rate(delay: float, interval: float) -> None:
    assert presses(delay, *[interval] * 30) == [True] + [False] * 31


def test_a_held_key_with_irregular_repeats_on_a_slow_line_counts_once() -> None:
    assert presses(0.5, 0.03, 0.0, 0.25, 0.0, 0.03, 0.2, 0.03) == [True] + [False] * 8


@pytest.mark.parametrize("apart", [0.13, 0.2, 0.4, 0.69, 0.71, 5.0])
def test_a_key_pressed_again_counts_again_however_soon(apart: float) -> None:
    assert presses(apart, apart, apart) == [True] * 4


def test_keys_after_the_release_of_a_held_key_count() -> None:
    assert presses(0.5, 0.03, 0.03, 0.35) == [True, False, False, False, True]


def test_after_another_key_the_same_key_counts_again() -> None:
    repeat = KeyRepeat()
    assert all(repeat.pressed(key, 1.0).counts for key in ("a", "down", "a"))


def test_after_another_event_the_same_key_counts_again() -> None:
    repeat = KeyRepeat()
    repeat.pressed("a", 1.0)
    repeat.forget()
    assert repeat.pressed("a", 1.01).counts


def test_a_held_key_stays_held_when_another_is_held_right_after_it() -> None:
    repeat = KeyRepeat()
    keys = (("x", 10.0), ("x", 10.5), ("x", 10.53), ("u", 20.0), ("u", 20.5), ("u", 20.53))
    presses = [repeat.pressed(key, at) for key, at in keys]
    assert [each.is_held for each in presses] == [False, True, False, False, True, False]
