"""No screen and no board shows a number that needs a list which is unknown, or of which only a part is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from console.live.delta import Freshness, Health
from console.records.queues import Queue
from console.records.record import Record
from console.records.support import Alert
from console.records.traffic import Call
from console.ui.screens.board import Tile
from console.ui.screens.home import SectionTitle
from console.ui.screens.specs import SCREENS, spec_of
from console.ui.screens.wallboard import WallboardScreen
from console.views.big_text import big
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import LIVE, IdleBackend
from tests.idle.world import NOW_MS, StillWorld

SIZE = (200, 60)
UNKNOWN = (
    Health(Freshness.REFUSED, 9.0, "forbidden"),
    Health(Freshness.OFFLINE, None, "not found"),
)
PART = Health(Freshness.LIVE, 0.4, cut="first 3 of more rows shown")
NOUNS = {
    "calls": "calls?(?! since)",
    "alerts": "open alerts?",
    "agents": "agents",
    "skills": "skills",
    "users": "users?",
    "groups": "groups",
    "presence": "addresses",
}
"""The words after the number of a list."""
KINDS = tuple(NOUNS)
COUNTED = {spec.counted for spec in SCREENS}


async def every_screen(sitter: SharedSitter) -> Mapping[str, str]:
    """Open all screens, and return their texts by name."""
    shown: dict[str, str] = {}
    for spec in SCREENS:
        await sitter.press(spec.digit)
        await sitter.hold_still()
        shown[spec.name] = sitter.text()
    return shown


def counts(shown: str, kind: str) -> list[str]:
    """Return the numbers that a text gives for a list, each with the word before it, but none of a span of time."""
    # Looked for with the word before it, each number took a walk along all spaces of the screen.
    found = re.finditer(rf"(?<![\d≥])(\d+(?: \d{{3}})*) {NOUNS[kind]}\b(?! in \d)", shown)
    lines = [(shown[: each.start()].rpartition("\n")[2], each[1]) for each in found]
    return [" ".join([*before.split()[-1:], number]) for before, number in lines]


def tab(shown: str, kind: str) -> str:
    """Return what follows the title of a list in the line of tabs."""
    spec = next(each for each in SCREENS if each.counted == kind)
    found = re.search(rf"{spec.digit}\s*{spec.title}(?P<count>(?: first)?(?: [\d≥]+)*)", shown)
    assert found is not None, shown.splitlines()[:3]
    return found["count"].strip()


async def test_no_screen_counts_an_unknown_list_and_every_screen_says_which_are_parts(
    busy: StillWorld, tmp_path: Path
) -> None:
    """Each list is unknown in each way and known in part, while those beside it are in the other states."""
    backend = IdleBackend(busy, link=LIVE)
    states = (*UNKNOWN, PART)
    async with shared_console(backend, tmp_path, SIZE) as sitter:
        for turn in range(len(states)):
            of = {kind: states[(number + turn) % len(states)] for number, kind in enumerate(KINDS)}
            backend.healths = {**of, "queues": of["calls"]}
            backend.restore()
            for name, shown in (await every_screen(sitter)).items():
                for kind in (kind for kind in KINDS if of[kind] is not PART):
                    numbers = [each for each in counts(shown, kind) if not each.startswith("has ")]
                    assert not numbers or (kind == "agents" and name == "skills"), (name, numbers)
                    assert kind not in COUNTED or tab(shown, kind) == "", (name, kind)
                for kind in (kind for kind in KINDS if of[kind] is PART):
                    # After the first number follow its parts.
                    wrong = [each for each in counts(shown, kind)[:1] if not each.startswith(("first", "≥", "has"))]
                    assert not wrong, (name, wrong)
                    assert kind not in COUNTED or tab(shown, kind).startswith(("first", "≥")), (name, kind)
        backend.healths = {}
        backend.restore()
        shown_by = await every_screen(sitter)
        for kind in KINDS:
            screen = next(each.name for each in SCREENS if kind in each.kinds)
            if kind == spec_of(screen).kinds[0]:
                assert counts(shown_by[screen], kind), "a known list has its number"


async def test_tabs_and_headings_name_the_total_of_a_list_that_is_known_in_part(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy, link=LIVE)
    many = len(backend.records("calls"))
    backend.healths = {"calls": Health(Freshness.LIVE, 0.4, cut="first rows shown", total=950)}
    backend.restore()
    async with shared_console(backend, tmp_path, SIZE) as sitter:
        await sitter.press("2")
        await sitter.hold_still()
        shown = sitter.text()
    assert re.search(rf"2\s*Calls {many} of 950", shown)
    assert f"{many} of 950 calls" in shown


async def test_home_knows_nothing_of_waits_and_alerts_in_states_without_meaning(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy)
    odd: dict[str, tuple[Record, ...]] = {
        "calls": tuple(Call(id=f"c{n}", state="hyperspace", date=NOW_MS - 1000) for n in range(5)),
        "alerts": (Alert(alert_id="a", state="pondered"),),
    }
    for kind in (*odd, "notifications", "alarms", "chats", "skills"):
        backend.change(kind, *odd.get(kind, ()), removes=[*backend.records(kind)])
    async with shared_console(backend, tmp_path, SIZE) as sitter:
        await sitter.press("1")
        await sitter.hold_still()
        tile = sitter.app.screen.query_one("#tile-wait", Tile).said
        assert "–" in tile
        assert "not known" in tile
        head = sitter.app.screen.query_one("#concerns-head", SectionTitle).said
        assert "all is well" not in head
        assert "only partly known: " in head
        shown = sitter.text()
        assert "– waiting" in shown
        assert tab(shown, "alerts") == ""
        await sitter.press("2", "w")
        assert "It is not known who waits" in sitter.text()


async def test_home_queues_and_wallboard_mark_a_longest_wait_beside_one_of_unknown_time(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy)
    calls = [
        Call(id=f"c{n}", state="queued", date=date, target="sales") for n, date in enumerate((NOW_MS - 60_000, None))
    ]
    queue = Queue(queue="sales", waiting=2, longest_at=NOW_MS - 60_000, longest="c0", untimed=1)
    backend.change("calls", *calls, removes=[*backend.records("calls")])
    backend.change("queues", queue, removes=[*backend.records("queues")])
    async with shared_console(backend, tmp_path, SIZE) as sitter:
        for keys in (("1",), ("2",), ("2", "tab")):
            await sitter.press(*keys)
            await sitter.hold_still()
            shown = sitter.text()
            assert re.search(r"longest ≥ 1:0\d", shown), keys
            assert not re.search(r"longest (?:wait )?1:0\d", shown), keys
        assert re.search(r"≥ 1:0\d +in ≤(?:1:00|0:5\d)", shown)
        await sitter.press("W")
        await sitter.hold_still()
        wall = sitter.app.screen
        assert isinstance(wall, WallboardScreen)
        drawn = [line.rstrip() for line in big("≥1:00", "full", 2)]
        assert all(line.strip() in wall.wall.said for line in drawn)
