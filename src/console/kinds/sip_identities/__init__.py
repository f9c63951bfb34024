"""SIP identities."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "sip-identities",
    resources=(Resource("sip-identities", "SIP identities", "SIP identity", Branch.SIP, ("sip-identities.list",)),),
)
