"""Handlers for pending notifications: alerts and chats that wait for the caller's answer (an extension)."""

from __future__ import annotations

from console.api.operations.extensions import ListNotifications
from console.service.domain.notifications import NOTIFICATIONS
from console.service.handlers.bindings import lists
from console.service.handlers.handler import bind

bind(ListNotifications, lists(NOTIFICATIONS, NOTIFICATIONS.c.created), follows=NOTIFICATIONS)
