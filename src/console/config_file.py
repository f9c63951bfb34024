"""Reading the configuration: which files, in which order, what the environment adds, and every fault at once.

Precedence, the later winning: the machine's file, the person's file, the environment, the command line. Each value
remembers where it came from, so that `console config show --origin` can say it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from console import settings
from console.config import Config, Profile
from console.frozen import Frozen, field, replace
from console.paths import places
from console.toml_source import Place, TomlFault, TomlSource, read_toml

ENVIRONMENT: Mapping[str, str] = {
    "CONSOLE_PROFILE": "profile",
    "CONSOLE_THEME": "theme",
    "CONSOLE_SYMBOLS": "symbols",
}
"""Environment variables that stand for a key of the configuration."""

CORE_VARIABLE = "CONSOLE_CORE"
"""Names a core service without any file; it becomes the profile `environment`."""
ENVIRONMENT_PROFILE = "environment"
PROFILE_VARIABLES: Mapping[str, str] = {
    CORE_VARIABLE: "core",
    "CONSOLE_PROVISIONING": "provisioning",
    "CONSOLE_VARIANT": "variant",
    "CONSOLE_PROVISIONING_VARIANT": "provisioning_variant",
}
"""Environment variables that stand for a key of the profile `environment`. All but the first need the first."""


class Problem(Frozen):
    """One fault in a configuration file."""

    file: Path | None
    """None for a fault in the environment or on the command line."""
    line: int
    """0 when it is about the file as a whole."""
    key: str
    message: str

    def __str__(self) -> str:
        """Say it in a line: file, line, key, what is wrong."""
        where = "" if self.file is None else f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        return where + (f"{self.key}: " if self.key else "") + self.message


class ConfigFault(Exception):
    """The configuration cannot be used. `problems` has every fault, in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class Loaded(Frozen):
    """A configuration, and where each of its values came from."""

    config: Config
    origins: Mapping[Place, str] = field(default_factory=dict[Place, str])
    """By place of the value: `file:line` or the environment variable. What is not here is a default."""
    files: tuple[Path, ...] = ()
    """The files that were read."""
    sources: Mapping[Place, TomlSource] = field(default_factory=dict[Place, TomlSource])
    """The file that each value came from, for those that came from one."""

    def problem(self, place: Place, message: str) -> Problem:
        """Say that something is wrong with a value, where it was written."""
        source = _owner(place, self.sources)
        if source is None:
            return Problem(None, 0, self.origins.get(place) or _key(place), message)
        return Problem(source.file, source.line(place), _key(place), message)


def load_config(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, Any] | None = None) -> Config:
    """Read the configuration. `path` is a file named on the command line, which must exist.

    `overrides` are top-level keys given on the command line. Raises ConfigFault with all faults.
    """
    return load(path, environ, overrides).config


def load(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, Any] | None = None) -> Loaded:
    """Read the configuration and remember where every value came from. Raises ConfigFault with all faults."""
    sources = _read_files(path, environ)
    data: dict[str, Any] = {}
    origins: dict[Place, str] = {}
    from_file: dict[Place, TomlSource] = {}
    for source in sources:
        _merge(data, source.data, (), source, from_file)
    for place, source in from_file.items():
        if not isinstance(_value_at(source.data, place), Mapping):
            origins[place] = f"{source.file}:{source.line(place)}"
    for place, value, origin in _ambient(environ, overrides or {}):
        for replaced in [each for each in from_file if each[: len(place)] == place]:
            del from_file[replaced]
            origins.pop(replaced, None)
        _put(data, place, value)
        inner = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None
        origins.update({place: origin} if inner is None else {(*place, key): origin for key in inner})
    try:
        config = settings.read(Config, data)
    except settings.SettingsFault as fault:
        raise ConfigFault(_problems(fault.faults, from_file, origins)) from None
    files = tuple(source.file for source in sources)
    return Loaded(_with_files_beside(config, from_file), origins, files, from_file)


def pick_profile(config: Config, name: str | None) -> tuple[str, Profile]:
    """Return the profile to work on: the named one, else the configured one, else the only one there is.

    Raises ConfigFault with a sentence that helps.
    """
    chosen = name or config.profile
    known = config.profiles
    if chosen is None and len(known) == 1:
        chosen = next(iter(known))
    if chosen is None:
        if not known:
            words = "no profile is configured: see `console config example`, or run `console demo`"
        else:
            words = f"several profiles: choose one with --profile or set profile: {', '.join(known)}"
        raise ConfigFault([Problem(None, 0, "", words)])
    if chosen not in known:
        raise ConfigFault([Problem(None, 0, "", f"unknown profile {chosen!r}{settings.nearest(chosen, known)}")])
    return chosen, known[chosen]


