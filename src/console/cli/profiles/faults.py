"""Errors in a configuration beyond its format: references to unknown names."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from console.api.catalogue import catalogue
from console.config.paths import matching_files, places, resource_dir
from console.config.reader import Loaded
from console.config.settings import nearest
from console.config.toml_source import ConfigFault, FileProblem, Place
from console.kinds.alarms.states import STATES as ALARMS
from console.kinds.calls.states import STATES as CALLS
from console.kinds.catalogue import THRESHOLDS
from console.kinds.conferences.states import INVITES
from console.kinds.conferences.states import STATES as CONFERENCES
from console.kinds.keymap import key_map
from console.kinds.presence.states import STATES as ACTIVITIES
from console.records.state_words import ALERT, ROLES, normalized
from console.rules.compiled import faults_of
from console.rules.reading import RuleSet, load_rules
from console.views.theme_file import read_theme


def faults_beyond_the_model(loaded: Loaded) -> list[FileProblem]:
    """Return the references to unknown actions, keys, lists, columns, views, thresholds and themes."""
    config = loaded.config
    file_problems = [*_key_faults(loaded)] if config.keys else []
    if config.columns or config.views:
        # Needs the tables of all lists, which take 60 ms and most configurations do not name.
        from console.cli.lists.faults import list_faults

        file_problems += list_faults(loaded)
    for name, profile in config.profiles.items():
        file_problems += _state_faults(loaded, name, profile.states) if profile.states else ()
    for name in config.thresholds:
        if name not in THRESHOLDS:
            file_problems.append(loaded.problem(("thresholds", name), f"is not a threshold{nearest(name, THRESHOLDS)}"))
    file_problems += dict.fromkeys(fault for name in [*config.profiles] for fault in rules_of(loaded, name)[1])
    themes = theme_files()
    if config.theme in themes:
        file_problems.extend(theme_faults(themes[config.theme]))
    else:
        file_problems.append(
            loaded.problem(("theme",), f"unknown theme {config.theme!r}{nearest(config.theme, themes)}")
        )
    return file_problems


def rules_of(loaded: Loaded, profile: str) -> tuple[RuleSet, tuple[FileProblem, ...]]:
    """Return the rules of a profile, and their errors as far as they show without the tables of the lists."""

    def problem(place: Place, text: str) -> FileProblem:
        return loaded.problem(("profiles", profile, *place), text)

    try:
        return load_rules(places(os.environ), loaded.config.profiles[profile].rules, problem), ()
    except ConfigFault as fault:
        return RuleSet(), tuple(fault.problems)


def rule_faults(loaded: Loaded) -> Iterator[FileProblem]:
    """Yield the rules of all profiles that do not fit their lists."""
    for name in loaded.config.profiles:
        rules, _ = rules_of(loaded, name)
        for rule, fault in faults_of(rules.rules):
            yield rules.problem(rule.name, fault.key, fault.message)


def _key_faults(loaded: Loaded) -> Iterator[FileProblem]:
    for fault in key_map(loaded.config.keys).faults:
        yield loaded.problem(("keys", fault.id), fault.words)


def _state_faults(loaded: Loaded, profile: str, states: Mapping[str, Mapping[str, str]]) -> Iterator[FileProblem]:
    # The words of other lists mean nothing to the console, so any text may replace them.
    lists = {name.partition(".")[0].removeprefix("support-") for name in catalogue()}
    known: dict[str, Collection[str]] = {
        "users": ROLES,
        "alerts": ALERT - {""},
        "calls": CALLS.looks,
        "conferences": {**CONFERENCES.looks, **INVITES.looks},
        "presence": ACTIVITIES.looks,
        "agents": ACTIVITIES.looks,
        "alarms": ALARMS.looks,
    }
    for name, meanings in states.items():
        place = ("profiles", profile, "states", name)
        if name not in known and name not in lists:
            yield loaded.problem(place, f"is not a list with states{nearest(name, sorted({*known, *lists}))}")
            continue
        for word, meaning in meanings.items():
            if name in known and normalized(meaning) not in known[name]:
                problem = f"{meaning!r} is not a state that the console knows{nearest(meaning, sorted(known[name]))}"
                yield loaded.problem((*place, word), problem)


def theme_files() -> dict[str, Path]:
    """Return the included themes and the user's own, by name. Raise ConfigFault if a directory cannot be listed."""
    folders = (resource_dir("themes"), places(os.environ).themes)
    try:
        return {file.stem: file for folder in folders for file in matching_files(folder, "*.toml")}
    except OSError as error:
        problem = FileProblem(Path(error.filename), 0, "", f"cannot be listed: {error.strerror}")
        raise ConfigFault([problem]) from None


def theme_faults(file: Path) -> Iterator[FileProblem]:
    """Yield the errors in the file of a theme."""
    try:
        read_theme(file)
    except ConfigFault as fault:
        yield from fault.problems
