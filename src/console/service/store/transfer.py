"""A whole store as a file, to move it between SQLite and PostgreSQL.

The file has lines of JSON: a header, for each table its name and columns and then an array for each row, and at the end
the number of rows and a checksum of each table. All tables are moved, also the events of the outbox. The facts in
`OWN_FACTS` belong to one database and stay there: as the epoch is another one, no client resumes at a wrong place.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple, NoReturn, cast

import sqlalchemy as sa
from sqlalchemy import exc as faults

from console.service.store.database import Database
from console.service.store.faults import DatabaseFault, OutcomeUnknown, StorageFault, TextTooLong
from console.service.store.json_sql import stored_order
from console.service.store.outbox import SCHEMA_VERSION, facts, metadata
from console.service.store.transaction import Transaction

FORMAT = "console store 1"
LONGEST_LINE = 64 * 1024 * 1024
"""Most bytes of a row in a file: more than any request may have."""
OWN_FACTS = ("epoch", "schema", "started", "versions")
NEEDED_FACTS = {"cursor key", "sealed proof"}
"""Facts of each store that a service has used."""
_ROWS_AT_ONCE = 500


class TableSum(NamedTuple):
    """The number of rows of a table, and a checksum that does not depend on their order."""

    rows: int
    checksum: str


def row_checksum(line: str) -> str:
    """Return the checksum of a row; the checksum of a table is their sum."""
    return hashlib.sha256(line.encode()).hexdigest()


class _RunningSum:
    def __init__(self) -> None:
        self._rows = 0
        self._total = 0

    def add(self, line: str) -> None:
        self._rows += 1
        self._total = (self._total + int(row_checksum(line), 16)) % 2**256

    def total(self) -> TableSum:
        return TableSum(self._rows, f"{self._total:064x}")


def export_store(database: Database, write: Callable[[bytes], object]) -> Mapping[str, TableSum]:
    """Write one consistent state of a store, and return the sums of its tables. Raise DatabaseFault and OSError."""
    _check_unused(database)
    sums: dict[str, TableSum] = {}
    try:
        with database.read() as tx:
            if not _facts(tx) >= NEEDED_FACTS:
                raise DatabaseFault(f"{database.name}: no service has used it, so there is nothing to export")
            write(_line({"format": FORMAT, "schema": SCHEMA_VERSION}))
            for table in metadata.sorted_tables:
                write(_line({"table": table.name, "columns": table.columns.keys()}))
                running = _RunningSum()
                for row in _rows(tx, table):
                    running.add(line := _encoded(table, row))
                    write(f"{line}\n".encode())
                sums[table.name] = running.total()
    except (faults.SQLAlchemyError, StorageFault) as error:
        raise DatabaseFault(f"{database.name}: cannot be exported: {_reason(error)}") from error
    write(_line({"sums": sums}))
    return sums


class StoreFile:
    """A file of `export_store`, which may be damaged or hostile."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        """Read the whole file once. Raise DatabaseFault if it cannot be imported."""
        self._file, self._name = file, name
        self._number = 0
        self.sums: Mapping[str, TableSum] = {}
        """The sums of its tables."""
        for _ in self.rows():
            pass

    def rows(self) -> Generator[tuple[sa.Table, dict[str, Any]]]:
        """Return each row with its table, and compare all with the sums at the end. Raise DatabaseFault."""
        self._file.seek(0)
        self._number = 0
        try:
            yield from self._checked_rows()
        except (ValueError, OverflowError, RecursionError) as error:
            reason = "too deeply nested" if isinstance(error, RecursionError) else error
            raise DatabaseFault(f"{self._name}: line {self._number}: {reason}. Nothing was imported.") from error

    def _checked_rows(self) -> Generator[tuple[sa.Table, dict[str, Any]]]:
        self._check_header()
        table: sa.Table | None = None
        running: dict[str, _RunningSum] = {}
        while isinstance(entry := self._next(), list) or "sums" not in entry:
            if isinstance(entry, dict):
                table = _declared(entry)
                if table.name in running:
                    raise ValueError(f"the table {table.name} occurs twice")
                running[table.name] = _RunningSum()
                continue
            if table is None:
                raise ValueError("a row without a table")
            row = _decoded(table, entry)
            running[table.name].add(_encoded(table, tuple(row.values())))
            yield table, row
        self.sums = {name: sum_.total() for name, sum_ in running.items()}
        if entry["sums"] != {name: list(sum_) for name, sum_ in self.sums.items()}:
            raise ValueError("the rows are not those that were exported")
        if missing := metadata.tables.keys() - self.sums.keys():
            raise ValueError(f"the table {min(missing)} is missing")
        if self._file.read(1):
            raise ValueError("text after the end")

    def _check_header(self) -> None:
        try:
            header = self._next()
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise ValueError("not a file of `console serve export`")
        if header.get("schema") != SCHEMA_VERSION:
            raise ValueError(
                f"written with a schema other than {SCHEMA_VERSION}, which this version uses. "
                "Import it with the version of the service that exported it"
            )

    def _next(self) -> dict[str, Any] | list[Any]:
        self._number += 1
        line = self._file.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise ValueError("the line is too long")
        if not line.endswith(b"\n"):
            raise ValueError("the file is cut off here. Export it again")
        try:
            entry = json.loads(line, parse_float=_finite, parse_constant=_finite)
        except ValueError as error:
            raise ValueError("no valid JSON") from error
        if not isinstance(entry, dict | list):
            raise ValueError("neither a row nor a table")
        return cast("dict[str, Any] | list[Any]", entry)


def import_store(database: Database, file: StoreFile, check: Callable[[], object]) -> Mapping[str, TableSum]:
    """Import a file into an empty database, all or nothing, and return the sums of the tables as they are stored.

    `check` is called before the commit, and may raise DatabaseFault. Raise DatabaseFault.
    """
    _check_unused(database)
    try:
        with database.write() as tx:
            _check_empty(database, tx)
            for table, rows in _batches(file.rows()):
                tx.run(sa.insert(table), rows)
            stored = {table.name: _stored_sum(tx, table) for table in metadata.sorted_tables}
            if different := [name for name, sum_ in stored.items() if sum_ != file.sums[name]]:
                raise DatabaseFault(f"{database.name}: differs in the table {different[0]}. Nothing was imported.")
            if not _facts(tx) >= NEEDED_FACTS:
                raise DatabaseFault(f"{database.name}: the file has no proof of its key. Nothing was imported.")
            check()
    except OutcomeUnknown as error:
        raise DatabaseFault(
            f"{database.name}: the connection was lost during the commit. Import again: if the database is empty, "
            "nothing was imported, otherwise everything was."
        ) from error
    except (faults.SQLAlchemyError, StorageFault, TextTooLong) as error:
        raise DatabaseFault(f"{database.name}: {_reason(error)}. Nothing was imported.") from error
    return stored


def _check_unused(database: Database) -> None:
    if not database.is_first:
        raise DatabaseFault(f"{database.name}: other nodes use it. Stop them, then try again.")


def _check_empty(database: Database, tx: Transaction) -> None:
    for table in metadata.sorted_tables:
        query = sa.select(sa.literal(1)).select_from(table).limit(1)
        if tx.value(query.where(facts.c.name.not_in(OWN_FACTS)) if table is facts else query):
            raise DatabaseFault(f"{database.name}: is not empty. Name a new database.")


def _facts(tx: Transaction) -> set[str]:
    return {row.name for row in tx.rows(sa.select(facts.c.name))}


def _rows(tx: Transaction, table: sa.Table) -> Iterable[sa.Row[Any]]:
    """Return the rows that are moved, in the order in which they were stored."""
    query = sa.select(table).order_by(stored_order())
    if table is facts:
        query = query.where(facts.c.name.not_in(OWN_FACTS))
    # Some at a time: a table may be larger than the memory.
    return tx.run(query.execution_options(yield_per=_ROWS_AT_ONCE))


def _stored_sum(tx: Transaction, table: sa.Table) -> TableSum:
    running = _RunningSum()
    for row in _rows(tx, table):
        running.add(_encoded(table, row))
    return running.total()


def _batches(
    rows: Iterable[tuple[sa.Table, dict[str, Any]]],
) -> Generator[tuple[sa.Table, list[dict[str, Any]]]]:
    """Return rows of the same table together, some at a time."""
    batch: list[dict[str, Any]] = []
    last: sa.Table | None = None
    for table, row in rows:
        if last is not None and (table is not last or len(batch) == _ROWS_AT_ONCE):
            yield last, batch
            batch = []
        batch.append(row)
        last = table
    if last is not None:
        yield last, batch


def _declared(entry: Mapping[str, Any]) -> sa.Table:
    """Return the table that a line begins. Raise ValueError."""
    name = entry.get("table")
    table = metadata.tables.get(name) if isinstance(name, str) else None
    if table is None:
        raise ValueError("an unknown table")
    if entry.get("columns") != table.columns.keys():
        raise ValueError(f"the table {table.name} has other columns")
    return table


def _encoded(table: sa.Table, row: Sequence[Any]) -> str:
    """Return a row as text: the same for both engines, which keep the keys of objects in different orders."""
    values = [base64.b64encode(value).decode() if isinstance(value, bytes) else value for value in row]
    return json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _decoded(table: sa.Table, values: Sequence[Any]) -> dict[str, Any]:
    """Return the values of a row by column. Raise ValueError."""
    if len(values) != len(table.columns):
        raise ValueError(f"a row of {table.name} has {len(values)} values instead of {len(table.columns)}")
    row = {column.name: _value(column, value) for column, value in zip(table.columns, values, strict=True)}
    if table is facts and row["name"] in OWN_FACTS:
        raise ValueError(f"the fact {row['name']} belongs to one database")
    return row


def _value(column: sa.Column[Any], value: Any) -> Any:
    match column.type:
        case sa.JSON():
            return value
        case _ if value is None and column.nullable:
            return None
        case sa.Boolean() if isinstance(value, bool):
            return value
        case sa.Integer() if type(value) is int and -(2**63) <= value < 2**63:
            return value
        case sa.Float() if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case sa.LargeBinary() if isinstance(value, str):
            return base64.b64decode(value, validate=True)
        case sa.Text() if isinstance(value, str):
            value.encode()
            return value
        case _:
            raise ValueError(f"a value of {column} has the wrong type")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _refuse_number()
    return number


def _refuse_number() -> NoReturn:
    raise ValueError("a number is too large")


def _line(entry: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(entry, separators=(',', ':'))}\n".encode()


def _reason(error: Exception) -> str:
    """Return the first line of a message: the others may have values of the row."""
    return (str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__])[0]
