"""Keys that arrive together, as over a slow line, do what they would have done one by one."""

from __future__ import annotations

from console.service.serve import Running
from tests.terminal.home import SMALL, Home, active_alerts


def test_what_follows_a_slash_in_one_breath_is_a_filter_and_nothing_else(home: Home, service: Running):
    home.configure(service.core_url)
    before = active_alerts(service)
    with home.seat(size=SMALL) as eva:
        eva.type("6/vip a:x\x7f\x7f\x7f\x7f")
        eva.until("filter vip")
        eva.until("2 of 21")
        eva.type("\r2/zzzz\r")
        eva.until("0 of 120")
    assert active_alerts(service) == before


def test_a_name_is_typed_into_a_picker_in_one_breath(home: Home, service: Running):
    home.configure(service.core_url)
    with home.seat(size=SMALL) as eva:
        eva.type(":gro")
        eva.answer("enter", "gro│   2 of")
        eva.until("30 groups")


def test_the_first_key_may_lead_to_a_screen_that_is_not_there_yet(home: Home, service: Running):
    home.configure(service.core_url)
    with home.seat(size=SMALL, fresh=True) as eva:
        eva.until("longest wait")
        eva.type("w")
        eva.until("►  ≡ queued")
