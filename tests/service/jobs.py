"""The periodic jobs of the service, on request."""

from __future__ import annotations

from console.service.periodic_jobs import JOBS
from console.service.platform import Platform


def run_jobs(platform: Platform) -> None:
    """Run every job once, after a clock was moved."""
    for job in JOBS:
        job.job(platform)
