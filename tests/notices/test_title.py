"""The title of the window shows a notice until nothing of what a person was told is unseen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.config.notice_settings import NoticeSettings, Ways
from console.live.delta import Delta
from console.notices.notifier import Notifier
from console.notices.ways.terminal import Title
from console.records.episodes import Episode
from tests.notices.played import delta, episode


class Desk:
    """A console with a title."""

    profile, zone, whose = "desk", ZoneInfo("UTC"), "eva"

    def __init__(self, **ways: Any) -> None:
        self.now = 0.0
        self.title = ""
        self._changes: Delta[Episode] = delta()
        settings = NoticeSettings(ways=Ways(**ways))
        self.notifier = Notifier(settings, [Title(self._write, "full")], lambda: self.now)
        self.notifier.follow(self)
        self.notifier.beat(0)
        self.now = 10.0

    def changes(self, since: int) -> Delta[Episode]:
        found, self._changes = self._changes, delta()
        return found

    def known(self) -> Collection[str]:
        return ("calls",)

    def saw(self, episodes: Mapping[str, int]) -> None:
        pass

    def hear(self, *episodes: Episode) -> None:
        self._changes = delta(*episodes)
        for each in self.notifier.beat(0):
            if each.on_screen:
                self.notifier.was_shown(each.notice)

    def _write(self, sequence: str) -> None:
        self.title = sequence.partition("]2;")[2]


def test_it_returns_after_a_key_although_nobody_is_told_of_other_severities() -> None:
    desk = Desk(critical=("title", "flash"), warning=(), notice=())
    desk.hear(episode("b", "warning"), episode("a"))
    assert "Long wait" in desk.title
    desk.now += 2
    desk.notifier.key_pressed()
    assert desk.title.startswith("console desk")


@pytest.mark.parametrize("state", ["ended", "muted"])
def test_it_returns_by_itself_when_the_episode_has_ended_or_is_muted(state: str) -> None:
    desk = Desk(critical=("title", "flash"))
    desk.hear(episode("a"))
    assert "Long wait" in desk.title
    desk.hear(episode("a", state=state))
    assert desk.title.startswith("console desk")
