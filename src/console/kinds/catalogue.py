"""The list of all kinds. A new kind is a folder and its name here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed
from console.views.thresholds import Threshold

_FOLDERS = (
    "calls",
    "conferences",
    "alerts",
    "templates",
    "groups",
    "members",
    "agents",
    "skills",
    "chats",
    "notifications",
    "meetings",
    "missed_calls",
    "presence",
    "activities",
    "users",
    "sessions",
    "domains",
    "contacts",
    "phonebooks",
    "credentials",
    "oauth",
    "permissions",
    "settings",
    "directory_credentials",
    "recordings",
    "alarms",
    "statistics",
    "sip_identities",
    "sip_mappings",
    "addresses",
    "gateway",
    "datapipes",
    "push",
    "deliveries",
    "log",
    "provisioning",
    "caller_ids",
    "queues",
    "changes",
    "differences",
    "changed_lists",
    "status",
    "connection",
    "episodes",
    "rules",
)
"""The folders of all kinds, in the default order of their actions and of the lists in the administrator's tree."""

KINDS: tuple[Kind, ...] = tuple(import_module(f"console.kinds.{name}").KIND for name in _FOLDERS)

FEEDS: Mapping[str, Feed] = {kind.name: kind.feed for kind in KINDS if kind.feed is not None}
"""Feeds by kind."""

DERIVED: Mapping[str, Kind] = {kind.name: kind for kind in KINDS if kind.derived}
"""Kinds whose lists the console computes from other lists; each after those that it is computed from."""

LIVE: frozenset[str] = frozenset({*FEEDS, *DERIVED, *(kind.name for kind in KINDS if kind.watched)})
"""Kinds whose lists are kept up to date while the console runs."""

THRESHOLDS: Mapping[str, Threshold] = {threshold.name: threshold for kind in KINDS for threshold in kind.thresholds}
"""Configurable thresholds by `kind.column`."""

RESOURCES: Mapping[str, Resource] = {
    resource.name: resource
    for branch in Branch
    for kind in KINDS
    for resource in kind.resources
    if resource.branch is branch
}
"""The resources of the administrator's tree by name, in its order."""
