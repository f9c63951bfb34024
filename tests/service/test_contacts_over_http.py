"""Ownership and visibility of contacts; patterns from outside do no harm."""

from __future__ import annotations

import time
from typing import Any

import httpx

from console.api.annotations import Variant
from tests.background import Running
from tests.service.over_http import DOMAIN, LogIn, Serve, data, log_in


def _books(client: httpx.Client, **flags: Any) -> dict[str, Any]:
    found = data(client.get("/address-books", params=flags))["addressBooks"]
    return {each["type"]: each for each in found}


def _names(book: Any) -> list[str]:
    return [each["name"] for each in book["contacts"]]


def _static(key: str = "gate", **more: Any) -> dict[str, Any]:
    return {"id": key, "name": "Gate", "phones": [{"value": "+34910000001"}], "emails": [], **more}


def _kept(key: str = "lola", **more: Any) -> dict[str, Any]:
    return {"id": key, "name": "Lola", "phones": [{"type": "home", "value": "+34600000001"}], "emails": [], **more}


def _offer_contacts(eva: httpx.Client) -> None:
    """Let the users of the other domain have contacts, so that visibility depends only on ownership."""
    asked: dict[str, Any] = {"domain": "other.example", "parent": DOMAIN, "services": {"contacts": [], "login": []}}
    data(eva.put("/domains/other.example", json=asked))


# -- address books ------------------------------------------------------------------------------------------------


def test_only_requested_books_are_returned(as_user: LogIn) -> None:
    assert data(as_user("ana").get("/address-books"))["addressBooks"] == []


def test_in_the_earlier_variant_static_contacts_are_returned_by_default(serve: Serve) -> None:
    with log_in(serve(variant=Variant.EARLIER), "eva") as eva:
        data(eva.post("/static-contacts", json=_static(phones=["+34910000001"])))
        (gate,) = _books(eva)["static"]["contacts"]
        assert gate["phones"] == ["+34910000001"]
        assert _books(eva, static=False) == {}
        assert _books(eva, groups=True, static=False) == {}
        assert eva.get("/user-contacts").status_code == 404


def test_a_contact_is_created_and_deleted_only_in_the_book_of_its_owner(as_user: LogIn) -> None:
    ana, bob = as_user("ana"), as_user("bob")
    data(ana.post("/user-contacts", json=_kept()))
    made = data(ana.post("/contacts", json={"name": "Berta", "phones": [{"address": "svc-user:pat"}]}))
    book = _books(ana, contacts=True)["contacts"]
    assert _names(book) == ["Berta", "Lola"]
    assert book["contacts"][0]["associatedUserId"] == "pat"
    assert _names(_books(bob, contacts=True)["contacts"]) == []
    data(ana.put("/user-contacts/lola", json={"favorite": True, "name": "Alba"}))
    data(ana.delete(f"/contacts/{made['id']}"))
    (left,) = _books(ana, contacts=True)["contacts"]["contacts"]
    assert (left["name"], left["favorite"], left["phones"][0]["type"]) == ("Alba", True, "home")


def test_the_book_of_a_domain_contains_its_users_but_no_guests_and_not_the_caller(as_user: LogIn) -> None:
    as_user("guest")
    _offer_contacts(as_user("eva"))
    book = _books(as_user("ana"), domain=True)["domain"]
    assert _names(book) == ["Bob C.", "Carla D.", "Eva A.", "Pat E."]
    assert [each["value"] for each in book["contacts"][0]["phones"]] == ["+34600000002"]
    assert _names(_books(as_user("otto"), domain=True)["domain"]) == []


def test_groups_are_books_of_their_members(as_user: LogIn) -> None:
    for name in ("ana", "bob"):
        group = _books(as_user(name), groups=True)["group"]
        assert (group["name"], _names(group)) == ("Night shift", ["Bob C.", "Carla D."])
    assert _books(as_user("pat"), groups=True) == {}


# -- static contacts ----------------------------------------------------------------------------------------------


def test_static_contacts_are_visible_in_their_domain_and_to_admins(as_user: LogIn) -> None:
    eva, pat, otto = as_user("eva"), as_user("pat"), as_user("otto")
    _offer_contacts(eva)
    data(eva.post("/static-contacts", json=_static()))
    data(eva.post("/static-contacts", json=_static(name="Other gate", targetDomain="other.example")))
    assert eva.post("/static-contacts", json=_static()).status_code == 409

    def seen(client: httpx.Client, **params: Any) -> list[str]:
        return [each["name"] for each in data(client.get("/static-contacts", params=params))["contacts"]]

    assert seen(pat) == ["Gate"]
    assert seen(otto) == ["Other gate"]
    assert seen(eva) == ["Gate", "Other gate"]
    assert seen(eva, domain="other.example") == ["Other gate"]
    assert _names(_books(otto, static=True)["static"]) == ["Other gate"]
    assert data(eva.get("/static-contacts/gate"))["name"] == "Gate"
    assert data(eva.get("/static-contacts/gate", params={"domain": "other.example"}))["name"] == "Other gate"
    data(eva.delete("/static-contacts/gate", params={"domain": "other.example"}))
    assert seen(otto) == []
    assert seen(pat) == ["Gate"]


