"""Read the configuration: files, environment, and all errors at once.

Precedence, the later overriding the earlier: the file of the machine, the user's file, the environment, the command
line. Each value stores its origin, for `console config show --origin`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit
from urllib.request import getproxies_environment

from console.base.frozen import Frozen, field, replace
from console.base.signs import terminal_symbols
from console.config import settings
from console.config.notice_settings import NoticeSettings
from console.config.paths import expanded, places
from console.config.schema import ENVIRONMENT_PROFILE, Config, Profile
from console.config.toml_source import ConfigFault, FileProblem, Place, TomlSource, key_of, read_toml

ENVIRONMENT: Mapping[str, str] = {
    "CONSOLE_PROFILE": "profile",
    "CONSOLE_THEME": "theme",
    "CONSOLE_SYMBOLS": "symbols",
}
"""Environment variables for keys of the configuration."""

CORE_VARIABLE = "CONSOLE_CORE"
"""Sets a core service without any file, as the profile `environment`."""
PROFILE_VARIABLES: Mapping[str, str] = {
    CORE_VARIABLE: "core",
    "CONSOLE_PROVISIONING": "provisioning",
    "CONSOLE_VARIANT": "variant",
    "CONSOLE_PROVISIONING_VARIANT": "provisioning_variant",
}
"""Environment variables for keys of the profile `environment`. All but the first require the first."""


class Loaded(Frozen):
    """A configuration with the origins of its values."""

    config: Config
    origins: Mapping[Place, str] = field(default_factory=dict[Place, str])
    """`file:line`, the environment variable, or what the terminal is, by place of the value; others are defaults."""
    files: tuple[Path, ...] = ()
    """The files that were read."""
    sources: Mapping[Place, TomlSource] = field(default_factory=dict[Place, TomlSource])
    """The file of each value that came from one."""

    def origins_of(self, profile: str) -> Mapping[str, str]:
        """Return the origins of the keys of a profile, by key; the origins in a table also by the key of the table."""
        origins: dict[str, str] = {}
        for place, origin in self.origins.items():
            if place[:2] == ("profiles", profile):
                origins.setdefault(str(place[2]), origin)
                origins[key_of(place[2:])] = origin
        return origins

    def check_files(self, profile: str) -> None:
        """Raise ConfigFault if files or programs that a profile names are missing."""
        faults = list(self.missing_files(profile))
        if faults:
            raise ConfigFault(faults)

    def missing_files(self, profile: str) -> Iterator[FileProblem]:
        """Yield the files and programs of a profile that are missing. A program without a `/` is not searched."""
        chosen = self.config.profiles[profile]
        for key in FILES:
            file: Path | None = getattr(chosen, key)
            installed = key == "adapter" and file is not None and file.suffix != ".py"
            if file is not None and not file.is_file() and not installed:
                why = "is not a file" if file.exists() else "does not exist"
                yield self.problem(("profiles", profile, key), f"{file} {why}")
        if chosen.trust_env:
            for scheme, url in getproxies_environment().items():
                if scheme in {"all", "http", "https"} and not _is_http_proxy(url):
                    text = f"uses {scheme.upper()}_PROXY of the environment: not an HTTP proxy, http://host:port"
                    yield self.problem(("profiles", profile, "trust_env"), text)
        commands = {key: getattr(chosen, key) for key in COMMANDS}
        commands |= {f"login.{key}": getattr(chosen.login, key) for key in LOGIN_COMMANDS}
        for key, command in commands.items():
            yield from self._missing_program(command, ("profiles", profile, *key.split(".")))

    def missing_programs_of_notices(self) -> Iterator[FileProblem]:
        """Yield the programs of the section `notices` that are missing. The console opens without them."""
        notices = self.config.notices
        yield from self._missing_program(notices.command, ("notices", "command"))
        if notices.webhook is not None:
            yield from self._missing_program(notices.webhook.secret_command, ("notices", "webhook", "secret_command"))

    def _missing_program(self, command: tuple[str, ...], place: Place) -> Iterator[FileProblem]:
        if command and "/" in command[0] and not os.access(command[0], os.X_OK):
            why = "cannot be executed" if Path(command[0]).exists() else "does not exist"
            yield self.problem(place, f"{command[0]} {why}")

    def problem(self, place: Place, message: str) -> FileProblem:
        """Return the problem with a value, at its origin."""
        source = _owner(place, self.sources)
        if source is None:
            return FileProblem(None, 0, self.origins.get(place) or key_of(place), message)
        return source.problem(place, message)


def load_config(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, Any] | None = None) -> Config:
    """Read the configuration. `path` is a file from the command line, which must exist.

    `overrides` are top-level keys from the command line. Raise ConfigFault with all errors.
    """
    return load(path, environ, overrides).config


def load(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, Any] | None = None) -> Loaded:
    """Read the configuration with the origin of every value. Raise ConfigFault with all errors."""
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
        for replaced in [inner for inner in from_file if inner[: len(place)] == place]:
            del from_file[replaced]
            origins.pop(replaced, None)
        _put(data, place, value)
        inner = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None
        origins.update({place: origin} if inner is None else {(*place, key): origin for key in inner})
    if "symbols" not in data:
        data["symbols"], origins["symbols",] = terminal_symbols(environ)
    config = settings.read(Config, data, partial(_problem, from_file, origins))
    files = tuple(source.file for source in sources)
    return Loaded(_with_files_beside(config, from_file), origins, files, from_file)


def pick_profile(config: Config, name: str | None) -> tuple[str, Profile]:
    """Return the profile to use: the named one, otherwise the configured one, otherwise the only one.

    Raise ConfigFault with a helpful message.
    """
    chosen = name or config.profile
    known = config.profiles
    if chosen is None and len(known) == 1:
        chosen = next(iter(known))
    if chosen is None:
        if not known:
            advice = "no profile is configured: run `console setup`, or `console demo` for sample data"
        else:
            advice = f"several profiles: choose one with --profile or set profile: {', '.join(known)}"
        raise ConfigFault([FileProblem(None, 0, "", advice)])
    if chosen not in known:
        raise ConfigFault([FileProblem(None, 0, "", f"unknown profile {chosen!r}{settings.nearest(chosen, known)}")])
    return chosen, known[chosen]


def _read_files(path: Path | None, environ: Mapping[str, str]) -> list[TomlSource]:
    where = places(environ)
    wanted = [path] if path is not None else [where.site_config_file, where.config_file]
    required = path is not None or bool(environ.get("CONSOLE_CONFIG"))
    sources: list[TomlSource] = []
    for file in wanted:
        if file is None or (not required and not os.path.lexists(file)):
            continue
        sources.append(read_toml(file))
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
    """Return the values from environment and command line: place, value, origin. Raise ConfigFault."""
    settings: list[tuple[Place, Any, str]] = []
    variables = {variable: key for variable, key in PROFILE_VARIABLES.items() if environ.get(variable)}
    if CORE_VARIABLE in variables:
        # Empty at first, to replace a profile of this name in a file.
        settings.append((("profiles", ENVIRONMENT_PROFILE), {}, CORE_VARIABLE))
        settings.extend(
            (("profiles", ENVIRONMENT_PROFILE, key), environ[variable], variable) for variable, key in variables.items()
        )
        settings.append((("profile",), ENVIRONMENT_PROFILE, CORE_VARIABLE))
    elif variables:
        needs = f"needs {CORE_VARIABLE}, the URL of the core service"
        raise ConfigFault([FileProblem(None, 0, variable, needs) for variable in variables])
    for variable, key in ENVIRONMENT.items():
        if environ.get(variable):
            settings.append(((key,), environ[variable], variable))
    settings.extend(((key,), value, f"--{key}") for key, value in overrides.items() if value is not None)
    return settings


def _value_at(data: Any, place: Place) -> Any:
    for step in place:
        data = data[step]
    return data


def _put(data: dict[str, Any], place: Place, value: Any) -> None:
    for step in place[:-1]:
        data = data.setdefault(str(step), {})
    data[str(place[-1])] = value


def _problem(owners: Mapping[Place, TomlSource], origins: Mapping[Place, str], place: Place, text: str) -> FileProblem:
    owner = _owner(place, owners)
    if owner is not None:
        return owner.problem(place, text)
    return FileProblem(None, 0, origins.get(place) or origins.get(place[:-1]) or key_of(place), text)


def _owner(place: Place, owners: Mapping[Place, TomlSource]) -> TomlSource | None:
    while place:
        if place in owners:
            return owners[place]
        place = place[:-1]
    return None


def _with_files_beside(config: Config, owners: Mapping[Place, TomlSource]) -> Config:
    """Resolve relative paths against the file that contains them, also the paths of programs in commands."""
    profiles: dict[str, Profile] = {}
    for name, profile in config.profiles.items():

        def beside(key: str, value: Any, above: Place = ("profiles", name)) -> Any:
            source = owners.get((*above, key))
            return value if source is None else _resolved(value, source.file.parent)

        login = replace(
            profile.login,
            **{key: beside(key, getattr(profile.login, key), ("profiles", name, "login")) for key in LOGIN_COMMANDS},
        )
        changes = {key: beside(key, getattr(profile, key)) for key in (*FILES, *COMMANDS)}
        profiles[name] = replace(profile, **changes, login=login)
    return replace(config, profiles=profiles, notices=_notices_beside(config.notices, owners))


def _notices_beside(notices: NoticeSettings, owners: Mapping[Place, TomlSource]) -> NoticeSettings:
    """Resolve the programs of the commands about notices."""

    def beside(value: tuple[str, ...], *place: str) -> Any:
        source = owners.get(("notices", *place))
        return value if source is None else _resolved(value, source.file.parent)

    hook = notices.webhook
    if hook is not None:
        hook = replace(hook, secret_command=beside(hook.secret_command, "webhook", "secret_command"))
    return replace(notices, command=beside(notices.command, "command"), webhook=hook)


FILES = ("routes", "adapter", "tls_ca", "tls_cert", "tls_key")
"""Keys of a profile that name a file."""
COMMANDS = ("password_command", "provisioning_token_command", "proxy_command")
LOGIN_COMMANDS = ("command", "client_secret_command")
"""Keys of a profile and of its login that have a command."""


def _is_http_proxy(url: str) -> bool:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host = (parts.hostname or "").encode("idna").decode()
        return parts.scheme in {"http", "https"} and bool(host) and " " not in host and parts.port != 0
    except ValueError:
        return False


def _resolved(value: Path | tuple[str, ...] | None, folder: Path) -> Path | tuple[str, ...] | None:
    match value:
        case Path():
            return folder / value
        case (program, *rest) if "/" in program:
            return (str(folder / expanded(Path(program))), *rest)
        case _:
            return value
