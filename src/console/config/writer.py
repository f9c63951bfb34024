"""Write settings chosen in the program to the configuration file, preserving its comments and their order.

TOML has several forms for the same data: tables, dotted keys, inline tables, tables in any order. Each way to write a
change fits some of them. A changed text is read again, and taken only if its data is the old data with the change.
"""

from __future__ import annotations

import copy
import json
import os
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import tomlkit

from console.base.frozen import Frozen
from console.config.paths import make_private, replace_file
from console.config.schema import SavedView
from console.config.toml_source import BYTE_ORDER_MARK, TomlSource, read_named


class Edit(Frozen):
    """One change of a file."""

    place: tuple[str, ...]
    value: Any = None
    """None deletes the value."""
    merges: bool = False
    """Whether other keys of a table stay."""
    only_if_missing: bool = False


def edited(text: str, edit: Edit) -> str | None:
    """Return the text with a change, or None if no way to write it preserves the rest. Raise TOMLDecodeError."""
    data = tomllib.loads(text)
    old = _value_at(data, edit.place)
    if old is not None and edit.only_if_missing:
        return text
    if edit.value is None:
        return text if old is None else _first_sound(text, data, Edit(_emptied(data, edit.place)), _DELETING)
    value: Any = edit.value
    if isinstance(value, Mapping):
        value = _merged(old if edit.merges else None, cast("Mapping[str, Any]", value))
    return _first_sound(text, data, Edit(edit.place, value), _REPLACING if old is not None else _ADDING)


def line_of(edit: Edit) -> str:
    """Return the instruction for a person who edits the file: `set a.b = 1`."""
    key = _dotted(edit.place)
    return f"delete {key}" if edit.value is None else f"set {key} = {_inline(edit.value)}"


def _first_sound(text: str, data: dict[str, Any], edit: Edit, ways: tuple[Any, ...]) -> str | None:
    try:
        wanted = _comparable(_applied(data, edit))
    except (AttributeError, KeyError, TypeError):
        # A value of another type is in the place of a table.
        return None
    for way in ways:
        try:
            changed = way(text, edit)
            # Comments between deleted lines are about what is deleted.
            is_kept = way is _without_lines or not _comments(text) - _comments(changed)
            if is_kept and _comparable(tomllib.loads(changed)) == wanted:
                return changed
        except Exception:  # tomlkit fails with errors of many types on forms that it cannot edit.
            continue
    return None


def _comparable(data: Mapping[str, Any]) -> str:
    """Return text that is equal for the same data: `1` is not `1.0`, `nan` is `nan`, the order of keys is ignored."""
    return json.dumps(data, sort_keys=True, default=repr)


def _comments(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if line.lstrip().startswith("#"))


def _applied(data: dict[str, Any], edit: Edit) -> dict[str, Any]:
    """Return a copy of the data with a change. Raise AttributeError, KeyError or TypeError
    if a value is in the place of a table."""
    changed = copy.deepcopy(data)
    table: Any = changed
    for key in edit.place[:-1]:
        table = table.setdefault(key, {})
    if edit.value is None:
        del table[edit.place[-1]]
    else:
        table[edit.place[-1]] = edit.value
    return changed


def _value_at(data: Any, place: tuple[str, ...]) -> Any:
    for key in place:
        if not isinstance(data, Mapping) or key not in data:
            return None
        data = cast("Mapping[str, Any]", data)[key]
    return data


def _emptied(data: Any, place: tuple[str, ...]) -> tuple[str, ...]:
    """Return the outermost table that has nothing but the value at this place, or the place."""
    while len(place) > 1 and len(_value_at(data, place[:-1])) == 1:
        place = place[:-1]
    return place


