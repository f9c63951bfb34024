"""A service shared by tests is, for each of them, as if it had just been started."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from tests.live.until import until
from tests.manual_clock import ManualClock
from tests.service.over_http import data, fill, grant, log_in, told_since
from tests.services import Services

SETTINGS = ServiceSettings(password_cost=Cost.cheap(), login_tries=2)


def test_changes_of_one_test_are_gone_in_the_next(services: Services) -> None:
    clock = ManualClock()
    with services.anew(fill, settings=SETTINGS, clock=clock) as service:
        address, head, began = service.base_url, service.database.head, clock.now_ms()
        with log_in(service, "eva") as eva, log_in(service, "nobody") as nobody:
            groups = data(eva.get("/groups"))
            data(eva.post("/groups", json={"name": "Left behind"}))
            clock.advance(30)
            assert [grant(nobody, "eva", "wrong").status_code for _ in range(3)] == [401, 401, 429]
        assert service.database.head > head
    with services.anew(fill, settings=SETTINGS, clock=ManualClock()) as service:
        assert (service.base_url, service.platform.now_ms()) == (address, began)
        assert not told_since(service, head)
        with log_in(service, "nobody") as nobody:
            assert grant(nobody, "eva", "wrong").status_code == 401
            nobody.headers["Authorization"] = eva.headers["Authorization"]
            assert nobody.get("/groups").status_code == 401
        with log_in(service, "eva") as eva:
            assert data(eva.get("/groups")) == groups


def test_the_first_change_after_a_reset_is_numbered_like_the_first_one_of_all(services: Services) -> None:
    for _ in range(2):
        with services.anew(fill, settings=SETTINGS, clock=ManualClock()) as service, log_in(service, "eva") as eva:
            before = service.database.head
            data(eva.post("/groups", json={"name": "New"}))
            assert [each.topic for each in told_since(service, before)] == ["groups"]


def test_two_parallel_users_get_two_services(services: Services) -> None:
    with (
        services.anew(fill, settings=SETTINGS, clock=ManualClock()) as one,
        services.anew(fill, settings=SETTINGS, clock=ManualClock()) as other,
    ):
        assert one.base_url != other.base_url


def test_an_old_world_is_not_reused(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    with services.anew(fill, settings=SETTINGS) as service:
        address = service.base_url
    with services.anew(fill, settings=SETTINGS) as service:
        assert service.base_url == address
    monkeypatch.setattr("tests.services.YOUNG_SECONDS", -1.0)
    with services.anew(fill, settings=SETTINGS) as service:
        assert service.base_url != address


def test_a_service_with_a_request_under_way_is_reused_only_after_its_end(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.services.REST_SECONDS", 0.05)
    with services.anew(fill, settings=SETTINGS, clock=ManualClock()) as service:
        where = urlsplit(service.base_url)
        peer = socket.create_connection((where.hostname or "", where.port or 0))
        peer.sendall(b"POST /core/oauth2/token HTTP/1.1\r\nHost: desk\r\nContent-Length: 9\r\n\r\nhalf")
        until(lambda: service.under_way() == 1)
    with peer, services.anew(fill, settings=SETTINGS, clock=ManualClock()) as other:
        assert other.base_url != service.base_url
    until(lambda: service.under_way() == 0)
