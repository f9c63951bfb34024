"""Alerts as a kind."""

from __future__ import annotations

from console.kinds.alerts.columns import ALERTS
from console.kinds.kind import Kind

KIND = Kind("alerts", (ALERTS,))
