"""Several consoles of one person on one machine: each episode rings in one, also after one of them was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, current_thread
from zoneinfo import ZoneInfo

import pytest

from console.config.notice_settings import NoticeSettings
from console.live.delta import Delta
from console.notices.claims import MOST, MOST_BYTES, SAME_MS, Claim, Claims
from console.notices.notifier import Notifier
from console.notices.ways.terminal import Bell
from console.records.episodes import Episode
from tests.faults.hostile_texts import HOSTILE
from tests.notices.played import BEGAN_MS, delta, episode

HOLDS = """
import sys
from pathlib import Path
from console.notices.claims import Claim, Claims
claims = Claims(Path(sys.argv[1]))
print(len(claims.take("desk", frozenset({Claim("wait", "support", 1000)})).mine), flush=True)
sys.stdin.readline()
"""


class Desk:
    """A console of the person at a desk: its notifier with a clock, and how often it rang."""

    def __init__(self, folder: Path, profile: str = "desk", whose: str = "eva") -> None:
        self.profile, self.zone, self.whose = profile, ZoneInfo("UTC"), whose
        self.rung = 0
        self.seen: list[str] = []
        """The episodes of which the rules learnt that they were seen."""
        self.now = 0.0
        self._changes: Delta[Episode] = delta()
        self.notifier = Notifier(NoticeSettings(), [Bell(self._ring)], lambda: self.now, Claims(folder))
        self.notifier.follow(self)
        self.notifier.beat(0)
        self.now = 10.0

    def changes(self, since: int) -> Delta[Episode]:
        found, self._changes = self._changes, delta()
        return found

    def known(self) -> Collection[str]:
        return ("calls",)

    def saw(self, episodes: Mapping[str, int]) -> None:
        self.seen += episodes

    def hears(self, *episodes: Episode, after: float = 0.0) -> int:
        """Take episodes, and return how often it rang since the last call."""
        self._changes = delta(*episodes)
        self.now += after
        for each in self.notifier.beat(0):
            self.notifier.was_shown(each.notice)
        rung, self.rung = self.rung, 0
        return rung

    def press_key(self) -> None:
        self.now += 2
        self.notifier.key_pressed()

    def _ring(self, _sequence: str) -> None:
        self.rung += 1


def test_two_consoles_ring_once_also_for_the_repetition(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    assert one.hears(episode("1a", about="support", renewed_at=BEGAN_MS)) == 1
    assert other.hears(episode("2b", about="support", rule="1a", renewed_at=BEGAN_MS + 1_500)) == 0
    for wait in (10, 20, 40):
        assert (one.hears(after=wait), other.hears(after=wait)) == (1, 0)


def test_what_was_seen_in_one_is_not_repeated_in_the_other(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    for each in (one, other):
        each.hears(episode("a"))
    other.press_key()
    assert one.hears(after=10) == other.hears(after=10) == 0
    assert one.notifier.beat(0) == []
    assert one.seen == other.seen == ["a"]


def test_the_same_again_later_rings_again(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    for each in (one, other):
        each.hears(episode("a", renewed_at=BEGAN_MS))
        each.press_key()
    assert other.hears(episode("b", rule="a", about="a", renewed_at=BEGAN_MS + 1_000 + SAME_MS), after=60) == 1
    assert one.hears(episode("c", rule="a", about="a", renewed_at=BEGAN_MS + 1_500 + SAME_MS), after=60) == 0


def test_consoles_of_different_people_or_services_know_nothing_of_each_other(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path, whose="ana")
    assert (one.hears(episode("a")), other.hears(episode("a"))) == (1, 1)


def test_the_other_console_takes_over_after_the_end_of_the_first(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    assert (one.hears(episode("a")), other.hears(episode("a"))) == (1, 0)
    one.notifier.close()
    assert other.hears(after=10) == 1


def test_the_other_console_takes_over_from_a_killed_one(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"1\n"
        claims, claim = Claims(tmp_path), frozenset({Claim("wait", "support", 1_500)})
        assert not claims.take("desk", claim).mine
        first.kill()
        first.wait()
        assert claims.take("desk", claim).mine == claim


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', '["x", "y", "z"]', "x" * 2_000_000])
def test_a_damaged_file_is_written_anew(tmp_path: Path, text: str) -> None:
    claim = frozenset({Claim("wait", "", 1)})
    Claims(tmp_path).take("desk", claim)
    (file,) = tmp_path.glob("*.log")
    file.write_text(text, encoding="utf-8")
    assert Claims(tmp_path).take("desk", claim).mine == claim
    assert len(Claims(tmp_path).take("desk", claim).mine) == 0


def test_without_a_usable_folder_everybody_tells(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    claim = frozenset({Claim("wait", "", 1)})
    for _ in range(2):
        assert Claims(tmp_path / "file" / "notices").take("desk", claim).mine == claim


def test_of_consoles_that_tell_at_the_same_moment_one_rings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    consoles = [Claims(tmp_path) for _ in range(4)]
    all_have_read = Barrier(len(consoles))
    write, writers = os.write, set[str]()

    def write_after_all_have_read(handle: int, text: bytes) -> int:
        name = current_thread().name
        if name.startswith("console") and name not in writers:
            writers.add(name)
            all_have_read.wait(timeout=30)
        return write(handle, text)

    claim = frozenset({Claim("wait", "support", 1)})
    with ThreadPoolExecutor(len(consoles), "console") as threads, monkeypatch.context() as patched:
        patched.setattr(os, "write", write_after_all_have_read)
        granted = [threads.submit(console.take, "desk", claim) for console in consoles]
        assert sum(bool(answer.result().mine) for answer in granted) == 1
    assert len(writers) == len(consoles)


def test_the_file_begins_anew_before_it_is_large(tmp_path: Path) -> None:
    one, other = Claims(tmp_path), Claims(tmp_path)
    for number in range(3_000):
        one.take("desk", frozenset({Claim("wait", "", 100_000 * number)}))
    claim = frozenset({Claim("wait", "", 300_000_000)})
    assert one.take("desk", claim).mine == claim
    (file,) = tmp_path.glob("*.log")
    assert file.stat().st_size < MOST_BYTES
    assert not other.take("desk", claim).mine


def test_the_file_is_private_bounded_and_contains_no_text_of_the_service(tmp_path: Path) -> None:
    claims = Claims(tmp_path)
    claims.take("desk eva", frozenset(Claim("wait", f"+3460000{number}", number) for number in range(2 * MOST)))
    claims.take("desk eva", frozenset(Claim("wait", text, 5_000) for text in HOSTILE))
    (file,) = tmp_path.glob("*.log")
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text(encoding="utf-8")
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert "3460000" not in text
    assert len(text) <= MOST_BYTES


@pytest.mark.parametrize("first", [0, 1], ids=["the console that rang", "the other console"])
def test_renewals_soon_after_a_key_ring_again_in_one_console(tmp_path: Path, first: int) -> None:
    desks = [Desk(tmp_path), Desk(tmp_path)]
    assert [each.hears(episode("a", renewed_at=BEGAN_MS)) for each in desks] == [1, 0]
    desks[0].press_key()
    ordered = [desks[first], desks[1 - first]]
    rings = [each.hears(episode("a", renewed_at=BEGAN_MS + 12_000 + lag), after=10) for lag, each in enumerate(ordered)]
    assert rings == [1, 0]
    assert [each.hears(after=10) for each in ordered] == [1, 0], "and nobody has seen them"


def test_each_of_many_alerts_is_told_although_the_one_before_was_acknowledged(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for number in range(35):
        assert desk.hears(episode("a", renewed_at=BEGAN_MS + 12_000 * number), after=10) == 1
        desk.press_key()


def test_a_seen_warning_that_becomes_critical_rings_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.hears(episode("a", "warning", renewed_at=BEGAN_MS))
    desk.press_key()
    assert desk.hears(episode("a", "critical", renewed_at=BEGAN_MS + 2_000)) == 1


def test_episodes_told_by_different_consoles_are_repeated_by_one(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    assert (one.hears(episode("a")), other.hears(episode("a"))) == (1, 0)
    assert (other.hears(episode("b"), after=5), one.hears(episode("b"), after=5)) == (1, 0)
    for wait in (10, 20, 40):
        assert (one.hears(after=wait), other.hears(after=wait)) == (1, 0)


def test_a_console_that_begins_after_the_key_tells_the_next_renewal(tmp_path: Path) -> None:
    first = Desk(tmp_path)
    first.hears(episode("a", renewed_at=BEGAN_MS))
    first.press_key()
    first.notifier.close()
    assert Desk(tmp_path).hears(episode("b", rule="a", about="a", renewed_at=BEGAN_MS + 12_000)) == 1
