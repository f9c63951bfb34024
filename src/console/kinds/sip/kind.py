"""SIP identities and mappings as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.sip.columns import SIP_IDENTITIES, SIP_MAPPINGS

KIND = Kind("sip", (SIP_IDENTITIES, SIP_MAPPINGS))