def _read_files(path: Path | None, environ: Mapping[str, str]) -> list[TomlSource]:
    where = places(environ)
    wanted = [path] if path is not None else [where.site_config_file, where.config_file]
    required = path is not None or "CONSOLE_CONFIG" in environ
    sources: list[TomlSource] = []
    for file in wanted:
        if file is None or (not required and not file.exists()):
            continue
        try:
            sources.append(read_toml(file))
        except TomlFault as fault:
            raise ConfigFault([Problem(fault.file, fault.line, "", fault.message)]) from None
    return sources


def _merge(
    into: dict[str, Any], data: Mapping[str, Any], place: Place, source: TomlSource, owners: dict[Place, TomlSource]
) -> None:
    for key, value in data.items():
        here = (*place, key)
        if isinstance(value, Mapping):
            inner: Any = into.get(key)
            if not isinstance(inner, dict):
                inner = into[key] = {}
            owners[here] = source
            _merge(cast("dict[str, Any]", inner), cast("Mapping[str, Any]", value), here, source, owners)
        else:
            into[key] = value
            owners[here] = source


def _ambient(environ: Mapping[str, str], overrides: Mapping[str, Any]) -> list[tuple[Place, Any, str]]:
    """Return what environment and command line add: place, value, origin. Raises ConfigFault."""
    found: list[tuple[Place, Any, str]] = []
    given = {variable: key for variable, key in PROFILE_VARIABLES.items() if environ.get(variable)}
    if CORE_VARIABLE in given:
        # Empty at first, so that it takes the place of a profile of that name in a file.
        found.append((("profiles", ENVIRONMENT_PROFILE), {}, CORE_VARIABLE))
        found.extend(
            (("profiles", ENVIRONMENT_PROFILE, key), environ[variable], variable) for variable, key in given.items()
        )
        found.append((("profile",), ENVIRONMENT_PROFILE, CORE_VARIABLE))
    elif given:
        needs = f"needs {CORE_VARIABLE}, the URL of the core service"
        raise ConfigFault([Problem(None, 0, variable, needs) for variable in given])
    for variable, key in ENVIRONMENT.items():
        if environ.get(variable):
            found.append(((key,), environ[variable], variable))
    found.extend(((key,), value, f"--{key}") for key, value in overrides.items() if value is not None)
    return found


def _value_at(data: Any, place: Place) -> Any:
    for step in place:
        data = data[step]
    return data


def _put(data: dict[str, Any], place: Place, value: Any) -> None:
    for step in place[:-1]:
        data = data.setdefault(str(step), {})
    data[str(place[-1])] = value


def _problems(
    faults: Sequence[settings.Fault], owners: Mapping[Place, TomlSource], origins: Mapping[Place, str]
) -> list[Problem]:
    found: list[Problem] = []
    for each in faults:
        owner = _owner(each.place, owners)
        if owner is None:
            key = origins.get(each.place) or origins.get(each.place[:-1]) or _key(each.place)
            found.append(Problem(None, 0, key, each.words))
        else:
            found.append(Problem(owner.file, owner.line(each.place), _key(each.place), each.words))
    return sorted(found, key=lambda problem: (str(problem.file or ""), problem.line))


def _owner(place: Place, owners: Mapping[Place, TomlSource]) -> TomlSource | None:
    while place:
        if place in owners:
            return owners[place]
        place = place[:-1]
    return None


def _key(place: Place) -> str:
    return ".".join(str(step) for step in place)


def _with_files_beside(config: Config, owners: Mapping[Place, TomlSource]) -> Config:
    """Read relative file names as seen from the file that names them."""
    profiles: dict[str, Profile] = {}
    for name, profile in config.profiles.items():
        changes: dict[str, Path] = {}
        for key in ("routes", "tls_ca", "tls_cert", "tls_key"):
            value: Path | None = getattr(profile, key)
            source = owners.get(("profiles", name, key))
            if value is not None and source is not None:
                changes[key] = source.file.parent / value
        profiles[name] = replace(profile, **changes)
    return replace(config, profiles=profiles)
