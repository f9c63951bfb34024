"""Handlers for OAuth2 clients (contract 4.2)."""

from __future__ import annotations

from console.api.operations.clients import GetClient, ListClients, RegisterClient
from console.records.access import Client
from console.service.caller import Caller
from console.service.domain import clients
from console.service.domain.clients import CLIENTS
from console.service.handler import Stored, handles
from console.service.platform import Platform


@handles(ListClients, follows=CLIENTS)
def list_clients(request: ListClients, caller: Caller, platform: Platform) -> Stored:
    """List the clients; what is stored of them holds no secret."""
    with platform.read() as tx:
        return Stored(CLIENTS, CLIENTS.bodies(tx, caller=caller))


@handles(RegisterClient)
def register(request: RegisterClient, caller: Caller, platform: Platform) -> Client:
    """Register a client."""
    return clients.register(platform, request.name, request.redirect_uri)


@handles(GetClient)
def get(request: GetClient, caller: Caller, platform: Platform) -> Client:
    """Get one client with its secret."""
    with platform.read() as tx:
        return clients.with_secret(platform, tx, request.id)
