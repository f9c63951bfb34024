"""Conferences."""

from __future__ import annotations

from console.api.listed import PAGE
from console.api.operations.traffic import ListConferences, ListConferencesAsObject, PageConferences
from console.kinds.kind import Kind, Scope, Screen
from console.live.feeds import Feed
from console.records.traffic import Conference
from console.views.thresholds import HOUR, of_age

AGE = of_age("conferences.age", 4 * HOUR, 12 * HOUR)

KIND = Kind(
    "conferences",
    feed=Feed(
        "conferences",
        Conference,
        (ListConferences(), PageConferences(page_size=PAGE), PageConferences(), ListConferencesAsObject()),
    ),
    thresholds=(AGE,),
    screen=Screen("3", "Conferences", "Conf"),
    scope=Scope.OWN,
)
