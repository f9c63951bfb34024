"""OAuth2 clients (contract 4.2)."""

from __future__ import annotations

from typing import Any

from console.api.operations.sessions import GetClient, ListClients, RegisterClient
from console.records.access import OAuthClient
from console.service.domain import clients
from console.service.domain.clients import CLIENTS
from tests.contract.case import CaseSetup, case


def _client(setup: CaseSetup) -> OAuthClient:
    setup.notes["client"] = made = clients.register(setup.platform, "Wallboard", "https://wall.example/back")
    return made


def _listing(setup: CaseSetup) -> ListClients:
    _client(setup)
    return ListClients()


@case(ListClients, asks=_listing)
def list_clients(setup: CaseSetup, answer: Any) -> None:
    made = setup.notes["client"]
    (listed,) = (each for each in answer if each.id == made.id)
    assert (listed.name, listed.redirect_uri, listed.client_id) == (made.name, made.redirect_uri, made.client_id)
    assert all(each.client_secret is None for each in answer)


@case(
    RegisterClient,
    asks=lambda _: RegisterClient(name="Reports", redirect_uri="https://reports.example/back"),
    bad={400: {"name": ["", 3], "redirectURI": ["somewhere", "https://reports.example/#part"]}},
)
def register(setup: CaseSetup, answer: Any) -> None:
    assert answer.name == "Reports"
    assert len(answer.client_secret) >= 33
    assert clients.is_right(setup.platform, answer.client_id, answer.client_secret)
    assert not clients.is_right(setup.platform, answer.client_id, answer.client_secret[1:])
    assert answer.client_secret not in str(setup.dump())


@case(GetClient, asks=lambda setup: GetClient(id=_client(setup).id), bad={404: {"id": ["no"]}})
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer == setup.notes["client"]
    assert answer.client_secret
    assert setup.need(CLIENTS, answer.id).client_secret is None
