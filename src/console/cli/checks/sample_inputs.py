"""Inputs of `console doctor`, taken from other answers so that records exist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from console.api.listed import rows_of
from console.api.request import Request
from console.base.frozen import Frozen

FEW = 20
"""Rows to request if an operation has a limit."""


class InputSource(Frozen):
    """Source of an operation's inputs: one row of another operation's answer."""

    operations: tuple[str, ...]
    """Operations whose answers contain them; the first answer is used."""
    fields: Mapping[str, str]
    """Path in the row or answer, with dots, by input."""
    besides: tuple[str, ...] = ()
    """Fields of the row that are sent as inputs of the same name if the record is not found without them."""

    def of(self, answers: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return the inputs and the additional ones, or None if no answer contains them."""
        for name in self.operations:
            answer = answers.get(name)
            rows = [row for row in rows_of(answer)[:FEW] if row.identified]
            for row in (*rows, answer):
                inputs = {field: _along(row, path) for field, path in self.fields.items()}
                if all(inputs.values()):
                    return inputs, {field: value for field in self.besides if (value := _along(row, field))}
        return None


def _along(row: object, path: str) -> object:
    for step in path.split(".") if path else ():
        row = getattr(row, step, None)
    return row


def _first(field: str, *operations: str, path: str = "key") -> InputSource:
    return InputSource(operations, {field: path})


def _mine(field: str, path: str = "id") -> InputSource:
    return InputSource(("users.current",), {field: f"user.{path}"})


SAMPLES: Mapping[str, InputSource] = {
    "deliveries.get": _first("id", "deliveries.list"),
    "sessions.get": _first("id", "sessions.own", "sessions.list"),
    "tokens.list": _mine("username", "username"),
    "clients.get": _first("id", "clients.list"),
    "users.get": _first("id", "users.page", "users.list"),
    "groups.get": _first("group_id", "groups.page", "groups.list"),
    "settings.get": _first("id", "settings.list"),
    "domain-permissions.get": _first("id", "domains.list"),
    "user-permissions.get": _mine("id"),
    "domains.get": _first("id", "domains.list"),
    "directory-credentials.get": _mine("domain", "domain"),
    "credentials.get": _first("id", "credentials.list"),
    "calls.get": _first("id", "calls.list"),
    "conferences.get": _first("id", "conferences.page", "conferences.list", "conferences.list-object"),
    "statistics.get": _first("id", "calls.list"),
    "alarms.get": _first("id", "alarms.list"),
    "meetings.get": _first("id", "meetings.list"),
    "meetings.get-by-room": _first("room_id", "meetings.list", path="room_id"),
    "contacts.get": _first("id", "contacts.list", "contacts.list-object"),
    "static-contacts.get": InputSource(("static-contacts.list",), {"id": "id"}, besides=("domain",)),
    "phonebooks.of-subscriber": _mine("subscriber_id"),
    "presence.get": _mine("address", "address"),
    "datapipes.get": _first("id", "datapipes.list"),
    "gateway.username": _mine("id"),
    "gateway.user": _first("value", "gateway.username", path=""),
    "gateway.group": _first("groupname", "groups.page", "groups.list"),
    "addresses.find": _mine("address", "address"),
    "sip-identities.get": _first("id", "sip-identities.list"),
    "sip-mappings.get": _first("owner_uri", "sip-mappings.page", "sip-mappings.list", path="owner"),
    "provisioning-users.get": InputSource(
        ("provisioning-users.list",), {"domain": "attributes.domain", "username": "username"}
    ),
}
"""Sources of inputs for read operations about a single record."""


def wants_secret(request: type[Request[Any]]) -> bool:
    """Return whether an operation requires a secret, which cannot be tried."""
    inputs = request.inputs()
    return any(input_.secret and input_.required for input_ in inputs) or (
        bool(inputs) and all(input_.secret for input_ in inputs)
    )


def few(request: type[Request[Any]]) -> dict[str, Any]:
    """Return the input that limits the size of an answer, if any; some are texts of digits."""
    wanted = [input_ for input_ in request.inputs() if input_.field == "limit"]
    return {input_.field: FEW if int in get_args(input_.annotation) else str(FEW) for input_ in wanted}
