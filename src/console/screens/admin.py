"""The administrator's lists: users, sessions and call quality alarms."""

from __future__ import annotations

from console.screens.list_screen import ListScreen
from console.screens.navigation import spec_of


class AdminScreen(ListScreen):
    """Users, sessions and alarms."""

    spec = spec_of("admin")
