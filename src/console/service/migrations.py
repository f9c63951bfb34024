"""How the schema of the store has changed: numbered steps that take a store from each version to the next.

Whoever changes what a table declares (a table, column or index that is new, different or gone) adds one entry at the
end of `MIGRATIONS`, with the next number. Nothing else is needed: stores are upgraded when they are opened (see
`store_file.py`), and a test fails as long as the steps do not lead from the oldest store to the declared schema.

An entry that has been released stays as it is: there are stores that have gone through it.
"""

from __future__ import annotations

from console.frozen import Frozen

BASELINE = 2
"""The oldest version that can be upgraded: the schema of the first release that had numbers."""


class Migration(Frozen):
    """One step: what it is for, and the SQL statements that do it."""

    version: int
    """The version that a store has after the step."""
    title: str
    """What it does, as an imperative."""
    statements: tuple[str, ...]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        3,
        "Expire alerts whose retries are over",
        (
            "UPDATE alerts SET due = sent + retries * every + expires "
            "WHERE state = 'active' AND due IS NULL AND expires IS NOT NULL",
        ),
    ),
    Migration(
        4,
        "Tell sealed answers to repeated requests from those that are not",
        ("ALTER TABLE idempotency ADD COLUMN sealed BOOLEAN NOT NULL DEFAULT 0",),
    ),
    Migration(
        5,
        "Let nested users say nothing that is not theirs",
        (
            *(
                f"UPDATE {table} SET body = json_remove(body, '$.{user}.capabilities', '$.{user}.mobilePhone')"
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
        "Let guests do what no service of their domain was needed for",
        (
            "UPDATE domains SET body = json_set(body, '$.services.callcontrol', json('[]'), '$.services.presence', "
            "json('[]'), '$.services.stats', json('[]'), '$.services.log', json('[]')) WHERE key = 'guests'",
        ),
    ),
)
SCHEMA_VERSION = MIGRATIONS[-1].version
"""The version that stores have once they are open."""
