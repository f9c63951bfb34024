"""Users."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource
from console.live.feeds import PAGE, Feed, lists

KIND = Kind(
    "users",
    feed=Feed(
        "users",
        "people:User",
        (lists("people:PageUsers", page_size=PAGE), lists("people:PageUsers"), lists("people:ListUsers")),
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
)
