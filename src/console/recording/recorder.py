"""Records the lists of a backend in a file, in a thread of its own."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zoneinfo import ZoneInfo

from console import __version__
from console.base.clock import Clock
from console.config.paths import Places
from console.config.recording_settings import RecordingSettings
from console.live.backend import Backend
from console.live.running import hold
from console.recording.files import recording_file
from console.recording.identities import CurrentIdentity
from console.recording.messages import RecordingPlan

log = logging.getLogger("console.recording")
START_SECONDS = 2.0
"""Delay of the beginning: the first rows on the screen come first."""
RETRY_SECONDS = 5.0
"""Interval of attempts after a fault, and to take over from another console."""
STOP_SECONDS = 1.0
UNKNOWN_SECONDS = 0.2
"""Interval of looks for the account of the lists."""


class Recorder:
    """Records while no other console of this account does. A fault of the file stops nothing else."""

    def __init__(
        self, backend: Backend, plan: Callable[[], RecordingPlan | None], clock: Clock, *, apart: bool
    ) -> None:
        """Prepare without effect until `start`. `plan` returns None until the account of the lists is known.

        With `apart`, the file is written by another process, so that a screen of this one has its interpreter.
        """
        self._backend, self._plan, self._clock, self._apart = backend, plan, clock, apart
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="console-recorder", daemon=True)
        self.records = threading.Event()
        """Set while it records."""
        self.waits = threading.Event()
        """Set while another console records."""
        self.file: Path | None = None
        """The file, once the account of the lists is known."""

    def start(self) -> None:
        """Start the thread, without waiting."""
        self._thread.start()

    def stop(self) -> None:
        """Write what is known and end, within a second."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_SECONDS)

    def _work(self) -> None:
        if self._ended.wait(START_SECONDS):
            return
        plan: RecordingPlan | None = None
        lock: int | None = None
        gap = ""
        while not self._ended.is_set():
            fault = file = ""
            before, plan = plan, self._plan()
            if plan is None:
                self._ended.wait(UNKNOWN_SECONDS)
                continue
            if lock is not None and before is not None and before.file != plan.file:
                os.close(lock)
                lock = None
            try:
                lock = hold(plan.file.with_name(f"{plan.file.name}.lock")) if lock is None else lock
                if lock is None:
                    self.waits.set()
                    self._backend.recorded, self._backend.recording_fault = True, ""
                else:
                    self.waits.clear()
                    self.file = plan.file
                    self._record(plan, lock, gap)
                    if not self._is_for(plan.file):
                        continue
            except OSError as error:
                fault = error.strerror or str(error)
                # Only on this machine: a recording is sent to others, and its gaps name no path.
                file = f"{error.filename}: " if error.filename else ""
            except Exception as error:  # Whatever fails here, the console goes on.
                log.warning("nothing is recorded", exc_info=True)
                fault = str(error) or type(error).__name__
            self.records.clear()
            self._backend.recorded = self.waits.is_set()
            self._backend.recording_fault, gap = f"{file}{fault}", fault
            self._ended.wait(RETRY_SECONDS)
        if lock is not None:
            os.close(lock)

    def _record(self, plan: RecordingPlan, lock: int, gap: str) -> None:
        # Takes 10 ms on the way to the first frame.
        from console.recording import file_writer, writer_process, writing

        with closing(
            writer_process.WriterProcess(plan, lock) if self._apart else file_writer.FileWriter(plan)
        ) as writer:
            writing.Writing(self._backend, writer, self._clock, self._ended, lambda: self._is_for(plan.file)).run(
                gap, self._began
            )

    def _is_for(self, file: Path) -> bool:
        """Return whether the lists still belong to the account of a file."""
        plan = self._plan()
        return plan is None or plan.file == file

    def _began(self) -> None:
        self._backend.recorded, self._backend.recording_fault = True, ""
        self.records.set()


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
