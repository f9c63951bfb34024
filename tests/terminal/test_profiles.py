"""Several profiles in one console: each keeps its screens, and says what is new while another is shown."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest

from console.service.domain.alerts import ALERTS
from tests.background import Running
from tests.services import Services, world
from tests.terminal.home import LARGE, SMALL, Home, living_sessions


@pytest.fixture(scope="module")
def other(services: Services) -> Generator[Running]:
    with services.anew(world("quiet")) as running:
        yield running


def configure(home: Home, service: Running, other: Running, night: str = "") -> None:
    home.write(
        'hold_seconds = 0\nbell = false\nprofile = "day"\n'
        f'[profiles.day]\ncore = "{service.core_url}"\nusername = "eva"\n'
        f'[profiles.night]\ncore = "{other.core_url}"\nusername = "eva"\n{night}\n'
        '[profiles.lab]\ncore = "http://127.0.0.1:9/core"\nusername = "eva"\n'
    )


def test_a_digit_goes_to_another_profile_and_each_keeps_its_screen(home: Home, service: Running, other: Running):
    configure(home, service, other, "production = true")
    before = living_sessions(service), living_sessions(other)
    with home.open(size=SMALL, CONSOLE_PASSWORD="demo") as eva:
        eva.until("LIVE")
        eva.press("2")
        eva.until(re.compile(r"\d+ calls"))
        eva.press("P")
        eva.until(re.compile(r"► 1  day +LIVE"))
        assert re.search(rf"2  night +not open +{other.core_url}", eva.screen)
        eva.press("2")
        eva.until(re.compile(r"^ +night +eva.*READ-ONLY.*LIVE", re.MULTILINE))
        eva.press("6")
        eva.until(re.compile(r"Alerts \d+"))
        eva.press("P")
        eva.until(re.compile(r"► 2  night +LIVE"))
        eva.press("1")
        eva.until(re.compile(r"^ +day +eva.*LIVE", re.MULTILINE))
        eva.until(re.compile(r"\d+ calls"))
        assert "READ-ONLY" not in eva.screen
        eva.type("P2")
        eva.until(re.compile(r"^ +night", re.MULTILINE))
        eva.until(re.compile(r" Templates \d"))
        eva.press("q")
        assert eva.ended() == 0
    assert (living_sessions(service), living_sessions(other)) == before


def test_a_new_alert_of_a_profile_that_is_not_shown_is_said(home: Home, service: Running, other: Running):
    configure(home, service, other)
    with home.open(CONSOLE_PASSWORD="demo") as eva:
        # Those of the first lists are not new.
        eva.until(re.compile(r"day: \d+ things? need"))
        eva.type("P2")
        eva.until(re.compile(r"night: \d+ things? need"))
        eva.type("P1")
        with other.platform.write() as tx:
            known = next(each for each in ALERTS.records(tx) if each.state == "active")
            ALERTS.put(tx, known.model_copy(update={"alert_id": "new-at-night"}))
        eva.until(re.compile(r"night: (offered|alert): "))
        eva.until(re.compile(r"^ +day +eva", re.MULTILINE))


def test_a_profile_without_a_login_is_left_for_the_one_before(home: Home, service: Running, other: Running):
    configure(home, service, other)
    with home.open() as eva:
        eva.until("Password of eva:")
        eva.type("demo\r")
        eva.until("LIVE")
        eva.type("P2")
        eva.until("Log in")
        eva.press("escape")
        eva.until(re.compile(r"^ +day +eva.*LIVE", re.MULTILINE))
        eva.press("P")
        eva.until(re.compile(r"2  night +log in"))
        eva.press("2")
        eva.until("Log in")
        eva.type("demo\r")
        eva.until(re.compile(r"^ +night +eva.*LIVE", re.MULTILINE))


def test_an_unusable_profile_says_why_and_the_shown_one_stays(home: Home, service: Running, other: Running):
    configure(home, service, other, 'routes = "missing.toml"')
    with home.open(size=LARGE) as eva:
        eva.until("Password of eva:")
        eva.type("demo\r")
        eva.until("LIVE")
        eva.type("P2")
        eva.until("night cannot be opened: missing.toml")
        assert re.search(r"^ +day +eva", eva.screen, re.MULTILINE)
