"""Every kind of fault on consoles that watch a changing service; afterwards all of them are correct again."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

from tests.background import Running, start_background
from tests.faults.figures import count, record
from tests.faults.kinds import KINDS
from tests.faults.play import LONGEST, play
from tests.faults.world import two_admins

ROUNDS = count("FAULTS_COUNT", 1)
ONLY = os.environ.get("FAULTS_ONLY", "")
"""The name of the only kind to try."""
CHOSEN = [kind for kind in KINDS if ONLY in {"", kind.name}]

LONG = "FAULTS_COUNT" in os.environ
AT_ONCE = 12 if LONG else len(KINDS)
"""Consoles at once: few enough in a long run to measure recovery and not the load of the machine."""
SHARES = 1 if LONG or ONLY else 2
"""A short run has half of the kinds in each of two tests: a process with all consoles at once is overloaded."""


@pytest.fixture(scope="module")
def service() -> Generator[Running]:
    with start_background(two_admins) as running:
        yield running


def test_many_kinds_of_faults_are_tested() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 36


@pytest.mark.timeout(120 + 900 * ROUNDS)
@pytest.mark.parametrize("share", range(SHARES))
async def test_after_every_kind_of_fault_the_lists_equal_those_of_the_service(service: Running, share: int) -> None:
    chosen = CHOSEN[share::SHARES]
    taken: list[float] = []
    failed: list[str] = []
    samples = overclaims = 0
    goes = [(seed, first) for seed in range(ROUNDS) for first in range(0, len(chosen), AT_ONCE)]
    for seed, first in goes:
        for story in await play(service, chosen[first : first + AT_ONCE], seed):
            samples += story.samples
            overclaims += story.overclaims
            if story.fatal:
                failed.append(f"{story.kind.name}: gave up: {story.fatal}")
            if story.wrong:
                failed.append(f"{story.kind.name}: {story.wrong} (seed {seed})")
            if story.converged is None:
                failed.append(f"{story.kind.name}: not within {LONGEST} s (seed {seed})")
                continue
            taken.append(story.converged)
    if not ONLY:
        value = f"{len(failed)} failures in {len(chosen)} kinds x {ROUNDS}, {min(AT_ONCE, len(chosen))} at a time"
        record("C1", not failed, f"{value}, each recovered within {max(taken, default=0):.0f} s", "0 failures")
        record("C4", overclaims == 0, f"{overclaims} of {samples:,} samples with real faults", "0")
    assert not failed, "\n".join(failed)
    assert overclaims == 0
