"""JSON and other expressions in queries: one form of each expression for both engines.

Arrays are columns declared as `sa.JSON`; bodies are texts.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

VALUE = sa.column("value", sa.Text)
"""The column of a table of texts."""


def items(column: sa.ColumnElement[Any], name: str) -> sa.TableValuedAlias:
    """Return the texts of a JSON array as a table with one column, `value`. What is not an array has none."""
    return Items(column).table_valued(VALUE, name=name)


def first_item(column: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Return the first text of a JSON array; null if it is empty."""
    return _FirstItem(column)


def text_at(body: sa.ColumnElement[Any], path: str) -> sa.ColumnElement[str]:
    """Return the text at a path of a body, such as `payload.callid`; null if there is none."""
    return _TextAt(body, sa.literal_column(f"'{path}'"))


def number_at(body: sa.ColumnElement[Any], path: str) -> sa.ColumnElement[float]:
    """Return the number at a path of a body; null if there is none."""
    return _NumberAt(body, sa.literal_column(f"'{path}'"))


def array_at(body: sa.ColumnElement[Any], path: str) -> sa.ColumnElement[Any]:
    """Return the array at a path of a body, for `items`; null if there is none."""
    return _ArrayAt(body, sa.literal_column(f"'{path}'"))


def joined(texts: sa.ColumnElement[Any]) -> sa.ColumnElement[bytes]:
    """Return the texts of all rows, with commas between them; both engines keep the order of a subquery."""
    return _Joined(texts)


def stored_order() -> sa.ColumnElement[Any]:
    """Return the order in which rows of one moment were stored; with PostgreSQL, a changed row counts as new."""
    return _StoredOrder()


class _StoredOrder(FunctionElement[Any]):
    inherit_cache = True
    type = sa.Text()


class Items(FunctionElement[str]):
    """The texts of a JSON array; see `items`."""

    inherit_cache = True
    name = "items"


class _FirstItem(FunctionElement[str]):
    inherit_cache = True
    type = sa.Text()


class _TextAt(FunctionElement[str]):
    inherit_cache = True
    type = sa.Text()


class _NumberAt(FunctionElement[float]):
    inherit_cache = True
    type = sa.Float()


class _ArrayAt(FunctionElement[Any]):
    inherit_cache = True
    type = sa.JSON()


class _Joined(FunctionElement[bytes]):
    inherit_cache = True
    type = sa.LargeBinary()


def _form(element: type[FunctionElement[Any]], sqlite: str, postgresql: str) -> None:
    """Register the SQL of an element, with its arguments in place of `{}`."""
    for dialect, text in (("sqlite", sqlite), ("postgresql", postgresql)):

        def compiled(part: FunctionElement[Any], compiler: SQLCompiler, text: str = text, **options: Any) -> str:
            return text.format(*(compiler.process(argument, **options) for argument in part.clauses))

        compiles(element, dialect)(compiled)


_form(
    Items,
    "json_each({0})",
    "jsonb_array_elements_text(CASE WHEN jsonb_typeof({0}) = 'array' THEN {0} ELSE '[]'::jsonb END)",
)
_form(_StoredOrder, "rowid", "ctid")
_form(_FirstItem, "json_extract({0}, '$[0]')", "({0} ->> 0)")
_form(_TextAt, "json_extract({0}, '$.' || {1})", "(({0})::json #>> string_to_array({1}, '.'))")
_form(_NumberAt, "json_extract({0}, '$.' || {1})", "(({0})::json #>> string_to_array({1}, '.'))::double precision")
_form(_ArrayAt, "json_extract({0}, '$.' || {1})", "(({0})::json #> string_to_array({1}, '.'))::jsonb")
_form(_Joined, "CAST(group_concat({0}, ',') AS BLOB)", "convert_to(string_agg({0}, ','), 'UTF8')")
