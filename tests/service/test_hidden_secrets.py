"""Secrets in lists and records are withheld, unless the service is configured to return those of the contract."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from console.service.auth.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from tests.background import Running
from tests.service.over_http import DOMAIN, data, fill, grant, log_in
from tests.services import Services, content_of


@pytest.fixture(params=[False, True], ids=["withheld", "shown"])
def service(services: Services, request: pytest.FixtureRequest) -> Generator[Running]:
    settings = ServiceSettings(password_cost=Cost.cheap(), show_secrets=request.param)
    with services.anew(fill, settings=settings) as running:
        yield running


def test_passwords_of_pools_and_mappings_are_shown_to_admins_if_configured(service: Running) -> None:
    shown = service.platform.settings.show_secrets
    with log_in(service, "eva") as eva, log_in(service, "ana") as ana:
        data(eva.post("/sip/identities", json={"username": "7001", "password": "hush-7001"}))
        (identity,) = data(eva.get("/sip/identities"))
        assert identity.get("password") == ("hush-7001" if shown else None)
        assert data(eva.get(f"/sip/identities/{identity['id']}")).get("password") == ("hush-7001" if shown else None)
        (own,) = data(ana.get("/sip/identities", params={"domain": DOMAIN}))
        assert "password" not in own
        given = {"username": "7002", "password": "hush-7002"}
        data(eva.put("/sip/mapping", json={"ownerUri": "svc-user:bob", "credential": given}))
        for listed in (data(eva.get("/sip/mappings"))["mappings"], data(eva.get("/sip/mappings/page"))["data"]):
            assert [each["mapping"] for each in listed] == [given if shown else {"username": "7002"}]


def test_gateway_passwords_of_provisioned_users_are_shown_if_configured(
    service: Running,
) -> None:
    shown = service.platform.settings.show_secrets
    sip = {"username": "7003", "password": "hush-7003"}
    user = {"username": "nora", "attributes": {"domain": DOMAIN, "sip_mapping": sip}}
    with log_in(service, "eva") as eva:
        place = f"{service.provisioning_url}/users"
        data(eva.post(place, json={"user": {**user, "credentials": {"password": "first"}}}))
        (found,) = data(eva.get(place, params={"username": "nora", "exact": "true"}))["users"]
        assert found["attributes"]["sip_mapping"] == (sip if shown else {"username": "7003"})


def test_tokens_are_listed_if_configured(service: Running) -> None:
    shown = service.platform.settings.show_secrets
    with log_in(service, "ana") as ana, log_in(service, "eva") as eva:
        made = data(ana.post("/sessions", json={}))
        for client in (ana, eva):
            found = data(client.get(f"/sessions/{made['id']}"))
            assert found.get("token") == (made["token"] if shown else None)
        pair = data(grant(ana, "bob"))
        listed = data(eva.get("/oauth2/tokens", params={"username": "bob", "type_hint": "all"}))
        assert [each.get("token") for each in listed["accessTokens"]] == [pair["access_token"] if shown else None]
        assert [each.get("token") for each in listed["refreshTokens"]] == [pair["refresh_token"] if shown else None]
        assert not stored(service.platform, pair["access_token"])


def test_secrets_in_credentials_are_shown_to_their_owner_and_admins_if_configured(
    service: Running,
) -> None:
    shown = service.platform.settings.show_secrets
    token = "t" * 40
    given = {
        "ims": {"username": "7004", "password": "hush-7004"},
        "svc-ims": {"impi": "7007@ims", "secret": "hush-7007"},
        "oauth2": {"provider": "cloud", "refreshToken": "hush-7005", "nested": {"deep": "hush-7006"}},
        "token": {"token": token},
    }
    harmless: dict[str, object] = {
        "ims": {"username": "7004"},
        "svc-ims": {"impi": "7007@ims"},
        "oauth2": {"provider": "cloud"},
        "token": {},
    }
    with log_in(service, "ana") as ana, log_in(service, "eva") as eva, log_in(service, "bob") as bob:
        for kind, content in given.items():
            asked = {"source": "desk", "type": kind, "domain": DOMAIN, "lease": 0, "data": content}
            made = data(ana.post("/credentials", json=asked))
            assert made["data"] == (content if shown else harmless[kind])
            changed = data(ana.put(f"/credentials/{made['id'].partition('@')[0]}", json={"lease": 60}))
            for client in (ana, eva):
                assert data(client.get(f"/credentials/{made['id']}")) == changed == {**made, "lease": 60}
            (listed,) = data(eva.get("/credentials", params={"user": "ana", "type": kind}))
            assert listed == changed
            assert bob.get(f"/credentials/{made['id']}").status_code == 403
        (password,) = data(ana.get("/credentials", params={"type": "basic"}))
        assert password["data"] == {"username": "ana"}
        for secret in ("hush-7004", "hush-7005", "hush-7006", "hush-7007", token):
            assert not stored(service.platform, secret)


def stored(platform: Platform, text: str) -> bool:
    """Return whether the database contains a text in clear."""
    with platform.read() as tx:
        return text.encode() in content_of(tx)
