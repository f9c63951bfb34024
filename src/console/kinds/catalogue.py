"""Every kind there is, and its tables. A new kind is one folder, and here one import and one entry."""

from __future__ import annotations

from typing import Any

from console.kinds.agents.kind import KIND as AGENTS
from console.kinds.alarms.kind import KIND as ALARMS
from console.kinds.alerts.kind import KIND as ALERTS
from console.kinds.calls.kind import KIND as CALLS
from console.kinds.chats.kind import KIND as CHATS
from console.kinds.conferences.kind import KIND as CONFERENCES
from console.kinds.deliveries.kind import KIND as DELIVERIES
from console.kinds.domains.kind import KIND as DOMAINS
from console.kinds.groups.kind import KIND as GROUPS
from console.kinds.kind import Kind
from console.kinds.members.kind import KIND as MEMBERS
from console.kinds.missed_calls.kind import KIND as MISSED_CALLS
from console.kinds.notifications.kind import KIND as NOTIFICATIONS
from console.kinds.own_changes.kind import KIND as OWN_CHANGES
from console.kinds.phonebooks.kind import KIND as PHONEBOOKS
from console.kinds.presence.kind import KIND as PRESENCE
from console.kinds.recordings.kind import KIND as RECORDINGS
from console.kinds.sessions.kind import KIND as SESSIONS
from console.kinds.sip.kind import KIND as SIP
from console.kinds.templates.kind import KIND as TEMPLATES
from console.kinds.users.kind import KIND as USERS
from console.views.table import Table

KINDS: tuple[Kind, ...] = (
    CALLS,
    CONFERENCES,
    ALERTS,
    TEMPLATES,
    GROUPS,
    MEMBERS,
    AGENTS,
    CHATS,
    NOTIFICATIONS,
    MISSED_CALLS,
    PRESENCE,
    USERS,
    SESSIONS,
    PHONEBOOKS,
    SIP,
    ALARMS,
    DOMAINS,
    RECORDINGS,
    DELIVERIES,
    OWN_CHANGES,
)

"""The order in which their actions are offered where nothing else decides."""

TABLES: dict[str, Table[Any]] = {table.kind: table for kind in KINDS for table in kind.tables}
"""The tables by name: that of their feed, topic, screens' lists, actions and `console list`."""
