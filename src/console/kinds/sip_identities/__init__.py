"""SIP identities."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind("sip-identities")
