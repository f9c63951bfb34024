"""Groups."""

from __future__ import annotations

from console.api.listed import PAGE
from console.api.operations.people import ListGroups, PageGroups
from console.kinds.kind import Kind, Scope, Screen
from console.live.feeds import Feed
from console.records.people import Group

KIND = Kind(
    "groups",
    feed=Feed(
        "groups",
        Group,
        (PageGroups(page_size=PAGE), PageGroups(), ListGroups()),
    ),
    screen=Screen("7", "Groups", "Groups"),
    scope=Scope.OWN,
)