def _merged(old: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    return {**(cast("dict[str, Any]", old) if isinstance(old, dict) else {}), **values}


# -- ways to write a change -----------------------------------------------------------------------------------------


def _with_tables(text: str, edit: Edit) -> str:
    """Set a value; new tables have a header of their own."""
    document = tomlkit.parse(text)
    table: Any = document
    for key in edit.place[:-1]:
        table = table.setdefault(key, tomlkit.table(is_super_table=True))
    _set(table, edit.place[-1], edit.value, _table)
    return tomlkit.dumps(document)


def _with_inline_tables(text: str, edit: Edit) -> str:
    """Set a value; new tables are inline."""
    document = tomlkit.parse(text)
    table: Any = document
    for key in edit.place[:-1]:
        table = table.setdefault(key, tomlkit.inline_table())
    _set(table, edit.place[-1], edit.value, _inline_item)
    return tomlkit.dumps(document)


def _set(table: Any, key: str, value: Any, item: Any) -> None:
    """Set a value; of a table that is there, only what differs, so that its comments stay."""
    old: Any = table.get(key)
    if not isinstance(value, Mapping) or not isinstance(old, Mapping):
        table[key] = item(value)
        return
    values, here = cast("Mapping[str, Any]", value), cast("dict[str, Any]", old)
    for name in [name for name in here if name not in values]:
        del here[name]
    for name, inner in values.items():
        if here.get(name) != inner:
            _set(here, name, inner, _inline_item)


def _with_section(text: str, edit: Edit) -> str:
    """Add a table at the end."""
    keys = "".join(f"{_key(name)} = {_inline(value)}\n" for name, value in edit.value.items())
    above = text.rstrip("\n")
    return f"{above}\n\n[{_dotted(edit.place)}]\n{keys}".lstrip("\n")


def _with_first_line(text: str, edit: Edit) -> str:
    """Add a dotted key at the beginning, after comments."""
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if line.strip() and line.lstrip()[0] != "#"), len(lines))
    above = "".join(lines[:at])
    if above and not above.endswith("\n"):
        above += "\n"
    below = "".join(lines[at:])
    return f"{above}{_dotted(edit.place)} = {_inline(edit.value)}\n{below}"


def _without_lines(text: str, edit: Edit) -> str:
    """Delete the line of a value, or the lines from the header of a table to the comments above the next one."""
    lines = text.splitlines(keepends=True)
    first = TomlSource(Path(), {}, text).lines[edit.place] - 1
    last = first + 1
    if lines[first].lstrip().startswith("["):
        while last < len(lines) and not lines[last].lstrip().startswith("["):
            last += 1
        while last < len(lines) and lines[last - 1].lstrip()[:1] in {"", "#"}:
            last -= 1
        while last < len(lines) and not lines[last].strip():
            last += 1
    return "".join((*lines[:first], *lines[last:]))


def _without_value(text: str, edit: Edit) -> str:
    """Delete a value wherever its parts are."""
    document = tomlkit.parse(text)
    table: Any = document
    for key in edit.place[:-1]:
        table = table[key]
    del table[edit.place[-1]]
    return tomlkit.dumps(document)


def _anew(text: str, edit: Edit) -> str:
    """Delete a table wherever its parts are, and add it at the end."""
    return _with_section(_without_value(text, Edit(edit.place)), edit)


_ADDING = (_with_tables, _with_section, _with_inline_tables, _with_first_line)
_REPLACING = (_with_tables, _with_inline_tables, _anew)
_DELETING = (_without_lines, _without_value)


