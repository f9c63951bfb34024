"""`console config`: effective values with their origins, errors, schema, and an example generated from the settings."""

from __future__ import annotations

import json as json_text
import os
import re
import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, cast

from console.api.routes_file import read_routes
from console.base.secrets import MASK
from console.cli.exits import Exit
from console.cli.output import escaped, print_json, talk
from console.cli.profiles.channels import adapter_faults, channel_faults
from console.cli.profiles.faults import faults_beyond_the_model, rule_faults, theme_faults, theme_files
from console.config.paths import places
from console.config.reader import Loaded, load
from console.config.schema import Config, Profile
from console.config.settings import Settings, builtins_of, entries
from console.config.settings import schema as schema_of
from console.config.toml_source import ConfigFault, FileProblem, Place

_EXAMPLES: dict[str, Any] = {
    "core": "https://voice.example/core",
    "provisioning": "https://voice.example/provisioning",
    "username": "eva",
    "password_command": ["pass", "show", "voice"],
    "present": "bearer",
    "login": "session",
    "provisioning_present": {"header": "X-Api-Key", "scheme": ""},
    "headers": {"X-Tenant": "7"},
    "page_size": 200,
    "statuses": {"440": "login"},
    "times": "Europe/Madrid",
    "refusals": {"session expired": "login"},
    "states": {"calls": {"queuetimeout": "abandoned"}},
    "addresses": {"user": "wac-user:{id}", "group": "wac-group:{id}"},
    "provisioning_token_command": ["pass", "show", "voice-provisioning"],
    "tls_ca": "ca.pem",
    "tls_cert": "me.pem",
    "tls_key": "me.key",
    "proxy": "http://proxy.example:3128",
    "proxy_command": ["pass", "show", "proxy"],
    "channel": {"dialect": "console", "url": "wss://voice.example/events"},
    "time_zone": "Europe/Madrid",
    "rules": {"wait": {"condition": "longest > 3m"}},
    "routes": "routes.toml",
    "adapter": "halcyon.py",
    "profile": "day",
    "read_only": False,
    "colour": "green",
}
"""Example values for settings without a default."""

_TABLES = """
# Key map: action id to a key, or to several keys separated by commas. docs/keys.md lists the ids.
[keys]
# "alerts.accept" = "a"

# Columns of a list, in order. `console list NAME --columns all` shows all columns.
[columns]
# calls = ["state", "caller", "callee", "age"]

# Saved views of a list, by name.
[views.users]
# "New people" = { filter = "created<30d", sort = "-created" }

# Warning and critical thresholds. Ages in seconds.
[thresholds]
# "calls.wait" = { warn = 60, bad = 120 }

# What `console wallboard` and W show: docs/wallboard.md.
[wallboard]
# boards = ["figures", "queues", "skills", "attention"]
# seconds = 15.0

# What is recorded while the console runs: docs/recording.md.
[recording]
# enabled = true
# keep = "24h"
# megabytes = 500

# How a person is told about episodes: docs/notices.md.
[notices]
# quiet = ["22:00-06:00"]
# ways = { critical = ["bell", "flash", "desktop"], warning = ["bell", "flash"], notice = ["flash"] }
"""


_IN_TABLES = {"profiles", "keys", "columns", "views", "thresholds", "notices", "wallboard", "recording"}


def example_text() -> str:
    """Return the example: every key with its description, all but the required ones commented out."""
    parts = [
        "# Configuration of the operator console. `console config validate` checks it,",
        "# `console config show --origin` prints the effective configuration.",
        "",
        *_entries(Config, needed={"profile"}, skipped=_IN_TABLES),
        "[profiles.day]",
        *_entries(Profile, needed={"core", "username"}, skipped=set()),
    ]
    return "\n".join(parts).rstrip() + "\n" + _TABLES


