"""What details are made of: lines of a label and a value, faults, bars, and the record as it came."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from console.records.secrets import is_secret
from console.tables.cell import Cell, Line, Section, Tone
from console.tables.sight import Sight
from console.tables.words import dash
from console.text import SafeText, clean

if TYPE_CHECKING:
    from console.records.record import Record

LABEL_WIDTH = 13
_RAW_LINES = 400
_LONG = 160
_LONGEST_SECRET = 8_000
"""A secret that is shown is shown in full: half of it is of no use."""


def say(text: object, tone: Tone = Tone.PLAIN) -> Line:
    """Return a line that says one thing."""
    return (Cell(clean(text), tone),)


def pair(label: str, value: object, sight: Sight, tone: Tone = Tone.PLAIN) -> Line:
    """Return a label and its value; None and empty text read as a dash."""
    shown = dash(sight) if value is None or value == "" else clean(value)
    quiet = Tone.QUIET if value is None or value == "" else tone
    return (_label(label), Cell(shown, quiet))


def led(label: str, cells: Iterable[Cell]) -> Line:
    """Return a label and what follows it."""
    return (_label(label), *cells)


def _label(label: str) -> Cell:
    return Cell(clean(f"{label} ".ljust(LABEL_WIDTH)), Tone.QUIET)


def gap(text: str = "  ") -> Cell:
    """Return space between cells."""
    return Cell(clean(text))


def faults(record: Record) -> tuple[Line, ...]:
    """Return what could not be read of a record, a line each; nothing for a sound one."""
    return tuple(
        say(f"! {field or 'the whole row'}: {reason}", Tone.NOTICE) for field, reason in sorted(record.faults.items())
    )


def faults_section(record: Record) -> tuple[Section, ...]:
    """Return the faults under a title of their own, if there are any."""
    found = faults(record)
    return (Section("faults", "Faults", found),) if found else ()


def bar(share: float, width: int, sight: Sight) -> SafeText:
    """Draw a share from 0 to 1; anything above nothing shows."""
    full, rest = ("#", ".") if sight.symbols == "ascii" else ("━", "╌")
    share = min(1.0, max(0.0, share))
    filled = min(width, max(round(share * width), 1 if share > 0 else 0))
    return clean(full * filled + rest * (width - filled))


def raw_section(record: Record) -> Section:
    """Return the record as it travels, without what is secret."""
    return Section("raw", "Raw", raw(fields(record)))


def fields(record: Record) -> dict[str, object]:
    """Return a record's fields by their wire names, in whatever characters: `wire()` refuses lone surrogates."""
    return record.model_dump(by_alias=True, exclude_none=True)


def raw(value: object, *, revealed: bool = False) -> tuple[Line, ...]:
    """Return any JSON value as indented, harmless lines; long texts are cut, and secrets unless they are `revealed`."""
    text = json.dumps(_veiled(value, revealed), indent=2, ensure_ascii=False, default=str)
    lines = text.split("\n")
    shown = tuple(say(line) for line in lines[:_RAW_LINES])
    return shown if len(lines) <= _RAW_LINES else (*shown, say(f"… {len(lines) - _RAW_LINES} more lines", Tone.QUIET))


def _veiled(value: object, revealed: bool = False, depth: int = 0) -> object:
    if depth > 40:
        return "…"
    if isinstance(value, dict):
        members = cast("dict[object, object]", value)
        return {
            str(name): veil(each)
            if (is_secret(str(name)) and not revealed) or name == "avatar"
            else each[:_LONGEST_SECRET]
            if is_secret(str(name)) and isinstance(each, str)
            else _veiled(each, revealed, depth + 1)
            for name, each in members.items()
        }
    if isinstance(value, list | tuple):
        return [_veiled(each, revealed, depth + 1) for each in cast("Iterable[object]", value)]
    if isinstance(value, str) and len(value) > _LONG:
        return value[:_LONG] + "…"
    return value


def veil(secret: object) -> str | None:
    """Return the last four characters of a secret, enough to tell two apart; nothing of a short one."""
    if secret is None or secret == "":
        return None
    text = str(secret)
    return f"…{text[-4:]}" if len(text) >= 12 else "…"
