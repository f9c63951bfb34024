"""Users."""

from __future__ import annotations

from console.api.listed import PAGE
from console.api.operations.people import ListUsers, PageUsers
from console.kinds.kind import Kind, Scope
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed
from console.records.people import User

KIND = Kind(
    "users",
    feed=Feed(
        "users",
        User,
        (PageUsers(page_size=PAGE), PageUsers(), ListUsers()),
        shown_seconds=5.0,
        hidden_seconds=30.0,
    ),
    resources=(
        Resource(
            "users",
            "Users",
            "user",
            Branch.DIRECTORY,
            ("users.page", "users.list"),
            more=("user-permissions.get", "user-permissions.create", "user-permissions.update", "tokens.drop"),
            binds={"username": "username"},
        ),
    ),
    scope=Scope.DOMAIN,
)
