"""Handlers for OAuth2 clients (contract 4.2)."""

from __future__ import annotations

from console.api.operations.sessions import GetClient, ListClients, RegisterClient
from console.service.domain import clients
from console.service.domain.clients import CLIENTS
from console.service.handlers.bindings import lists
from console.service.handlers.handler import bind

bind(ListClients, lists(CLIENTS), follows=CLIENTS)
bind(RegisterClient, clients.register)
bind(GetClient, clients.with_secret, key="id")
