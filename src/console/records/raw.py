"""JSON taken apart no further than somebody looks. The one module that knows msgspec.

A list of ten thousand rows is cut into rows a fifty times faster than it is read into records, and a row's plain fields
are read twenty times faster than the whole record is made: enough to know which rows changed, and where each belongs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")

Json = msgspec.Raw
"""A piece of JSON as it came, unread; `bytes` of it makes a copy that does not keep the whole message alive."""

Cut = list[Json] | dict[str, Json] | None
"""JSON cut once: the rows of an array or the fields of an object, each as it came; None for nothing or `null`."""

_rows = msgspec.json.Decoder(list[msgspec.Raw])
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LONGEST_NUMBER = 400
"""Digits; the largest numbers that are anything but a mistake have fewer."""
_DEEPEST = 64
"""Levels of lists and objects that are read in a body which as a whole has more than any reader takes."""
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(?P<open>[\[{]+)|(?P<close>[\]}]+)', re.DOTALL)
_MOST_BRACKETS = 1_000_000
"""Strings and runs of brackets that are looked at in such a body: half a second's worth."""
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


def cut(body: bytes) -> Cut:
    """Cut an array into rows or an object into fields, none of which is read or even checked.

    A hundred megabytes a second are read into dicts, more than a thousand are cut. Bytes that are no UTF-8 stay with
    their row, to be replaced when that is parsed. Raises ValueError for what is no JSON, or neither array nor object.
    """
    first = body.lstrip()[:1] if body[:1] not in (b"[", b"{") else body[:1]
    try:
        if first == b"[":
            return _rows.decode(body)
        if first == b"{":
            return _fields.decode(body)
    except _UNREADABLE:
        pass  # What is odd in one row must not cost the others: read slowly, and tell why if that fails too.
    data = parse(body)
    if data is None:
        return None
    if isinstance(data, Mapping):
        return {str(name): _written(value) for name, value in cast("Mapping[object, Any]", data).items()}
    if isinstance(data, list):
        return [_written(row) for row in cast("list[Any]", data)]
    raise ValueError(f"neither a list nor an object but {type(data).__name__}")


def parse(body: bytes) -> Any:
    """Read JSON; bytes that are no UTF-8 are replaced, and a lone surrogate spoils its own string only.

    Raises ValueError.
    """
    # As late as this because who shows the first frame has nothing to parse, and pays for every import.
    from pydantic_core import from_json

    if not body.strip():
        return None
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        return parse_text(body.decode("utf-8", errors="replace"))


def parse_text(text: str) -> Any:
    """Read JSON as far as it can be: what is no number, or one too long to read, stands there as it was written, and
    so does what lies too deep.

    So it is a fault of its field, and costs nothing around it. Raises ValueError.
    """
    try:
        return _read(text)
    except RecursionError:
        pass
    try:
        return _read(_flattened(text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _read(text: str) -> Any:
    return json.loads(text, parse_constant=str, parse_int=_whole)


def _flattened(text: str) -> str:
    """Put a string of its JSON in the place of every list or object that is nested deeper than `_DEEPEST`.

    Without recursion, which is what the depth is too much for.
    """
    depth = done = start = 0
    parts: list[str] = []
    for found in islice(_BRACKETS.finditer(text), _MOST_BRACKETS):
        opening, closing = found.span("open"), found.span("close")
        if opening[1] > 0:
            depth, before = depth + opening[1] - opening[0], depth
            if before <= _DEEPEST < depth:
                start = opening[0] + _DEEPEST - before
        elif closing[1] > 0:
            depth, before = depth - (closing[1] - closing[0]), depth
            if depth <= _DEEPEST < before:
                end = closing[0] + before - _DEEPEST
                parts += (text[done:start], json.dumps(text[start:end]))
                done = end
    return "".join((*parts, text[done:]))


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else digits


def _written(value: Any) -> Json:
    return Json(json.dumps(value, separators=(",", ":")).encode())


class Message(msgspec.Struct, frozen=True, gc=False):
    """The base of what comes thousands of times a second: a tenth of what reading a pydantic model costs."""


def reader(kind: type[T]) -> Callable[[bytes | Json], T | None]:
    """Return what reads JSON into a message of that kind, or returns None when it is not of that shape."""
    decode = msgspec.json.Decoder(kind).decode

    def read(message: bytes | Json) -> T | None:
        try:
            return decode(message)
        except _UNREADABLE:
            return None

    return read


Glance = Callable[[bytes | Json], Any]
"""Reads the plain fields of a row into attributes of their names; None when one is not as it should be."""


def glancing(fields: Sequence[tuple[str, str, Any, Any]], also: Iterable[tuple[str, str]] = ()) -> Glance:
    """Return what reads those fields of rows: name, name on the wire, type and default of each.

    `also` are further wire names of fields, used where the first one is missing. What is read is untracked by the
    collector, and holds about a tenth of the memory of a record.
    """
    others = [(name, f"{name}_{number}", wire) for number, (name, wire) in enumerate(also)]
    names = {name: wire for name, wire, _, _ in fields} | {name: wire for _, name, wire in others}
    kinds = {name: kind for name, _, kind, _ in fields}
    shape = msgspec.defstruct(
        "Glance",
        [(name, kind, default) for name, _, kind, default in fields]
        + [(second, kinds[name], None) for name, second, _ in others],
        gc=False,
        rename=names,
    )
    read = reader(cast("type[Any]", shape))
    if not others:
        return read

    def read_either(row: bytes | Json) -> Any:
        found = read(row)
        if found is not None:
            for name, second, _ in others:
                if getattr(found, name) is None:
                    setattr(found, name, getattr(found, second))
        return found

    return read_either
