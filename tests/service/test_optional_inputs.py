"""Operations without the inputs that are optional in the contract."""

from __future__ import annotations

from console.service.domain import tokens
from console.service.transports.message import Message
from tests.background import Running
from tests.service.delivered import delivered
from tests.service.over_http import LogIn, data


def _pushed(service: Running, subject: str) -> tuple[Message, ...]:
    with service.database.read() as tx:
        return delivered(service.platform, tx, subject)


def test_a_session_without_a_token_is_anonymous(as_user: LogIn) -> None:
    login = data(as_user("nobody").post("/sessions/start", json={}))
    headers = {"Authorization": f"Bearer {login['access_token']}"}
    assert data(as_user("nobody").get("/users/current", headers=headers))["user"]["role"] == "anonymous"


def test_revoking_without_an_id_ends_the_callers_session(as_user: LogIn, service: Running) -> None:
    ana = as_user("ana")
    assert data(ana.post("/sessions/revoke", json={}))["user"] == "ana"
    assert ana.get("/users/current").status_code == 401
    bare = tokens.issue(service.platform, "ana").access_token
    ana.headers["Authorization"] = f"Bearer {bare}"
    assert ana.post("/sessions/revoke", json={}).status_code == 400


def test_a_bulk_update_without_ids_changes_no_session(as_user: LogIn) -> None:
    eva = as_user("eva")
    before = data(eva.get("/sessions"))
    assert data(eva.post("/sessions/update", json={"data": {"registered": "1"}})) == []
    assert data(eva.get("/sessions")) == before
    own = before[0]["id"]
    assert [each["id"] for each in data(eva.post("/sessions/update", json={"ids": [own]}))] == [own]


def test_a_missing_grant_type_follows_from_the_other_fields(as_user: LogIn) -> None:
    nobody = as_user("nobody")
    pair = data(nobody.post("/oauth2/token", json={"username": "ana", "password": "demo"}))
    assert data(nobody.post("/oauth2/token", json={"refresh_token": pair["refresh_token"]}))["token_type"] == "Bearer"
    refused = nobody.post("/oauth2/token", json={})
    assert (refused.status_code, refused.json()["validationErrors"][0]["dataPath"]) == (400, "grant_type")


def test_no_groups_are_created_and_no_contacts_inserted_for_empty_lists(as_user: LogIn) -> None:
    ana = as_user("ana")
    assert data(ana.post("/groups/several", json={})) == {"groups": []}
    assert data(ana.post("/contacts/insert", json={})) == "CREATED"
    assert data(ana.get("/contacts")) == []
    data(ana.post("/contacts/insert", json={"contacts": [{"name": "Nora"}]}))
    assert [each["source"] for each in data(ana.get("/contacts"))] == ["local"]


def test_a_setting_without_a_key_uses_its_id(as_user: LogIn) -> None:
    setting = data(as_user("ana").post("/settings", json={"value": "dark"}))
    assert setting["id"] == f"{setting['key']}@user"
    assert data(as_user("ana").post("/settings", json={}))["value"] == ""


def test_devices_and_types_without_a_name_are_called_default(as_user: LogIn, service: Running) -> None:
    ana = as_user("ana")
    assert ana.post("/push/tokens", json={}).status_code == 400
    data(ana.post("/push/tokens", json={"token": "one"}))
    data(ana.post("/push/tokens", json={"token": "two", "deviceId": "phone", "tokenType": "fcm"}))
    data(ana.post("/push", json={}))
    assert [each.recipient for each in _pushed(service, "default")] == ["one"]
    assert _pushed(service, "phone")[0].content == {"tokenType": "fcm", "notification": {}}
    assert data(ana.post("/push/tokens/delete", json={})) == "No Content"
    assert ana.post("/push/tokens/delete", json={}).status_code == 404
    assert as_user("bob").post("/push", json={}).status_code == 404


