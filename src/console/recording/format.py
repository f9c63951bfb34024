"""The file of a recording: a SQLite database, readable by its owner only. `docs/recording.md` describes it."""

from __future__ import annotations

import lzma
import os
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from console.config.paths import make_private
from console.live.bounds import ROW_COST

FORMAT = 2
"""The version of the format. A file of another one is refused."""
HEALTH = ".health"
"""The kind with the freshness of all lists, by kind, and of the connection, by `LINK`."""
LINK = "."
SAMPLES = ".samples"
"""The kind with the newest samples of the charts, in one row for each source."""
AT = "at"
"""The moment of a sample in its row, in ms since the epoch."""
CALLER = ".caller"
"""The kind with the logged-in user, in one row."""
ROW = "row"
"""The key of the only row of a kind."""

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE span (id INTEGER PRIMARY KEY, start_ms INTEGER, end_ms INTEGER, reason TEXT);
CREATE TABLE segment (
    id INTEGER PRIMARY KEY, kind TEXT, start_ms INTEGER, continues INTEGER, frame BLOB
);
CREATE INDEX segment_of_kind ON segment (kind, start_ms);
CREATE TABLE block (segment INTEGER, first INTEGER, many INTEGER, changes BLOB);
CREATE INDEX block_of_segment ON block (segment, first);
CREATE TABLE tail (segment INTEGER, first INTEGER, many INTEGER, changes BLOB);
CREATE INDEX tail_of_segment ON tail (segment, first);
CREATE TABLE command (id INTEGER PRIMARY KEY, at_ms INTEGER, entry TEXT);
"""
_META = 1000
"""Most values that a file says of itself, and most characters of each."""
_LEVEL = 6
_PRESET = 1
"""Higher presets take seven times as long for a fifth less."""
_LZMA = b"\xfd"
"""The first bytes of data that was compressed with lzma."""
_LARGEST = 128 * 1024 * 1024
"""Most bytes of one part, also decompressed: a file from elsewhere may contain anything."""
_LZMA_MEMORY = 32 * 1024 * 1024
_LOG_BYTES = 4 * 1024 * 1024
BUSY_SECONDS = 2.0


class RecordingFault(Exception):
    """A recording cannot be read or written. The message contains the reason."""


def packed(changes: bytes) -> bytes:
    """Compress changes."""
    return zlib.compress(changes, _LEVEL)


def packed_frame(rows: bytes) -> bytes:
    """Compress the rows of a frame: half the bytes of `packed`, in the same time, but slower to read."""
    return lzma.compress(rows, preset=_PRESET)


def unpacked(data: object, most: int = _LARGEST) -> bytes:
    """Decompress a part to at most this number of bytes. Raise ValueError."""
    if not isinstance(data, bytes):
        raise ValueError("a part is missing")
    if most <= 0:
        raise ValueError("the file contains more than its size allows")
    is_lzma = data[:1] == _LZMA
    reader = lzma.LZMADecompressor(memlimit=_LZMA_MEMORY) if is_lzma else zlib.decompressobj()
    try:
        text = reader.decompress(data, min(most, _LARGEST))
    except (zlib.error, lzma.LZMAError) as error:
        raise ValueError(str(error)) from None
    if not reader.eof:
        raise ValueError("a part is incomplete or too large")
    return text


def open_to_write(path: Path, meta: Mapping[str, str]) -> sqlite3.Connection:
    """Open the file of a recording, or create it. Raise RecordingFault, OSError or sqlite3.Error.

    An unusable recording is renamed to `<name>.damaged`.
    """
    make_private(path.parent)
    try:
        return _opened(path, meta)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        for value in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.replace(f"{path}{value}", f"{path}.damaged{value}")
        return _opened(path, meta)


def _opened(path: Path, meta: Mapping[str, str]) -> sqlite3.Connection:
    # SQLite gives its other files the mode of this one.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(path, flags, 0o600)
    try:
        if os.fstat(handle).st_mode & 0o077:
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            db.execute("PRAGMA auto_vacuum=INCREMENTAL")
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")
        else:
            check_format(meta_of(db), path)
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA journal_size_limit={_LOG_BYTES}")
        values = {"format": str(FORMAT), **meta}
        with db:
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))
    except BaseException:
        db.close()
        raise
    return db


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the file of a recording, which may be written meanwhile. Raise RecordingFault."""
    # The second way is for a file in a directory where nothing can be written.
    return _opened_to_read(path, ("mode=ro", "immutable=1"))