# -- user contacts ------------------------------------------------------------------------------------------------


def test_two_users_can_have_contacts_with_the_same_id(as_user: LogIn) -> None:
    ana, bob, eva = as_user("ana"), as_user("bob"), as_user("eva")
    data(ana.post("/user-contacts", json=_kept()))
    assert ana.post("/user-contacts", json=_kept()).status_code == 409
    data(bob.post("/user-contacts", json=_kept(name="Bob's Lola")))
    data(bob.put("/user-contacts/lola", json={"name": "Lola of Bob"}))
    assert [each["name"] for each in data(ana.get("/user-contacts"))["contacts"]] == ["Lola"]
    assert {each["owner"] for each in data(eva.get("/user-contacts"))["contacts"]} == {"ana", "bob"}
    assert eva.put("/user-contacts/lola", json={"name": "x"}).status_code == 404


# -- contacts in backends -----------------------------------------------------------------------------------------


def test_cloud_contacts_inserted_by_an_admin_without_a_user_belong_to_the_whole_domain(as_user: LogIn) -> None:
    eva, pat, otto = as_user("eva"), as_user("pat"), as_user("otto")
    _offer_contacts(eva)
    asked = {"source": "cloudOrgContacts", "contacts": [{"name": "Board", "contactDeviceId": "b"}]}
    response = eva.post("/contacts/insert", json=asked)
    assert (response.status_code, response.json()) == (201, "CREATED")
    (board,) = data(pat.get("/contacts"))
    assert "user" not in board
    assert _names(_books(pat, cloudOrgContacts=True)["cloudOrgContacts"]) == ["Board"]
    assert _names(_books(otto, cloudOrgContacts=True)["cloudOrgContacts"]) == []
    assert pat.delete(f"/contacts/{board['id']}").status_code == 403
    assert otto.get(f"/contacts/{board['id']}").status_code == 403
    again = {**asked, "contacts": [{"name": "The board", "contactDeviceId": "b"}]}
    assert eva.post("/contacts/insert", json=again).status_code == 201
    assert [each["name"] for each in data(pat.get("/contacts"))] == ["The board"]


def test_a_device_contact_replaces_the_one_with_its_id_of_the_same_device_and_user(as_user: LogIn) -> None:
    pat = as_user("pat")

    def insert(*contacts: dict[str, str]) -> list[str]:
        assert pat.post("/contacts/insert", json={"source": "device", "contacts": contacts}).status_code == 201
        return sorted(contact["name"] for contact in data(pat.get("/contacts")))

    first = {"deviceId": "phone", "contactDeviceId": "1"}
    assert insert({**first, "name": "Aunt"}, {**first, "deviceId": "tablet", "name": "Uncle"}) == ["Aunt", "Uncle"]
    twice = [{**first, "name": "Old aunt"}, {**first, "name": "My aunt"}]
    assert insert(*twice, {"deviceId": "phone", "name": "No id"}) == ["My aunt", "No id", "Uncle"]


def test_cloud_contacts_inserted_by_a_user_are_their_own(as_user: LogIn) -> None:
    pat = as_user("pat")
    asked = {"source": "cloudPersonalContacts", "contacts": [{"name": "Aunt"}]}
    assert pat.post("/contacts/insert", json=asked).status_code == 201
    assert _names(_books(pat, cloudPersonalContacts=True)["cloudPersonalContacts"]) == ["Aunt"]
    assert _names(_books(pat, contacts=True)["contacts"]) == []
    assert _books(as_user("bob"), cloudPersonalContacts=True)["cloudPersonalContacts"]["contacts"] == []


def test_an_admin_manages_contacts_of_others(as_user: LogIn) -> None:
    eva = as_user("eva")
    made = data(eva.post("/contacts", json={"name": "Doctor", "user": "pat"}))
    assert data(as_user("pat").get(f"/contacts/{made['id']}"))["user"] == "pat"
    assert eva.post("/contacts", json={"name": "x", "user": "nobody at all"}).status_code == 400


