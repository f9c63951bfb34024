"""SIP mappings."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "sip-mappings",
    resources=(
        Resource(
            "sip-mappings",
            "SIP mappings",
            "SIP mapping",
            Branch.SIP,
            ("sip-mappings.page", "sip-mappings.list"),
            binds={"owner_uri": "owner"},
            holds={"credential": "mapping"},
        ),
    ),
)
