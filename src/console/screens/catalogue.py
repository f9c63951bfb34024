"""Which class each screen is. The one place that names them; imported when the first screen is wanted."""

from __future__ import annotations

from collections.abc import Mapping

from console.screens.admin import AdminScreen
from console.screens.agents import AgentsScreen
from console.screens.alerts import AlertsScreen
from console.screens.calls import CallsScreen
from console.screens.conferences import ConferencesScreen
from console.screens.frame import DeskScreen
from console.screens.groups import GroupsScreen
from console.screens.home import HomeScreen
from console.screens.presence import PresenceScreen

CLASSES: Mapping[str, type[DeskScreen]] = {
    each.spec.name: each
    for each in (
        HomeScreen,
        CallsScreen,
        ConferencesScreen,
        PresenceScreen,
        AgentsScreen,
        AlertsScreen,
        GroupsScreen,
        AdminScreen,
    )
}
