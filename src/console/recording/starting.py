"""Add a recorder to a backend."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from console import __version__
from console.config.paths import Places
from console.config.recording_settings import RecordingSettings
from console.live.backend import Backend
from console.recording.files import recording_file
from console.recording.identities import CurrentIdentity
from console.recording.messages import RecordingPlan
from console.recording.recorder import Recorder


def record_with(
    backend: Backend,
    settings: RecordingSettings,
    identity: CurrentIdentity,
    zone: ZoneInfo,
    places: Places,
    *,
    apart: bool = False,
) -> Recorder:
    """Record the lists of a backend while it runs, if no other console of the account does. Call before it starts.

    It begins when the identity is known. `zone` is the one in which the profile shows times. With `apart`, the file is
    written by another process.
    """

    tidied = ""

    def plan() -> RecordingPlan | None:
        nonlocal tidied
        now = identity.now()
        if now is None:
            return None
        if now.key != tidied:
            tidied = now.key
            identity.forget_recordings(backend.clock.now_ms() - settings.keep_ms)
        return RecordingPlan(
            file=recording_file(places, now.key),
            profile=now.service.profile,
            account=now.account,
            zone=zone.key or "UTC",
            service=backend.endpoint.core,
            version=__version__,
            journal=places.journal,
            keep_ms=settings.keep_ms,
            most_bytes=settings.megabytes * 1_000_000,
        )

    recorder = Recorder(backend, plan, backend.clock, apart=apart)
    backend.accompany(recorder)
    return recorder