def _entries(part: type[Settings], needed: set[str], skipped: set[str]) -> list[str]:
    lines: list[str] = []
    for entry in entries(part):
        if entry.name in skipped:
            continue
        about = " ".join(entry.about.replace("`", "").split())
        lines.extend(textwrap.wrap(about, 100, initial_indent="# ", subsequent_indent="# "))
        value = _EXAMPLES.get(entry.name, entry.default)
        lines.extend((f"{'' if entry.name in needed else '# '}{entry.name} = {_toml(value)}", ""))
    return lines


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value).items()
        return f"{{ {', '.join(f'{_toml_key(name)} = {_toml(item)}' for name, item in entries)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in cast('list[Any]', value))}]"
    return json_text.dumps(value)


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json_text.dumps(name)


def declare_show(parser: ArgumentParser) -> None:
    """Declare `console config show`."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="Configuration file to use instead of the default one."
    )
    parser.add_argument("--origin", action="store_true", help="Show where each value comes from.")
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    parser.set_defaults(run=show)


def show(*, config: Path | None, origin: bool, json: bool) -> int:
    """Print the effective configuration, with --origin where each value comes from."""
    loaded = load(config, os.environ)
    data = _without_headers(builtins_of(loaded.config))
    values = list(_values((), data))
    if json:
        entries = [{"key": _key(place), "value": value, "origin": _origin(loaded, place)} for place, value in values]
        print_json(entries if origin else data)
        return Exit.OK
    for place, value in values:
        text = escaped(f"{_key(place)} = {json_text.dumps(value, ensure_ascii=False)}")
        print(f"{text:<56}  # {_origin(loaded, place)}" if origin else text)
    return Exit.OK


def declare_validate(parser: ArgumentParser) -> None:
    """Declare `console config validate`."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="Configuration file to use instead of the default one."
    )
    parser.set_defaults(run=validate)


def validate(*, config: Path | None) -> int:
    """Check the configuration, the files that it names, key map and themes, and report all errors."""
    loaded = load(config, os.environ)
    others = (file for name, file in theme_files().items() if name != loaded.config.theme)
    faults = [*faults_beyond_the_model(loaded), *chain.from_iterable(map(theme_faults, others))]
    faults += chain.from_iterable(map(loaded.missing_files, loaded.config.profiles))
    faults += loaded.missing_programs_of_notices()
    faults += dict.fromkeys(rule_faults(loaded))
    faults += _routes_faults(loaded)
    faults += channel_faults(loaded, loaded.config.profiles)
    faults += adapter_faults(loaded, loaded.config.profiles)
    if faults:
        raise ConfigFault(faults)
    files = ", ".join(map(str, loaded.files)) or "no configuration file"
    print(f"{files}: valid")
    return Exit.OK


def declare_schema(parser: ArgumentParser) -> None:
    """Declare `console config schema`."""
    parser.set_defaults(run=schema)


def schema() -> int:
    """Print the JSON Schema of the configuration."""
    print_json(schema_of(Config))
    return Exit.OK


def declare_example(parser: ArgumentParser) -> None:
    """Declare `console config example`."""
    parser.set_defaults(run=example)


def example() -> int:
    """Print an annotated example configuration."""
    print(example_text(), end="")
    file = places(os.environ).config_file
    if not file.exists():
        talk(f"save it as {file}")
    return Exit.OK


def _routes_faults(loaded: Loaded) -> Iterator[FileProblem]:
    for profile in loaded.config.profiles.values():
        if profile.routes is not None and profile.routes.is_file():
            yield from read_routes(profile.routes).faults


def _without_headers(data: dict[str, Any]) -> dict[str, Any]:
    """Mask the values of headers, which may be keys of a service."""
    for profile in data["profiles"].values():
        profile["headers"] = dict.fromkeys(profile["headers"], MASK)
    return data


def _values(place: Place, value: Any) -> Iterator[tuple[Place, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in cast("Mapping[str, Any]", value).items():
            yield from _values((*place, key), inner)
    else:
        yield place, value


def _origin(loaded: Loaded, place: Place) -> str:
    while place:
        if place in loaded.origins:
            return loaded.origins[place]
        place = place[:-1]
    return "default"


def _key(place: Place) -> str:
    return ".".join(
        str(step) if str(step).replace("_", "").replace("-", "").isalnum() else f'"{step}"' for step in place
    )
