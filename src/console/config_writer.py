"""Write settings chosen in the program to the configuration file, preserving its other content."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import ParseError

from console.config import SavedView
from console.paths import make_private


def save_columns(file: Path, kind: str, columns: Sequence[str]) -> str:
    """Save the columns of a list in the configuration file. Return the error, as `_save` does."""

    def change(document: tomlkit.TOMLDocument) -> None:
        document.setdefault("columns", tomlkit.table())[kind] = list(columns)

    return _save(file, "The columns apply to this session only", change)


def save_view(file: Path, kind: str, name: str, view: SavedView) -> str:
    """Save a view of a list in the configuration file. Return the error, as `_save` does."""

    def change(document: tomlkit.TOMLDocument) -> None:
        views = document.setdefault("views", tomlkit.table(is_super_table=True))
        views.setdefault(kind, tomlkit.table(is_super_table=True))[name] = tomlkit.item(
            {"filter": view.filter, "sort": view.sort, "columns": list(view.columns)}
        )

    return _save(file, "The view is saved for this session only", change)


def forget_view(file: Path, kind: str, name: str) -> str:
    """Delete a view of a list from the configuration file. Return the error, as `_save` does."""

    def change(document: tomlkit.TOMLDocument) -> None:
        views: dict[str, dict[str, Any]] = cast("dict[str, Any]", document).get("views", {})
        views.get(kind, {}).pop(name, None)

    return _save(file, "The view is deleted for this session only", change)


def save_rule(file: Path, name: str, values: Mapping[str, Any]) -> str:
    """Save keys of a rule in the file of rules. Return the error, as `_save` does."""

    def change(document: tomlkit.TOMLDocument) -> None:
        rules = document.setdefault("rules", tomlkit.table(is_super_table=True))
        rule = rules.setdefault(name, tomlkit.table())
        for key, value in values.items():
            rule[key] = value

    return _save(file, "The rule is not saved", change)


def forget_rule(file: Path, name: str) -> str:
    """Delete a rule from the file of rules. Return the error, as `_save` does."""

    def change(document: tomlkit.TOMLDocument) -> None:
        cast("dict[str, Any]", document).get("rules", {}).pop(name, None)

    return _save(file, "The rule is not deleted", change)


def save_theme(file: Path, name: str) -> str:
    """Save the theme in the configuration file. Return the error, as `_save` does."""

    def change(document: tomlkit.TOMLDocument) -> None:
        document["theme"] = name

    return _save(file, "The theme applies to this session only", change)


def save_profile(file: Path, name: str, values: Mapping[str, Any]) -> str:
    """Save a profile in the configuration file, as the default one if there is none. Return the error, as `_save`."""

    def change(document: tomlkit.TOMLDocument) -> None:
        profiles = document.setdefault("profiles", tomlkit.table(is_super_table=True))
        table = tomlkit.table()
        for key, value in values.items():
            table[key] = _inline(value)
        profiles[name] = table
        if "profile" not in document:
            document["profile"] = name

    return _save(file, "The profile is not saved", change)


def _inline(value: Any) -> Any:
    """Return a value as TOML on one line."""
    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    for key, each in cast("dict[str, Any]", value).items():
        table[key] = _inline(each)
    return table


def _save(file: Path, otherwise: str, change: Callable[[tomlkit.TOMLDocument], None]) -> str:
    """Change the configuration file, preserving comments and order.

    Return the error as a sentence that starts with `otherwise`, or empty. The file is replaced atomically.
    """
    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
        change(document)
        make_private(file.parent)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(descriptor, "w", encoding="utf-8") as new:
            new.write(tomlkit.dumps(document))
            new.flush()
            os.fsync(new.fileno())
        os.replace(name, file)
    except (OSError, ParseError, UnicodeDecodeError, TypeError) as error:
        return f"{otherwise}: cannot write {file}: {error}"
    return ""
