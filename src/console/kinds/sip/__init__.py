"""SIP identities and mappings."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind(
    "sip",
    tables=("SIP_IDENTITIES", "SIP_MAPPINGS"),
)