def test_contacts_are_listed_by_name_and_can_be_skipped(as_user: LogIn) -> None:
    ana = as_user("ana")
    for name in ("Carla", "Ana", "Berta", "Dora"):
        data(ana.post("/contacts", json={"name": name, "source": "crm" if name < "C" else "ldap"}))

    def names(**params: Any) -> list[str]:
        found = data(ana.get("/contacts", params=params))
        assert data(ana.get("/contacts/object", params=params)) == {"contacts": found}
        return [each["name"] for each in found]

    assert names() == ["Ana", "Berta", "Carla", "Dora"]
    assert names(limit=2, offset=1) == ["Berta", "Carla"]
    assert names(offset=3) == ["Dora"]
    assert names(source="crm") == ["Ana", "Berta"]
    assert names(source=["crm", "ldap"], name="^[a-c]", offset=1) == ["Berta", "Carla"]
    assert names(name="r.*a$") == ["Berta", "Carla", "Dora"]


def test_a_malicious_pattern_does_not_occupy_the_service(as_user: LogIn) -> None:
    ana = as_user("ana")
    data(ana.post("/contacts", json={"name": "a" * 199}))
    began = time.monotonic()
    assert data(ana.get("/contacts", params={"name": "(a+)+(a+)+(a|aa)+$x"})) == []
    assert ana.get("/contacts", params={"name": "(((a{1,100}){1,100}){1,100}"}).status_code == 400
    assert time.monotonic() - began < 5


def test_a_number_in_another_format_is_stored_as_given_beside_the_normalized_one(as_user: LogIn) -> None:
    ana = as_user("ana")
    phones = [{"name": "work", "address": "0034 910-00-00-02"}, {"address": "sip:berta@else.example"}]
    made = data(ana.post("/contacts", json={"name": "Berta", "phones": phones}))
    assert [each["address"] for each in made["phones"]] == ["+34910000002", "sip:berta@else.example"]
    assert made["unnormalizedPhones"] == [phones[0]]
    changed = data(ana.put(f"/contacts/{made['id']}", json={"phones": None, "favorite": True}))
    assert (changed["phones"], changed["unnormalizedPhones"], changed["favorite"]) == ([], [], True)


# -- phonebooks ---------------------------------------------------------------------------------------------------


def _book(eva: httpx.Client, name: str) -> str:
    return str(data(eva.post("/phonebooks", json={"phonebookName": name}))["phonebook"]["id"])


def test_subscribers_see_their_phonebooks_in_lists_and_address_books(as_user: LogIn) -> None:
    eva, bob = as_user("eva"), as_user("bob")
    key = _book(eva, "Couriers")
    contact = {"contact": {"name": "Pat", "address": "svc-user:pat"}}
    added = data(eva.post(f"/phonebooks/{key}/contacts", json=contact))
    assert added["phonebook"]["contacts"] == [added["createdContact"]]
    assert data(bob.get("/phonebooks/page"))["data"] == []
    data(eva.post(f"/phonebooks/{key}/subscribers", json={"subscriberId": "bob"}))
    assert [each["id"] for each in data(bob.get("/phonebooks/page"))["data"]] == [key]
    assert [each["id"] for each in data(bob.get("/subscribers/bob/phonebooks"))["phonebooks"]] == [key]
    (entry,) = _books(bob, phonebooks=True)["phonebook"]["contacts"]
    assert (entry["name"], entry["associatedUserId"]) == ("Pat", "pat")
    assert _books(eva, phonebooks=True) == {}
    data(eva.delete(f"/phonebooks/{key}/subscribers/bob"))
    assert data(bob.get("/subscribers/bob/phonebooks"))["phonebooks"] == []
    assert _books(bob, phonebooks=True) == {}


def test_phonebooks_are_paged_and_found_by_name(as_user: LogIn) -> None:
    eva = as_user("eva")
    for name in ("Hotels", "Couriers", "Hotels north", "Press"):
        _book(eva, name)

    def names(**params: Any) -> list[str]:
        return [each["name"] for each in data(eva.get("/phonebooks/page", params=params))["data"]]

    assert names(name="Hotels") == ["Hotels"]
    assert names(name=["Press", "Hotels"]) == ["Hotels", "Press"]
    assert names(**{"name[partial]": "HOTEL"}) == ["Hotels", "Hotels north"]
    assert names(**{"name[partial]": "hotel", "name[notpartial]": "north"}) == ["Hotels"]
    assert names(**{"name[partial]": "%"}) == []
    first = data(eva.get("/phonebooks/page", params={"page[size]": 3}))
    after = first["meta"]["page"]["next"]
    assert [each["name"] for each in first["data"]] == ["Couriers", "Hotels", "Hotels north"]
    assert names(**{"page[size]": "3", "page[after]": after}) == ["Press"]


def test_guests_cannot_subscribe(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    guest = data(as_user("guest").get("/users/current"))["user"]["id"]
    key = _book(eva, "Couriers")
    assert eva.post(f"/phonebooks/{key}/subscribers", json={"subscriberId": guest}).status_code == 400
