"""Deliveries of mails, SMS and pushes as a kind."""

from __future__ import annotations

from console.kinds.deliveries.columns import DELIVERIES
from console.kinds.kind import Kind

KIND = Kind("deliveries", (DELIVERIES,))
