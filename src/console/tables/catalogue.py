"""Every table, by the kind it shows."""

from __future__ import annotations

from typing import Any

from console.tables.agents import AGENTS, SKILLS
from console.tables.alarms import ALARMS
from console.tables.alerts import ALERTS
from console.tables.calls import CALLS
from console.tables.chats import CHATS
from console.tables.conferences import CONFERENCES
from console.tables.deliveries import DELIVERIES
from console.tables.domains import DOMAINS
from console.tables.groups import GROUPS
from console.tables.members import MEMBERS
from console.tables.missed_calls import MISSED_CALLS
from console.tables.notifications import NOTIFICATIONS
from console.tables.own_changes import OWN_CHANGES
from console.tables.phonebooks import PHONEBOOKS
from console.tables.presence import PRESENCE
from console.tables.recordings import RECORDINGS
from console.tables.sessions import SESSIONS
from console.tables.sip import SIP_IDENTITIES, SIP_MAPPINGS
from console.tables.table import Table
from console.tables.templates import TEMPLATES
from console.tables.users import USERS

TABLES: dict[str, Table[Any]] = {
    table.kind: table
    for table in (
        CALLS,
        CONFERENCES,
        PRESENCE,
        AGENTS,
        SKILLS,
        CHATS,
        ALERTS,
        TEMPLATES,
        GROUPS,
        MEMBERS,
        USERS,
        SESSIONS,
        ALARMS,
        DOMAINS,
        PHONEBOOKS,
        RECORDINGS,
        SIP_IDENTITIES,
        SIP_MAPPINGS,
        DELIVERIES,
        MISSED_CALLS,
        NOTIFICATIONS,
        OWN_CHANGES,
    )
}
"""The kinds are the names used by feeds, screens, actions and `console list`."""
