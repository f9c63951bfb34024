"""Errors in the event channel of a profile that only its dialect can find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from console.client.dialects import DialectFault, find_dialect
from console.config_file import Loaded
from console.toml_source import ConfigFault, FileProblem


def require_channel(loaded: Loaded, profile: str) -> None:
    """Raise ConfigFault if the event channel of a profile cannot be used."""
    faults = list(channel_faults(loaded, (profile,)))
    if faults:
        raise ConfigFault(faults)


def channel_faults(loaded: Loaded, profiles: Iterable[str]) -> Iterator[FileProblem]:
    """Yield the errors of these profiles' event channels that only their dialects can find."""
    for name in profiles:
        channel = loaded.config.profiles[name].channel
        if channel is None or channel.dialect is None:
            continue
        try:
            find_dialect(channel.dialect)
        except DialectFault as fault:
            yield loaded.problem(("profiles", name, "channel", "dialect"), str(fault))
