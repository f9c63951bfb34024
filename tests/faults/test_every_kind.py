"""Every kind of fault strikes consoles that watch a service in motion; afterwards all of them are true again."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

from console.service.serve import Running, start_background
from tests.faults.figures import count, record
from tests.faults.kinds import KINDS
from tests.faults.play import LONGEST, play
from tests.faults.world import two_admins

ROUNDS = count("FAULTS_COUNT", 1)
ONLY = os.environ.get("FAULTS_ONLY", "")
"""A kind's name, to try only that."""
CHOSEN = [kind for kind in KINDS if ONLY in {"", kind.name}]

AT_ONCE = 12 if "FAULTS_COUNT" in os.environ else len(KINDS)
"""Consoles in one go: in a long run few enough to measure how they heal and not how busy the machine is."""


@pytest.fixture(scope="module")
def service() -> Generator[Running]:
    with start_background(two_admins) as running:
        yield running


@pytest.mark.timeout(120 + 900 * ROUNDS)
async def test_after_every_kind_of_fault_what_is_shown_becomes_what_the_service_holds(service: Running) -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 36
    taken: list[float] = []
    slowest: dict[str, float] = {}
    failed: list[str] = []
    samples = overclaims = 0
    goes = [(seed, first) for seed in range(ROUNDS) for first in range(0, len(CHOSEN), AT_ONCE)]
    for seed, first in goes:
        for story in await play(service, CHOSEN[first : first + AT_ONCE], seed):
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
            slowest[story.kind.name] = max(slowest.get(story.kind.name, 0.0), story.converged)
    taken.sort()
    late = {name: round(seconds, 1) for name, seconds in slowest.items() if seconds > 20.0}
    middle, most = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
    if not ONLY:
        record("C1", not failed, f"{len(failed)} failures in {len(CHOSEN)} kinds x {ROUNDS}", "0 failures")
        record(
            "C2",
            not late and middle <= 1.0 and most <= 5.0,
            f"p50 {middle:.2f} s, p99 {most:.2f} s, slowest {taken[-1]:.1f} s",
            "p50 1 s, p99 5 s, each 20 s",
        )
        record("C4", overclaims == 0, f"{overclaims} of {samples:,} samples with real faults", "0")
    assert not failed, "\n".join(failed)
    assert overclaims == 0
