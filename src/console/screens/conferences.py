"""Conferences: who joined when, who was asked, and why an invite failed."""

from __future__ import annotations

from console.screens.list_screen import ListScreen
from console.screens.specs import spec_of


class ConferencesScreen(ListScreen):
    """The conferences of the service, live."""

    spec = spec_of("conferences")
