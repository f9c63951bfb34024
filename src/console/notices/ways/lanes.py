"""The ways that leave the terminal: each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from console.notices.ways.command import AT_ONCE, CommandWay
from console.notices.ways.desktop import Desktop
from console.notices.ways.lane import Lane
from console.notices.ways.webhook import WebhookWay

if TYPE_CHECKING:
    from console.client.endpoint import Endpoint
    from console.config.notice_settings import NoticeSettings
    from console.notices.outside import Outside

_POSTS = 1_000
"""Most notices that wait for a webhook: each is tried for an hour."""


def lanes(settings: NoticeSettings, outside: Outside, deployment: Callable[[str], Endpoint | None]) -> Iterator[Lane]:
    """Yield a lane for each way that is configured. `deployment` returns the deployment of a profile."""
    if settings.uses(Desktop.name):
        yield Lane(Desktop(outside.environ))
    if settings.uses(CommandWay.name) and settings.command:
        yield Lane(CommandWay(settings.command, outside.environ), AT_ONCE)
    if settings.uses(WebhookWay.name) and settings.webhook is not None:
        yield Lane(WebhookWay(settings.webhook.url, outside.secret, deployment), most=_POSTS)
