"""Keeps a recording within its limits: the oldest segments are removed."""

from __future__ import annotations

import sqlite3

_FREED_PAGES = 1_000


def prune(db: sqlite3.Connection, oldest_ms: int, most_bytes: int) -> int:
    """Remove segments older than `oldest_ms`, and the oldest beyond a size, within a transaction.

    Every list remains known from one moment on; the segments that are being written stay. Return how many segments were
    removed.
    """
    removed = 0
    ends = (
        "SELECT segment.id, min(later.start_ms) AS ended FROM segment "
        "JOIN segment AS later ON later.kind = segment.kind AND later.id > segment.id GROUP BY segment.id "
    )
    cutoff = 0
    for segment, ended in db.execute(f"SELECT id, ended FROM ({ends}) ORDER BY ended, id").fetchall():
        if ended > oldest_ms and used_bytes(db) <= most_bytes:
            break
        for table, column in (("tail", "segment"), ("block", "segment"), ("segment", "id")):
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (segment,))
        cutoff = max(cutoff, ended)
        removed += 1
    cutoff = max(cutoff, oldest_ms)
    db.execute("DELETE FROM span WHERE end_ms < ?", (cutoff,))
    db.execute("UPDATE span SET start_ms = ? WHERE start_ms < ?", (cutoff, cutoff))
    db.execute("DELETE FROM command WHERE at_ms < ?", (cutoff,))
    return removed


def cut_after(db: sqlite3.Connection, now_ms: int) -> None:
    """Remove what has times that are still to come, because the clock was set back, within a transaction."""
    for table, column in (("tail", "segment"), ("block", "segment"), ("segment", "id")):
        later = "SELECT id FROM segment WHERE start_ms > ?"
        db.execute(f"DELETE FROM {table} WHERE {column} IN ({later})", (now_ms,))
    db.execute("DELETE FROM span WHERE start_ms > ?", (now_ms,))
    db.execute("UPDATE span SET end_ms = ? WHERE end_ms > ?", (now_ms, now_ms))


def used_bytes(db: sqlite3.Connection) -> int:
    """Return the bytes of the file that are in use."""
    pages, free, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def shrink(db: sqlite3.Connection) -> None:
    """Give a part of the unused space back to the system."""
    # Each step of the statement frees one page.
    db.execute(f"PRAGMA incremental_vacuum({_FREED_PAGES})").fetchall()
