"""Handlers for user settings (contract 4.3)."""

from __future__ import annotations

from console.api.operations.settings import CreateSetting, GetSetting, ListSettings, UpdateSetting
from console.records.people import UserSetting
from console.service.caller import Caller
from console.service.domain import settings
from console.service.domain.settings import SETTINGS
from console.service.handler import Stored, handles
from console.service.platform import Platform
from console.service.relation_checks import owns


@handles(ListSettings)
def list_settings(request: ListSettings, caller: Caller, platform: Platform) -> Stored:
    """List the caller's settings, those of one program beside each other."""
    column = SETTINGS.c
    with platform.read() as tx:
        return Stored(SETTINGS, SETTINGS.bodies(tx, column.user == caller.id, order=[column.source, column.name]))


@handles(CreateSetting)
def create(request: CreateSetting, caller: Caller, platform: Platform) -> UserSetting:
    """Keep a value for the caller."""
    return settings.create(platform, caller.id, request.source, request.setting_key, request.value or "")


@handles(GetSetting, related=owns(SETTINGS, "user"))
def get(request: GetSetting, caller: Caller, platform: Platform) -> UserSetting:
    """Get one setting."""
    with platform.read() as tx:
        return SETTINGS.need(tx, request.id)


@handles(UpdateSetting, related=owns(SETTINGS, "user"))
def update(request: UpdateSetting, caller: Caller, platform: Platform) -> UserSetting:
    """Change a setting."""
    given = {"source": request.source, "setting_key": request.setting_key, "value": request.value}
    return settings.update(platform, request.id, given)
