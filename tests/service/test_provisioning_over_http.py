"""The provisioning service and the core service stay in sync, and logins follow provisioning."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from console.api.annotations import Variant
from console.api.events import CLOSE_LOGIN_NEEDED
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import identities, logouts, people, sessions
from console.service.domain.logouts import DOMAIN_LOGOUTS
from console.service.domain.people import USERS
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.platform import Platform, ServiceSettings
from tests.background import Running, start_background
from tests.service.channels import Open, close_code, confirmed, next_event, subscribed, told
from tests.service.jobs import run_jobs
from tests.service.over_http import DOMAIN, LogIn, Serve, data, fill, grant, log_in

NORA: dict[str, Any] = {
    "username": "nora",
    "email": "nora@desk.example",
    "first_name": "Nora",
    "last_name": "Soler",
    "attributes": {
        "domain": DOMAIN,
        "phone_number": "+34600333444",
        "capabilities": ["+chat"],
        "sip_mapping": {"username": "7300", "password": "hush", "sip_domain": "sip.desk.example"},
    },
    "credentials": {"password": "first word"},
}


def _at(client: httpx.Client, path: str) -> str:
    return f"{str(client.base_url).removesuffix('core/')}provisioning{path}"


def _create(eva: httpx.Client, **more: Any) -> dict[str, Any]:
    return data(eva.post(_at(eva, "/users"), json={"user": {**NORA, **more}}))["user"]


def _session(client: httpx.Client, password: str) -> dict[str, str]:
    """Log nora in; return the header with the session."""
    token = data(grant(client, "nora", password))["access_token"]
    login = data(client.post("/sessions/start", json={"token": token}))
    return {"Authorization": f"Bearer {login['access_token']}"}


def test_a_provisioned_user_is_a_user_of_the_core_service_and_logs_in(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    made = _create(eva)
    assert "password" not in json.dumps(made)
    core = data(eva.get(f"/users/{made['id']}"))
    assert (core["username"], core["domain"], core["role"], core["alias"]) == ("nora", DOMAIN, "user", "Nora")
    assert (core["email"], core["mobilePhone"], core["capabilities"]) == (
        "nora@desk.example", ["+34600333444"], ["+chat"],
    )  # fmt: skip
    nora = _session(nobody, "first word")
    own = {"ownerUri": f"svc-user:{made['id']}"}
    assert data(nobody.get("/sip/mapping", params=own, headers=nora)) == {"username": "7300", "password": "hush"}
    assert data(eva.get(_at(eva, f"/users/{DOMAIN}/nora"))) == made


def test_a_refusal_names_the_inputs_as_the_provisioning_service_does(as_user: LogIn) -> None:
    eva = as_user("eva")
    attributes = {"domain": DOMAIN, "phone_number": "mobile"}
    refused = eva.post(_at(eva, "/users"), json={"user": {"username": "nora", "attributes": attributes}})
    (entry,) = refused.json()["validationErrors"]
    assert entry["dataPath"] == "user.attributes.phone_number"
    assert refused.json()["error"].startswith("user.attributes.phone_number: ")


def test_a_change_in_one_service_is_visible_in_the_other(as_user: LogIn) -> None:
    eva = as_user("eva")
    nora = _create(eva)
    data(eva.put(f"/users/{nora['id']}", json={"alias": "Nora S.", "email": "n@desk.example"}))
    shown = data(eva.get(_at(eva, f"/users/{DOMAIN}/nora")))
    assert (shown["first_name"], shown["email"]) == ("Nora S.", "n@desk.example")
    patch = {"username": "nora.s", "attributes": {"capabilities": ["+chat", "+call-history"]}}
    changed = data(eva.put(_at(eva, f"/users/{nora['id']}"), json=patch))["user"]
    assert changed["attributes"]["phone_number"] == "+34600333444"
    core = data(eva.get(f"/users/{nora['id']}"))
    assert (core["username"], core["capabilities"]) == ("nora.s", ["+chat", "+call-history"])


def test_the_id_of_an_update_is_ignored(as_user: LogIn) -> None:
    eva = as_user("eva")
    nora = _create(eva)
    changed = data(eva.put(_at(eva, f"/users/{nora['id']}"), json={"id": "another", "last_name": "Vidal"}))["user"]
    assert (changed["id"], changed["last_name"]) == (nora["id"], "Vidal")


def test_a_sip_mapping_is_changed_and_removed_by_a_patch(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    nora = _create(eva)
    where = _at(eva, f"/users/{nora['id']}")
    patch = {"attributes": {"sip_mapping": {"sip_auth_proxy": "sip:proxy.desk.example"}}}
    changed = data(eva.put(where, json=patch))["user"]["attributes"]["sip_mapping"]
    assert changed == {
        "username": "7300", "sip_domain": "sip.desk.example", "sip_auth_proxy": "sip:proxy.desk.example",
    }  # fmt: skip
    gone = data(eva.put(where, json={"attributes": {"sip_mapping": {"username": ""}}}))["user"]
    assert "sip_mapping" not in gone["attributes"]
    with service.database.read() as tx:
        assert SIP_MAPPINGS.count(tx) == 0


# -- logins -----------------------------------------------------------------------------------------------------------


def test_a_temporary_password_only_allows_setting_a_new_one(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    _create(eva, credentials={"password": "first word", "temporary": True})
    refused = grant(nobody, "nora", "first word")
    assert refused.status_code == 403
    assert "temporary" in refused.json()["message"]
    assert grant(nobody, "nora", "wrong", new_password="second word").status_code == 401
    assert grant(nobody, "nora", "first word", new_password="first word").status_code == 400
    assert grant(nobody, "nora", "first word", new_password="second word").status_code == 200
    assert grant(nobody, "nora", "second word").status_code == 200
    assert grant(nobody, "nora", "first word").status_code == 401


@pytest.mark.parametrize("where", ["provisioning", "core"])
def test_an_admin_ends_a_temporary_password_by_setting_another(as_user: LogIn, where: str) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    nora = _create(eva, credentials={"password": "first word", "temporary": True})
    if where == "provisioning":
        given = {"credentials": {"password": "second word", "temporary": False}}
        data(eva.put(_at(eva, f"/users/{nora['id']}"), json=given))
    else:
        given = {"data": {"username": "nora", "password": "second word"}}
        data(eva.put(f"/credentials/{nora['id']}", json=given))
    assert grant(nobody, "nora", "second word").status_code == 200


def test_a_password_that_becomes_temporary_invalidates_its_sessions(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    nora = _create(eva)
    bought = data(grant(nobody, "nora", "first word"))
    given = {"credentials": {"password": "other word", "temporary": True}}
    data(eva.put(_at(eva, f"/users/{nora['id']}"), json=given))
    assert nobody.post("/sessions/start", json={"token": bought["access_token"]}).status_code == 401
    again = {"grant_type": "refresh_token", "refresh_token": bought["refresh_token"]}
    assert nobody.post("/oauth2/token", json=again).status_code == 401


def test_a_disabled_user_is_logged_out_at_once_and_cannot_log_in(as_user: LogIn, service: Running) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    nora = _create(eva)
    headers = _session(nobody, "first word")
    assert nobody.get("/users/current", headers=headers).status_code == 200
    with httpx.Client(headers=headers) as nora_client, subscribed(service.events_url, nora_client, "users") as channel:
        confirmed(channel)
        data(eva.put(_at(eva, f"/users/{nora['id']}"), json={"enabled": False}))
        assert close_code(channel) == CLOSE_LOGIN_NEEDED
    assert nobody.get("/users/current", headers=headers).status_code == 401
    refused = grant(nobody, "nora", "first word")
    assert refused.status_code == 403
    assert "disabled" in refused.json()["message"]
    data(eva.put(_at(eva, f"/users/{nora['id']}"), json={"enabled": True}))
    assert grant(nobody, "nora", "first word").status_code == 200


def test_a_disabled_user_cannot_log_in_with_a_token_credential(as_user: LogIn) -> None:
    eva, nobody = as_user("eva"), as_user("nobody")
    nora = _create(eva)
    token = "t" * 40
    credential = {"source": "badge", "type": "token", "domain": DOMAIN, "user": nora["id"], "lease": 0}
    data(eva.post("/credentials", json={**credential, "data": {"token": token}}))
    assert nobody.post("/sessions/start", json={"token": token}).status_code == 200
    data(eva.put(_at(eva, f"/users/{nora['id']}"), json={"enabled": False}))
    assert nobody.post("/sessions/start", json={"token": token}).status_code == 403


def test_the_last_admin_who_can_log_in_is_not_disabled(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    with service.platform.write() as tx:
        identities.add(tx, "the-id-of-eva", "eva")
    refused = eva.put(_at(eva, "/users/the-id-of-eva"), json={"enabled": False})
    assert refused.status_code == 409
    assert eva.get("/users/current").status_code == 200


# -- lists ------------------------------------------------------------------------------------------------------------


def test_users_are_found_by_every_filter_and_paged(as_user: LogIn) -> None:
    eva = as_user("eva")
    for name, phone, verified in (("nora", "+34600000001", True), ("noa", "+34600000002", False), ("ZOE", None, True)):
        attributes = {"domain": DOMAIN, "phone_number": phone} if phone else {"domain": DOMAIN}
        user = {"username": name, "email": f"{name}@desk.example", "email_verified": verified, "attributes": attributes}
        data(eva.post(_at(eva, "/users"), json={"user": user}))

    def found(**query: str | int) -> list[str]:
        asked = {name.replace("_in_", "[") + ("]" if "_in_" in name else ""): each for name, each in query.items()}
        return [each["username"] for each in data(eva.get(_at(eva, "/users"), params=asked))["users"]]

    assert found() == ["ZOE", "noa", "nora"]
    assert found(username="no") == ["noa", "nora"]
    assert found(username="NO") == ["noa", "nora"]
    assert found(username="no", exact="true") == []
    assert found(username="nora", exact="true") == ["nora"]
    assert found(email="a@desk") == ["noa", "nora"]
    assert found(email="nora@desk.example", exact="true") == ["nora"]
    assert found(phone_number="+3460000000") == []
    assert found(phone_number="+34600000002") == ["noa"]
    assert found(domain="desk") == []
    assert found(domain=DOMAIN, email_verified="true") == ["ZOE", "nora"]
    assert found(paginate_in_max=2) == ["ZOE", "noa"]
    assert found(paginate_in_max=2, paginate_in_page=2) == ["nora"]


def test_the_earlier_variant_has_fewer_fields(serve: Serve) -> None:
    with log_in(serve(variant=Variant.EARLIER, caller_ids=True), "eva") as eva:
        made = _create(eva, email_verified=True)
        assert "email_verified" not in made
        assert made["attributes"]["sip_mapping"] == {"username": "7300"}
        asked = {"email_verified": "false", "paginate[max]": 1}
        assert len(data(eva.get(_at(eva, "/users"), params=asked))["users"]) == 1
        domain = data(eva.get(_at(eva, "/domains"), params={"nameContains": "nothing"}))["domains"][0]
        assert not {"anonymous_capabilities", "remote_sip_register"} & domain.keys()
        assert eva.get(_at(eva, "/caller-ids")).status_code == 404


def test_missing_records_are_refused_in_the_format_of_the_service(as_user: LogIn) -> None:
    eva = as_user("eva")
    for refused, status in ((eva.get(_at(eva, "/calls")), 404), (eva.delete(_at(eva, "/users")), 405)):
        assert refused.status_code == status
        assert refused.json().keys() == {"error"}


def test_functions_that_are_not_activated_are_refused_with_a_reason(as_user: LogIn) -> None:
    eva = as_user("eva")
    for refused in (
        eva.get(_at(eva, "/caller-ids")),
        eva.post(_at(eva, "/caller-ids"), json={"name": "Sales", "value": "+34911000001"}),
        eva.put(_at(eva, f"/domains/{DOMAIN}"), json={"remote_sip_register": True}),
    ):
        assert refused.status_code == 403
        assert "activated by the system administrator" in refused.json()["error"]
    assert data(eva.put(_at(eva, f"/domains/{DOMAIN}"), json={"remote_sip_register": False}))


# -- logging out a domain ---------------------------------------------------------------------------------------------

MANY = 200


def _crowd(platform: Platform) -> Platform:
    """Add many users who are logged in."""
    fill(platform)
    crowd = [User(id=f"u{number}", username=f"u{number}", domain=DOMAIN, role="user") for number in range(MANY)]
    with platform.write() as tx:
        USERS.load(tx, crowd)
        for user in crowd:
            sessions.create(platform, user, None)
    return platform


def test_a_whole_domain_is_logged_out_step_by_step_while_others_continue() -> None:
    platform = Platform(settings=ServiceSettings(password_cost=Cost.cheap()))
    _crowd(platform)
    with platform.read() as tx:
        eva, otto = people.need_user(tx, "eva"), people.need_user(tx, "otto")
    mine, _ = sessions.create(platform, eva, None)
    second, token = sessions.create(platform, eva, None)
    elsewhere, _ = sessions.create(platform, otto, None)
    caller = Caller(eva, mine.id)
    begun = logouts.log_out_domain(platform, caller, DOMAIN)
    assert (begun.sessions, begun.ended, begun.finished_at) == (MANY + 1, logouts.STEP, None)
    assert logouts.log_out_domain(platform, caller, DOMAIN) == begun
    with platform.read() as tx:
        assert not sessions.belongs(tx, "eva", token)
    late, _ = sessions.create(platform, otto.model_copy(update={"id": "u0", "domain": DOMAIN}), None)
    steps = 0
    with platform.read() as tx:
        left = begun
    while left.finished_at is None:
        run_jobs(platform)
        steps += 1
        with platform.read() as tx:
            before, left = left.ended or 0, DOMAIN_LOGOUTS.need(tx, DOMAIN)
        assert 0 < (left.ended or 0) - before <= logouts.STEP or left.finished_at is not None
    assert steps >= MANY // logouts.STEP
    assert left.ended == left.sessions
    with platform.read() as tx:
        assert {each.id for each in SESSIONS.records(tx)} == {mine.id, elsewhere.id, late.id}
        assert ENDED.row(tx, second.id) is not None
    platform.close()


def test_the_progress_of_a_logout_is_reported_until_it_is_done() -> None:
    settings = ServiceSettings(password_cost=Cost.cheap())
    with start_background(_crowd, settings=settings) as service, log_in(service, "eva") as eva:
        with subscribed(service.events_url, eva, "domain_logouts") as channel:
            confirmed(channel)
            answer = data(eva.post(_at(eva, f"/domains/{DOMAIN}/logout")))
            assert (answer["sessions"], answer["ended"]) == (MANY, logouts.STEP)
            progress = [told(next_event(channel))]
            while "finished_at" not in progress[-1]:
                progress.append(told(next_event(channel)))
        assert [each["ended"] for each in progress] == sorted(each["ended"] for each in progress)
        assert progress[-1]["ended"] == MANY
        assert len(data(eva.get("/sessions"))) == 1


def test_users_logged_out_with_their_domain_are_refused_and_their_channels_close(
    as_user: LogIn, open_channel: Open
) -> None:
    eva, ana, otto = as_user("eva"), as_user("ana"), as_user("otto")
    channel = open_channel(ana, "groups")
    confirmed(channel)
    answer = data(eva.post(_at(eva, f"/domains/{DOMAIN}/logout")))
    assert close_code(channel) == CLOSE_LOGIN_NEEDED
    assert answer["sessions"] == answer["ended"]
    assert ana.get("/users/current").status_code == 401
    assert otto.get("/users/current").status_code == 200
    assert eva.get("/users/current").status_code == 200
    assert as_user("ana").get("/users/current").status_code == 200
