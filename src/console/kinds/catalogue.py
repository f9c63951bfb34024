"""Every kind there is. A new kind is one folder, and here its name."""

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
    "changes",
    "status",
)
"""The order in which their actions are offered where nothing else decides, and their lists under each heading of the
administrator's tree."""

KINDS: tuple[Kind, ...] = tuple(import_module(f"console.kinds.{name}").KIND for name in _FOLDERS)

FEEDS: Mapping[str, Feed] = {kind.name: kind.feed for kind in KINDS if kind.feed is not None}
"""How the kinds are kept up to date that are."""

THRESHOLDS: Mapping[str, Threshold] = {each.name: each for kind in KINDS for each in kind.thresholds}
"""The levels that the configuration can set, by `kind.column`."""

RESOURCES: Mapping[str, Resource] = {
    each.name: each for branch in Branch for kind in KINDS for each in kind.resources if each.branch is branch
}
"""What an administrator browses by name, in the order of the tree."""
