"""Names of existing records, so that generated requests get past 404."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

import httpx

from console.api.annotations import InputPlace, Service, Variant
from console.api.catalogue import catalogue
from console.api.listed import rows_of
from console.kinds.catalogue import FEEDS, RESOURCES
from console.records.people import User
from console.records.provisioning import ProvisionedUser
from console.records.record import Record
from console.service.http.content import LARGEST_NUMBER
from tests.background import Running

SPARED = frozenset({"eva"})
"""The caller's own account must stay, or all later requests would be refused."""
_USERS = frozenset({"userId", "targetUserId", "subscriberId", "agent", "associatedUserId", "owner", "user"})
_MANY_USERS = frozenset({"userIds", "agents", "participants"})
_OTHERS: Mapping[str, str] = {
    "groupId": "groups",
    "groupname": "groups",
    "phonebookId": "phonebooks",
    "alertId": "alerts",
    "templateId": "templates",
    "skill": "skills",
    "callid": "calls",
    "ownerUri": "sip-mappings",
    "address": "presence",
    "domain": "domains",
}
_PREFIXES: Mapping[str, str] = {
    "user-permissions": "users",
    "domain-permissions": "domains",
    "recordings": "calls",
    "statistics": "calls",
    "conferences": "conferences",
    "support-chats": "chats",
}


@dataclass
class Known:
    """Existing records by kind."""

    keys: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def aim(self, operation: str, parts: Iterable[object], random: Random) -> None:
        """Replace some generated names in a request by existing ones."""
        inputs = {each.wire for each in catalogue()[operation].inputs()}
        whole = any(each.place is InputPlace.WHOLE_BODY for each in catalogue()[operation].inputs())
        for part in parts:
            if isinstance(part, dict):
                values = cast("dict[str, Any]", part)
                if random.random() < 0.75:
                    for name in list(values):
                        if name not in inputs and not whole:
                            del values[name]
                        else:
                            values[name] = _tamed(values[name])
                self._aim(operation, values, random)

    def _aim(self, operation: str, values: dict[str, Any], random: Random) -> None:
        for wire in values:
            found = self._pool(operation, wire)
            if not found or random.random() > 0.75:
                continue
            several = isinstance(values[wire], list) and wire in _MANY_USERS
            values[wire] = random.sample(found, min(2, len(found))) if several else random.choice(found)

    def _pool(self, operation: str, wire: str) -> Sequence[str]:
        resource = operation.partition(".")[0]
        if resource == "datapipes" and wire == "participants":
            return self.keys.get("presence", ())
        if wire in _USERS | _MANY_USERS:
            return self.keys.get("users", ())
        if wire == "username" and resource in {"tokens", "provisioning-users"}:
            return self.keys.get("usernames", ())
        if wire == "id":
            return self.keys.get(_PREFIXES.get(resource, resource), ())
        return self.keys.get(_OTHERS.get(wire, ""), ())


def _id(row: Record) -> str:
    """Return the id that paths use for a row: its own id, even if that is unique only within a domain."""
    return str(getattr(row, row.key_field)) if row.key_field else row.key


def _tamed(value: Any) -> Any:
    """Remove input that every operation refuses, since it never reaches the operation itself."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value if math.isfinite(value) and abs(value) <= LARGEST_NUMBER else 1
    if isinstance(value, list):
        return [_tamed(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {_tamed(name): _tamed(each) for name, each in cast("dict[str, Any]", value).items()}
    return value


def known(service: Running, token: str, variant: Variant) -> Known:
    """List everything that can be listed, as an admin."""
    found = Known()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(headers=headers, trust_env=False) as client:
        lists = {each.name: each.lists for each in RESOURCES.values() if each.lists}
        lists |= {kind: (feed.listings[0].operation.name,) for kind, feed in FEEDS.items()}
        for kind, names in lists.items():
            for name in names:
                request = catalogue()[name]
                if request.operation.variant not in {None, variant} or any(each.required for each in request.inputs()):
                    continue
                base = service.core_url if request.operation.service is Service.CORE else service.provisioning_url
                response = client.get(f"{base}{request.operation.route.template}")
                if response.is_success:
                    rows = rows_of(request.read_answer(response.content))
                    found.keys[kind] = [key for row in rows if (key := _id(row)) not in SPARED]
                    if kind == "users":
                        names_of = [row.username for row in rows if isinstance(row, User | ProvisionedUser)]
                        found.keys["usernames"] = [each for each in names_of if each and each not in SPARED]
                    break
    found.keys["domains"] = [each for each in found.keys.get("domains", ()) if each != "desk.example"]
    found.keys["provisioning-domains"] = found.keys["domains"]
    return found
