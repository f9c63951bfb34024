"""Alerts by state with their clocks, and the templates that they are sent from."""

from __future__ import annotations

from console.screens.list_screen import ListScreen
from console.screens.specs import spec_of


class AlertsScreen(ListScreen):
    """Active, accepted, expired and cancelled alerts; templates."""

    spec = spec_of("alerts")
