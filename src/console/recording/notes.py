"""Hand-over notes: lines that a person leaves for the next shift, whoever that is, at one service.

They are in one small JSON file in the directory of the user's state. Each change reads and replaces the whole file
while it holds a lock, so that several consoles lose nothing of each other.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from console.base.frozen import Frozen, replace
from console.base.text import clean
from console.config.paths import Places, locked, objects_in, open_regular, read_json, write_private

LONGEST = 200
"""Most cells of a note."""
MOST = 200
"""Number of notes that are kept, those that were added last."""
SHOWN_MS = 7 * 86_400_000
"""How long a note is shown."""
_LARGEST = 1024 * 1024
_LONGEST_NAME = 80
_LONGEST_KEY = 200
_MOST_PEOPLE = 100


class Note(Frozen):
    """A note. All texts are safe to show."""

    id: str
    at_ms: int
    """When it was written, in ms since the epoch."""
    author: str
    text: str
    moment_ms: int = 0
    """The moment that it is about: another one than `at_ms` if it was written in the past of a recording."""
    kind: str = ""
    """The list of the record that it is about; empty for none."""
    key: str = ""
    dismissed: tuple[str, ...] = ()
    """People who dismissed it."""


def notes_file(places: Places, service: str) -> Path:
    """Return the file of a service (`recording.identities.KnownService.key`)."""
    return places.state / f"notes-{service}.json"


def fault_of(text: str) -> str | None:
    """Return why a text cannot be a note, as a sentence; None if it can."""
    if not text.strip():
        return "A note needs a text."
    return (
        f"At most {LONGEST} characters." if clean(text.strip(), LONGEST) != clean(text.strip(), 4 * LONGEST) else None
    )


class Notes:
    """The notes of a service. Reading raises nothing; changing raises OSError."""

    def __init__(self, file: Path) -> None:
        """Use a file, which may not exist yet."""
        self._file = file
        self._read: tuple[object, tuple[Note, ...]] = None, ()

    def all(self) -> tuple[Note, ...]:
        """Return all notes, the oldest first. The file is read again only after it has changed."""
        try:
            status = self._file.stat()
        except OSError:
            return ()
        state = status.st_mtime_ns, status.st_size, status.st_ino
        if self._read[0] != state:
            self._read = state, tuple(sorted(_read(self._file), key=lambda note: note.at_ms))
        return self._read[1]

    def check(self) -> None:
        """Raise OSError, with the file in its text, if there is a file of which nothing can be read."""
        if self.fault:
            raise OSError(errno.EINVAL, self.fault)

    @property
    def fault(self) -> str:
        """Why nothing can be read of the file, with its name; empty if it is missing, empty or has notes."""
        reason = _fault_of_file(self._file)
        return f"{self._file} cannot be read: {reason}; repair or rename it" if reason else ""

    def recent(self, now_ms: int) -> tuple[Note, ...]:
        """Return the notes of the last week; one from a clock that was ahead is among them."""
        return tuple(note for note in self.all() if note.at_ms > now_ms - SHOWN_MS)

    def pending(self, who: str, now_ms: int) -> tuple[Note, ...]:
        """Return the notes of the last week that a person has not dismissed."""
        return tuple(note for note in self.recent(now_ms) if who not in note.dismissed)

    def between(self, first_ms: int, last_ms: int) -> tuple[Note, ...]:
        """Return the notes that were written between two moments."""
        return tuple(note for note in self.all() if first_ms <= note.at_ms <= last_ms)

    def add(self, text: str, author: str, at_ms: int, moment_ms: int = 0, kind: str = "", key: str = "") -> Note:
        """Add a note, and return it. Raise OSError."""
        note = _safe(Note(os.urandom(4).hex(), at_ms, author, text.strip(), moment_ms or at_ms, kind, key))
        self._change(lambda notes: [*notes, note])
        return note

    def dismiss(self, ids: Collection[str], who: str) -> int:
        """Note that a person does not need some notes any more. Return how many these are. Raise OSError."""
        open_ids = [note.id for note in self.all() if note.id in ids and who not in note.dismissed]

        def mark(note: Note) -> Note:
            wanted = note.id in open_ids and who not in note.dismissed
            return replace(note, dismissed=(*note.dismissed, _name(who))[-_MOST_PEOPLE:]) if wanted else note

        if open_ids:
            self._change(lambda notes: list(map(mark, notes)))
        return len(open_ids)

    def _change(self, change: Callable[[tuple[Note, ...]], list[Note]]) -> None:
        with locked(self._file.with_name(f"{self._file.name}.lock")):
            # The order of writing decides, not the times: a clock that was wrong once must not delete notes.
            # Replacing a damaged file would delete notes that a person can still repair.
            self.check()
            kept = change(_read(self._file))[-MOST:]
            write_private(self._file, json.dumps([_object(note) for note in kept], ensure_ascii=False, indent=1))


def _read(file: Path) -> tuple[Note, ...]:
    """Return the notes of a file in the order of writing; one that is missing or invalid has none."""
    notes = map(_note, objects_in(read_json(file, _LARGEST)))
    return tuple(note for note in notes if note is not None)[-MOST:]


def _fault_of_file(file: Path) -> str:
    """Return why nothing can be read of a file; empty if it is missing, empty or has notes."""
    try:
        with open_regular(file) as content:
            is_empty = content.read(_LARGEST).strip() in {b"", b"[]"}
    except FileNotFoundError:
        return "the target of the link is missing" if file.is_symlink() else ""
    except OSError as error:
        return error.strerror or str(error)
    return "" if is_empty or _read(file) else "it is damaged"


def _object(note: Note) -> dict[str, Any]:
    return {
        "id": note.id,
        "at": note.at_ms,
        "by": note.author,
        "text": note.text,
        "moment": note.moment_ms,
        "list": note.kind,
        "key": note.key,
        "dismissed": list(note.dismissed),
    }


def _note(data: Mapping[str, Any]) -> Note | None:
    identifier, at, text, dismissed = (data.get(value) for value in ("id", "at", "text", "dismissed"))
    if not isinstance(identifier, str) or type(at) is not int or not isinstance(text, str) or not text:
        return None
    moment = data.get("moment")
    people: Iterable[Any] = cast("list[Any]", dismissed) if isinstance(dismissed, list) else ()
    return _safe(
        Note(
            identifier,
            at,
            str(data.get("by") or ""),
            text,
            moment if type(moment) is int else at,
            str(data.get("list") or ""),
            str(data.get("key") or ""),
            tuple(_name(person) for person in people if isinstance(person, str))[-_MOST_PEOPLE:],
        )
    )


def _safe(note: Note) -> Note:
    """Return a note whose texts can be shown. A key is only compared with others."""
    return replace(
        note,
        id=str(clean(note.id, 40)),
        author=_name(note.author),
        text=str(clean(note.text, LONGEST)),
        kind=str(clean(note.kind, 40)),
        key=note.key[:_LONGEST_KEY],
    )


def _name(who: str) -> str:
    return str(clean(who, _LONGEST_NAME))
