"""Keys that arrive together, as over a slow line, do what they would have done one by one."""

from __future__ import annotations

from tests.background import Running
from tests.terminal.home import SMALL, Home, active_alerts


def test_keys_typed_quickly_after_a_slash_go_into_the_filter(home: Home, service: Running):
    home.configure(service.core_url)
    before = active_alerts(service)
    with home.seat(size=SMALL) as eva:
        eva.type("6/vip a:x\x7f\x7f\x7f\x7f")
        eva.until("filter vip")
        eva.until("2 of 21")
        eva.type("\r2/zzzz\r")
        eva.until("0 of 120")
    assert active_alerts(service) == before


def test_a_name_typed_quickly_goes_into_the_picker(home: Home, service: Running):
    home.configure(service.core_url)
    with home.seat(size=SMALL) as eva:
        eva.type(":gro")
        eva.answer("enter", "gro│   2 of")
        eva.until("30 groups")


def test_the_first_key_can_open_a_screen_that_is_not_built_yet(home: Home, service: Running):
    home.configure(service.core_url)
    with home.seat(size=SMALL, fresh=True) as eva:
        eva.until("longest wait")
        eva.type("w")
        eva.until("►  ≡ queued")
