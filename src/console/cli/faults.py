"""What is wrong with a configuration besides its form: what it names has to be there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from console.config_file import Loaded, Problem, nearest
from console.paths import places, resource_dir
from console.tables.theme_file import read_theme
from console.tables.thresholds import DEFAULTS


def faults_beyond_the_model(loaded: Loaded) -> list[Problem]:
    """Find what names things that do not exist: actions and keys, lists and columns, levels, the theme."""
    config = loaded.config
    # What there is to name is imported only by who names something: it is most of what the console consists of.
    found = [*(_key_faults(loaded) if config.keys else ()), *(_column_faults(loaded) if config.columns else ())]
    for name in config.thresholds:
        if name not in DEFAULTS:
            found.append(loaded.problem(("thresholds", name), f"is nothing with levels{nearest(name, DEFAULTS)}"))
    themes = theme_files()
    if config.theme in themes:
        found.extend(theme_faults(themes[config.theme]))
    else:
        found.append(loaded.problem(("theme",), f"there is no theme {config.theme!r}{nearest(config.theme, themes)}"))
    return found


def _key_faults(loaded: Loaded) -> Iterator[Problem]:
    from console.actions.keymap import key_map

    for fault in key_map(loaded.config.keys).faults:
        yield loaded.problem(("keys", fault.id), fault.words)


def _column_faults(loaded: Loaded) -> Iterator[Problem]:
    from console.tables.catalogue import TABLES

    for kind, columns in loaded.config.columns.items():
        table = TABLES.get(kind)
        if table is None:
            yield loaded.problem(("columns", kind), f"is no list{nearest(kind, TABLES)}")
            continue
        known = [column.id for column in table.columns]
        for at, each in enumerate(columns):
            if each not in known:
                words = f"{kind} have no column {each!r}{nearest(each, known)}"
                yield loaded.problem(("columns", kind, at), words)


def theme_files() -> dict[str, Path]:
    """Return the themes that came with the program and the person's own, by name."""
    folders = (resource_dir("themes"), places(os.environ).themes)
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}


def theme_faults(file: Path) -> Iterator[Problem]:
    """Find what is wrong in the file of a theme."""
    for fault in read_theme(file)[1]:
        yield Problem(fault.file, fault.line or 0, fault.key, fault.message)
