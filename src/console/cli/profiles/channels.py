"""Errors of a profile that only code of others can find: the dialect of its event channel, and its adapter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from console.base.patterns import BadPattern
from console.client.adapter import AdapterFault, find_adapter
from console.client.dialects import DialectFault, find_dialect
from console.client.endpoint import HINTS_DIALECT
from console.client.hints import texts_in
from console.config.reader import Loaded
from console.config.schema import EventChannel
from console.config.settings import nearest
from console.config.toml_source import ConfigFault, FileProblem, Place
from console.kinds.catalogue import FEEDS


def require_channel(loaded: Loaded, profile: str) -> None:
    """Raise ConfigFault if the event channel of a profile cannot be used."""
    faults = list(channel_faults(loaded, (profile,)))
    if faults:
        raise ConfigFault(faults)


def channel_faults(loaded: Loaded, profiles: Iterable[str]) -> Iterator[FileProblem]:
    """Yield the errors of these profiles' event channels that only their dialects can find."""
    for name in profiles:
        channel = loaded.config.profiles[name].channel
        if channel is not None:
            place = ("profiles", name, "channel")
            yield from (loaded.problem((*place, *below), text) for below, text in _faults(channel))


def adapter_faults(loaded: Loaded, profiles: Iterable[str]) -> Iterator[FileProblem]:
    """Yield the errors of these profiles' adapters, which are imported for that."""
    for name in profiles:
        adapter = loaded.config.profiles[name].adapter
        if adapter is None or (adapter.suffix == ".py" and not adapter.is_file()):
            continue
        try:
            find_adapter(adapter)
        except AdapterFault as fault:
            yield loaded.problem(("profiles", name, "adapter"), str(fault))


def _faults(channel: EventChannel) -> Iterator[tuple[Place, str]]:
    try:
        find_dialect(channel.protocol)
    except DialectFault as fault:
        yield ("dialect",), str(fault)
    if channel.protocol != HINTS_DIALECT:
        return
    try:
        texts_in(channel.resource)
    except BadPattern as fault:
        yield ("resource",), f"is not a regular expression: {fault}"
    for text, kinds in channel.lists.items():
        for at, kind in enumerate(kinds):
            if kind not in FEEDS:
                yield ("lists", text, at), f"{kind!r} is not a list{nearest(kind, FEEDS)}"
