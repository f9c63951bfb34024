"""Migrations of the database schema: numbered steps from each version to the next.

A change of a table declaration (a table, column or index that is new, different or removed) requires a new entry at the
end of `MIGRATIONS`, with the next number. Nothing else is needed: databases are upgraded when they are opened (see
`sqlite.py`), and a test fails while the steps do not lead from the oldest database to the declared schema.

Never change a released entry: it has been applied to databases.
"""

from __future__ import annotations

from console.base.frozen import Frozen

BASELINE = 2
"""The oldest version that can be upgraded: the schema of the first release with version numbers."""


class Migration(Frozen):
    """One step: its purpose and its SQL statements."""

    version: int
    """The version after the step."""
    title: str
    """Description of the step, in the imperative."""
    statements: tuple[str, ...]
    postgresql: tuple[str, ...] = ()
    """The statements for PostgreSQL, if they differ. Its oldest schema is version 11."""


_ALL_SERVICES = (
    "stats", "alarms", "callcontrol", "chat", "contacts", "datapipe", "login", "log", "meetings", "presence",
    "recording", "settings",
)  # fmt: skip
"""Default services of domains when services became effective."""

_CHAT_KEY = (
    "CASE WHEN EXISTS (SELECT 1 FROM notifications AS other WHERE other.key = about.key) "
    "THEN 'chat:' || about.key ELSE about.key END"
)
"""The id of a chat's notification, if that of an alert may be the same."""

MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        3,
        "Expire alerts without remaining retries",
        (
            "UPDATE alerts SET due = sent + retries * every + expires "
            "WHERE state = 'active' AND due IS NULL AND expires IS NOT NULL",
        ),
    ),
    Migration(
        4,
        "Distinguish encrypted from plain stored answers",
        ("ALTER TABLE idempotency ADD COLUMN sealed BOOLEAN NOT NULL DEFAULT 0",),
    ),
    Migration(
        5,
        "Remove capabilities and telephones from nested users",
        (
            *(
                f"UPDATE {table} SET body = json_remove(body, '$.{user}.capabilities', '$.{user}.mobilePhone') "
                f"WHERE json_type(body, '$.{user}.capabilities') = 'array'"
                for table, user in (
                    ("groups", "owner"),
                    ("sessions", "userObj"),
                    ("ended_sessions", "userObj"),
                    ("meetings", "user"),
                )
            ),
            "UPDATE meetings SET body = json_set(body, '$.users', (SELECT json_group_array(json_remove("
            "value, '$.capabilities', '$.mobilePhone')) FROM json_each(body, '$.users'))) "
            "WHERE json_array_length(body, '$.users') > 0",
        ),
    ),
    Migration(
        6,
        "Show conferences only to their participants, not to all notified users",
        ("ALTER TABLE conferences DROP COLUMN told",),
    ),
    Migration(
        7,
        "Enable for guests the services that they could use before",
        (
            "UPDATE domains SET body = json_set(body, '$.services', json('{"
            + ",".join(f'"{service}":[]' for service in _ALL_SERVICES)
            + "}')) WHERE key = 'guests'",
        ),
    ),
    Migration(
        8,
        "Serve existing avatars at URLs",
        (
            "UPDATE presence SET body = json_set(body, '$.avatarUrl', '/avatars/' || user || '/' || "
            "lower(hex(randomblob(16)))) WHERE user NOT GLOB '*[^A-Za-z0-9._~-]*' AND ("
            + " OR ".join(f"json_extract(body, '$.avatar') GLOB '{value}*'" for value in ("iVBOR", "/9j/", "R0lGOD"))
            + ")",
        ),
    ),
    Migration(
        9,
        "Store encrypted tokens for lists",
        ("ALTER TABLE tokens ADD COLUMN sealed TEXT",),
    ),
    Migration(
        10,
        "Index deliveries by state, and remove their codes",
        (
            "DROP INDEX ix_deliveries_at",
            "DROP INDEX ix_deliveries_subject",
            "ALTER TABLE deliveries RENAME TO deliveries_before",
            "CREATE TABLE deliveries (key TEXT NOT NULL, created INTEGER NOT NULL, state TEXT NOT NULL, "
            "mechanism TEXT NOT NULL, subject TEXT NOT NULL, due INTEGER, expires INTEGER, finished INTEGER, "
            "tries INTEGER NOT NULL, sealed TEXT, body TEXT NOT NULL, PRIMARY KEY (key))",
            "INSERT INTO deliveries (key, created, state, mechanism, subject, finished, tries, body) "
            "SELECT 'before-' || number, at, 'unsent', mechanism, subject, at, 0, json_object("
            "'id', 'before-' || number, 'mechanism', mechanism, 'kind', replace(kind, ' sent', ''), "
            "'recipient', CASE mechanism WHEN 'push' THEN '…' || substr(recipient, -4) ELSE recipient END, "
            "'subject', subject, 'title', replace(kind, ' sent', ''), 'text', '', 'state', 'unsent', 'attempts', 0, "
            "'lastError', 'no transport', 'createdAt', at, 'expiresAt', at, 'finishedAt', at) "
            "FROM deliveries_before",
            "DROP TABLE deliveries_before",
            *(
                f"CREATE INDEX ix_deliveries_{column} ON deliveries ({column})"
                for column in ("created", "due", "expires", "finished", "subject")
            ),
        ),
    ),
    Migration(
        11,
        "Store one pending notification for each alert and chat, with its users",
        (
            "ALTER TABLE notifications RENAME TO notifications_before",
            "CREATE TABLE notifications (key TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, "
            "users JSON NOT NULL, created INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (key))",
            *(
                "INSERT INTO notifications (key, kind, subject, users, created, body) "
                f"SELECT {key}, '{kind}', about.key, json_group_array(told.user), about.{began}, "
                f"json_patch('{{}}', json_object('id', {key}, 'kind', '{kind}', 'subject', about.key, "
                f"'title', json_extract(about.body, '{title}'), 'fromUser', json_extract(about.body, '{person}'), "
                f"'createdAt', about.{began})) FROM notifications_before AS told "
                f"JOIN {kind}s AS about ON about.key = told.id WHERE told.kind = '{kind}' GROUP BY about.key"
                for kind, began, title, person, key in (
                    ("alert", "sent", "$.title", "$.from", "about.key"),
                    ("chat", "began", "$.context.skill", "$.participants[0].id", _CHAT_KEY),
                )
            ),
            "DROP TABLE notifications_before",
            "CREATE INDEX ix_notifications_subject ON notifications (subject)",
        ),
    ),
    Migration(
        12,
        "Count attempts at secrets for all nodes of a database",
        (
            "CREATE TABLE attempts (id TEXT NOT NULL, name TEXT NOT NULL, wrong BOOLEAN NOT NULL, "
            "at INTEGER NOT NULL, PRIMARY KEY (id))",
            "CREATE INDEX ix_attempts_at ON attempts (at)",
            "CREATE INDEX ix_attempts_name ON attempts (name)",
        ),
        # A table that is missing is created anyway.
        ("SELECT 1",),
    ),
)
SCHEMA_VERSION = MIGRATIONS[-1].version
"""The current version of the schema."""
