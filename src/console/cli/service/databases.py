"""The database of `console serve`, from its options and the environment. Passwords are never arguments."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path

from console.cli.exits import Exit, Failure
from console.cli.service.transports import DATABASE, DATABASE_PASSWORD, password_in
from console.config.paths import places
from console.service.store.server_url import has_password, with_password


def add_database(
    parser: ArgumentParser, in_file: str = "SQLite database file. By default, data is kept in memory only."
) -> None:
    """Declare the options that name a database; `in_file` is the help of `--db`."""
    parser.add_argument("--db", type=Path, metavar="FILE", help=in_file)
    parser.add_argument(
        "--database",
        metavar="TEXT",
        help=(
            "PostgreSQL database instead of a file, such as postgresql://service@db.example/desk; or set "
            "CONSOLE_DATABASE."
        ),
    )
    parser.add_argument(
        "--database-password-file",
        type=Path,
        metavar="FILE",
        help="File with the password of the database, readable only by you; or set CONSOLE_DATABASE_PASSWORD.",
    )


def add_key(parser: ArgumentParser) -> None:
    """Declare the option with the key of a database."""
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help=(
            "File with the key that encrypts secrets in the database, created with it. Default: next to the "
            "SQLite file; with --database, in the directory of the state."
        ),
    )


def database_of(
    file: Path | None, url: str | None, password_file: Path | None, environ: Mapping[str, str]
) -> Path | str | None:
    """Return the database: a file, a URL with its password, or None for the memory. Raise Failure with the error."""
    if file is not None and url is not None:
        raise Failure(Exit.USAGE, "--db and --database name two databases; use one of them")
    name = "--database" if url else DATABASE
    server = url or (environ.get(DATABASE) if file is None else None)
    if not server:
        if password_file is not None:
            raise Failure(Exit.USAGE, "--database-password-file needs --database")
        return file
    try:
        if url and has_password(url):
            raise Failure(
                Exit.USAGE,
                "--database: others on this machine can read a password on the command line. Remove it from the URL, "
                f"and set {DATABASE_PASSWORD} or use --database-password-file.",
            )
        password = environ.get(DATABASE_PASSWORD)
        if password_file is not None:
            password = password_in("--database-password-file", password_file)
        # Without a password, libpq looks for PGPASSWORD and ~/.pgpass.
        return with_password(server, password) if password else server
    except ValueError as error:
        raise Failure(Exit.USAGE, f"{name} {error}") from None


def key_of(key: Path | None, database: Path | str | None, environ: Mapping[str, str]) -> Path | None:
    """Return the file of the key of a database; None for its default, next to the file of SQLite."""
    return key or (places(environ).state / "service.key" if isinstance(database, str) else None)
