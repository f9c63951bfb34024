"""The annotated example of a configuration file, generated from the settings."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any, cast

from console.config.schema import Config, Profile
from console.config.settings import Settings, entries

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
        return f"{{ {', '.join(f'{_key(name)} = {_toml(each)}' for name, each in entries)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in cast('list[Any]', value))}]"
    return json.dumps(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name)
