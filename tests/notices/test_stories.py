"""Random stories of episodes, keys and consoles: each renewal is told once to the person, and again until seen."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from console.config.notice_settings import NoticeSettings, Ways
from console.live.delta import Delta
from console.notices.claims import Claims
from console.notices.notice import Notice
from console.notices.notifier import Notifier
from console.notices.schedule import LONGEST_GATHER_SECONDS, READING_SECONDS
from console.notices.ways.way import Way
from console.records.episodes import Episode
from tests.notices.played import BEGAN_MS, delta, episode

STORIES = 300
SECONDS = 100
LAG = 1.5
"""Longest time between the same change in two consoles."""
REPEAT = 10.0


@dataclass(frozen=True)
class Renewal:
    """The state of an episode, and how often there was something to tell."""

    number: int
    severity: str = "warning"
    over: bool = False


@dataclass(frozen=True)
class Heard:
    """A notice that the person heard."""

    at: float
    again: int
    renewals: Mapping[str, int]


class Phone(Way):
    """A way that the person hears."""

    name = "desktop"

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def send(self, notice: Notice) -> None:
        self.notices.append(notice)


class Desk:
    """A console of the person, which learns of changes a little later than the service has them."""

    profile, whose, zone = "desk", "eva", ZoneInfo("UTC")

    def __init__(self, folder: Path, now: float) -> None:
        self.now = now
        self.coming: list[tuple[float, str, Renewal]] = []
        self.renewals: dict[str, Renewal] = {}
        self.shown: dict[str, tuple[int, float]] = {}
        """Number of the last shown renewal of each episode, and when; without those from before the console."""
        self._moments: dict[str, float] = {}
        self._changes: list[Episode] = []
        self._phone = Phone()
        loud = ("desktop", "flash")
        settings = NoticeSettings(ways=Ways(critical=loud, warning=loud), repeat=REPEAT)
        self.notifier = Notifier(settings, [self._phone], lambda: self.now, Claims(folder))
        self.notifier.follow(self)

    def changes(self, since: int) -> Delta[Episode]:
        found, self._changes = self._changes, []
        return delta(*found)

    def known(self) -> Collection[str]:
        return ("calls",)

    def saw(self, episodes: Mapping[str, int]) -> None:
        """The rules of this console know what was seen here."""

    def learn(self, key: str, renewal: Renewal) -> None:
        before = self.renewals.get(key)
        if before is None or before.number != renewal.number:
            self._moments[key] = self.now
        self.renewals[key] = renewal
        self._changes.append(
            episode(
                key,
                renewal.severity,
                state="ended" if renewal.over else "active",
                renewed_at=BEGAN_MS + round(1_000 * self._moments[key]),
            )
        )

    def beat(self, now: float) -> list[Heard]:
        self.now = now
        while self.coming and self.coming[0][0] <= now:
            _, key, renewal = self.coming.pop(0)
            self.learn(key, renewal)
        for each in self.notifier.beat(0):
            self.notifier.was_shown(each.notice)
            for key in () if each.notice.silent else each.notice.episodes:
                if self.shown.get(key, (-1, 0.0))[0] < self.renewals[key].number:
                    self.shown[key] = self.renewals[key].number, now
        notices, self._phone.notices = self._phone.notices, []
        return [Heard(now, each.again, {key: self.renewals[key].number for key in each.episodes}) for each in notices]

    def press_key(self) -> dict[str, int]:
        """Return the renewals that are seen by this."""
        self.notifier.key_pressed()
        return {key: number for key, (number, at) in self.shown.items() if self.now - at >= READING_SECONDS}


@dataclass
class Story:
    """A person with one to three consoles, of which each may begin and end."""

    folder: Path
    seed: int
    consoles: int
    calm: bool
    """Whether each renewal comes some time after the one before.

    Renewals that come faster than consoles learn of them are told, but some of them twice.
    """
    heard: list[Heard] = field(default_factory=list[Heard])
    renewals: list[tuple[float, str, Renewal]] = field(default_factory=list[tuple[float, str, Renewal]])
    seen: list[tuple[float, str, int]] = field(default_factory=list[tuple[float, str, int]])
    begun: list[float] = field(default_factory=list[float])
    """When a console began in place of another: what it has at its beginning does not ring there."""

    def play(self) -> Story:
        rng = random.Random(self.seed)
        desks = [Desk(self.folder, 0.0) for _ in range(self.consoles)]
        current: dict[str, Renewal] = {}
        number, at = 0, 5.0
        for beat in range(SECONDS * 10):
            now = beat / 10
            if now >= at and now < SECONDS - LONGEST_GATHER_SECONDS - 10:
                number += 1
                key = rng.choice("ab")
                current[key] = self._change(rng, current.get(key), number)
                self.renewals.append((now, key, current[key]))
                for desk in desks:
                    arrival = max([now + rng.uniform(0, LAG), *(each[0] for each in desk.coming[-1:])])
                    desk.coming.append((arrival, key, current[key]))
                at = now + (rng.uniform(10, 30) if self.calm else rng.expovariate(0.25))
            if rng.random() < 0.01:
                self.seen += [(now, *each) for each in rng.choice(desks).press_key().items()]
            if self.consoles > 1 and rng.random() < 0.002:
                gone = desks.pop(rng.randrange(len(desks)))
                gone.notifier.close()
                desks.append(Desk(self.folder, now))
                self.begun.append(now)
                for key, renewal in current.items():
                    desks[-1].learn(key, renewal)
            for desk in desks:
                self.heard += desk.beat(now)
        return self

    @staticmethod
    def _change(rng: random.Random, before: Renewal | None, number: int) -> Renewal:
        if before is None or before.over:
            return Renewal(number, rng.choice(("warning", "critical")))
        match rng.choice(("worse", "renewed", "over")):
            case "over":
                return Renewal(before.number, before.severity, over=True)
            case "worse":
                return Renewal(number, "critical")
            case _:
                return Renewal(number, before.severity)


def judged(story: Story) -> list[str]:
    """Return what the person would complain of: the model."""
    wrong: list[str] = []
    late = LAG + (4.0 if story.calm else LONGEST_GATHER_SECONDS + 4.0)
    for at, key, renewal in story.renewals:
        soon = [each.renewals.get(key, 0) for each in story.heard if at <= each.at <= at + late]
        replaced = any(other == key and at < time <= at + late for time, other, _ in story.renewals)
        begun = any(at <= each <= at + late for each in story.begun)
        if not (renewal.over or replaced or begun or renewal.number in soon):
            wrong.append(f"{key} {renewal} of {at} was not told")
        if story.calm and sum(not each.again and each.renewals.get(key) == renewal.number for each in story.heard) > 1:
            wrong.append(f"{key} {renewal} of {at} was told as new more than once")
    for at, key, number in story.seen if story.calm else ():
        if any(each.at > at and each.renewals.get(key) == number for each in story.heard):
            wrong.append(f"{key} {number} was told after it was seen at {at}")
    repeats = [each.at for each in story.heard if each.again]
    close = sum(b - a < REPEAT - 2 * LAG - 0.5 for a, b in pairwise(repeats))
    if close > (0 if story.calm else 1):
        wrong.append(f"repeated at {repeats}")
    return wrong


@pytest.mark.parametrize("consoles", [1, 2, 3])
@pytest.mark.parametrize("calm", [True, False], ids=["calm", "busy"])
def test_each_news_is_told_once_to_the_person_and_again_until_seen(tmp_path: Path, consoles: int, calm: bool) -> None:
    for seed in range(STORIES // 6):
        story = Story(tmp_path / str(seed), seed, consoles, calm).play()
        assert not judged(story), (seed, judged(story), story.renewals, story.heard, story.seen)
