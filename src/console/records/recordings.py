"""Recordings in the formats of both variants (contract 2.14)."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class RecordingSource(Record):
    """The source of a recording (contract 2.14): its kind and id."""

    type: str | None = None
    id: str | None = None


class RecordingDate(Record):
    """Start and end (contract 2.14), as ISO 8601 texts."""

    start: str | None = None
    end: str | None = None


class RecordingParticipant(Record):
    """A recorded person (contract 2.14)."""

    user_id: str | None = None


class RecordingFile(Record):
    """A file of a recording (contract 2.14). Size in bytes; `hash` is SHA-256 in hex in this project's service."""

    id: str | None = None
    size: int | float | None = None
    hash: str | None = None
    mime_type: str | None = None
    date: RecordingDate | None = None


class Recording(Record):
    """A recording with source, time, participants and files (contract 2.14, later variant)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    source: RecordingSource | None = None
    date: RecordingDate | None = None
    participants: tuple[RecordingParticipant, ...] = ()
    files: tuple[RecordingFile, ...] = ()
    domain: str | None = None


class CallRecording(Record):
    """The recording of a call (contract 2.14, earlier variant). Time in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    source: str | None = None
    ts: int | float | None = None
    caller: str | None = None
    callee: str | None = None
    call_id: str | None = None
    call_id_svc: str | None = None
    audio_file: tuple[str, ...] = ()
    video_file: tuple[str, ...] = ()
