"""Clients and tokens of OAuth 2."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "oauth",
    resources=(
        Resource(
            "clients",
            "OAuth2 clients",
            "client",
            Branch.ACCESS,
            ("clients.list",),
            shown=("name", "client_id", "redirect_uri"),
        ),
        Resource(
            "tokens",
            "OAuth2 tokens",
            "token",
            Branch.ACCESS,
            ("tokens.list",),
            shown=("id", "user_id", "client_id", "expires_at"),
        ),
    ),
)
