"""The file that a store lies in: made for its owner alone, and brought up to date before anything uses it.

A store that an older version of the service has written is upgraded by the steps in `migrations.py`, all of them in
one transaction: whatever happens meanwhile, the file is either as it was or as it shall be. Before that it is copied
beside itself. A store that a newer version has written is refused.
"""

from __future__ import annotations

import os
import random
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from console.frozen import Frozen
from console.service import migrations
from console.service.migrations import BASELINE

LOCK_SECONDS = 10.0
"""How long an upgrade waits for other processes that have the file open, such as one that upgrades it."""
TRY_SECONDS = 0.1
"""How long an upgrade waits at most before it tries again to be alone with the file."""


class DatabaseFault(Exception):
    """The database file cannot be used; the message says why, and what to do."""


class Upgrade(Frozen):
    """What was done to a store when it was opened."""

    before: int
    after: int
    titles: tuple[str, ...]
    """What the steps did, as imperatives."""
    backup: Path
    """The copy of the store as it was before."""


def prepare(path: Path, now_ms: int) -> Upgrade | None:
    """Make the file if there is none, else upgrade it if it is old; return what was done to it.

    Raises DatabaseFault when it cannot be used, and has changed nothing then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise DatabaseFault(f"{path}: {error.strerror}") from error
    try:
        if not _is_old(path, _version(path)):
            return None
        return _upgrade(path, now_ms)
    except sqlite3.Error as error:
        raise DatabaseFault(f"{path}: {error}") from error


def _is_old(path: Path, version: int) -> bool:
    """Return whether a store of that version needs an upgrade. Raises DatabaseFault when none would help."""
    newest = migrations.SCHEMA_VERSION
    if version > newest:
        raise DatabaseFault(
            f"{path}: written by a newer version of the service (schema {version}; this version knows {newest}). "
            "Install that version, or name another file with --db."
        )
    if 0 < version < BASELINE:
        raise DatabaseFault(
            f"{path}: too old to be upgraded (schema {version}; the oldest that can be is {BASELINE}). "
            "Name another file with --db."
        )
    return 0 < version < newest


def _version(path: Path) -> int:
    """Return the version of a store; 0 for a new file."""
    with closing(sqlite3.connect(path, timeout=LOCK_SECONDS)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _upgrade(path: Path, now_ms: int) -> Upgrade | None:
    """Upgrade a store once no other process has it open. Raises DatabaseFault when that takes too long."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            try:
                # Works only for whoever is alone with the file: others expect the old schema.
                connection.execute("PRAGMA journal_mode = DELETE").fetchone()
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if time.monotonic() > end:
                    raise DatabaseFault(
                        f"{path}: cannot be upgraded while another process uses it ({error}). Stop it, then try again."
                    ) from error
            else:
                return _upgrade_alone(connection, path, now_ms)
        # Two that try in step would keep each other from it.
        time.sleep(random.uniform(0.0, TRY_SECONDS))
        if not _is_old(path, _version(path)):
            # Another process was faster, and uses it by now.
            return None


def _upgrade_alone(connection: sqlite3.Connection, path: Path, now_ms: int) -> Upgrade | None:
    """Upgrade a store in the transaction that has begun, unless another process has done so before."""
    before = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not _is_old(path, before):
        return None
    backup = _back_up(path, before, now_ms)
    try:
        titles = _take_steps(connection, path, before)
    except DatabaseFault:
        # The store is as it was: the copy is of no use.
        backup.unlink()
        raise
    return Upgrade(before, migrations.SCHEMA_VERSION, titles, backup)


def _take_steps(connection: sqlite3.Connection, path: Path, before: int) -> tuple[str, ...]:
    """Take the steps that a store of a version lacks, and commit them as one."""
    steps = [each for each in migrations.MIGRATIONS if each.version > before]
    for step in steps:
        try:
            for statement in step.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step.version}")
            if step is steps[-1]:
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise DatabaseFault(
                f"{path}: cannot be upgraded to schema {step.version} ({step.title}): {error}. Nothing was changed."
            ) from error
    return tuple(step.title for step in steps)


def _back_up(path: Path, version: int, now_ms: int) -> Path:
    """Copy the store beside itself and return where; a copy that is not complete has another name."""
    at = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    backup = path.with_name(f"{path.name}.schema-{version}.{at}.backup")
    partial = backup.with_name(f"{backup.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(partial)) as target:
            source.backup(target)
        _sync(partial)
        partial.replace(backup)
        _sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        words = (error.strerror if isinstance(error, OSError) else None) or error
        raise DatabaseFault(f"{path}: cannot be copied to {backup} before its upgrade: {words}") from error
    return backup


def _sync(path: Path) -> None:
    """Have what was written reach the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
