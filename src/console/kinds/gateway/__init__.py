"""Names at the gateway."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "gateway",
    resources=(Resource("gateway", "Gateway names", "gateway name", Branch.SIP),),
)
