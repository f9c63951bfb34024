"""Alert templates and their receivers (contract 2.17, 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import sqlalchemy as sa

from console.records.support import AlertTemplate
from console.service.domain.people import USERS
from console.service.events.visibility import Named
from console.service.platform import Platform
from console.service.refusal import conflict, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

TEMPLATES = Documents(
    "templates",
    AlertTemplate,
    columns=(sa.Column("receivers", sa.JSON, nullable=False, default=list),),
    rule=Named(),
    singular="alert template",
)


def create(platform: Platform, template: AlertTemplate) -> None:
    """Store a new template without receivers. Refuse with 409 an id in use."""
    with platform.write() as tx:
        if TEMPLATES.row(tx, template.template_id) is not None:
            raise conflict(f"there is an alert template {template.template_id} already")
        TEMPLATES.put(tx, template, receivers=[])


def update(platform: Platform, template_id: str, changes: Mapping[str, Any]) -> None:
    """Change the given fields of a template; without a time to expire, its alerts do not expire.

    Sent alerts keep their texts and times. Refuse with 400 to remove another field.
    """
    for name, value in changes.items():
        if value is None and name != "time_to_expire":
            raise invalid(AlertTemplate.wire_name(name), "cannot be removed", "required")
    with platform.write() as tx:
        template = TEMPLATES.need(tx, template_id)
        TEMPLATES.put(tx, template.model_copy(update=changes))


def delete(platform: Platform, template_id: str) -> None:
    """Delete a template and its list of receivers."""
    with platform.write() as tx:
        TEMPLATES.take(tx, template_id)


def attach(platform: Platform, template_id: str, users: Iterable[str]) -> None:
    """Add receivers to a template, all or none; refuse with 404 an unknown user."""
    with platform.write() as tx:
        template = TEMPLATES.need(tx, template_id)
        chosen = [user.id for user in USERS.need_many(tx, users)]
        TEMPLATES.put(tx, template, receivers=list(dict.fromkeys((*receivers_of(tx, template_id), *chosen))))


def detach(platform: Platform, template_id: str) -> None:
    """Remove all receivers from a template."""
    with platform.write() as tx:
        TEMPLATES.put(tx, TEMPLATES.need(tx, template_id), receivers=[])


def receivers_of(tx: Transaction, template_id: str) -> tuple[str, ...]:
    """Return the ids of a template's receivers; refuse with 404 an unknown template."""
    return tuple(cast("list[str]", TEMPLATES.need_row(tx, template_id).receivers or []))
