"""Handlers for user settings (contract 4.3)."""

from __future__ import annotations

from console.api.operations.permissions import CreateSetting, GetSetting, ListSettings, UpdateSetting
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import owns
from console.service.domain import settings
from console.service.domain.settings import SETTINGS
from console.service.handlers.handler import Stored, bind
from console.service.store.transaction import Transaction


def _list_settings(caller: Caller, tx: Transaction) -> Stored:
    """List the caller's settings, grouped by program."""
    column = SETTINGS.c
    return Stored(SETTINGS, SETTINGS.bodies(tx, column.user == caller.id, order=[column.source, column.name]))


bind(ListSettings, _list_settings)
bind(GetSetting, SETTINGS.need, key="id", related=owns(SETTINGS, "user"))
bind(CreateSetting, settings.create, user=lambda _, caller: caller.id, key="setting_key")
bind(
    UpdateSetting,
    settings.update,
    setting_id="id",
    fields=lambda request, _: request.model_dump(exclude={"id"}),
    related=owns(SETTINGS, "user"),
)