def open_finished(path: Path) -> sqlite3.Connection:
    """Open a recording that nobody writes any more. No file is created beside it. Raise RecordingFault.

    One with files beside it, such as the recording of a running console, is opened like any other.
    """
    beside = any(Path(f"{path}{value}").exists() for value in ("-wal", "-shm", ".lock"))
    return open_to_read(path) if beside else _opened_to_read(path, ("immutable=1",))


def _opened_to_read(path: Path, ways: Sequence[str]) -> sqlite3.Connection:
    """Open a file by the first of these options of SQLite that works."""
    if not path.is_file():
        raise RecordingFault(f"{path} is not a file" if path.exists() else f"there is no recording {path}")
    reason = ""
    for options in ways:
        db = None
        try:
            uri = f"file:{quote(os.fsencode(path.absolute()))}?{options}"
            db = sqlite3.connect(uri, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=True)
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
            db.execute("PRAGMA trusted_schema=OFF")
            _check_schema(db, path)
            check_format(meta_of(db), path)
        except sqlite3.Error as error:
            reason = reason or str(error)
            if db is not None:
                db.close()
        except RecordingFault:
            if db is not None:
                db.close()
            raise
        else:
            return db
    raise RecordingFault(f"{path} is not a recording, or its beginning is damaged: {reason}")


def _check_schema(db: sqlite3.Connection, path: Path) -> None:
    """Raise RecordingFault for anything but plain tables: reading a view may run forever."""
    for kind, statement in db.execute("SELECT type, sql FROM sqlite_master"):
        tokens = str(statement or "").upper().split()
        if kind not in {"table", "index"} or tokens[1:2] == ["VIRTUAL"] or "GENERATED" in tokens or "AS" in tokens:
            raise RecordingFault(f"{path} is not a recording: it contains more than tables")
        if "DEFAULT" in str(statement).upper():
            # Each of thousands of rows without the column would have a value that is in the file once.
            raise RecordingFault(f"{path} is not a recording: a table has default values")


def meta_of(db: sqlite3.Connection) -> dict[str, str]:
    """Return what the file says of itself. Raise sqlite3.Error."""
    query = f"SELECT substr(name, 1, {_META}), substr(value, 1, {_META}) FROM meta LIMIT {_META}"
    return {str(name): str(value) for name, value in db.execute(query)}


def check_format(meta: Mapping[str, str], path: Path) -> None:
    """Raise RecordingFault for another format, or none."""
    version = meta.get("format", "")
    if not version.isdecimal() or len(version) > 9 or not int(version):
        raise RecordingFault(f"{path} is not a recording")
    if int(version) != FORMAT:
        program = "a newer console" if int(version) > FORMAT else "an older console"
        program += f" (version {meta['version']})" if "version" in meta else ""
        raise RecordingFault(f"{path} was written by {program} in format {version}; this one reads format {FORMAT}")


VALUE_COST = 64
"""Memory of a value of a row in bytes, without its own bytes."""
LEAST = 128 * 1024 * 1024
"""Bytes that the parts of any file may take."""
TIMES = 100
"""Bytes more for each byte of the file."""


class SizeLimit:
    """Counts the approximate memory of all parts of a file that were read. Not safe for threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._costs: dict[tuple[int, int], int] = {}
        self._total = 0

    def unpack(self, segment: int, first: int, data: object) -> bytes:
        """Decompress a part of a segment, unless it is plain. Raise ValueError for more than the file may contain."""
        left = self._left((segment, first))
        text = data if isinstance(data, bytes) and data[:1] == b"[" else unpacked(data, left)
        self._note((segment, first), len(text) + VALUE_COST * text.count(b","))
        return text

    def add_rows(self, segment: int, first: int, rows: int) -> None:
        """Count the rows of a part that was decompressed. Raise ValueError for more than the file may contain."""
        part = segment, first
        self._note(part, self._costs[part] + ROW_COST * rows)

    def _left(self, part: tuple[int, int]) -> int:
        most = LEAST + TIMES * self._path.stat().st_size
        return most - self._total + self._costs.get(part, 0)

    def _note(self, part: tuple[int, int], cost: int) -> None:
        if cost > self._left(part):
            raise ValueError("the file contains more than its size allows")
        self._total += cost - self._costs.get(part, 0)
        self._costs[part] = cost
