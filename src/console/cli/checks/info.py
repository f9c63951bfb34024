"""`console info`: file locations, variables, and what the console does without."""

from __future__ import annotations

import os
import platform
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from console import __version__
from console.base.zone import machine_zone
from console.cli.exits import Exit
from console.cli.output import escaped, print_json
from console.config.paths import places, resource_dir
from console.config.reader import PROFILE_VARIABLES, load
from console.config.toml_source import ConfigFault
from console.ui.textual_compat import pieces

VARIABLES = (
    "CONSOLE_CONFIG",
    "CONSOLE_HOME",
    "CONSOLE_PROFILE",
    *PROFILE_VARIABLES,
    "CONSOLE_USERNAME",
    "CONSOLE_PASSWORD",
    "CONSOLE_PROXY_PASSWORD",
    "CONSOLE_NOTICE_SECRET",
    "CONSOLE_THEME",
    "CONSOLE_SYMBOLS",
    pieces.STOCK,
    "NO_COLOR",
    "TERM",
)
"""Environment variables that the console uses."""


_INVALID = "invalid: run `console config validate`"


def declare_info(parser: ArgumentParser) -> None:
    """Declare `console info`."""
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    parser.set_defaults(run=info)


def info(*, json: bool) -> int:
    """Show file locations and environment variables."""
    where = places(os.environ)
    profiles, symbols = _configured()
    zone, source = machine_zone(os.environ)
    facts: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "textual": pieces.installed(),
        "configuration": str(where.config_file) + _absent(where.config_file),
        "profiles": profiles,
        "symbols": symbols,
        "time zone": f"{zone.key} ({source})",
        "journal": str(where.journal) + _absent(where.journal),
        "stored logins": "the system keyring, or " + str(where.tokens) + _absent(where.tokens),
        "logs": str(where.log) + _absent(where.log),
        "exports": str(where.downloads),
        "themes": str(resource_dir("themes")),
        "own themes": str(where.themes) + _absent(where.themes),
        "worlds": str(resource_dir("seeds")),
    }
    facts |= {f"no {piece}": why for piece, why in pieces.without().items()}
    facts |= {name: _shown(name) for name in VARIABLES if name in os.environ}
    if json:
        print_json(facts)
    else:
        widest = max(map(len, facts))
        for name, value in facts.items():
            print(escaped(f"{name:<{widest}} {value}"))
    return Exit.OK


def _absent(file: Path) -> str:
    return "" if file.exists() else " (missing)"


def _shown(name: str) -> str:
    return "(set)" if "PASSWORD" in name or "SECRET" in name else os.environ[name]


def _configured() -> tuple[str, str]:
    """Return the names of the profiles, and the set of symbols with its reason."""
    try:
        loaded = load(None, os.environ)
    except ConfigFault:
        return _INVALID, _INVALID
    config = loaded.config
    return ", ".join(config.profiles) or "none", f"{config.symbols} ({loaded.origins['symbols',]})"
