"""Registered OAuth2 clients (contract 4.2)."""

from __future__ import annotations

from console.api.annotations import Access, Change, Guard, InBody, InPath
from console.api.request import Request
from console.records.access import OAuthClient
from console.records.fields import field


class ListClients(
    Request[tuple[OAuthClient, ...]],
    name="clients.list",
    section="4.2",
    row="List clients",
    route="GET /oauth2/clients",
    access=Access.ADMIN,
):
    """List the registered OAuth2 clients, without their secrets."""


class RegisterClient(
    Request[OAuthClient],
    name="clients.register",
    section="4.2",
    row="Register client",
    route="POST /oauth2/clients",
    change=Change(Guard.SMALL, done="registered", touches=("clients",)),
    access=Access.ADMIN,
    answers_secret=True,
):
    """Register an OAuth2 client and return its id and secret."""

    name: InBody[str | None] = None
    redirect_uri: InBody[str | None] = field(default=None, wire="redirectURI")


class GetClient(
    Request[OAuthClient],
    name="clients.get",
    section="4.2",
    row="Get client",
    route="GET /oauth2/clients/{id}",
    access=Access.ADMIN,
    answers_secret=True,
):
    """Get an OAuth2 client with its secret."""

    id: InPath[str]
