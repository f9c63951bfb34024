"""User settings: values that programs store for a user (contract 2.20, 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from console.records.people import UserSetting
from console.service.events.visibility import Admins, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import conflict, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

DEFAULT_SOURCE = "user"
LONGEST_NAME = 200
MOST_OF_ONE_USER = 1000

SETTINGS = Documents(
    "user_settings",
    UserSetting,
    columns=(
        sa.Column("user", sa.Text, nullable=False, index=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
    ),
    extract=lambda setting: {
        "user": setting.user or "",
        "source": setting.source or "",
        "name": setting.setting_key or "",
    },
    rule=AnyOf(Admins(), Same("user", by_id)),
    singular="setting",
    announced=False,
)


def create(platform: Platform, user: str, source: str | None, key: str | None, value: str = "") -> UserSetting:
    """Store a value for a user. The default source is the user's own, the default key the setting's id.

    Refuse with 409 a key in use.
    """
    source = source or DEFAULT_SOURCE
    with platform.write() as tx:
        if SETTINGS.count(tx, SETTINGS.c.user == user) >= MOST_OF_ONE_USER:
            raise conflict(f"a user may have at most {MOST_OF_ONE_USER} settings")
        short = platform.new_id()
        setting = UserSetting(id=f"{short}@{source}", source=source, user=user, value=value)
        setting = setting.model_copy(update={"setting_key": short if key is None else key})
        _check(tx, setting)
        SETTINGS.put(tx, setting)
        return setting


def update(platform: Platform, setting_id: str, fields: Mapping[str, str | None]) -> UserSetting:
    """Change `source`, `setting_key` and `value`, if given and not None. Another source changes the id."""
    with platform.write() as tx:
        user_setting = SETTINGS.need(tx, setting_id)
        changes: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        if "source" in changes:
            changes["id"] = f"{user_setting.id.rpartition('@')[0]}@{changes['source']}"
        setting = user_setting.model_copy(update=changes)
        _check(tx, setting, user_setting.id)
        if setting.id != user_setting.id:
            SETTINGS.remove(tx, user_setting.id)
        SETTINGS.put(tx, setting)
        return setting


def forget_users(tx: Transaction, users: Collection[str]) -> None:
    """Delete the settings of users."""
    tx.run(sa.delete(SETTINGS.table).where(SETTINGS.c.user.in_(users)))


def _check(tx: Transaction, setting: UserSetting, former: str = "") -> None:
    source, key = setting.source or "", setting.setting_key or ""
    if not 0 < len(source) <= LONGEST_NAME or "@" in source:
        raise invalid("source", f"must have 1 to {LONGEST_NAME} characters and no @", "pattern")
    if not 0 < len(key) <= LONGEST_NAME:
        raise invalid("key", f"must have 1 to {LONGEST_NAME} characters", "length")
    column = SETTINGS.c
    same = (column.user == setting.user, column.source == source, column.name == key, column.key != former)
    if SETTINGS.count(tx, *same):
        raise conflict(f"there is a setting {key} from {source} already")
