"""Answers about user settings (contract 4.3)."""

from __future__ import annotations

from console.api.operations.settings import CreateSetting, GetSetting, ListSettings, UpdateSetting
from console.records.people import UserSetting
from console.service.answering import Stored, answers
from console.service.caller import Caller
from console.service.domain import settings
from console.service.domain.settings import SETTINGS
from console.service.platform import Platform
from console.service.related import owns


@answers(ListSettings)
def list_settings(request: ListSettings, caller: Caller, platform: Platform) -> Stored:
    """List the caller's settings, those of one program beside each other."""
    column = SETTINGS.c
    with platform.read() as tx:
        return Stored(SETTINGS, SETTINGS.bodies(tx, column.user == caller.id, order=[column.source, column.name]))


@answers(CreateSetting)
def create(request: CreateSetting, caller: Caller, platform: Platform) -> UserSetting:
    """Keep a value for the caller."""
    return settings.create(platform, caller.id, request.source, request.setting_key, request.value or "")


@answers(GetSetting, related=owns(SETTINGS, "user"))
def get(request: GetSetting, caller: Caller, platform: Platform) -> UserSetting:
    """Get one setting."""
    with platform.read() as tx:
        return SETTINGS.need(tx, request.id)


@answers(UpdateSetting, related=owns(SETTINGS, "user"))
def update(request: UpdateSetting, caller: Caller, platform: Platform) -> UserSetting:
    """Change a setting."""
    given = {"source": request.source, "setting_key": request.setting_key, "value": request.value}
    return settings.update(platform, request.id, given)
