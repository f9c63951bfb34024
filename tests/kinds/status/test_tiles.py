"""The tiles of Home: how calls left the queues, failures, and free agents."""

from __future__ import annotations

from typing import Any

from console.base.frozen import replace
from console.kinds.status.summary import Figure, numbers
from console.records.extent import Extent
from console.records.queues import Queue
from console.records.support import Agent
from console.records.traffic import Call
from console.views.cell import Tone
from tests.kinds.sample_records import NOW, render_context_of

MINUTE_MS = 60_000


def queue(name: str, served: int, in_time: int, abandoned: int, minutes: float = 60) -> Queue:
    """Return a queue observed for some minutes, in which as many calls left today as in the last 15 minutes."""
    return Queue(
        queue=name,
        served_15=served,
        served_today=served,
        in_time_15=in_time,
        in_time_today=in_time,
        abandoned_15=abandoned,
        abandoned_today=abandoned,
        since_at=NOW - minutes * MINUTE_MS,
    )


def tiles(known: Extent = Extent.WHOLE, **kinds: list[Any]) -> dict[str, Figure]:
    def extent(_kind: str) -> Extent:
        return known

    return dict(numbers((), replace(render_context_of({}, **kinds), role="admin", extent=extent)))


def words(tile: Figure) -> tuple[str, str, str]:
    return tile.value, tile.note, tile.more


def test_calls_served_in_time_are_a_share_of_all_queues_beside_the_goal() -> None:
    shown = tiles(queues=[queue("sales", 8, 6, 0), queue("support", 10, 9, 2)])
    assert words(shown["in-time"]) == ("75 %", "goal 80 %", "15 of 20")
    assert shown["in-time"].tone is Tone.WARN
    assert words(shown["abandoned"]) == ("2", "of 20", "2 today")
    assert tiles(queues=[queue("sales", 10, 9, 0)])["in-time"].tone is Tone.STRONG
    assert tiles(queues=[queue("sales", 10, 4, 0)])["in-time"].tone is Tone.BAD


def test_figures_of_the_first_minutes_say_since_when_they_count() -> None:
    shown = tiles(queues=[queue("sales", 1, 1, 0, minutes=3)])
    assert words(shown["in-time"]) == ("100 %", "goal 80 %", "since 14:10:20")
    assert words(shown["abandoned"]) == ("0", "of 1", "since 14:10:20")
    idle = tiles(queues=[queue("sales", 0, 0, 0)])
    assert words(idle["in-time"]) == ("–", "no call ended", "")
    assert words(idle["abandoned"]) == ("0", "no call ended", "0 today")
    lost = queue("sales", 0, 0, 0).model_copy(update={"unknown_15": 1, "unknown_today": 1})
    assert words(tiles(queues=[lost])["in-time"]) == ("–", "not known", "")
    assert words(tiles(queues=[lost])["abandoned"]) == ("–", "not known", "– today")
    assert words(tiles(queues=[Queue(queue="sales", waiting=0)])["in-time"]) == ("–", "not counted yet", "")


def test_figures_of_a_part_of_the_calls_are_lower_bounds_and_those_of_unknown_calls_are_not_shown() -> None:
    queues = [queue("sales", 8, 6, 2)]
    assert tiles(Extent.PART, queues=queues)["abandoned"].value == "≥ 2"
    unknown = tiles(Extent.UNKNOWN, queues=queues)
    assert words(unknown["in-time"]) == words(unknown["abandoned"]) == ("–", "not known", "")
    assert [unknown[name].value for name in ("failed", "free")] == ["–", "–"]


def failure(key: str, minutes: float, why: str | None = None) -> Call:
    at = NOW - minutes * MINUTE_MS
    return Call(id=key, state="servererror", date=at - 1000, to=at, data={"reason": why} if why else None)


def test_failures_of_five_minutes_are_counted_with_the_commonest_reason() -> None:
    calls = [failure("a", 1, "no route"), failure("b", 2, "no route"), failure("c", 4), failure("old", 6, "busy trunk")]
    shown = tiles(calls=calls)["failed"]
    assert words(shown) == ("3", "no route", "2 of 3")
    assert shown.tone is Tone.BAD
    assert words(tiles(calls=calls[2:])["failed"]) == ("1", "no reason told", "")
    none = tiles(calls=calls[3:])["failed"]
    assert (none.value, none.tone) == ("0", Tone.STRONG)


def test_free_agents_stand_beside_the_busy_and_away_ones() -> None:
    agents = [
        Agent(id="ana", online=True, activity="available"),
        Agent(id="bob", online=True, activity="away"),
        Agent(id="eva", online=False),
    ]
    assert words(tiles(agents=agents)["free"]) == ("1", "0 busy, 1 away", "")
    assert tiles(Extent.PART, agents=agents)["free"].value == "≥ 1"
    assert words(tiles(agents=agents[2:])["free"]) == ("0", "1 offline", "")
