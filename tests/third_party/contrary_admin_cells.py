"""The same for the lists that administrators manage; see `contrary_cells`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.third_party.contrary_cells import Cells, Expected
from tests.third_party.contrary_data import Contrary
from tests.third_party.contrary_shown import ms, named, person, yes
from tests.third_party.contrary_words import Json


def _listed(table: str, cells: Callable[[Json], Cells]) -> Expected:
    """Return the expected cells of a list in the deployment's order, which is a column of these lists."""

    def rows(data: Contrary) -> Iterable[Cells]:
        for place, row in enumerate(data.tables[table].values()):
            yield {**cells(row), "place": place, "faults": 0}

    return rows


def _numbers(row: Json, name: str = "no") -> str | None:
    return ", ".join(each[name] for each in row.get("lines", [])) or None


def _domains(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["realms"].values():
        people = [each for each in data.people.values() if each["realm"] == row["name"]]
        free = [yes(each["free"]) for each in data.tables["lines"].values() if each["realm"] == row["name"]]
        yield {
            "domain": row["name"],
            "parent": row["above"],
            "users": len(people),
            "free": sum(free) if free else None,
            "guests": yes(row["guests"]),
            "services": ", ".join(row["offers"]),
            "origins": ", ".join(row["webs"]),
            "id": str(row["rid"]),
            "faults": 0,
        }


def _phonebooks(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["phonebooks"].values():
        yield {
            "name": row["label"],
            "contacts": len(row["cards"]),
            "numbers": ", ".join(f"{each['label']}, {each['no']}" for each in row["cards"]),
            "subscribers": ", ".join(person(each["uid"]) for each in row["readers"]) or None,
            "id": str(row["bid"]),
            "faults": 0,
        }


def _recordings(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["tapes"].values():
        yield {
            "source": f"call {row['of']['no']}",
            "began": ms(row["begun"]),
            "length": 90 if row["done"] else None,
            "size": int(row["files"][0]["bytes"]),
            "people": ", ".join(person(each["uid"]) for each in row["people"]),
            "domain": row["realm"],
            "files": 1,
            "type": row["files"][0]["mime"],
            "fault": None if row["done"] else "no end",
            "id": str(row["tid"]),
            "faults": 0,
        }


def _identities(data: Contrary) -> Iterable[Cells]:
    used = {row["line"]["name"]: named(row["for"], home=True) for row in data.tables["plugs"].values()}
    for row in data.tables["lines"].values():
        yield {
            "username": row["name"],
            "state": "used" if row["name"] in used else "free",
            "user": used.get(row["name"]),
            "domain": row["realm"],
            "available": yes(row["free"]),
            "id": str(row["lid"]),
            "faults": 0,
        }


def _mappings(data: Contrary) -> Iterable[Cells]:
    pool = {row["name"] for row in data.tables["lines"].values()}
    for row in data.tables["plugs"].values():
        team = data.teams.get(row["for"].removeprefix("wac-group:"))
        name = row["line"]["name"]
        yield {
            "owner": team["caption"] if team else named(row["for"]),
            "type": "group" if team else "user",
            "username": name,
            "domain": "far.example",
            "password": "pool of far.example" if name in pool else "its own",
            "uri": row["for"],
            "faults": 0,
        }


def _permissions(data: Contrary) -> Iterable[Cells]:
    tape = data.rights["tape"]
    yield {"recording": f"{tape['sort']}, {tape['profile']}", "voicemail": "yes", "place": 0, "faults": 0}


def _addresses(data: Contrary) -> Iterable[Cells]:
    for place, address in enumerate(data.followed):
        row = data.people[int(address.removeprefix("wac-user:"))]
        yield {
            "username": row["login"]["name"],
            "domain": row["realm"],
            "gateway_username": "line-1",
            "id": str(row["uid"]),
            "email": row["mail"],
            "capabilities": row["can"],
            "mobile_phone": row["phones"]["mobile"][0],
            "land_line_number": row["phones"]["desk"],
            "alias": row["shown"],
            "place": place,
            "faults": 0,
        }


def _cloud(data: Contrary) -> Iterable[Cells]:
    row = data.cloud["far.example"]
    ids = {"domain": row["realm"], "client_id": row["cid"], "domain_tenant_id": row["tenant"]}
    yield {**ids, "client_secret": "…", "place": 0, "faults": 0}


def _contact(row: Json) -> Cells:
    return {
        "name": row["label"],
        "source": row["book"],
        "phones": _numbers(row, "addr"),
        "user": person(row["uid"]),
        "id": str(row["kid"]),
        "favorite": yes(row["star"]),
        "unnormalized_phones": len(row["raw"]) if "raw" in row else "",
        "emails": ", ".join(each["address"] for each in row.get("mails", [])) or None,
        "device_id": row.get("dev"),
        "contact_device_id": row.get("devcard"),
        "participants": len(row["crowd"]) if "crowd" in row else "",
    }


def _own_card(row: Json) -> Cells:
    return {
        "name": row["label"],
        "phones": _numbers(row),
        "emails": row["mails"][0]["no"],
        "id": str(row["kid"]),
        "owner": person(row["uid"]),
        "favorite": yes(row["star"]),
        "associated_user_id": person(row["about"]),
    }


def _house_card(row: Json) -> Cells:
    return {
        "name": row["label"],
        "phones": _numbers(row),
        "emails": None,
        "domain": row["realm"],
        "associated_user_id": person(row["about"]),
        "id": str(row["kid"]),
    }


def _credential(row: Json) -> Cells:
    return {
        "id": row["key"],
        "type": row["sort"],
        "user": person(row["uid"]),
        "domain": row["realm"],
        "source": row["from"],
        "context": f"{row['client']['src']}, {row['client']['tongue']}",
        "data": "login: ana",
        "lease": 60 * row["lasts"],
    }


def _meeting(row: Json) -> Cells:
    return {
        "name": row["label"],
        "valid_since": ms(row["opens"]),
        "valid_until": ms(row["shuts"]),
        "user": person(row["by"]["uid"]),
        "id": str(row["mid"]),
        "room_id": row["room"],
        "users": len(row["everybody"]),
        "language": row["tongue"],
        "participants": len(row["guests"]),
        "phone": row["tel"],
        "ddi": f"{row['dial']['ext']}, …",
        "is_password_protected": yes(row["locked"]),
        "valid_time_before_start": row["early"] * 60_000,
        "valid_time_after_finish": row["late"] * 60_000,
        "record": row["tape"]["sort"],
    }


def _counters(row: Json) -> Cells:
    return {
        "user": person(row["uid"]),
        "service": row["what"],
        "type": row["sort"],
        "timestamp": ms(row["at"]),
        "domain": row["realm"],
        "payload": "up, 900, 95, 5, 1, 2, opus",
        "ts": None,
    }


def _staff(row: Json) -> Cells:
    more = row["more"]
    line = more["line"]
    attributes = (more["realm"], more["tel"], "+start-chat", line["name"], "…et-p", line["at"], line["via"])
    return {
        "username": row["nick"],
        "email": row["mail"],
        "enabled": yes(row["on"]),
        "first_name": row["given"],
        "last_name": row["family"],
        "id": row["sid"],
        "email_verified": yes(row["proven"]),
        "attributes": ", ".join(attributes),
    }


def _estate(row: Json) -> Cells:
    return {
        "domain": row["name"],
        "parent": row["above"],
        "enable_anonymous": yes(row["guests"]),
        "id": str(row["rid"]),
        "origins": row["webs"][0],
        "anonymous_capabilities": row["may"][0],
        "remote_sip_register": yes(row["remote"]),
        "services": "login: basic",
    }


ADMIN: dict[str, Expected] = {
    "domains": _domains,
    "phonebooks": _phonebooks,
    "recordings": _recordings,
    "sip-identities": _identities,
    "sip-mappings": _mappings,
    "permissions": _permissions,
    "addresses": _addresses,
    "directory-credentials domain=far.example": _cloud,
    "contacts": _listed("cards", _contact),
    "user-contacts": _listed("own-cards", _own_card),
    "static-contacts": _listed("house-cards", _house_card),
    "address-books": _listed(
        "books", lambda row: {"name": row["label"], "type": row["sort"], "contacts": 1, "id": str(row["kid"])}
    ),
    "credentials": _listed("keys", _credential),
    "clients": _listed(
        "apps",
        lambda row: {
            "name": row["label"],
            "client_id": row["cid"],
            "redirect_uri": row["back"],
            "id": str(row["aid"]),
            "client_secret": None,
        },
    ),
    "tokens username=ana": _listed(
        "tokens",
        lambda row: {
            "id": str(row["tid"]),
            "user_id": person(row["uid"]),
            "client_id": row["app"],
            "expires_at": ms(row["dies"]),
            "token": f"…{row['tail'][-4:]}",
        },
    ),
    "settings": _listed(
        "prefs",
        lambda row: {
            "setting_key": row["name"],
            "value": row["val"],
            "source": row["from"],
            "id": row["pid"],
            "user": person(row["uid"]),
        },
    ),
    "meetings": _listed("meetings", _meeting),
    "statistics id=1": _listed("counters", _counters),
    "datapipes": _listed(
        "pipes",
        lambda row: {
            "label": row["label"],
            "participants": ", ".join(row["ends"]),
            "connected": ", ".join(row["on"]),
            "id": str(row["pid"]),
            "rejected": "",
            "data": "x",
        },
    ),
    "provisioning-users": _listed("staff", _staff),
    "provisioning-domains": _listed("estates", _estate),
    "caller-ids": _listed("labels", lambda row: {"name": row["label"], "value": str(row["no"])}),
}
"""The lists of the administration, with the inputs that they need."""
UNLISTED = {
    "gateway": "names are asked for one by one",
    "push": "tokens cannot be listed",
    "log": "entries are only written",
}
"""Resources without a list, with the reason."""
