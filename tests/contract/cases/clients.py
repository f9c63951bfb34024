"""OAuth2 clients (contract 4.2)."""

from __future__ import annotations

from console.api.operations.sessions import GetClient, ListClients, RegisterClient
from console.records.access import OAuthClient
from console.service.domain import clients
from console.service.domain.clients import CLIENTS
from tests.contract.case import CaseSetup, Steps, case


def _client(setup: CaseSetup) -> OAuthClient:
    return clients.register(setup.platform, "Wallboard", "https://wall.example/back")


@case(ListClients)
def list_clients(setup: CaseSetup) -> Steps:
    made = _client(setup)
    answer = yield ListClients()
    (listed,) = (each for each in answer if each.id == made.id)
    assert (listed.name, listed.redirect_uri, listed.client_id) == (made.name, made.redirect_uri, made.client_id)
    assert all(each.client_secret is None for each in answer)


@case(RegisterClient, bad={400: {"name": [""], "redirectURI": ["somewhere", "https://reports.example/#part"]}})
def register(setup: CaseSetup) -> Steps:
    answer = yield RegisterClient(name="Reports", redirect_uri="https://reports.example/back")
    assert answer.name == "Reports"
    assert len(answer.client_secret) >= 33
    assert clients.is_right(setup.platform, answer.client_id, answer.client_secret)
    assert not clients.is_right(setup.platform, answer.client_id, answer.client_secret[1:])
    assert answer.client_secret not in str(setup.dump())


@case(GetClient)
def get(setup: CaseSetup) -> Steps:
    made = _client(setup)
    answer = yield GetClient(id=made.id)
    assert answer == made
    assert answer.client_secret
    assert setup.need(CLIENTS, answer.id).client_secret is None
