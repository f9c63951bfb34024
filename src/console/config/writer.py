"""Write settings chosen in the program to the configuration file, preserving its other content."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from console.base.frozen import Frozen
from console.config.paths import make_private, replace_file
from console.config.schema import SavedView
from console.config.toml_edit import Edit, edited, line_of
from console.config.toml_source import BYTE_ORDER_MARK, read_named


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