def test_a_chat_push_needs_a_node_and_no_sender(as_user: LogIn, service: Running) -> None:
    ana, eva = as_user("ana"), as_user("eva")
    assert ana.post("/push/chat/nodes", json={}).status_code == 400
    node = data(ana.post("/push/chat/nodes", json={"token": "one"}))["node"]
    assert "error" in eva.post("/push/chat", json={"body": "Hello"}).json()
    data(eva.post("/push/chat", json={"node": node, "body": "Hello"}))
    data(eva.post("/push/chat", json={"node": node, "{urn:xmpp:push:0}is-muc-invite": True}))
    shown = [each.content["notification"] for each in _pushed(service, node)]
    assert [(each["title"], each["body"]) for each in shown[-1:]] == [("New message", "Somebody invites you to a room")]
    data(ana.post("/push/chat/nodes", json={"token": "two", "tokenType": "fcm"}))
    assert ana.post("/push/chat/nodes/delete", json={}).status_code == 400
    assert data(ana.post("/push/chat/nodes/delete", json={"tokenType": "default"}))["node"] == node
    assert data(ana.post("/push/chat/nodes/delete", json={}))["node"] != node
    assert ana.post("/push/chat/nodes/delete", json={}).status_code == 404


def test_a_missing_address_is_that_of_the_caller(as_user: LogIn) -> None:
    ana = as_user("ana")
    assert data(ana.post("/addresses/find", json={}))["id"] == "ana"
    assert data(ana.post("/presence/subscriptions", json={}))["address"] == "svc-user:ana"
    assert data(ana.post("/presence/subscriptions/several")) == []
    assert data(ana.post("/addresses"))["subscribed"] == ["svc-user:ana"]


def test_a_line_of_a_log_needs_neither_level_nor_text(as_user: LogIn) -> None:
    assert data(as_user("ana").post("/log", json={}))["code"] == 200


def test_statistics_need_no_text_and_are_switched_per_call(as_user: LogIn) -> None:
    ana = as_user("ana")
    call = data(ana.post("/calls", json={"calle": "svc-user:bob", "caller": "svc-user:ana"}))["id"]
    assert data(ana.post("/statistics", json={"payload": {"callid": call, "ssrc": []}}))["code"] == 200
    assert data(ana.get(f"/statistics/{call}"))["payload"] == {"ssrc": []}
    assert data(ana.post("/statistics/enable", json={"callid": call})) == {"callid": call, "enable": True}
    assert ana.post("/statistics/enable", json={"enable": True}).status_code == 400


def test_a_datapipe_transports_an_empty_text(as_user: LogIn) -> None:
    ana = as_user("ana")
    pipe = data(ana.post("/datapipes", json={"participants": ["svc-user:bob"]}))["id"]
    assert data(ana.post(f"/datapipes/{pipe}/data", json={}))["code"] == 200
    assert [each["data"] for each in data(ana.get(f"/datapipes/{pipe}"))["data"]] == [""]


def test_a_contact_of_a_phonebook_is_unchanged_when_nothing_is_given(as_user: LogIn) -> None:
    eva = as_user("eva")
    book = data(eva.post("/phonebooks", json={"phonebookName": "Suppliers"}))["phonebook"]["id"]
    contact = {"name": "Nora", "address": "+34600111222"}
    made = data(eva.post(f"/phonebooks/{book}/contacts", json={"contact": contact}))["createdContact"]
    assert data(eva.put(f"/phonebooks/{book}/contacts/{made['id']}", json={}))["updatedContact"] == made


def test_a_notification_is_dismissed_without_an_action(as_user: LogIn) -> None:
    data(as_user("eva").post("/agents", json={"userId": "bob"}))
    assert "waits" in data(as_user("pat").post("/support-chats", json={"id": "chat-x"}))["message"]
    bob = as_user("bob")
    assert data(bob.post("/notifications/chat-x/resolve", json={})) == "OK"
    assert bob.post("/notifications/chat-x/resolve", json={"action": "accept"}).status_code == 404
    assert data(bob.get("/support-chats")) == {"chats": []}
