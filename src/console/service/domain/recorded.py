"""Recordings and their files (contract 2.14, 4.5).

The embedded service carries no media, so the files are silence of the recorded length: mono PCM of 8 bits at 8 kHz in a
WAV container, whatever the requested name. The files are not stored: they are generated on request.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import AsyncGenerator, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from itertools import repeat
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa

from console.records.recordings import CallRecording, Recording, RecordingFile
from console.records.traffic import Call
from console.service.auth.caller import Caller
from console.service.domain.people import USERS
from console.service.events.visibility import Admins, Among, AnyOf, by_id
from console.service.platform import Platform
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

FILE_MS = 3_600_000
"""Longest duration of one file; longer recordings continue in the next file."""
LONGEST_MS = 7 * 24 * FILE_MS
"""Longest stored recording, counted from its end. A call may claim to be recorded since 1970, and listing half a
million files would block the service for half a minute."""
_VIDEO = frozenset({".mp4", ".webm", ".mkv"})
"""Extensions of video files, by which the earlier variant distinguishes them from audio."""
_BYTES_PER_MS = 8
_HEADER_BYTES = 44
_BLOCK = b"\x80" * 65_536

RECORDINGS = Documents(
    "recordings",
    Recording,
    columns=(
        sa.Column("start", sa.Integer, nullable=False, index=True),
        sa.Column("domain", sa.Text, index=True),
        sa.Column("source_type", sa.Text),
        sa.Column("source_id", sa.Text, index=True),
        sa.Column("people", sa.JSON, nullable=False),
        sa.Column("filename", sa.Text),
        sa.Column("backend", sa.Text),
        sa.Column("caller", sa.Text),
        sa.Column("callee", sa.Text),
    ),
    extract=lambda recording: {
        "start": _ms(recording.date.start if recording.date else None),
        "domain": recording.domain,
        "source_type": recording.source.type if recording.source else None,
        "source_id": recording.source.id if recording.source else None,
        "people": [participant.user_id for participant in recording.participants if participant.user_id],
    },
    rule=AnyOf(Admins(), Among("people", by_id)),
)
"""The columns from `filename` on contain data that only the earlier variant shows."""


def begun(now: int, filename: str, by: str, source: str | None = None) -> dict[str, Any]:
    """Return `data.recording` of a call whose recording starts."""
    recording: dict[str, Any] = {"active": True, "filename": filename, "startedAt": now, "startedBy": by}
    return recording if source is None else {**recording, "source": source}


def keep(platform: Platform, tx: Transaction, call: Call, recording: Mapping[str, Any]) -> Recording:
    """Store the recording of a call; `recording` is the call's `data.recording`, stopped. Times in ms."""
    starter = USERS.get(tx, str(recording.get("startedBy") or ""))
    domain = starter.domain if starter is not None else None
    made = of_call(platform.new_id(), call, recording, domain)
    RECORDINGS.put(tx, made, **columns_of(call, recording))
    return made


def of_call(key: str, call: Call, recording: Mapping[str, Any], domain: str | None) -> Recording:
    """Build the record of a call's recording."""
    end = int(recording["stoppedAt"])
    start = max(int(recording.get("startedAt") or call.from_ or end), end - LONGEST_MS)
    parts = range(start, max(end, start + 1), FILE_MS)
    return Recording.model_validate(
        {
            "id": key,
            "source": {"type": "call", "id": call.id},
            "date": _span(start, end),
            "participants": [{"userId": user} for user in call.users],
            "files": [
                {
                    "id": f"{key}-{number}",
                    "size": size,
                    "hash": digest,
                    "mimeType": "audio/wav",
                    "date": _span(begun, min(begun + FILE_MS, end)),
                }
                for number, begun in enumerate(parts, 1)
                for size, digest in (size_and_hash(min(FILE_MS, end - begun)),)
            ],
            "domain": domain,
        }
    )


def columns_of(call: Call, recording: Mapping[str, Any]) -> dict[str, Any]:
    """Return the additional columns of a call's recording."""
    return {
        "filename": recording.get("filename"),
        "backend": recording.get("source"),
        "caller": call.caller,
        "callee": call.callee,
    }


def of_calls(tx: Transaction, caller: Caller) -> tuple[CallRecording, ...]:
    """Return the recordings of calls in the earlier variant's format, the newest first."""
    where = RECORDINGS.conditions((RECORDINGS.c.source_type == "call",), caller)
    newest_first = (RECORDINGS.c.start.desc(), RECORDINGS.c.key)
    return tuple(_as_earlier(row) for row in tx.rows(sa.select(RECORDINGS.table).where(*where).order_by(*newest_first)))


def prune(platform: Platform, keep: int) -> None:
    """Delete the oldest recordings, so that `keep` remain."""
    with platform.write() as tx:
        surplus = RECORDINGS.count(tx) - keep
        if surplus > 0:
            oldest = sa.select(RECORDINGS.c.key).order_by(RECORDINGS.c.start, RECORDINGS.c.key).limit(surplus)
            RECORDINGS.remove_many(tx, tx.run(oldest).scalars().all())


@lru_cache(maxsize=64)
def size_and_hash(duration: int) -> tuple[int, str]:
    """Return size in bytes and SHA-256 of a file of this duration in ms."""
    digest, size = hashlib.sha256(), 0
    for part in _parts(duration):
        digest.update(part)
        size += len(part)
    return size, digest.hexdigest()


async def wav(duration: int) -> AsyncGenerator[bytes]:
    """Yield the bytes of a file of this duration in ms."""
    for part in _parts(duration):
        yield part


def _parts(duration: int) -> Iterator[bytes]:
    length = max(0, duration) * _BYTES_PER_MS
    rate = _BYTES_PER_MS * 1000
    yield struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + length, b"WAVE", b"fmt ", 16, 1, 1, rate, rate, 1, 8, b"data", length
    )
    whole, rest = divmod(length, len(_BLOCK))
    yield from repeat(_BLOCK, whole)
    yield _BLOCK[:rest]


def milliseconds_of(file: RecordingFile) -> int:
    """Return the duration of a file in ms."""
    return max(0, round((file.size or 0) - _HEADER_BYTES)) // _BYTES_PER_MS


def _as_earlier(row: sa.Row[Any]) -> CallRecording:
    recording = RECORDINGS.read(row.body)
    names = [_part(row.filename or "", number) for number in range(len(recording.files))]
    video = PurePath(row.filename or "").suffix.lower() in _VIDEO
    return CallRecording(
        id=recording.id,
        source=row.backend,
        ts=row.start,
        caller=row.caller,
        callee=row.callee,
        call_id=row.source_id,
        call_id_svc=row.source_id,
        audio_file=() if video else tuple(names),
        video_file=tuple(names) if video else (),
    )


def _part(filename: str, number: int) -> str:
    """Return the name of one of several files: the requested name for the first, with a number for the others."""
    path = PurePath(filename)
    return filename if number == 0 else f"{path.stem}-{number + 1}{path.suffix}"


def _span(start: int, end: int) -> dict[str, str]:
    return {"start": _iso(start), "end": _iso(end)}


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _ms(text: str | None) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000) if text else 0
