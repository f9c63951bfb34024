"""Lines of details: labels with values, faults, bars, raw records."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeVar, cast, overload

from console.base.secrets import is_secret
from console.base.signs import drawn
from console.base.text import SafeText, clean, clean_and_rest, left_out
from console.records.fields import resolved_fields
from console.records.record import Record
from console.views.cell import Cell, Line, Section, Tone
from console.views.render_context import RenderContext
from console.views.wording import amount, at, clock, dash, moment

T = TypeVar("T")

LABEL_WIDTH = 13
FAULTS = "faults"
"""The id of the section of faults, which is the first."""
MOST = 200
"""Default number of entries of a list in a detail; a last line counts the others."""
_RAW_LINES = 400
_COUNTED = 20_000
"""Most hidden lines of a raw record that are counted."""
_LONG = 160
_LONGEST_SECRET = 8_000
_DEEPEST = 40
_FIRST_MOMENT_MS, _LAST_MOMENT_MS = 946_684_800_000, 4_102_444_800_000
"""Numbers from the year 2000 to 2100, in ms since the epoch, are moments: services use no others as large."""


def text_line(text: object, tone: Tone = Tone.PLAIN) -> Line:
    """Return a line with a text; for a long text with the size of the hidden part."""
    safe_text, more = clean_and_rest(text)
    return (Cell(safe_text, tone), Cell(more, Tone.QUIET)) if more else (Cell(safe_text, tone),)


def listed(
    record: Record, name: str, lines: Callable[[], tuple[Line, ...]], none: str, tone: Tone = Tone.QUIET
) -> tuple[Line, ...]:
    """Return the lines of a list in a record; `none` if it is empty, and another text if it cannot be read."""
    if record.unread(name):
        return (text_line("Not known: the service sent something else than a list.", Tone.NOTICE),)
    return lines() or (text_line(none, tone),)


def listed_title(title: str, record: Record, name: str, render: RenderContext) -> str:
    """Return the title of a list in a record, with the number of its entries as far as it can be read."""
    many = record.count_of(name)
    return f"{title} {dash(render) if many is None else amount(many)}"


def pair(label: str, value: object, render: RenderContext, tone: Tone = Tone.PLAIN) -> Line:
    """Return a label and its value; None and empty text become a dash. A long value is cut, with a note."""
    if value is None or value == "":
        return (_label(label), Cell(dash(render), Tone.QUIET))
    return (_label(label), *text_line(value, tone))


def several(entries: Sequence[T], line: Callable[[T], Line], most: int = MOST, what: str = "entry") -> tuple[Line, ...]:
    """Return a line for each of the first entries of a list, and a last line that counts the others."""
    return (*(line(entry) for entry in entries[:most]), *rest(len(entries) - most, what))


def related_lines(
    entries: Sequence[T], line: Callable[[T], Line], render: RenderContext, what: str
) -> tuple[Line, ...]:
    """Return a line for each of the first related records, and a last line that counts the others."""
    return several(entries, line, render.most_related, what)


def rest(amount: int, what: str = "entry") -> tuple[Line, ...]:
    """Return the line that counts hidden entries, if any."""
    return ((Cell(left_out(amount, what), Tone.QUIET),),) if amount > 0 else ()


def labelled(label: str, cells: Iterable[Cell]) -> Line:
    """Return a label and cells."""
    return (_label(label), *cells)


def _label(label: str) -> Cell:
    return Cell(clean(f"{label} ".ljust(LABEL_WIDTH)), Tone.QUIET)


def gap(text: str = "  ") -> Cell:
    """Return space between cells."""
    return Cell(clean(text))


def faults(record: Record) -> tuple[Line, ...]:
    """Return a line per invalid part of a record."""
    return tuple(
        text_line(f"! {field or 'the whole row'}: {reason}", Tone.NOTICE)
        for field, reason in sorted(record.faults.items())
    )


def faults_section(record: Record) -> tuple[Section, ...]:
    """Return the section of faults, if there are any."""
    lines = faults(record)
    return (Section(FAULTS, "Faults", lines),) if lines else ()


def before_closed(sections: tuple[Section, ...], more: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return sections with others before those that are closed at first."""
    last = len(sections) - sum(section.closed for section in sections)
    return (*sections[:last], *more, *sections[last:])


def bar(share: float, width: int, render: RenderContext, symbols: str = "█░") -> SafeText:
    """Draw a share from 0 to 1; any positive share is visible. `symbols` draw its full and its empty part."""
    full, empty = drawn(symbols, render.symbols)
    share = min(1.0, max(0.0, share))
    filled = min(width, max(round(share * width), 1 if share > 0 else 0))
    return clean(full * filled + empty * (width - filled))


def raw_section(record: object, render: RenderContext, *before: Line) -> Section:
    """Return the last section of a detail, closed at first: the record in wire format, without secrets."""
    return Section("raw", "Raw JSON", _RawLines(record, render, before), closed=True)


class _RawLines(Sequence[Line]):
    """Lines that are written when somebody reads them: each key and each second makes details with a closed section."""

    def __init__(self, record: object, render: RenderContext, before: tuple[Line, ...]) -> None:
        self._record, self._render, self._before = record, render, before

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return (*self._before, *raw(self._record, self._render))

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Line, ...]: ...
    def __getitem__(self, index: int | slice) -> Line | tuple[Line, ...]:
        return self._lines[index]

    def __len__(self) -> int:
        return len(self._lines)


