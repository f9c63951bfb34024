"""User accounts managed by an admin, and the effects on logins, sessions and telephones."""

from __future__ import annotations

from typing import Any

import httpx

from console.service.domain import phones
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.people import USERS
from console.service.domain.sessions import SESSIONS
from tests.background import Running
from tests.manual_clock import ManualClock
from tests.service.delivered import delivered
from tests.service.jobs import run_jobs
from tests.service.over_http import DOMAIN, LogIn, Serve, data, grant, log_in, token_of

NORA = {"username": "nora", "domain": DOMAIN, "role": "user"}


def _password(user: str, password: str, **more: Any) -> dict[str, Any]:
    secret = {"data": {"username": user, "password": password}}
    return {"source": "local", "type": "basic", "domain": DOMAIN, "user": user, "lease": 0, **secret, **more}


def test_a_created_user_is_listed_and_logs_in_as_soon_as_there_is_a_password(as_user: LogIn, service: Running) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    nora = data(eva.post("/users", json=NORA))
    assert nora["id"] in {each["id"] for each in data(as_user("ana").get("/users"))}
    assert grant(nobody, "nora", "open sesame").status_code == 401
    data(eva.post("/credentials", json=_password(nora["id"], "open sesame")))
    assert grant(nobody, "nora", "open sesame").status_code == 200
    assert token_of(service.base_url, f"nora@{DOMAIN}", "open sesame")


def test_a_password_is_valid_until_it_expires(serve: Serve) -> None:
    clock = ManualClock()
    service = serve(clock)
    with log_in(service, "eva") as eva:
        nora = data(eva.post("/users", json=NORA))["id"]
        made = data(eva.post("/credentials", json=_password(nora, "open sesame", lease=3600)))
        with log_in(service, "nobody") as nobody:
            assert grant(nobody, "nora", "open sesame").status_code == 200
            clock.advance(3601)
            assert grant(nobody, "nora", "open sesame").status_code == 401
            data(eva.put(f"/credentials/{made['id'].partition('@')[0]}", json={"lease": 60}))
            assert grant(nobody, "nora", "open sesame").status_code == 200


def test_a_new_password_invalidates_the_old_one_and_its_tokens(as_user: LogIn) -> None:
    ana, nobody = as_user("ana"), as_user("nobody")
    assert grant(nobody, "ana").status_code == 200
    (own,) = data(ana.get("/credentials", params={"type": "basic"}))
    short = own["id"].partition("@")[0]
    data(ana.put(f"/credentials/{short}", json={"data": {"username": "ana", "password": "another"}}))
    assert grant(nobody, "ana").status_code == 401
    assert grant(nobody, "ana", "another").status_code == 200
    listed = data(ana.get("/oauth2/tokens", params={"username": "ana", "type_hint": "all"}))
    assert (len(listed["accessTokens"]), len(listed["refreshTokens"])) == (1, 1)
    assert ana.get("/users/current").status_code == 200, "sessions go on"


