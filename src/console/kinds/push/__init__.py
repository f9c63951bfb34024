"""Push tokens."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "push",
    resources=(
        Resource(
            "push",
            "Push",
            "push token",
            Branch.DEVICES,
            more=("chat-push.build", "chat-push.register", "chat-push.unregister"),
        ),
    ),
)
