"""A night of eight hours is played at speed: the service with its simulated day, two consoles, and two people.

Everything between the database of the service and the bell is real, except sockets, threads and the clock. Eva, a
supervisor, and ana, an agent, react to notices only, after 5 to 60 seconds: they accept alerts, take offered chats, end
chats that are open for long, and press a key. Links are lost and the service restarts on the way.

An **event** begins when something starts at the service (`truth.py`) that it was not within the last five minutes. It
is **missed** if it lasts for more than ten seconds, counted while the console reaches the service, and its person was
not told of it by then. What was there when the consoles opened is known.

A notice is **meaningless** if, at its moment, none of the things that it is about goes on at the service without being
known or dealt with: a first notice has to be about one of which the person was not told before, a repeated one about
one of which she was told and that she has not dealt with. Who was told that callers of a queue wait knows that its
threshold was about to be exceeded; who took a chat knows that it is hers.

`make night COUNT=5 HOURS=8` plays whole nights of the scenarios `incident` and `busy`, each with so many seeds.
"""

from __future__ import annotations

import sys

import pytest

from console.base.frozen import replace
from console.rules.rule import Rule
from tests.faults.figures import count, record
from tests.night.night import Night, play, table

COUNT = count("NIGHT_COUNT", 0)
HOURS = count("NIGHT_HOURS", 8)
SHORT_HOURS = 0.2
MOST_MEANINGLESS = 0.05


def report(nights: list[Night]) -> str:
    """Return the table, both figures, and what was wrong."""
    told, nothing = sum(each.told for each in nights), [line for each in nights for line in each.nothing]
    missed = [line for each in nights for line in each.missed]
    share = len(nothing) / max(1, told)
    events = sum(len(seat.ledger.events) for each in nights for seat in each.seats)
    figures = f"{events} events, {told} notices: missed {len(missed)}, meaningless {len(nothing)} ({share:.1%})"
    return "\n".join((table(nights), figures, *(f"missed {each}" for each in missed), *nothing))


async def test_nothing_is_missed_and_little_means_nothing() -> None:
    night = await play("incident", 9, SHORT_HOURS)
    assert {"alert-offered", "chat-offered", "link-lost"} <= night.rules, report([night])
    assert not night.missed, report([night])
    assert night.share <= MOST_MEANINGLESS, report([night])


async def test_a_rule_that_is_switched_off_misses_something() -> None:
    def change(rule: Rule) -> Rule:
        return replace(rule, enabled=rule.name != "alert")

    night = await play("incident", 9, SHORT_HOURS / 4, people=["eva"], change=change)
    assert any("alert" in each for each in night.missed)


async def test_episodes_that_are_not_held_ring_for_nothing() -> None:
    def change(rule: Rule) -> Rule:
        return replace(rule, hold_ms=0.0)

    night = await play("busy", 9, SHORT_HOURS, people=["eva"], change=change)
    assert night.share > MOST_MEANINGLESS


@pytest.mark.skipif(not COUNT, reason="takes minutes for each of the NIGHT_COUNT seeds")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("world", ["incident", "busy"])
async def test_whole_nights(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    nights = [await play(world, seed, HOURS) for seed in range(1, COUNT + 1)]
    told, nothing = sum(each.told for each in nights), sum(len(each.nothing) for each in nights)
    missed, share = sum(len(each.missed) for each in nights), nothing / max(1, told)
    with capsys.disabled():
        print(f"\n{world}, {len(nights)} nights of {HOURS} hours\n{report(nights)}", file=sys.stderr)
    held = not missed and share <= MOST_MEANINGLESS
    value = f"{world}, {len(nights)} nights: {told} notices, missed {missed}, meaningless {share:.1%}"
    record("O9", held, value, f"missed 0, meaningless {MOST_MEANINGLESS:.0%} at most")
    assert held, value
