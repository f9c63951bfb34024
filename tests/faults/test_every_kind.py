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
    if not ONLY:
        value = f"{len(failed)} failures in {len(CHOSEN)} kinds x {ROUNDS}, {min(AT_ONCE, len(CHOSEN))} at a time"
        record("C1", not failed, f"{value}, each true again within {max(taken, default=0):.0f} s", "0 failures")
        record("C4", overclaims == 0, f"{overclaims} of {samples:,} samples with real faults", "0")
    assert not failed, "\n".join(failed)
    assert overclaims == 0
