"""Domains: admission of guests, offered services, and permissions inherited by users."""

from __future__ import annotations

from typing import Any

import httpx

from console.api.annotations import Variant
from console.service.domain.domains import DOMAINS, of_origin
from tests.background import Running
from tests.for_each import for_each
from tests.manual_clock import ManualClock
from tests.service.over_http import DOMAIN, LogIn, Serve, data, log_in

SHOP: dict[str, Any] = {
    "domain": "shop.example",
    "origins": [r"https://(www\.)?shop\.example(:\d+)?"],
    "enableAnonymous": True,
    "anonymousCapabilities": ["+chat", "+c2ccall"],
    "services": {"login": [], "chat": [], "callcontrol": ["dial"]},
}


def _visit(client: httpx.Client, origin: str | None) -> httpx.Response:
    headers = {} if origin is None else {"Origin": origin}
    return client.post("/sessions/start", json={"token": ""}, headers=headers)


def test_anonymous_users_belong_to_the_domain_of_their_page(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    data(eva.post("/domains", json=SHOP))
    visit = data(_visit(nobody, "https://www.shop.example:8443"))
    assert visit["session"]["domain"] == "shop.example"
    assert visit["capabilities"]["user"] == [{"name": "+chat"}, {"name": "+c2ccall"}]
    headers = {"Authorization": f"Bearer {visit['access_token']}"}
    offered = data(nobody.get("/capabilities", headers=headers))
    assert offered == {"domain": ["login", "chat", "callcontrol"], "user": ["+chat", "+c2ccall"]}
    for origin in ("https://shop.example.evil.test", "http://shop.example", "null", "https://[", None):
        assert data(_visit(nobody, origin))["session"]["domain"] == "guests", origin


def test_a_domain_that_accepts_no_anonymous_users_refuses_them(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    data(eva.post("/domains", json={**SHOP, "enableAnonymous": False}))
    assert _visit(nobody, "https://shop.example").status_code == 403
    asked = {"grant_type": "anonymous"}
    assert nobody.post("/oauth2/token", json=asked, headers={"Origin": "https://shop.example"}).status_code == 403
    assert _visit(nobody, None).status_code == 200
    data(eva.put("/domains/guests", json={"domain": "guests", "enableAnonymous": False}))
    assert _visit(nobody, None).status_code == 403
    assert nobody.post("/oauth2/token", json=asked).status_code == 403


def test_an_anonymous_session_lasts_as_long_as_the_domain_allows(serve: Serve) -> None:
    service = serve(ManualClock())
    with log_in(service, "nobody") as nobody:
        data(_visit(nobody, None))
        with service.platform.write() as tx:
            guests = DOMAINS.need(tx, "guests").model_copy(update={"anonymous_expiration": 90})
            DOMAINS.put(tx, guests)
        assert data(_visit(nobody, None))["expires_in"] == 90


def test_the_most_specific_domain_of_an_origin_is_used(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    data(eva.put(f"/domains/{DOMAIN}", json={"domain": DOMAIN, "origins": [r".*\.example"]}))
    data(eva.post("/domains", json={"domain": "north.shop.example", "origins": [r"north\.shop\.example"]}))
    with service.database.read() as tx:
        found = {origin: of_origin(tx, origin) for origin in ("https://north.shop.example", "https://a.example", "x")}
    assert {origin: domain and domain.id for origin, domain in found.items()} == {
        "https://north.shop.example": "north.shop.example",
        "https://a.example": DOMAIN,
        "x": None,
    }


def test_a_user_name_in_two_domains_is_found_by_the_page_of_the_login(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    data(eva.post("/domains", json=SHOP))
    twin = data(eva.post("/users", json={"username": "pat2", "domain": "shop.example", "role": "user"}))
    other = data(eva.post("/users", json={"username": "pat2", "domain": DOMAIN, "role": "user"}))
    for user, domain in ((twin, "shop.example"), (other, DOMAIN)):
        secret = {"data": {"password": domain}, "lease": 0}
        made = {"source": "local", "type": "basic", "domain": domain, "user": user["id"], **secret}
        data(eva.post("/credentials", json=made))
    asked = {"grant_type": "password", "username": "pat2", "password": "shop.example"}
    assert nobody.post("/oauth2/token", json=asked).status_code == 401
    assert nobody.post("/oauth2/token", json=asked, headers={"Origin": "https://shop.example"}).status_code == 200


def test_the_offered_services_of_a_domain_are_sent_to_its_users(as_user: LogIn) -> None:
    eva, otto = as_user("eva"), as_user("otto")
    assert data(otto.get("/capabilities"))["domain"] == ["chat", "login"]
    data(eva.put("/domains/other.example", json={"domain": "other.example", "services": {"meetings": []}}))
    assert data(otto.get("/capabilities"))["domain"] == ["meetings"]


def test_a_new_domain_is_below_that_of_its_creator_and_never_below_itself(as_user: LogIn) -> None:
    eva = as_user("eva")
    assert data(eva.post("/domains", json={"domain": "a.example"}))["parent"] == DOMAIN
    assert data(eva.post("/domains", json={"domain": "b.example", "parent": "a.example"}))["parent"] == "a.example"
    assert eva.put("/domains/a.example", json={"domain": "a.example", "parent": "b.example"}).status_code == 400
    assert data(as_user("otto").get("/users/current"))["metadata"]["isAtRootDomain"] is False


def test_users_see_only_their_own_domain(as_user: LogIn) -> None:
    otto = as_user("otto")
    assert [each["id"] for each in data(otto.get("/domains"))] == ["other.example"]
    assert data(otto.get("/domains/other.example"))["parent"] == DOMAIN
    assert otto.get(f"/domains/{DOMAIN}").status_code == 403
    assert otto.get("/domains/nowhere.example").status_code == 404


@for_each("pattern", ["(", "(?=x)", "(a)\\1", "x" * 501, "", "a{1000}{1000}"])
def test_patterns_that_re2_does_not_accept_are_refused(as_user: LogIn, pattern: str) -> None:
    refused = as_user("eva").post("/domains", json={**SHOP, "origins": ["good", pattern]})
    assert refused.status_code == 400
    assert [each["dataPath"] for each in refused.json()["validationErrors"]] == ["origins.1"]


def test_the_earlier_variant_omits_the_name_and_keeps_its_groups(serve: Serve) -> None:
    service = serve(variant=Variant.EARLIER)
    with log_in(service, "eva") as eva:
        groups = [["+chat", "+c2ccall"], ["+video"]]
        made = data(eva.post("/domains", json={**SHOP, "anonymousCapabilities": groups}))
        assert "domain" not in made
        assert made["anonymousCapabilities"] == groups
        listed = {each["id"]: each for each in data(eva.get("/domains", params={"name": "ignored"}))}
        assert listed["shop.example"]["anonymousCapabilities"] == groups
        assert all("domain" not in each for each in listed.values())
        with log_in(service, "nobody") as nobody:
            visit = data(_visit(nobody, "https://shop.example"))
        assert [each["name"] for each in visit["capabilities"]["user"]] == ["+chat", "+c2ccall", "+video"]
        assert eva.post("/domains", json={**SHOP, "domain": "x.example"}).status_code == 400
        assert eva.post("/users", json={"username": "x", "domain": DOMAIN, "role": "anonymous"}).status_code == 400


ALWAYS = {"recordingType": "all", "recordingProfile": "always"}
ASKED = {"recordingType": "calls", "recordingProfile": "on request"}


def test_permissions_of_a_domain_apply_to_users_without_their_own(as_user: LogIn) -> None:
    eva, ana, otto = as_user("eva"), as_user("ana"), as_user("otto")
    assert data(ana.get("/permissions")) == {}
    of_domain, of_ana = f"/permissions/domains/{DOMAIN}", "/permissions/users/ana"
    assert data(eva.post(of_domain, json={"recording": ALWAYS, "voicemail": {"enabled": True}})) == "Created"
    assert data(ana.get("/permissions")) == {"recording": ALWAYS, "voicemail": {"enabled": True}}
    assert data(otto.get("/permissions")) == {}
    assert eva.get(of_ana).status_code == 404
    data(eva.post(of_ana, json={"recording": ASKED}))
    assert data(ana.get("/permissions")) == {"recording": ASKED, "voicemail": {"enabled": True}}
    assert data(eva.put(of_ana, json={"voicemail": {"enabled": False}})) == "OK"
    data(eva.put(of_domain, json={"recording": {"recordingProfile": "never"}}))
    assert data(eva.get("/permissions", params={"userId": "ana"})) == {
        "recording": ASKED,
        "voicemail": {"enabled": False},
    }
    assert data(as_user("bob").get("/permissions"))["recording"] == {**ALWAYS, "recordingProfile": "never"}
    assert as_user("bob").get("/permissions", params={"userId": "ana"}).status_code == 403
    assert data(as_user("bob").get("/permissions", params={"userId": "bob"}))["voicemail"] == {"enabled": True}
    assert eva.post(of_domain, json={"recording": ALWAYS}).status_code == 409


def test_users_who_move_get_the_permissions_of_their_new_domain(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    data(eva.post("/permissions/domains/other.example", json={"recording": ASKED}))
    assert data(ana.get("/permissions")) == {}
    data(eva.put("/users/ana", json={"domain": "other.example"}))
    assert data(ana.get("/permissions")) == {"recording": ASKED}
