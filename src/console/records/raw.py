"""Partial parsing of JSON.

Splitting a list of ten thousand rows is fifty times as fast as parsing it into records, and reading the plain fields of
a row is twenty times as fast as parsing it. This suffices to find the changed rows and their positions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")

Json = msgspec.Raw
"""Unparsed JSON; `bytes` of it makes a copy that does not keep the whole message alive."""

STAND_IN = "unreadable-"
"""Begin of the key of a row without one."""
CUT_FIELD = "console:cut"
"""The field of a shortened row that lists the missing parts, by field name; an empty name means the whole row."""

_rows = msgspec.json.Decoder(list[msgspec.Raw])
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LONGEST_NUMBER = 400
"""Digits of a number; larger ones are certainly errors."""
_DEEPEST = 64
"""Levels of nesting that are parsed in a body that exceeds the limits of the parser."""
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(?P<open>[\[{]+)|(?P<close>[\]}]+)', re.DOTALL)
_MOST_BRACKETS = 1_000_000
"""Strings and runs of brackets examined in such a body: about half a second."""
UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""Exceptions of msgspec for a text of another type than declared."""


ALL = 1_000_000_000
"""More rows than a body can contain."""
_PIECE = 256 * 1024
"""Bytes of an array that are split at once if it may have too many rows."""
_FEW = 200_000
"""Most commas of an array that is split at once: each row ends with one, and takes 64 bytes when split."""
_TRIES = 8
"""Number of commas of each sort that are tried as the end of a part."""
_LARGEST_ODD = 4 * 1024 * 1024
"""Bytes of an object, or of a part of an array, that are parsed slowly if splitting fails."""


def rows(array: bytes, most: int = ALL) -> list[Json]:
    """Split an array into rows without parsing or checking them; return at most the first `most + 1`.

    Parsing into dicts handles 100 MB/s, splitting more than 1000. An invalid row does not affect others: invalid UTF-8
    stays in its row, and if a row is not strict JSON, the array is parsed slowly. Raise ValueError if it is not an
    array.
    """
    if array.lstrip()[:1] != b"[":
        raise ValueError("it is not a list")
    if array.count(b",") <= _FEW:
        try:
            return _rows.decode(array)[: most + 1]
        except UNREADABLE:
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
    """Split an array part by part, until there are enough rows."""
    members: list[Json] = []
    at = array.index(b"[") + 1
    while len(members) <= most:
        piece = _PIECE
        while True:
            last = at + piece >= len(array)
            taken = _rest(array, at, members) if last else _piece(array, at, at + piece)
            if taken is not None:
                break
            # A single row is longer than the part.
            piece *= 4
        members += taken[0]
        if last:
            break
        at = taken[1]
    return members[: most + 1]


def _rest(array: bytes, at: int, jsons: list[Json]) -> tuple[list[Json], int]:
    rest = b"[" + array[at:]
    try:
        cut = _rows.decode(rest)
    except UNREADABLE:
        cut = _slowly(rest)
    if not cut and jsons:
        raise ValueError("a comma has no row after it")
    return cut, len(array)


def _piece(array: bytes, at: int, end: int) -> tuple[list[Json], int] | None:
    """Return the rows of one part and the start of the next, or None if no row ends in it.

    A comma inside a row or text is detected because the text before it is not a complete array.
    """
    places = list(_commas(array, at, end))
    for read in (_rows.decode, _slowly):
        for place in places:
            try:
                cut = read(b"[" + array[at:place] + b"]")
            except (*UNREADABLE, ValueError):
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
    """Return these fields of an object, unparsed; skip all others.

    Raise ValueError if it is not an object.
    """
    if body.lstrip()[:1] != b"{":
        raise ValueError("it is not an object")
    try:
        found = _picking(names)(body)
    except UNREADABLE:
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
    """Return all fields of an object, unparsed. Raise ValueError if it is not an object."""
    try:
        return _fields.decode(body)
    except UNREADABLE:
        raise ValueError("it is not an object") from None


def array_of(rows: Iterable[bytes | Json]) -> bytes:
    """Return the JSON array of unparsed rows."""
    return b"[" + b",".join(map(bytes, rows)) + b"]"


def are_positions(names: Collection[str]) -> bool:
    """Return whether the names of an object are increasing positions: how PHP writes a list with gaps.

    Also true without any name, because an empty list may be written as an empty object.
    """
    if not all(name.isascii() and name.isdecimal() and len(name) < 10 for name in names):
        return False
    places = [int(name) for name in names]
    return all(before < after for before, after in pairwise(places))


