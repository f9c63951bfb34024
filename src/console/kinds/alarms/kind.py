"""Call alarms as a kind."""

from __future__ import annotations

from console.kinds.alarms.columns import ALARMS
from console.kinds.kind import Kind

KIND = Kind("alarms", (ALARMS,))