def test_admin_rights_take_effect_and_end_at_once(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    assert ana.get("/sessions").status_code == 403
    data(eva.put("/users/ana", json={"role": "admin"}))
    sessions = data(ana.get("/sessions"))
    assert [each["userObj"]["role"] for each in sessions if each["user"] == "ana"] == ["admin"]
    data(ana.put("/users/ana", json={"role": "user"}))
    assert ana.get("/sessions").status_code == 403


def test_the_last_admin_cannot_be_demoted(as_user: LogIn) -> None:
    eva = as_user("eva")
    assert eva.put("/users/eva", json={"role": "user"}).status_code == 409
    data(eva.put("/users/ana", json={"role": "admin"}))
    data(eva.put("/users/eva", json={"role": "user"}))
    assert eva.get("/sessions").status_code == 403


def test_users_change_their_own_names_and_numbers_but_not_their_permissions(as_user: LogIn) -> None:
    ana = as_user("ana")
    assert data(ana.put("/users/ana", json={"alias": "Ana", "email": ""}))["alias"] == "Ana"
    mine = data(ana.get("/users/ana"))
    assert "email" not in mine
    assert data(ana.put("/users/ana", json=mine)) == mine, "what is sent back as it came changes nothing"
    for change in ({"role": "admin"}, {"domain": "other.example"}, {"username": "eva2"}, {"capabilities": ["+x"]}):
        assert ana.put("/users/ana", json=change).status_code == 403, change
    assert ana.put("/users/bob", json={"alias": "Bob"}).status_code == 403


def test_a_user_who_moves_to_another_domain_keeps_sessions_and_credentials(as_user: LogIn, service: Running) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    data(eva.put("/users/ana", json={"domain": "other.example"}))
    assert {each["domain"] for each in data(ana.get("/sessions/own"))} == {"other.example"}
    assert {each["domain"] for each in data(ana.get("/credentials"))} == {"other.example"}
    assert {each["id"] for each in data(ana.get("/users"))} == {"ana", "otto"}
    assert data(ana.get("/capabilities"))["domain"] == ["chat", "login"]
    assert ana.get("/users/bob").status_code == 403
    assert grant(as_user("nobody"), "ana@other.example").status_code == 200


def test_the_agent_capability_decides_who_is_an_agent(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    data(eva.put("/users/pat", json={"capabilities": ["+c2cagent"]}))
    data(eva.post("/skills", json={"skill": "french", "agents": ["pat"]}))
    data(eva.put("/users/pat", json={"capabilities": []}))
    with service.database.read() as tx:
        assert AGENTS.row(tx, "pat") is None
        assert SKILLS.need(tx, "french").agents == ()


def test_missing_values_of_a_new_user_are_set_by_the_platform(serve: Serve) -> None:
    with log_in(serve(default_timezone="Atlantic/Canary", default_locale="ca-ES"), "eva") as eva:
        made = data(eva.post("/users", json=NORA))
        assert (made["currentTimezone"], made["locale"]) == ("Atlantic/Canary", "ca-ES")
        own = data(eva.post("/users", json={**NORA, "username": "noa", "currentTimezone": "Europe/Paris"}))
        assert (own["currentTimezone"], own["locale"]) == ("Europe/Paris", "ca-ES")


def test_an_email_address_can_be_a_user_name(as_user: LogIn) -> None:
    eva = as_user("eva")
    nora = data(eva.post("/users", json={**NORA, "username": "nora@mail.example"}))
    data(eva.post("/credentials", json=_password(nora["id"], "open sesame")))
    assert grant(as_user("nobody"), "nora@mail.example", "open sesame").status_code == 200


def test_anonymous_users_can_be_created_where_the_domain_accepts_them(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    anonymous = {**NORA, "role": "anonymous"}
    assert eva.post("/users", json=anonymous).status_code == 400
    change = {"domain": DOMAIN, "enableAnonymous": True, "anonymousCapabilities": ["+chat"]}
    data(eva.put(f"/domains/{DOMAIN}", json=change))
    made = data(eva.post("/users", json=anonymous))
    assert (made["role"], made["capabilities"]) == ("anonymous", ["+chat"])
    assert eva.put(f"/users/{made['id']}", json={"role": "user"}).status_code == 409
    run_jobs(service.platform)
    with service.database.read() as tx:
        assert USERS.row(tx, made["id"]) is not None


# -- telephones -------------------------------------------------------------------------------------------------------

PHONE = "+34611000111"


def _sent(service: Running, phone: str = PHONE) -> list[str]:
    with service.database.read() as tx:
        return [str(each.content["code"]) for each in delivered(service.platform, tx, "ana") if each.recipient == phone]


def _try(client: httpx.Client, code: str, phone: str = PHONE) -> int:
    return client.post("/users/ana/validate-phone", json={"code": code, "field": phone}).status_code


def test_a_new_number_is_sent_a_code_that_validates_it_once(as_user: LogIn, service: Running) -> None:
    ana = as_user("ana")
    data(ana.put("/users/ana", json={"mobilePhone": [PHONE]}))
    (code,) = _sent(service)
    assert _try(ana, code, "+34600000001") == 400
    assert "validatedPhones" not in data(ana.get("/users/ana"))
    assert _try(ana, code) == 200
    assert data(ana.get("/users/ana"))["validatedPhones"] == [PHONE]
    assert _try(ana, code) == 400
    data(ana.put("/users/ana", json={"mobilePhone": [PHONE], "alias": "Ana"}))
    assert len(_sent(service)) == 1, "what is validated needs no other code"
    data(as_user("bob").put("/users/bob", json={"alias": "Bob"}))
    with service.database.read() as tx:
        assert delivered(service.platform, tx, "bob") == (), "nobody is sent a code for a change of something else"
    data(ana.put("/users/ana", json={"mobilePhone": []}))
    assert "validatedPhones" not in data(ana.get("/users/ana"))


def test_codes_expire_and_another_one_is_sent(serve: Serve) -> None:
    clock = ManualClock()
    service = serve(clock)
    with log_in(service, "ana") as ana:
        data(ana.put("/users/ana", json={"mobilePhone": [PHONE]}))
        clock.advance(phones.GOOD_FOR_MS / 1000 + 1)
        assert _try(ana, _sent(service)[0]) == 400
        data(ana.put("/users/ana", json={"mobilePhone": [PHONE]}))
        assert len(_sent(service)) == 2
        assert _try(ana, _sent(service)[1]) == 200


def test_codes_cannot_be_guessed(as_user: LogIn, service: Running) -> None:
    ana = as_user("ana")
    data(ana.put("/users/ana", json={"mobilePhone": [PHONE]}))
    assert [_try(ana, f"{number:08d}x") for number in range(11)] == [400] * 10 + [429]
    assert _try(ana, _sent(service)[0]) == 429


def test_a_code_is_stored_only_in_its_message(as_user: LogIn, service: Running) -> None:
    data(as_user("ana").put("/users/ana", json={"mobilePhone": [PHONE]}))
    (code,) = _sent(service)
    with service.database.read() as tx:
        stored = tx.rows(phones.codes.select())
        assert [row.phone for row in stored] == [PHONE]
        assert code not in str(stored)
        assert code not in str(USERS.bodies(tx))
        assert code not in str(SESSIONS.bodies(tx))


def test_null_removes_an_optional_value_and_is_refused_for_others(as_user: LogIn) -> None:
    eva = as_user("eva")
    assert "email" not in data(eva.put("/users/ana", json={"email": None}))
    assert eva.put("/users/ana", json={"username": None}).status_code == 400
    template = {"templateId": "fire", "title": "Fire", "payload": "", "numberOfRetries": 1, "timeInMsBetweenRetries": 9}
    eva.post("/alert-templates", json={**template, "timeToExpire": 5}).raise_for_status()
    (stored,) = data(eva.get("/alert-templates"))["alertTemplates"]
    assert stored["timeToExpire"] == 5
    eva.put("/alert-templates/fire", json={"timeToExpire": None}).raise_for_status()
    assert data(eva.get("/alert-templates"))["alertTemplates"][0].get("timeToExpire") is None
    assert eva.put("/alert-templates/fire", json={"title": None}).status_code == 400
