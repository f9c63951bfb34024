"""The part of the configuration about notices: which ways tell a person about an episode, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from console.config.settings import Checked, Meta, Settings, nearest
from console.config.values import Command, HttpUrl

WAYS = ("bell", "title", "terminal", "flash", "desktop", "command", "webhook")
"""The ways to tell a person, by name."""
TerminalSequence = Literal["osc9", "osc777", "osc99"]
_HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")


def _ways(value: tuple[str, ...]) -> tuple[str, ...]:
    for name in value:
        if name not in WAYS:
            raise ValueError(f"{name!r} is not a way to tell a person{nearest(name, WAYS)}")
    return value


def _hours(value: tuple[str, ...]) -> tuple[str, ...]:
    for hours in value:
        if _HOURS.fullmatch(hours) is None:
            raise ValueError(f'{hours!r} is not a time of day: use the form "22:00-06:00"')
    return value


WayNames = Annotated[tuple[str, ...], Checked(_ways)]


class Ways(Settings):
    """The ways to tell a person, by severity."""

    critical: WayNames = ("bell", "flash")
    """Ways for critical episodes."""
    warning: WayNames = ("bell", "flash")
    """Ways for warnings."""
    notice: WayNames = ("flash",)
    """Ways for notices. One that waits for you in person is told like a warning."""


class WebhookSettings(Settings):
    """The receiver of posted notices."""

    declined: ClassVar[Mapping[str, str]] = {
        "secret": "is not read from this file: use secret_command, `console notify secret` or CONSOLE_NOTICE_SECRET"
    }

    url: HttpUrl
    """URL to post notices to, as JSON."""
    secret_command: Command = ()
    """Command that prints the secret of the signature on its first line of output. Runs without a shell. Default: the
    keyring, then CONSOLE_NOTICE_SECRET; without a secret, requests are not signed."""


class NoticeSettings(Settings):
    """How a person is told about episodes."""

    ways: Ways = Ways()
    """The ways by severity: `bell`, `title` (window title), `terminal` (notification of the terminal), `flash` (line on
    the screen), `desktop`, `command`, `webhook`."""
    repeat: Annotated[float, Meta(ge=0, le=3600)] = 10.0
    """Seconds until a critical episode or a warning that nobody has seen is told again; the interval doubles each time,
    up to about ten minutes. 0 for never."""
    quiet: Annotated[tuple[str, ...], Checked(_hours)] = ()
    """Hours in which only `quiet_ways` are used, such as `["22:00-06:00"]`, in the time zone of the profile."""
    quiet_ways: WayNames = ("title", "flash")
    """Ways that are also used in quiet hours."""
    terminal: Literal["auto", "osc9", "osc777", "osc99"] = "auto"
    """Sequence with which the terminal is told to show a notification. `auto` knows some terminals by their environment
    variables; `console notify test` asks the terminal."""
    command: Command = ()
    """Command to run for each notice, with the notice as JSON on its input. Runs without a shell, at most ten
    seconds."""
    webhook: WebhookSettings | None = None
    """Receiver of posted notices: `{ url = "https://hooks.example/notices" }`."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report ways that need another key."""
        if self.uses("command") and not self.command:
            yield "ways", "names command, which needs the key command"
        if self.uses("webhook") and self.webhook is None:
            yield "ways", "names webhook, which needs the table webhook"

    def uses(self, way: str) -> bool:
        """Return whether a severity names this way."""
        return any(way in chosen_ways for chosen_ways in (self.ways.critical, self.ways.warning, self.ways.notice))

    def ways_of(self, severity: str) -> tuple[str, ...]:
        """Return the ways of a severity."""
        match severity:
            case "critical":
                return self.ways.critical
            case "warning":
                return self.ways.warning
            case _:
                return self.ways.notice

    def is_quiet(self, minute: int) -> bool:
        """Return whether this minute of the day is in the quiet hours."""
        return any(_within(hours, minute) for hours in self.quiet)


def _within(hours: str, minute: int) -> bool:
    begin, end = (int(part[:2]) * 60 + int(part[3:]) for part in hours.split("-"))
    return begin <= minute < end if begin < end else minute >= begin or minute < end