@cache
def _picking(names: tuple[str, ...]) -> Callable[[bytes], Any]:
    wires = {f"field_{number}": name for number, name in enumerate(names)}
    shape = msgspec.defstruct("Picked", [(name, msgspec.Raw, cast(Any, None)) for name in wires], rename=wires)
    return msgspec.json.Decoder(cast("type[Any]", shape)).decode


def parse(body: bytes) -> Any:
    """Parse JSON; replace invalid UTF-8, and a lone surrogate only within its own string.

    Raise ValueError.
    """
    # Takes 25 ms, and the first frame parses nothing.
    from pydantic_core import from_json

    if not body.strip():
        return None
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        return parse_text(body.decode("utf-8", errors="replace"))


def parse_text(text: str) -> Any:
    """Parse JSON as far as possible: invalid or very long numbers, and values nested too deeply, become their source
    text.

    So an invalid value is a fault of its own field only. Raise ValueError.
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
    """Replace every list or object nested deeper than `_DEEPEST` by a string with its JSON.

    Not recursive, because of the depth.
    """
    depth = done = start = 0
    parts: list[str] = []
    for match in islice(_BRACKETS.finditer(text), _MOST_BRACKETS):
        opening, closing = match.span("open"), match.span("close")
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


class WireStruct(msgspec.Struct, frozen=True, gc=False):
    """Base class of frequent messages: a tenth of the cost of a pydantic model."""


def decoder(kind: type[T]) -> Callable[[bytes | Json], T]:
    """Return a function that parses JSON to this type. It raises one of `UNREADABLE`; no Python code runs in it."""
    return msgspec.json.Decoder(kind).decode


class NotJson(ValueError):
    """A text is not JSON."""


def message_reader(kind: Any) -> Callable[[bytes | str], Any]:
    """Return a function that parses JSON to one of several messages, distinguished by their tags.

    It raises NotJson, and ValueError for JSON that is not such a message.
    """
    decode = msgspec.json.Decoder(kind, strict=False).decode

    def read(message: bytes | str) -> Any:
        try:
            return decode(message)
        except msgspec.ValidationError as error:
            # It ends at the first wrong value; what follows may be no JSON.
            _json(message)
            raise ValueError(str(error)) from None
        except UNREADABLE as error:
            raise NotJson(str(error)) from None

    return read


def _json(message: bytes | str) -> None:
    try:
        msgspec.json.decode(message)
    except UNREADABLE as error:
        raise NotJson(str(error)) from None


def encode(message: WireStruct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


Glance = Callable[[bytes | Json], Any]
"""Reads the plain fields of a row into attributes; raises one of `UNREADABLE` if one has another type."""


class PartialRow(msgspec.Struct, gc=False):
    """Base class of structs with some fields of a row."""


class Glances:
    """Reads some fields of rows: name, wire name, type and default of each.

    `also` are alternative wire names, used if the first is missing. The results are not tracked by the garbage
    collector, and take about a tenth of the memory of a record.
    """

    def __init__(self, fields: Sequence[tuple[str, str, Any, Any]], also: Iterable[tuple[str, str]] = ()) -> None:
        self._others = [(name, f"{name}_{number}", wire) for number, (name, wire) in enumerate(also)]
        names = {name: wire for name, wire, _, _ in fields} | {name: wire for _, name, wire in self._others}
        kinds = {name: kind for name, _, kind, _ in fields}
        shape = msgspec.defstruct(
            "Glance",
            [(name, kind, default) for name, _, kind, default in fields]
            + [(second, kinds[name], None) for name, second, _ in self._others],
            bases=(PartialRow,),
            gc=False,
            rename=names,
        )
        self._read = decoder(cast("type[Any]", shape))
        self._read_all = decoder(cast("type[list[Any]]", cast("Any", list)[shape]))
        self.one: Glance = self._either if self._others else self._read
        self.all: Callable[[bytes], list[Any]] = self._all_either if self._others else self._read_all
        """Reads an array of rows, in half the time; raises one of `UNREADABLE` if `one` does for a row."""

    def _all_either(self, array: bytes) -> list[Any]:
        return [*map(self._filled, self._read_all(array))]

    def _either(self, row: bytes | Json) -> Any:
        return self._filled(self._read(row))

    def _filled(self, glance: Any) -> Any:
        for name, second, _ in self._others:
            if getattr(glance, name) is None:
                setattr(glance, name, getattr(glance, second))
        return glance