def fields(record: Record) -> dict[str, object]:
    """Return a record's fields by wire name, with any characters: `wire()` fails for lone surrogates."""
    return dict(_fields(record, as_sent=False))


def field_lines(
    values: Mapping[str, object], render: RenderContext, *, moments: Collection[str] = ()
) -> tuple[Line, ...]:
    """Return a line for each field; nested values are below their names. `moments` are fields with a time."""
    lines: list[Line] = []
    for field, value in islice(values.items(), MOST):
        if isinstance(value, dict | list):
            lines += [text_line(f"{field}:", Tone.QUIET), *raw(cast(object, value), render)]
        elif is_secret(field):
            lines += raw({field: value}, render)[1:-1]
        elif field in moments and at(value) is not None:
            lines.append(pair(field, moment(at(value), render), render))
        else:
            lines.append(pair(field, {True: "yes", False: "no"}[value] if isinstance(value, bool) else value, render))
    return (*lines, *rest(len(values) - MOST, "field"))


def raw(value: object, render: RenderContext | None = None, *, revealed: bool = False) -> tuple[Line, ...]:
    """Return a JSON value or record as indented, safe lines; secrets are shortened unless `revealed`.

    With `render`, the time of a moment is written beside it. Long texts and lists are cut, with the size of the rest.
    The cost is bounded by the shown part.
    """
    written = _written(value, revealed)
    lines = [_raw_line(text, leaf, render) for text, leaf in islice(written, _RAW_LINES)]
    more = sum(1 for _ in islice(written, _COUNTED))
    if more:
        safe_text = (
            left_out(more, "line") if more < _COUNTED else clean(f"… over {_COUNTED:,} more lines are not shown")
        )
        lines.append((Cell(safe_text, Tone.QUIET),))
    return tuple(lines)


def _raw_line(text: str, leaf: object, render: RenderContext | None) -> Line:
    line = Cell(clean(text, 2 * _LONGEST_SECRET))
    if render is None or not isinstance(leaf, int | float) or not _FIRST_MOMENT_MS <= leaf < _LAST_MOMENT_MS:
        return (line,)
    return (line, Cell(clean(f"  {clock(leaf, render)}"), Tone.QUIET))


def _written(
    value: object, revealed: bool, before: str = "", after: str = "", pad: str = "", depth: int = 0
) -> Iterator[tuple[str, object]]:
    """Yield the lines of a value lazily, with `before` at the start of the first and `after` at the end of the last.

    A value that is neither an object nor a list is yielded beside its line.
    """
    keyed = _is_object(value)
    if depth > _DEEPEST or not (keyed or isinstance(value, list | tuple)):
        yield before + ('"…"' if depth > _DEEPEST else _json_text(value)) + after, value
        return
    opening, closing = "{}" if keyed else "[]"
    members = _members(cast("object", value)) if keyed else _entries(cast("Sequence[object]", value))
    here = next(members, None)
    yield before + opening + ("" if here else closing + after), None
    while here is not None:
        (name, member), here = here, next(members, None)
        key = f"{_json_text(name)}: " if keyed else ""
        if keyed and ((is_secret(name[:_LONG]) and not revealed) or name == "avatar"):
            member = veil(member)
        elif keyed and isinstance(member, str) and is_secret(name[:_LONG]):
            member = _Whole(member)
        if isinstance(member, _Rest):
            yield f"{pad}  {member}", None
        else:
            yield from _written(member, revealed, f"{pad}  {key}", "," if here else "", f"{pad}  ", depth + 1)
        if here is None:
            yield pad + closing + after, None


class _Rest(str):
    """Placeholder for the hidden entries of a list."""


class _Whole(str):
    """A revealed secret, shown in full."""


def _entries(value: Sequence[object]) -> Iterator[tuple[str, object]]:
    yield from (("", item) for item in value[:MOST])
    more = left_out(len(value) - MOST, "entry")
    if more:
        yield "", _Rest(more)


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping | Record)


def _members(value: object) -> Iterator[tuple[str, object]]:
    """Yield the names and values of an object, or of a record by wire names without empty fields."""
    if isinstance(value, Mapping):
        yield from ((str(name), item) for name, item in cast("Mapping[object, object]", value).items())
    else:
        yield from _fields(cast(Record, value), as_sent=True)


def _fields(record: Record, *, as_sent: bool) -> Iterator[tuple[str, object]]:
    """Yield the fields of a record by wire name; with `as_sent` in the form in which the service sent them.

    Unknown fields follow by name: their order in a row differs between a list and an event, or a recording.
    """
    for name, field in resolved_fields(type(record)).items():
        value: object = getattr(record, name, None)
        if value is not None:
            yield field.wire, record.sent.get(field.wire, value) if as_sent else value
    yield from ((name, value) for name, value in sorted(record.model_extra.items()) if value is not None)


def _json_text(value: object) -> str:
    if isinstance(value, str):
        most = _LONGEST_SECRET if isinstance(value, _Whole) else _LONG
        value = value[:most] + left_out(len(value) - most, "character") if len(value) > most else value
    return json.dumps(value, ensure_ascii=False, default=str)


def veil(secret: object) -> str | None:
    """Return the last four characters of a long secret, to distinguish two; nothing of a short one."""
    if secret is None or secret == "":
        return None
    if not isinstance(secret, str | int | float):
        return "…"
    text = str(secret)
    return f"…{text[-4:]}" if len(text) >= 12 else "…"