def _table(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    table = tomlkit.table()
    for key, inner in cast("Mapping[str, Any]", value).items():
        table[key] = _inline_item(inner)
    return table


def _inline_item(value: Any) -> Any:
    """Return a value as TOML on one line."""
    if not isinstance(value, Mapping):
        return cast("Any", tomlkit).item(value)
    table = tomlkit.inline_table()
    for key, inner in cast("Mapping[str, Any]", value).items():
        table[key] = _inline_item(inner)
    return table


def _inline(value: Any) -> str:
    return str(_inline_item(value).as_string())


def _key(name: str) -> str:
    return tomlkit.key(name).as_string()


def _dotted(place: tuple[str, ...]) -> str:
    return ".".join(map(_key, place))


def save_columns(file: Path, kind: str, columns: Sequence[str]) -> str:
    """Save the columns of a list in the configuration file. Return the error, as `_save` does."""
    return _save(file, "The columns apply to this session only", Edit(("columns", kind), list(columns)))


def save_view(file: Path, kind: str, name: str, view: SavedView) -> str:
    """Save a view of a list in the configuration file. Return the error, as `_save` does."""
    values = {"filter": view.filter, "sort": view.sort, "columns": list(view.columns)}
    return _save(file, "The view is saved for this session only", Edit(("views", kind, name), values))


def forget_view(file: Path, kind: str, name: str) -> str:
    """Delete a view of a list from the configuration file. Return the error, as `_save` does."""
    return _save(file, "The view is deleted for this session only", Edit(("views", kind, name)))


def save_rule(file: Path, name: str, values: Mapping[str, Any]) -> str:
    """Save keys of a rule in the file of rules. Return the error, as `_save` does."""
    return _save(file, "The rule is not saved", Edit(("rules", name), values, merges=True))


def forget_rule(file: Path, name: str) -> str:
    """Delete a rule from the file of rules. Return the error, as `_save` does."""
    return _save(file, "The rule is not deleted", Edit(("rules", name)))


def save_theme(file: Path, name: str) -> str:
    """Save the theme in the configuration file. Return the error, as `_save` does."""
    return _save(file, "The theme applies to this session only", Edit(("theme",), name))


def save_profile(file: Path, name: str, values: Mapping[str, Any]) -> str:
    """Save a profile in the configuration file, as the default one if there is none. Return the error, as `_save`."""
    return _save(
        file,
        "The profile is not saved",
        Edit(("profiles", name), values),
        Edit(("profile",), name, only_if_missing=True),
    )


class _ConfigText(Frozen):
    """The text of a file, and how its bytes were written."""

    text: str = ""
    mark: bytes = b""
    """The byte order mark, or empty."""
    is_crlf: bool = False
    """Whether all lines end with CR LF. They end with LF in `text`."""

    @classmethod
    def read(cls, file: Path) -> _ConfigText:
        """Read a file; a missing one is empty. Raise OSError or UnicodeDecodeError."""
        try:
            raw = read_named(file)
        except FileNotFoundError:
            return cls()
        mark = BYTE_ORDER_MARK if raw.startswith(BYTE_ORDER_MARK) else b""
        text = raw[len(mark) :].decode()
        is_crlf = 0 < text.count("\n") == text.count("\r\n")
        return cls(text.replace("\r\n", "\n") if is_crlf else text, mark, is_crlf)

    def encoded(self, text: str) -> bytes:
        """Return the bytes of a changed text."""
        return self.mark + (text.replace("\n", "\r\n") if self.is_crlf else text).encode()


def _save(file: Path, otherwise: str, *edits: Edit) -> str:
    """Change the configuration file, preserving comments, order, mode, line ends and byte order mark.

    The file is replaced atomically; of a link, its target is. Return the error as a sentence that starts with
    `otherwise`, or empty.
    """
    # A link of the user, such as one into a directory of dotfiles, stays.
    target = Path(os.path.realpath(file))
    try:
        before = _ConfigText.read(target)
        text = before.text
        for edit in edits:
            changed = edited(text, edit)
            if changed is None:
                return (
                    f"{otherwise}: the console cannot edit {file} without damage as it is written. "
                    f"By hand, {line_of(edit)}"
                )
            text = changed
        if text != before.text:
            if target.exists() and target.stat().st_nlink > 1:
                message = f"{otherwise}: {file} is a hard link, whose other names would keep the old text. By hand, "
                return message + "; ".join(line_of(edit) for edit in edits)
            make_private(target.parent)
            replace_file(target, before.encoded(text), keep_mode=True)
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        return f"{otherwise}: cannot write {file}: {error}"
    return ""
