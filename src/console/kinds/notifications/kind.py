"""Pending notifications as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.notifications.columns import NOTIFICATIONS

KIND = Kind("notifications", (NOTIFICATIONS,))
