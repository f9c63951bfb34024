"""JSON taken apart no further than somebody looks. The one module that knows msgspec.

A list of ten thousand rows is cut into rows a fifty times faster than it is read into records, and a row's plain fields
are read twenty times faster than the whole record is made: enough to know which rows changed, and where each belongs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")

Json = msgspec.Raw
"""A piece of JSON as it came, unread; `bytes` of it makes a copy that does not keep the whole message alive."""

CUT_FIELD = "console:cut"
"""The field in which a row that was made smaller says what is missing, by the name of the field that it is missing in;
an empty name stands for the whole row."""

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


ALL = 1_000_000_000
"""More rows than a body can hold."""
_PIECE = 256 * 1024
"""Bytes of an array that are cut at once where there may be too many rows to cut all of them."""
_FEW = 200_000
"""Commas up to which an array is cut as a whole: no row ends without one, and each cut row takes 64 bytes."""
_TRIES = 8
"""How many commas of each sort are tried as the end of a piece."""
_LARGEST_ODD = 4 * 1024 * 1024
"""Bytes of an object, or of one piece of an array, that are read slowly when it cannot be cut."""


def rows(array: bytes, most: int = ALL) -> list[Json]:
    """Cut an array into rows, none of which is read or even checked; of more than `most` rows the first `most + 1`.

    A hundred megabytes a second are read into dicts, more than a thousand are cut. A row that is odd costs no other:
    bytes that are not UTF-8 stay with their row, and where a row is not JSON for a strict reader, the array is read
    slowly. Raises ValueError for what is not an array.
    """
    if array.lstrip()[:1] != b"[":
        raise ValueError("it is not a list")
    if array.count(b",") <= _FEW:
        try:
            return _rows.decode(array)[: most + 1]
        except _UNREADABLE:
            if len(array) <= _PIECE:
                return _slowly(array)[: most + 1]
    return _in_pieces(array, most)


def _slowly(array: bytes) -> list[Json]:
    if len(array) > _LARGEST_ODD:
        raise ValueError("it is not JSON")
    data = parse(array)
    if not isinstance(data, list):
        raise ValueError("it is not a list")
    return [_written(row) for row in cast("list[Any]", data)]


def _in_pieces(array: bytes, most: int) -> list[Json]:
    """Cut an array piece by piece, and no further than it is wanted."""
    found: list[Json] = []
    at = array.index(b"[") + 1
    while len(found) <= most:
        piece = _PIECE
        while True:
            last = at + piece >= len(array)
            taken = _rest(array, at, found) if last else _piece(array, at, at + piece)
            if taken is not None:
                break
            # A row that is longer than the piece.
            piece *= 4
        found += taken[0]
        if last:
            break
        at = taken[1]
    return found[: most + 1]


def _rest(array: bytes, at: int, found: list[Json]) -> tuple[list[Json], int]:
    rest = b"[" + array[at:]
    try:
        cut = _rows.decode(rest)
    except _UNREADABLE:
        cut = _slowly(rest)
    if not cut and found:
        raise ValueError("a comma has no row after it")
    return cut, len(array)


def _piece(array: bytes, at: int, end: int) -> tuple[list[Json], int] | None:
    """Return the rows of one piece and where the next begins; None when none ends in it.

    A comma within a row or a text is told by what stands before it, which is not an array then.
    """
    places = list(_commas(array, at, end))
    for read in (_rows.decode, _slowly):
        for place in places:
            try:
                cut = read(b"[" + array[at:place] + b"]")
            except (*_UNREADABLE, ValueError):
                continue
            if cut:
                return cut, place + 1
    return None


def _commas(array: bytes, at: int, end: int) -> Iterator[int]:
    for ending in (b"},", b"],", b'",', b","):
        place = end
        for _ in range(_TRIES):
            place = array.rfind(ending, at, place)
            if place < 0:
                break
            yield place + len(ending) - 1


def fields(body: bytes, names: tuple[str, ...]) -> dict[str, Json]:
    """Return those fields of an object, each as it came; the others are passed over unread.

    Raises ValueError for what is not an object.
    """
    if body.lstrip()[:1] != b"{":
        raise ValueError("it is not an object")
    try:
        found = _picking(names)(body)
    except _UNREADABLE:
        if len(body) > _LARGEST_ODD:
            raise ValueError("it is not JSON") from None
        data = parse(body)
        if not isinstance(data, Mapping):
            raise ValueError("it is not an object") from None
        every = cast("Mapping[object, Any]", data)
        return {name: _written(every[name]) for name in names if name in every}
    values = ((name, getattr(found, f"field_{number}")) for number, name in enumerate(names))
    return {name: value for name, value in values if value is not None}


def every_field(body: bytes) -> dict[str, Json]:
    """Return all fields of an object, each as it came. Raises ValueError for what is not one."""
    try:
        return _fields.decode(body)
    except _UNREADABLE:
        raise ValueError("it is not an object") from None


@cache
def _picking(names: tuple[str, ...]) -> Callable[[bytes], Any]:
    wires = {f"field_{number}": name for number, name in enumerate(names)}
    shape = msgspec.defstruct("Picked", [(name, msgspec.Raw, cast(Any, None)) for name in wires], rename=wires)
    return msgspec.json.Decoder(cast("type[Any]", shape)).decode


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
