"""Profiles: which refuse changes, and which colour tells them apart."""

from __future__ import annotations

import pytest

from console.config.schema import Config, Profile
from console.ui.screens.profiles import tone_of
from console.views.cell import Tone

CORE = "http://desk.example/core"


@pytest.mark.parametrize(
    ("profile", "refuses"),
    [
        (Profile(CORE), False),
        (Profile(CORE, read_only=True), True),
        (Profile(CORE, production=True), True),
        (Profile(CORE, production=True, read_only=False), False),
    ],
    ids=["usual", "read-only", "production", "production with changes"],
)
def test_production_is_read_only_unless_the_profile_says_otherwise(profile: Profile, refuses: bool) -> None:
    assert profile.refuses_changes is refuses


def test_profiles_have_different_colours_and_production_is_red() -> None:
    profiles = {name: Profile(CORE) for name in ("a", "b", "c")}
    config = Config(profiles={**profiles, "live": Profile(CORE, production=True), "own": Profile(CORE, colour="green")})
    tones = {name: tone_of(name, profile, config) for name, profile in config.profiles.items()}
    assert len({tones[name] for name in ("a", "b", "c")}) == 3
    assert (tones["live"], tones["own"]) == (Tone.BAD, Tone.GOOD)


def test_the_only_profile_needs_no_colour() -> None:
    assert tone_of("a", Profile(CORE), Config(profiles={"a": Profile(CORE)})) is None
