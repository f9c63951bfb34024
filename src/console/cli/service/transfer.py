"""`console serve export` and `import`: all data of the service in a file, to move it to another database."""

from __future__ import annotations

import os
import stat
from argparse import ArgumentParser
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from console.base.clock import SystemClock
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.cli.service.databases import add_database, add_key, database_of, key_of
from console.service.auth.sealing import seals_of
from console.service.handlers import load_handlers
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from console.service.store.transfer import StoreFile, TableSum, export_store, import_store
from console.views.wording import plural


def declare_export(parser: ArgumentParser) -> None:
    """Declare `console serve export`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="File to write, readable only by you.")
    add_database(parser, "SQLite database file to export.")
    parser.set_defaults(run=export_data)


def declare_import(parser: ArgumentParser) -> None:
    """Declare `console serve import`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="File that `console serve export` wrote.")
    add_database(parser, "SQLite database file to create.")
    add_key(parser)
    parser.set_defaults(run=import_data)


def export_data(*, file: Path, db: Path | None, database: str | None, database_password_file: Path | None) -> int:
    """Write all data of a service that is stopped into a file, and print the rows and checksum of each table."""
    place = _place(db, database, database_password_file)
    if isinstance(place, Path) and not place.is_file():
        raise Failure(Exit.USAGE, f"{place}: there is no such database")
    with _opened(place) as opened:
        try:
            descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            raise Failure(Exit.USAGE, f"{file} exists: name another file") from None
        except OSError as error:
            raise Failure(Exit.USAGE, f"{file} cannot be written: {error.strerror}") from None
        try:
            with os.fdopen(descriptor, "wb") as target:
                sums = export_store(opened, target.write)
                target.flush()
                os.fsync(target.fileno())
        except BaseException as error:
            file.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise Failure(Exit.FAILED, f"{file} cannot be written: {error.strerror}") from None
            raise
        _print(sums, f"exported from {opened.name} to {file}")
    talk("the file has personal data, password hashes and encrypted secrets; the key that decrypts them is not in it")
    return Exit.OK


def import_data(
    *, file: Path, db: Path | None, database: str | None, database_password_file: Path | None, key: Path | None
) -> int:
    """Read a file of `console serve export` into a new database, and print the rows and checksum of each table.

    Copy the key of the exported database first. Everything is imported, or nothing.
    """
    place = _place(db, database, database_password_file)
    key_file = key_of(key, place, os.environ)
    try:
        with file.open("rb") as source:
            if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):
                raise Failure(Exit.USAGE, f"{file}: is not a file")
            load_handlers()
            with _failures():
                exported = StoreFile(source, str(file))
            with _opened(place) as opened:
                sums = import_store(opened, exported, lambda: seals_of(opened, key_file))
                _print(sums, f"imported from {file} into {opened.name}")
    except OSError as error:
        raise Failure(Exit.USAGE, f"{file} cannot be read: {error.strerror}") from None
    return Exit.OK


def _place(db: Path | None, database: str | None, password_file: Path | None) -> Path | str:
    place = database_of(db, database, password_file, os.environ)
    if place is None:
        raise Failure(Exit.USAGE, "name the database with --db or --database")
    return place


@contextmanager
def _failures() -> Generator[None]:
    try:
        yield
    except DatabaseFault as fault:
        raise Failure(Exit.FAILED, str(fault)) from fault


@contextmanager
def _opened(place: Path | str) -> Generator[Database]:
    """Open a database that no service uses. Raise Failure."""
    load_handlers()
    with _failures(), closing(Database(place, SystemClock().now_ms)) as opened:
        yield opened


def _print(sums: Mapping[str, TableSum], summary: str) -> None:
    for name, (rows, checksum) in sums.items():
        print(f"{name:<22}{rows:>10,}  {checksum[:16]}")
    total = sum(rows for rows, _ in sums.values())
    talk(f"{plural(len(sums), 'table')} with {plural(total, 'row')} {summary}")
