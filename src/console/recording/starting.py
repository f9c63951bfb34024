"""Add a recorder to a backend."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from console import __version__
from console.clock import Clock
from console.live.backend import Backend
from console.paths import Places
from console.recording.files import file_of
from console.recording.recorder import Plan, Recorder
from console.recording_settings import RecordingSettings


def record_with(
    backend: Backend, settings: RecordingSettings, name: str, zone: ZoneInfo, places: Places, clock: Clock
) -> Recorder:
    """Record the lists of a backend while it runs, if no other console of the profile does. Call before it starts.

    `name` is that of the profile, `zone` the one in which it shows times.
    """
    plan = Plan(
        file=file_of(places, name),
        profile=name,
        zone=zone.key or "UTC",
        service=backend.endpoint.core,
        version=__version__,
        journal=places.journal,
        keep_ms=settings.keep_ms,
        most_bytes=settings.megabytes * 1_000_000,
    )
    recorder = Recorder(backend, plan, clock)
    backend.accompany(recorder)
    return recorder
